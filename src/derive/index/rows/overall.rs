//! One value for all classes: errors, the accuracy of guessing, and means over the classes other
//! than the plain average of a two-class index.
//!
//! A class without actual and predicted rows is left out of the means.

// A form answers with an outcome, though some always have a value.
#![allow(clippy::unnecessary_wraps)]

use crate::arith::number::Number;
use crate::index::form::{form, matrix_form, table_forms};
use crate::index::parameter::{Domain, Parameter, Parameters};
use crate::index::row::Law::{Perfect, Proportional, ScaleFree, Swapped, Transposed};
use crate::index::row::{Better, Index, Joint, SELF, reading};
use crate::index::rows::matrix_sums::{Table, of_class, weighed_rows};
use crate::index::spread::{Delta, NoInterval};
use crate::index::value::{Outcome, Undefined, ratio};

const LABATUT: &str = "Labatut, Cherifi 2011, arXiv:1207.3790";
const PONTIUS: &str = "Pontius, Millones 2011, doi:10.1080/01431161.2011.552923";
const KIRITCHENKO: &str = "Kiritchenko, Matwin, Nock, Famili 2006, doi:10.1007/11766247_34";
const JACCARD: &str = "Jaccard 1901, doi:10.5169/seals-266450";

const TAXONOMY: &[Parameter] = &[Parameter {
    name: "taxonomy",
    default: None,
    domain: Domain::Taxonomy,
    about: "nodes from the top, in a tuple or as text with slashes; by default each class is its own \
            branch",
    two_classes: false,
}];

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "no_information_rate",
        aliases: &["nir", "accuracy_null", "majority_rate"],
        title: "No information rate",
        formula: "max_k t[k] / T",
        about: "The accuracy of always guessing the most frequent class, which a classifier \
                should beat. It depends only on the actual classes.",
        better: Better::Neither,
        laws: &[Swapped(SELF), ScaleFree],
        source: "Kuhn 2008, doi:10.18637/jss.v028.i05",
        joint: Joint::UpDown,
        ..reading(table_forms!(|t, p| no_information_rate(t, p)))
    },
    Index {
        name: "proportional_chance_rate",
        aliases: &["proportional_chance_criterion"],
        title: "Proportional chance criterion",
        formula: "sum_k (t[k] / T)^2",
        about: "The accuracy of random guesses in the actual class proportions. It depends only \
                on the actual classes.",
        better: Better::Neither,
        laws: &[Swapped(SELF), ScaleFree],
        source: "Morrison 1969, doi:10.1177/002224376900600206",
        joint: Joint::UpDown,
        ..reading(table_forms!(|t, p| proportional_chance(t, p)))
    },
    Index {
        name: "global_performance_index",
        aliases: &["overall_rr"],
        title: "Global performance index RR",
        formula: "sum_k p[k] / K = T / K",
        about: "PyCM's RR: the mean number of rows predicted to be of a class. It measures the \
                size of the sample relative to the number of labels, including labels that do not \
                occur, and not the quality of the predictions.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[Transposed(SELF), Swapped(SELF), Proportional],
        source: "Haghighi, Jasemi, Hessabi, Zolanvari 2018, doi:10.21105/joss.00729",
        joint: Joint::UpDown,
        ..reading(&[
            form!(|c, _| Ok(c.total() / 2.0)),
            matrix_form!(|m, _| Ok(m.total() / m.labels())),
        ])
    },
    Index {
        name: "class_balance_accuracy",
        aliases: &["cba"],
        title: "Class balance accuracy",
        formula: "mean_k M[k,k] / max(t[k], p[k]), over classes that occur or are predicted",
        about: "The mean over the classes of the lesser of recall and precision: a cautious \
                summary in which small classes count as much as large ones.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Mosley 2013, A balanced approach to the multi-class imbalance problem, Iowa State University, doi:10.31274/etd-180810-3375",
        joint: Joint::UpDown,
        ..reading(table_forms!(|t, p| class_balance_accuracy(t, p)))
    },
    Index {
        name: "classification_success_index",
        aliases: &["overall_csi"],
        title: "Classification success index",
        formula: "mean_k (M[k,k] / t[k] + M[k,k] / p[k] - 1), over classes that occur or are predicted; a ratio over nothing counts as 0",
        about: "The mean over the classes of precision plus recall minus 1. A class that is never \
                predicted has -1.",
        range: (-1.0, 1.0),
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: LABATUT,
        joint: Joint::UpDown,
        cancels: true,
        ..reading(table_forms!(|t, p| classification_success(t, p)))
    },
    Index {
        name: "jaccard_sum",
        aliases: &["overall_j_sum"],
        title: "Sum of the classes' Jaccard indices",
        formula: "sum_k M[k,k] / (t[k] + p[k] - M[k,k])",
        about: "The first of the two values of PyCM's overall J. It grows with the number of \
                classes; the mean is comparable.",
        range: (0.0, f64::INFINITY),
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: JACCARD,
        joint: Joint::UpDown,
        ..reading(table_forms!(|t, _| Ok(jaccard(t).0)))
    },
    Index {
        name: "jaccard_mean",
        aliases: &["overall_j_mean", "mean_iou", "miou"],
        title: "Mean of the classes' Jaccard indices",
        formula: "mean_k M[k,k] / (t[k] + p[k] - M[k,k]), over classes that occur or are predicted",
        about: "The second of the two values of PyCM's overall J: the mean intersection over \
                union of image segmentation. Each class weighs the same, whatever its size.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: JACCARD,
        joint: Joint::UpDown,
        ..reading(table_forms!(|t, _| mean(jaccard(t))))
    },
    Index {
        name: "macro_geometric_mean",
        aliases: &[
            "mavg",
            "macro_average_geometric",
            "geometric_mean_of_recalls",
            "geometric_mean_score",
        ],
        title: "Macro-averaged geometric mean of recalls",
        formula: "exp(sum_k ln(M[k,k] / t[k]) / r), over the r classes that occur; a recall of 0 counts as the correction",
        about: "The geometric mean of the recalls of all classes that occur: 0 as soon as one \
                class is never right, unless a correction stands in for its recall.",
        laws: &[Swapped(SELF), ScaleFree, crate::index::row::Law::PrevalenceFree, Perfect(1.0)],
        source: "Sun, Kamel, Wang 2006, doi:10.1109/ICDM.2006.29; \
                 Ferri, Hernandez-Orallo, Modroiu 2009, doi:10.1016/j.patrec.2008.08.010",
        parameters: &[Parameter {
            name: "correction",
            default: Some(0.0),
            domain: Domain::Share,
            about: "the value that replaces a recall of 0",
            two_classes: false,
        }],
        joint: Joint::UpDown,
        ..reading(table_forms!(ln, |t, p| macro_geometric_mean(t, p)))
    },
    Index {
        name: "minimum_recall",
        aliases: &["min_per_class_accuracy", "worst_class_recall"],
        title: "Least recall of any class",
        formula: "min_k M[k,k] / t[k], over classes that occur",
        about: "The lowest recall of any class. For two classes the lesser of recall and \
                specificity.",
        laws: &[Swapped(SELF), ScaleFree, crate::index::row::Law::PrevalenceFree, Perfect(1.0)],
        source: "Fernandez Caballero, Martinez, Hervas, Gutierrez 2010, doi:10.1109/TNN.2010.2041468",
        joint: Joint::UpDown,
        ..reading(table_forms!(|t, p| minimum_recall(t, p)))
    },
    Index {
        name: "macro_mean_absolute_error",
        aliases: &["macro_averaged_mean_absolute_error", "macro_averaged_mae", "amae"],
        title: "Macro-averaged mean absolute error (classes in their order)",
        formula: "mean_i sum_j |i - j| M[i,j] / t[i], over classes that occur",
        about: "For ordered classes: the mean distance between actual and predicted class, with \
                all classes equal whatever their size. The order is that of the labels.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        laws: &[ScaleFree, crate::index::row::Law::PrevalenceFree, Perfect(0.0)],
        source: "Baccianella, Esuli, Sebastiani 2009, doi:10.1109/ISDA.2009.230",
        joint: Joint::DownUp,
        ..reading(&[
            form!(|c, _| {
                let (positive, negative) = (c.tp + c.fn_, c.fp + c.tn);
                let rates = [(c.fn_, positive), (c.fp, negative)];
                let present = rates.into_iter().filter(|rate| !rate.1.is_zero());
                mean(present.fold((N::of(0.0), N::of(0.0)), |(sum, classes), (wrong, all)| {
                    (sum + wrong / all, classes + 1.0)
                }))
            }),
            matrix_form!(|m, _| {
                let (actual, _) = m.margins();
                let distances = weighed_rows(m, |i, j| i.abs_diff(j) as f64);
                let all = distances.into_iter().zip(actual);
                let present = all.filter(|class| !class.1.is_zero());
                let (classes, _) = m.classes_present();
                mean((N::sum(present.map(|(sum, all)| sum / all)), N::of(classes)))
            }),
        ])
    },
    Index {
        name: "quantity_disagreement",
        title: "Quantity disagreement",
        formula: "sum_k |t[k] - p[k]| / (2 T)",
        about: "The part of the error rate that comes from predicting too many rows of some classes \
                and too few of others: the least error with these predicted shares. \
                allocation_disagreement is the rest.",
        better: Better::Lower,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: PONTIUS,
        delta: Delta::Plain,
        ..reading(table_forms!(|t, _| {
            let apart = N::sum(t.classes().map(|c| (c.fp - c.fn_).abs()));
            Ok(apart / (t.total() * 2.0))
        }))
    },
    Index {
        name: "allocation_disagreement",
        title: "Allocation disagreement",
        formula: "sum_k min(t[k] - M[k,k], p[k] - M[k,k]) / T",
        about: "The part of the error rate that would go if predictions changed places: rows of two \
                classes that are taken for each other. quantity_disagreement is the rest.",
        better: Better::Lower,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: PONTIUS,
        joint: Joint::DownUp,
        delta: Delta::None(NoInterval::Tied),
        ..reading(table_forms!(|t, _| {
            let exchanged = N::sum(t.classes().map(|c| c.fp.min(c.fn_)));
            Ok(exchanged / t.total())
        }))
    },
    Index {
        name: "adjacent_accuracy",
        aliases: &["one_off_accuracy", "accuracy_within"],
        title: "Adjacent accuracy (classes in their order)",
        formula: "sum_(|i - j| <= distance) M[i,j] / T",
        about: "The share of rows that are predicted to be of their class or of one next to it, for \
                ordered classes such as grades; distance sets how far. The order is that of the \
                labels. It is high for few classes, whatever the predictions.",
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: "Gaudette, Japkowicz 2009, doi:10.1007/978-3-642-01818-3_25",
        parameters: &[Parameter {
            name: "distance",
            default: Some(1.0),
            domain: Domain::Whole,
            about: "how many classes a prediction may be off",
            two_classes: false,
        }],
        joint: Joint::UpDown,
        ..reading(&[matrix_form!(|t, parameters| {
            let most = parameters.number(0);
            let near = |&(i, j, _): &(usize, usize, N)| i.abs_diff(j) as f64 <= most;
            let sum = N::sum(t.cells().filter(near).map(|cell| cell.2));
            Ok((sum / t.total()).within(0.0, 1.0))
        })])
    },
    Index {
        name: "hierarchical_precision",
        title: "Hierarchical precision",
        formula: "sum_ij M[i,j] C[i,j] / sum_ij M[i,j] C[j,j], C[i,j] = number of nodes that the paths of classes i and j share",
        about: "The share of the nodes on the paths of the predicted classes that are on those of \
                the actual classes. So an error within a branch counts less than one across. \
                Without a taxonomy it is the accuracy.",
        laws: &[Transposed("hierarchical_recall"), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: KIRITCHENKO,
        parameters: TAXONOMY,
        joint: Joint::UpDown,
        ..reading(&[matrix_form!(|t, parameters| {
            let [shared, _, predicted] = nodes(t, parameters);
            Ok(ratio(shared, predicted, Undefined::ZeroDenominator)?.within(0.0, 1.0))
        })])
    },
    Index {
        name: "hierarchical_recall",
        title: "Hierarchical recall",
        formula: "sum_ij M[i,j] C[i,j] / sum_ij M[i,j] C[i,i], C[i,j] = number of nodes that the paths of classes i and j share",
        about: "The share of the nodes on the paths of the actual classes that are on those of the \
                predicted ones. It equals hierarchical precision if all paths have one length. \
                Without a taxonomy it is the accuracy.",
        laws: &[Transposed("hierarchical_precision"), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: KIRITCHENKO,
        parameters: TAXONOMY,
        joint: Joint::UpDown,
        ..reading(&[matrix_form!(|t, parameters| {
            let [shared, actual, _] = nodes(t, parameters);
            Ok(ratio(shared, actual, Undefined::ZeroDenominator)?.within(0.0, 1.0))
        })])
    },
    Index {
        name: "hierarchical_f1",
        aliases: &["hierarchical_f"],
        title: "Hierarchical F1",
        formula: "2 sum_ij M[i,j] C[i,j] / sum_ij M[i,j] (C[i,i] + C[j,j]), C[i,j] = number of nodes that the paths of classes i and j share",
        about: "The harmonic mean of hierarchical precision and recall. Without a taxonomy it is \
                the accuracy.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: KIRITCHENKO,
        parameters: TAXONOMY,
        joint: Joint::UpDown,
        ..reading(&[matrix_form!(|t, parameters| {
            let [shared, actual, predicted] = nodes(t, parameters);
            let both = actual + predicted;
            Ok(ratio(shared * 2.0, both, Undefined::ZeroDenominator)?.within(0.0, 1.0))
        })])
    },
    Index {
        name: "mean_taxonomy_distance",
        aliases: &["mean_lca_distance", "taxonomy_distance"],
        title: "Mean distance in a taxonomy",
        formula: "sum_ij M[i,j] (C[i,i] + C[j,j] - 2 C[i,j]) / T, C[i,j] = number of nodes that the paths of classes i and j share",
        about: "How many steps lie between the actual and the predicted class on average: up to \
                their lowest common ancestor, then down. If all paths have one length it is twice \
                the mean height of that ancestor. Without a taxonomy it is twice the error rate.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: "Kosmopoulos, Partalas, Gaussier, Paliouras, Androutsopoulos 2015, doi:10.1007/s10618-014-0382-x",
        parameters: TAXONOMY,
        joint: Joint::DownUp,
        ..reading(&[matrix_form!(|t, parameters| {
            let steps = |i: usize, j: usize| {
                let deep = shared_nodes(parameters, i, i) + shared_nodes(parameters, j, j);
                deep - 2.0 * shared_nodes(parameters, i, j)
            };
            Ok(N::sum(weighed_rows(t, steps).into_iter()) / t.total())
        })])
    },
];

/// The nodes that the paths of the actual and of the predicted class of each row share, those of
/// the actual class, and those of the predicted one, each as the sum over the rows.
fn nodes<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> [N; 3] {
    let sum = |weight: &dyn Fn(usize, usize) -> f64| N::sum(weighed_rows(t, weight).into_iter());
    [
        sum(&|i, j| shared_nodes(parameters, i, j)),
        sum(&|i, _| shared_nodes(parameters, i, i)),
        sum(&|_, j| shared_nodes(parameters, j, j)),
    ]
}

/// How many nodes the paths of two classes share; without a taxonomy each path is the class.
fn shared_nodes(parameters: &Parameters, i: usize, j: usize) -> f64 {
    parameters.matrix().map_or(f64::from(u8::from(i == j)), |shared| shared.cost(i, j))
}

/// The mean from a sum and how many were added up.
fn mean<N: Number>((sum, classes): (N, N)) -> Outcome<N> {
    ratio(sum, classes, Undefined::NoClassDefined)
}

fn no_information_rate<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    Ok((t.greatest_actual() / t.total()).at_most(1.0))
}

