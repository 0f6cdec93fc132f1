//! Rows of the first k places, where rows are relevant or not.

use crate::index::form::Form;
use crate::index::parameter::{Domain, Parameter};
use crate::index::row::Law::{Perfect, RankOnly};
use crate::index::row::{Better, Index, reading};
use crate::index::rows::retrieval::{
    AT_END, AT_TEN, MANNING, MIN_RELEVANCE, NO_RELEVANT, cutoff_of, parameter, relevant_of,
    some_relevant,
};
use crate::index::value::Undefined;
use crate::queries::cutoff::{
    Denominator, average_precision, hit_rate, hits, misses, reciprocal_rank,
};

const AT_TEN_OF: &[Parameter] = &[AT_TEN, MIN_RELEVANCE];
const AT_END_OF: &[Parameter] = &[AT_END, MIN_RELEVANCE];
const BUCKLEY: &str = "Buckley, Voorhees 2000, doi:10.1145/345508.345543";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "precision_at_k",
        aliases: &["retrieval_precision", "p_at_k", "patk"],
        title: "Precision at k",
        formula: "h / k, h the number of relevant rows among the first k",
        about: "The share of the first k rows that are relevant. A query with fewer rows than k \
                cannot reach 1, nor one with fewer relevant rows.",
        laws: &[RankOnly],
        source: MANNING,
        parameters: AT_TEN_OF,
        ..reading(&[Form::Queries(&|list, p| {
            let k = cutoff_of(list, p, 0);
            Ok(hits(list, relevant_of(p, 1), k).of(k))
        })])
    },
    Index {
        name: "recall_at_k",
        aliases: &["retrieval_recall", "r_at_k"],
        title: "Recall at k",
        formula: "h / R, h the number of relevant rows among the first k, R the number of relevant rows",
        about: "The share of the relevant rows that are among the first k. A query with more \
                relevant rows than k cannot reach 1.",
        undefined: NO_RELEVANT,
        laws: &[RankOnly],
        source: MANNING,
        parameters: AT_TEN_OF,
        ..reading(&[Form::Queries(&|list, p| {
            let relevant = relevant_of(p, 1);
            let all = some_relevant(list, relevant)?;
            Ok(hits(list, relevant, cutoff_of(list, p, 0)).of(all))
        })])
    },
    Index {
        name: "f1_at_k",
        aliases: &["retrieval_f1"],
        title: "F1 at k",
        formula: "2 h / (k + R), h the number of relevant rows among the first k, R the number of relevant rows",
        about: "The harmonic mean of precision at k and recall at k.",
        laws: &[RankOnly],
        source: MANNING,
        parameters: AT_TEN_OF,
        ..reading(&[Form::Queries(&|list, p| {
            let (k, relevant) = (cutoff_of(list, p, 0), relevant_of(p, 1));
            let both = k.saturating_add(list.relevant(relevant));
            Ok(hits(list, relevant, k).doubled().of(both))
        })])
    },
    Index {
        name: "hit_rate_at_k",
        aliases: &["retrieval_hit_rate", "success_at_k", "retrieval_success"],
        title: "Hit rate at k",
        formula: "1 if one of the first k rows is relevant and 0 if none is",
        about: "The share of queries with a relevant row among the first k. Of tied rows the \
                value of a query is a probability.",
        undefined: NO_RELEVANT,
        laws: &[RankOnly],
        source: "Deshpande, Karypis 2004, doi:10.1145/963770.963776",
        parameters: AT_TEN_OF,
        ..reading(&[Form::Queries(&|list, p| {
            let relevant = relevant_of(p, 1);
            some_relevant(list, relevant)?;
            Ok(hit_rate(list, relevant, cutoff_of(list, p, 0)))
        })])
    },
    Index {
        name: "fall_out_at_k",
        aliases: &["retrieval_fall_out", "retrieval_fallout"],
        title: "Fall-out at k",
        formula: "m / N, m the number of the first k rows that are not relevant, \
                  N the number of all rows that are not relevant",
        about: "The share of the rows that are not relevant, judged or not, that are among the \
                first k.",
        better: Better::Lower,
        undefined: "All rows of the query are relevant.",
        laws: &[RankOnly],
        source: "van Rijsbergen 1979, Information Retrieval, chapter 7",
        parameters: AT_TEN_OF,
        ..reading(&[Form::Queries(&|list, p| {
            let relevant = relevant_of(p, 1);
            let others = list.len() - list.relevant(relevant);
            if others == 0 {
                return Err(Undefined::OnlyRelevantRows);
            }
            Ok(misses(list, relevant, cutoff_of(list, p, 0)).of(others))
        })])
    },
    Index {
        name: "retrieval_r_precision",
        aliases: &["rprec", "retrieval_precision_recall_break_even"],
        title: "R-precision by query",
        formula: "h / R, h the number of relevant rows among the first R, R the number of relevant rows",
        about: "Precision where as many rows are taken as are relevant, and so recall there, too.",
        undefined: NO_RELEVANT,
        laws: &[RankOnly, Perfect(1.0)],
        source: BUCKLEY,
        parameters: &[MIN_RELEVANCE],
        ..reading(&[Form::Queries(&|list, p| {
            let relevant = relevant_of(p, 0);
            let all = some_relevant(list, relevant)?;
            Ok(hits(list, relevant, all).of(all))
        })])
    },
    Index {
        name: "average_precision_at_k",
        aliases: &[
            "map_at_k",
            "map_cut",
            "mean_average_precision_at_k",
            "retrieval_map",
            "retrieval_ap",
            "retrieval_average_precision",
            "retrieval_mean_average_precision",
        ],
        title: "Average precision at k",
        formula: "sum_(i <= k) y[i] P[i] / R, y[i] 1 if the row at place i is relevant and else 0, \
                  P[i] the precision of the first i rows, R the number of relevant rows",
        about: "The mean precision at the relevant rows, 0 for those beyond k. Its mean over \
                queries is MAP. Packages divide by different numbers where there is a cutoff: \
                trec_eval and ranx by R (\"relevant\"), others by the lesser of R and k (\"min\"), \
                torchmetrics by the relevant rows among the first k (\"hits\").",
        undefined: NO_RELEVANT,
        laws: &[RankOnly, Perfect(1.0)],
        source: BUCKLEY,
        parameters: &[
            AT_END,
            MIN_RELEVANCE,
            parameter(
                "denominator",
                Some(0.0),
                Domain::Word(&["relevant", "min", "hits"]),
                "what the sum is divided by",
            ),
        ],
        ..reading(&[Form::Queries(&|list, p| {
            let relevant = relevant_of(p, 1);
            some_relevant(list, relevant)?;
            let by = match p.number(2) {
                1.0 => Denominator::Reachable,
                2.0 => Denominator::Hits,
                _ => Denominator::Relevant,
            };
            Ok(average_precision(list, relevant, cutoff_of(list, p, 0), by))
        })])
    },
    Index {
        name: "reciprocal_rank",
        aliases: &[
            "mean_reciprocal_rank",
            "mrr",
            "recip_rank",
            "retrieval_rr",
            "retrieval_mrr",
            "retrieval_reciprocal_rank",
        ],
        title: "Reciprocal rank",
        formula: "1 / i, i the place of the first relevant row; 0 if it is not among the first k",
        about: "How early the first relevant row comes. Its mean over queries is MRR. Later \
                relevant rows play no part.",
        undefined: NO_RELEVANT,
        laws: &[RankOnly, Perfect(1.0)],
        source: "Voorhees 1999, The TREC-8 question answering track report",
        parameters: AT_END_OF,
        ..reading(&[Form::Queries(&|list, p| {
            let relevant = relevant_of(p, 1);
            some_relevant(list, relevant)?;
            Ok(reciprocal_rank(list, relevant, cutoff_of(list, p, 0)))
        })])
    },
];
