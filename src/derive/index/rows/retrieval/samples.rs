//! Rows of samples of a task, such as the answers of a language model, whose order says nothing.

use crate::index::form::Form;
use crate::index::parameter::{Domain, Parameter};
use crate::index::row::Law::RankOnly;
use crate::index::row::{Index, reading};
use crate::index::rows::retrieval::{MIN_RELEVANCE, cutoff_of, parameter, relevant_of};
use crate::index::value::Undefined;
use crate::queries::samples::{all_right, any_right, best};

const FEWER: &str = "The query has fewer than k rows.";

const OF_ONE: Parameter = parameter(
    "k",
    Some(1.0),
    Domain::Whole,
    "the number of samples that are drawn from those of each query",
);
const OF_RIGHT: &[Parameter] = &[OF_ONE, MIN_RELEVANCE];

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "pass_at_k",
        aliases: &["pass", "code_eval"],
        title: "Pass at k",
        formula: "1 - C(n - c, k) / C(n, k), n the number of rows, c the number of relevant rows",
        about: "The probability that one at least of k samples of a task is right, of samples in any \
                order. The scores do not count.",
        undefined: FEWER,
        laws: &[RankOnly],
        source: "Chen et al. 2021, arXiv:2107.03374",
        parameters: OF_RIGHT,
        ..reading(&[Form::Queries(&|list, p| {
            any_right(list, relevant_of(p, 1), cutoff_of(list, p, 0)).ok_or(Undefined::FewerThanK)
        })])
    },
    Index {
        name: "pass_hat_k",
        aliases: &["pass_all_k", "pass_power_k"],
        title: "Pass to the k",
        formula: "C(c, k) / C(n, k), n the number of rows, c the number of relevant rows",
        about: "The probability that all of k samples of a task are right: how reliable a model is. \
                The scores do not count.",
        undefined: FEWER,
        laws: &[RankOnly],
        source: "Yao, Shinn, Razavi, Narasimhan 2024, arXiv:2406.12045",
        parameters: OF_RIGHT,
        ..reading(&[Form::Queries(&|list, p| {
            all_right(list, relevant_of(p, 1), cutoff_of(list, p, 0)).ok_or(Undefined::FewerThanK)
        })])
    },
    Index {
        name: "best_of_k",
        aliases: &["best_of_n"],
        title: "Best of k",
        formula: "sum_(j >= k) C(j - 1, k - 1) g[j] / C(n, k), g the grades of the n rows from the lowest up",
        about: "The mean of the highest grade of k samples of a task, of samples in any order. The \
                scores do not count.",
        undefined: FEWER,
        range: (0.0, f64::INFINITY),
        laws: &[RankOnly],
        source: "Nakano et al. 2021, arXiv:2112.09332",
        parameters: &[OF_ONE],
        ..reading(&[Form::Queries(&|list, p| {
            best(list, cutoff_of(list, p, 0)).ok_or(Undefined::FewerThanK)
        })])
    },
];