fn proportional_chance<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let all = t.total();
    let squares = t.sum_of_products(of_class!(|c| [(c.tp + c.fn_, c.tp + c.fn_)]));
    Ok((squares / (all * all)).at_most(1.0))
}

fn class_balance_accuracy<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    mean(t.sum_of_quotients(of_class!(|c| [(c.tp, N::max(c.tp + c.fn_, c.tp + c.fp))])))
}

fn classification_success<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let (recall, _) = t.sum_of_quotients(of_class!(|c| [(c.tp, c.tp + c.fn_)]));
    let (precision, _) = t.sum_of_quotients(of_class!(|c| [(c.tp, c.tp + c.fp)]));
    let present = t.present();
    mean((recall + precision - present, present))
}

fn jaccard<N: Number>(t: &impl Table<N>) -> (N, N) {
    t.sum_of_quotients(of_class!(|c| [(c.tp, c.tp + c.fp + c.fn_)]))
}

fn macro_geometric_mean<N: Number>(t: &impl Table<N>, parameters: &Parameters) -> Outcome<N> {
    let present = t.classes().filter(|c| !(c.tp + c.fn_).is_zero());
    let recalls = present.map(|c| c.tp / (c.tp + c.fn_));
    let corrected = |recall: N| {
        if recall.is_zero() { N::of(parameters.number(0)) } else { recall }
    };
    let terms = recalls.map(|recall| corrected(recall).ln());
    let none = N::of(0.0);
    let sum = terms.fold((none, none), |(sum, classes), term| (sum + term, classes + 1.0));
    Ok(mean(sum)?.exp().at_most(1.0))
}

fn minimum_recall<N: Number>(t: &impl Table<N>, _: &Parameters) -> Outcome<N> {
    let least = t.least_quotient(of_class!(|c| [(c.tp, c.tp + c.fn_)]));
    least.ok_or(Undefined::NoClassDefined)
}
