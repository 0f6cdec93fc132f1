//! Baulieu's similarities and dissimilarities of two sets, and Sorgenfrei's.

use crate::index::form::form;
use crate::index::row::Law::{Complement, Perfect, ScaleFree, Swapped, Transposed};
use crate::index::row::{Better, Index, Joint, SELF, reading};
use crate::index::rows::shares::{npv, precision, recall, specificity};
use crate::index::spread::{Delta, NoInterval};
use crate::index::value::Undefined;
use crate::index::value::{finite, ratio};

const BAULIEU_1989: &str = "Baulieu 1989, doi:10.1007/BF01908601";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "baulieu_i",
        title: "Baulieu's first",
        formula: "((tp + fp) (tp + fn) - tp^2) / ((tp + fp) (tp + fn)) = 1 - precision recall",
        about: "1 minus the product of precision and recall (sorgenfrei).",
        better: Better::Lower,
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed(SELF), Complement("sorgenfrei"), ScaleFree, Perfect(0.0)],
        source: BAULIEU_1989,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| {
            let missed = ratio(c.fn_, c.tp + c.fn_, Undefined::NoActualPositives)?;
            let precision = precision(c)?;
            Ok(c.fp / (c.tp + c.fp) + precision * missed)
        })])
    },
    Index {
        name: "sorgenfrei",
        title: "Sorgenfrei's index",
        formula: "tp^2 / ((tp + fp) (tp + fn)) = precision recall",
        about: "The square of the Fowlkes-Mallows index.",
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed(SELF), Complement("baulieu_i"), ScaleFree, Perfect(1.0)],
        source: "Sorgenfrei 1958, Molluscan assemblages from the marine middle Miocene of South Jutland",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok(precision(c)? * recall(c)?))])
    },
    Index {
        name: "baulieu_ii",
        title: "Baulieu's second",
        formula: "tp^2 tn^2 / ((tp + fp) (tp + fn) (fp + tn) (fn + tn)) = precision recall specificity npv",
        about: "The product of both recalls and both predictive values: 0 if one of them is.",
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be \
                    of one.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: BAULIEU_1989,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok(precision(c)? * recall(c)? * specificity(c)? * npv(c)?))])
    },
    Index {
        name: "baulieu_iii",
        title: "Baulieu's third",
        formula: "(n^2 - 4 (tp tn - fp fn)) / (2 n^2)",
        about: "1/2 is chance; 0 is reached only where half of all rows are positive.",
        better: Better::Lower,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: BAULIEU_1989,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| {
            // n² − 4 (tp tn − fp fn) as a sum of squares and products, so that it keeps its digits
            // near 0.
            let (all, wrong, uneven) = (c.total(), c.fp + c.fn_, c.tp - c.tn);
            let right = (c.tp + c.tn) * 2.0 + wrong;
            let squares = uneven * uneven + wrong * right + c.fp * 4.0 * c.fn_;
            Ok((squares / all / all / 2.0).at_most(1.0))
        })])
    },
    Index {
        name: "baulieu_iv",
        title: "Baulieu's fourth",
        formula: "(fp + fn - (tp + 0.5) (tn + 0.5) tn e) / n, e = exp(1)",
        about: "A dissimilarity without a lower limit. In real tables the term true positives \
                times true negatives squared dominates it.",
        range: (f64::NEG_INFINITY, 1.0),
        better: Better::Lower,
        undefined: "The weights are so large that it cannot be held.",
        laws: &[Transposed(SELF)],
        source: BAULIEU_1989,
        joint: Joint::DownUp,
        delta: Delta::None(NoInterval::Grows),
        ..reading(&[form!(ln, |c, _| {
            let right = (c.tp + 0.5) * (c.tn + 0.5) * (c.tn / c.total()) * std::f64::consts::E;
            finite((c.fp + c.fn_) / c.total() - right)
        })])
    },
    Index {
        name: "baulieu_v",
        title: "Baulieu's fifth",
        formula: "(fp + fn + 1) / (tp + fp + fn + 1)",
        about: "Jaccard's distance with one error added, so that small samples are not trusted.",
        better: Better::Lower,
        laws: &[Transposed(SELF)],
        source: BAULIEU_1989,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| Ok((c.fp + c.fn_ + 1.0) / (c.tp + c.fp + c.fn_ + 1.0)))])
    },
    Index {
        name: "baulieu_vi",
        title: "Baulieu's sixth",
        formula: "(fp + fn) / (tp + fp + fn + 1)",
        about: "Jaccard's distance with one row added, so that it is never undefined.",
        better: Better::Lower,
        laws: &[Transposed(SELF), Perfect(0.0)],
        source: BAULIEU_1989,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| Ok((c.fp + c.fn_) / (c.tp + c.fp + c.fn_ + 1.0)))])
    },
    Index {
        name: "baulieu_vii",
        title: "Baulieu's seventh",
        formula: "(fp + fn) / (n + tp (tp - 4)^2)",
        about: "The error rate with true positives weighing by their cube once there are more \
                than a few.",
        better: Better::Lower,
        laws: &[Transposed(SELF), Perfect(0.0)],
        source: BAULIEU_1989,
        ..reading(&[form!(|c, _| Ok(
            (c.fp + c.fn_) / (c.total() + c.tp * (c.tp - 4.0) * (c.tp - 4.0))
        ))])
    },
    Index {
        name: "baulieu_viii",
        title: "Baulieu's eighth",
        formula: "(fp - fn)^2 / n^2",
        about: "The squared difference between both kinds of errors, scaled: 0 if they are \
                equally many, however many.",
        better: Better::Lower,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: BAULIEU_1989,
        delta: Delta::Root,
        ..reading(&[form!(|c, _| {
            let share = (c.fp - c.fn_) / c.total();
            Ok(share * share)
        })])
    },
    Index {
        name: "baulieu_ix",
        title: "Baulieu's ninth",
        formula: "(fp + 2 fn) / (n + fn)",
        about: "The error rate with a miss counted twice.",
        better: Better::Lower,
        laws: &[ScaleFree, Perfect(0.0)],
        source: BAULIEU_1989,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| Ok(((c.fp + c.fn_ * 2.0) / (c.total() + c.fn_)).at_most(1.0)))])
    },
    Index {
        name: "baulieu_x",
        title: "Baulieu's tenth",
        formula: "(fp + fn + max(fp, fn)) / (n + max(fp, fn))",
        about: "The error rate with the more frequent kind of errors counted twice.",
        better: Better::Lower,
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(0.0)],
        source: BAULIEU_1989,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| {
            let more = c.fp.max(c.fn_);
            Ok(((c.fp + c.fn_ + more) / (c.total() + more)).at_most(1.0))
        })])
    },
    Index {
        name: "baulieu_xi",
        title: "Baulieu's eleventh",
        formula: "(fp + fn) / (fp + fn + tn)",
        about: "Jaccard's distance computed for the negatives.",
        better: Better::Lower,
        undefined: "No row is negative, neither actually nor as predicted.",
        laws: &[Transposed(SELF), ScaleFree, Perfect(0.0)],
        source: BAULIEU_1989,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| {
            let wrong = c.fp + c.fn_;
            ratio(wrong, wrong + c.tn, Undefined::NoNegatives)
        })])
    },
    Index {
        name: "baulieu_xii",
        title: "Baulieu's twelfth",
        formula: "(fp + fn) / (tp + fp + fn - 1)",
        about: "Jaccard's distance with one row subtracted. From 0 to 2 for counts, unbounded for \
                small weights.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Lower,
        undefined: "Just one row is positive, actually or as predicted.",
        laws: &[Transposed(SELF)],
        source: BAULIEU_1989,
        ..reading(&[form!(|c, _| {
            ratio(c.fp + c.fn_, c.tp + c.fp + c.fn_ - 1.0, Undefined::ZeroDenominator)
                .map(|x| x + 0.0)
        })])
    },
    Index {
        name: "baulieu_xiii",
        title: "Baulieu's thirteenth",
        formula: "(fp + fn) / (tp + fp + fn + tp (tp - 4)^2)",
        about: "Jaccard's distance with true positives weighing by their cube once there are more \
                than a few.",
        better: Better::Lower,
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed(SELF), Perfect(0.0)],
        source: BAULIEU_1989,
        ..reading(&[form!(|c, _| {
            ratio(
                c.fp + c.fn_,
                c.tp + c.fp + c.fn_ + c.tp * (c.tp - 4.0) * (c.tp - 4.0),
                Undefined::NoPositives,
            )
        })])
    },
    Index {
        name: "baulieu_xiv",
        title: "Baulieu's fourteenth",
        formula: "(fp + 2 fn) / (tp + fp + 2 fn)",
        about: "Jaccard's distance with a miss counted twice.",
        better: Better::Lower,
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[ScaleFree, Perfect(0.0)],
        source: BAULIEU_1989,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| {
            let wrong = c.fp + c.fn_ * 2.0;
            ratio(wrong, c.tp + wrong, Undefined::NoPositives)
        })])
    },
    Index {
        name: "baulieu_xv",
        title: "Baulieu's fifteenth",
        formula: "(fp + fn + max(fp, fn)) / (tp + fp + fn + max(fp, fn))",
        about: "Jaccard's distance with the more frequent kind of errors counted twice.",
        better: Better::Lower,
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed(SELF), ScaleFree, Perfect(0.0)],
        source: BAULIEU_1989,
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| {
            let wrong = c.fp + c.fn_ + c.fp.max(c.fn_);
            ratio(wrong, c.tp + wrong, Undefined::NoPositives)
        })])
    },
];
