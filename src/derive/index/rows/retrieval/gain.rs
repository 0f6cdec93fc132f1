//! Graded relevance, and discounts for each place.

use crate::index::form::Form;
use crate::index::parameter::{Domain, Parameter};
use crate::index::row::Law::{Perfect, RankOnly};
use crate::index::row::{Index, reading};
use crate::index::rows::retrieval::{
    AT_END, MIN_RELEVANCE, NO_RELEVANT, cutoff_of, parameter, relevant_of,
};
use crate::index::value::{Undefined, finite};
use crate::queries::gain::{Gain, dcg, expected_reciprocal_rank, ideal_dcg, rank_biased_precision};

const JARVELIN: &str = "Järvelin, Kekäläinen 2002, doi:10.1145/582415.582418";

/// What a relevance is worth.
const GAIN: Parameter = parameter(
    "gain",
    Some(0.0),
    Domain::Word(&["linear", "exponential"]),
    "what a relevance g is worth: g, or 2^g - 1 (Burges et al. 2005)",
);

const DISCOUNTED: &[Parameter] = &[AT_END, GAIN];

fn gain_of(number: f64) -> Gain {
    if number == 1.0 { Gain::Exponential } else { Gain::Linear }
}

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "ndcg",
        aliases: &[
            "ndcg_at_k",
            "ndcg_cut",
            "normalized_dcg",
            "normalized_discounted_cumulative_gain",
            "retrieval_normalized_dcg",
        ],
        title: "Normalized discounted cumulative gain",
        formula: "dcg / D, D the greatest dcg of the query with its rows in any order",
        about: "Discounted cumulative gain as a share of what is possible. With exponential gain \
                the most relevant rows decide. scikit-learn gives 0 for a query without relevant \
                rows; here it has no value.",
        undefined: NO_RELEVANT,
        laws: &[RankOnly, Perfect(1.0)],
        source: JARVELIN,
        parameters: DISCOUNTED,
        ..reading(&[Form::Queries(&|list, p| {
            let (k, gain) = (cutoff_of(list, p, 0), gain_of(p.number(1)));
            // A list without retrieved rows has a best order, too.
            let most = if p.number(0).is_nan() { list.len() } else { k };
            let best = finite(ideal_dcg(list, gain, most))?;
            if best == 0.0 {
                return Err(Undefined::NoRelevantRows);
            }
            Ok((dcg(list, gain, k) / best).min(1.0))
        })])
    },
    Index {
        name: "dcg",
        aliases: &["dcg_at_k", "discounted_cumulative_gain", "retrieval_dcg"],
        title: "Discounted cumulative gain",
        formula: "sum_(i <= k) g[i] / log2(i + 1), g[i] the gain of the row at place i",
        about: "The gains of the rows, those of later places discounted. It grows with the number \
                of relevant rows of a query: compare queries by ndcg.",
        range: (0.0, f64::INFINITY),
        laws: &[RankOnly],
        source: JARVELIN,
        parameters: DISCOUNTED,
        ..reading(&[Form::Queries(&|list, p| {
            finite(dcg(list, gain_of(p.number(1)), cutoff_of(list, p, 0)))
        })])
    },
    Index {
        name: "expected_reciprocal_rank",
        aliases: &["err_at_k", "retrieval_err"],
        title: "Expected reciprocal rank",
        formula: "sum_(i <= k) r[i] u[i] / i, r[i] = (2^g - 1) / 2^G, \
                  u[i] the product of 1 - r[j] over the places j < i, \
                  g the relevance of the row at place i, G that of the best rows",
        about: "The mean reciprocal place at which a user stops who reads down the list and is \
                satisfied by each row with a probability that rises with its relevance. Give \
                max_relevance where samples are compared: by default it is the highest relevance \
                in the data.",
        laws: &[RankOnly],
        source: "Chapelle, Metlzer, Zhang, Grinspan 2009, doi:10.1145/1645953.1646033",
        parameters: &[
            AT_END,
            parameter(
                "max_relevance",
                None,
                Domain::NotNegative,
                "the relevance of the best rows; by default the highest relevance of all queries",
            ),
        ],
        undefined: "A relevance is above max_relevance, or more than 32,768 rows are tied.",
        ..reading(&[Form::Queries(&|list, p| {
            let top = p.number(1);
            let top = if top.is_nan() { list.top() } else { top };
            if list.grades().any(|grade| grade > top) {
                return Err(Undefined::OutsideDomain);
            }
            let value = expected_reciprocal_rank(list, top, cutoff_of(list, p, 0));
            finite(value.ok_or(Undefined::TooManyTies)?)
        })])
    },
    Index {
        name: "rank_biased_precision",
        aliases: &["rbp"],
        title: "Rank-biased precision",
        formula: "(1 - p) sum_(i <= k) y[i] p^(i - 1), y[i] 1 if the row at place i is relevant and else 0",
        about: "The expected share of relevant rows for a user who goes on to the next row with \
                probability p. Rows that are not in the list count as not relevant, so short \
                lists cannot reach 1.",
        laws: &[RankOnly],
        source: "Moffat, Zobel 2008, doi:10.1145/1416950.1416952",
        parameters: &[
            parameter(
                "p",
                Some(0.8),
                Domain::OpenShare,
                "the probability of reading on; 0.5 is impatient, 0.95 patient",
            ),
            AT_END,
            MIN_RELEVANCE,
        ],
        ..reading(&[Form::Queries(&|list, p| {
            let k = cutoff_of(list, p, 1);
            Ok(rank_biased_precision(list, relevant_of(p, 2), p.number(0), k))
        })])
    },
];
