//! Precision at recalls, and pairs of judged rows.

use crate::index::form::Form;
use crate::index::parameter::Domain;
use crate::index::row::Law::{Perfect, RankOnly};
use crate::index::row::{Index, reading};
use crate::index::rows::retrieval::{
    MANNING, MIN_RELEVANCE, NO_RELEVANT, parameter, relevant_of, some_relevant,
};
use crate::index::value::Undefined;
use crate::queries::interpolated::{bpref, interpolated_precision};

const NO_VALUE: &str = "No row of the query is relevant, or too many are tied for a mean over all orders, \
                        which takes a step for each pair of places and hits.";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "bpref",
        aliases: &["binary_preference", "retrieval_bpref"],
        title: "Binary preference",
        formula: "sum_i (1 - min(m[i], R) / min(N, R)) / R, i the places of the relevant rows, \
                  m[i] the number of rows above that were judged not relevant, \
                  R the number of relevant rows, N that of rows judged not relevant",
        about: "How rarely rows that were judged not relevant lie above relevant ones. Rows that \
                nobody judged play no part, so it suits incomplete judgements.",
        undefined: NO_RELEVANT,
        laws: &[RankOnly, Perfect(1.0)],
        source: "Buckley, Voorhees 2004, doi:10.1145/1008992.1009000",
        parameters: &[MIN_RELEVANCE],
        ..reading(&[Form::Queries(&|list, p| {
            let relevant = relevant_of(p, 0);
            some_relevant(list, relevant)?;
            Ok(bpref(list, relevant))
        })])
    },
    Index {
        name: "interpolated_precision",
        aliases: &["iprec_at_recall", "interpolated_precision_at_recall"],
        title: "Interpolated precision at a recall",
        formula: "max of P[i] over the places i where Q[i] >= recall, P[i] the precision of the \
                  first i rows, Q[i] their recall; 0 where there is none",
        about: "The greatest precision that is reached with at least this recall. With \
                ties=\"trec_eval\" the number of relevant rows that this takes is rounded as \
                trec_eval does, which at times is one less.",
        undefined: NO_VALUE,
        laws: &[RankOnly, Perfect(1.0)],
        source: MANNING,
        parameters: &[
            parameter("recall", Some(0.0), Domain::Share, "the least recall"),
            MIN_RELEVANCE,
        ],
        ..reading(&[Form::Queries(&|list, p| {
            let relevant = relevant_of(p, 1);
            some_relevant(list, relevant)?;
            interpolated_precision(list, relevant, p.number(0)).ok_or(Undefined::TooManyTies)
        })])
    },
    Index {
        name: "eleven_point_average_precision",
        aliases: &["11pt_avg", "eleven_point_interpolated_average_precision"],
        title: "Eleven-point average precision",
        formula: "mean of interpolated_precision over the recalls from 0 to 1 in steps of 0.1",
        about: "The mean of the interpolated precision at eleven recalls: the summary of a \
                precision-recall curve of early evaluations.",
        undefined: NO_VALUE,
        laws: &[RankOnly, Perfect(1.0)],
        source: MANNING,
        parameters: &[MIN_RELEVANCE],
        ..reading(&[Form::Queries(&|list, p| {
            let relevant = relevant_of(p, 0);
            some_relevant(list, relevant)?;
            let mut sum = 0.0;
            for tenth in 0..=10 {
                let recall = f64::from(tenth) / 10.0;
                sum +=
                    interpolated_precision(list, relevant, recall).ok_or(Undefined::TooManyTies)?;
            }
            Ok(sum / 11.0)
        })])
    },
];
