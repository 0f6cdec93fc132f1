//! Coefficients by author, apart from those with a file of their own.

use crate::arith::number::Number;
use crate::index::form::{form, plain};
use crate::index::row::Law::{
    Perfect, PrevalenceFree, Proportional, ScaleFree, Swapped, Transposed,
};
use crate::index::row::{Better, Index, Joint, SELF, reading};
use crate::index::rows::shares::{determinant, npv, over_predicted, precision};
use crate::index::rows::similarity::gilbert_wells::gilbert_wells;
use crate::index::rows::similarity::parts::{
    dispersion, ln_1p_of_product, nothing_positive, positive,
};
use crate::index::spread::{Delta, NoInterval};
use crate::index::value::{Outcome, Undefined};
use crate::index::value::{finite, ratio};
use crate::labels::view::BinaryCounts;

const BARONI: &str = "Baroni-Urbani, Buser 1976, doi:10.2307/2412493";
const CHOI: &str = "Choi, Cha, Tappert 2010, A survey of binary similarity and distance measures, J. Syst. Cybern. Inf. 8(1), 43-48";
const CONSONNI: &str =
    "Consonni, Todeschini 2012, New similarity coefficients for binary data, MATCH 68, 581-592";
const GOODMAN: &str = "Goodman, Kruskal 1954, doi:10.1080/01621459.1954.10501231; Guttman 1941";
const PYCM: &str = "Haghighi, Jasemi, Hessabi, Zolanvari 2018 (PyCM), doi:10.21105/joss.00729";

/// The authors before Baulieu.
pub(crate) static BEFORE_BAULIEU: &[Index] = &[
    Index {
        name: "ample",
        title: "AMPLE",
        formula: "|tp / (tp + fp) - fn / (fn + tn)|",
        about: "The absolute value of markedness: always wrong is as good as always right.",
        undefined: "No row is predicted positive, or none is predicted negative.",
        laws: &[Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Dallmeier, Lindig, Zeller 2005, doi:10.1007/11531142_23",
        ..reading(&[form!(|c, _| Ok(over_predicted(determinant(c), c)?.abs()))])
    },
    Index {
        name: "anderberg_d",
        aliases: &["goodman_kruskal_gain"],
        title: "Anderberg's D",
        formula: "((max(tp, fp) + max(fn, tn) + max(tp, fn) + max(fp, tn)) - (max(tp + fn, fp + tn) + \
                  max(tp + fp, fn + tn))) / (2 n)",
        about: "The reduction of errors in guessing one of actual and predicted class from the \
                other, averaged over both directions. PyCM's \"anderberg\" differs from it.",
        range: (0.0, 0.5),
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: "Anderberg 1973, Cluster Analysis for Applications",
        ..reading(&[form!(|c, _| {
            Ok((gain(c.tp, c.fp, c.fn_, c.tn) + gain(c.tp, c.fn_, c.fp, c.tn)) / (c.total() * 2.0))
        })])
    },
    Index {
        name: "anderberg",
        title: "Anderberg's D as PyCM 4.6 has it",
        formula: "((max(tp, fp) + max(fn, tn) + max(tp, fn) + max(fp, tn)) - (max(tp + fp, fp + tn) + \
                  max(tp + fp, fn + tn))) / (2 n)",
        about: "For comparison with PyCM only: PyCM takes tp + fp where Anderberg has fp + tn, \
                and the value has no meaning of its own. Use anderberg_d.",
        range: (-0.25, 0.5),
        better: Better::Neither,
        laws: &[ScaleFree],
        source: PYCM,
        delta: Delta::None(NoInterval::Tied),
        ..reading(&[form!(|c, _| {
            let cells = c.tp.max(c.fp) + c.fn_.max(c.tn) + c.tp.max(c.fn_) + c.fp.max(c.tn);
            let margins = (c.tp + c.fp).max(c.fp + c.tn) + (c.tp + c.fp).max(c.fn_ + c.tn);
            Ok(((cells - margins) / (c.total() * 2.0)).within(-0.25, 0.5))
        })])
    },
    Index {
        name: "andres_marzo_delta",
        aliases: &["delta"],
        title: "Andres and Marzo's delta",
        formula: "(tp + tn - 2 sqrt(fp fn)) / n",
        about: "The share of agreement that is not by chance, in a model where raters either know \
                or guess. Unlike kappa it does not collapse where one class is rare.",
        range: (-1.0, 1.0),
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Andres, Marzo 2004, doi:10.1348/000711004849268",
        joint: Joint::UpDown,
        cancels: true,
        ..reading(&[form!(|c, _| Ok(
            (c.tp + c.tn - N::root_of_product(c.fp, c.fn_) * 2.0) / c.total()
        ))])
    },
    Index {
        name: "baroni_urbani_buser_i",
        title: "Baroni-Urbani and Buser's first",
        formula: "(sqrt(tp tn) + tp) / (sqrt(tp tn) + tp + fp + fn)",
        about: "Jaccard's index with true negatives counted, but only as far as there are true \
                positives.",
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: BARONI,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let both = N::root_of_product(c.tp, c.tn) + c.tp;
            ratio(both, both + c.fp + c.fn_, Undefined::NoPositives)
        })])
    },
    Index {
        name: "baroni_urbani_buser_ii",
        title: "Baroni-Urbani and Buser's second",
        formula: "(sqrt(tp tn) + tp - fp - fn) / (sqrt(tp tn) + tp + fp + fn)",
        about: "Twice the first coefficient minus 1, so that 0 is in the middle.",
        range: (-1.0, 1.0),
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed(SELF), ScaleFree, Perfect(1.0)],
        source: BARONI,
        joint: Joint::UpDown,
        cancels: true,
        ..reading(&[form!(|c, _| {
            let both = N::root_of_product(c.tp, c.tn) + c.tp;
            let wrong = c.fp + c.fn_;
            ratio(both - wrong, both + wrong, Undefined::NoPositives)
        })])
    },
    Index {
        name: "batagelj_bren",
        title: "Batagelj and Bren's distance",
        formula: "fp fn / (tp tn)",
        about: "The inverse of the diagnostic odds ratio: 1 is chance, 0 means no errors of one \
                kind.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "There are no true positives, or no true negatives.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(0.0)],
        source: "Batagelj, Bren 1995, doi:10.1007/BF01202268",
        joint: Joint::DownUp,
        ..reading(&[form!(|c, _| ratio(c.fp * c.fn_, c.tp * c.tn, Undefined::ZeroDenominator))])
    },
];

/// The authors after Baulieu and before Kuhns.
pub(crate) static AFTER_BAULIEU: &[Index] = &[
    Index {
        name: "benini_i",
        aliases: &["population_attributable_fraction"],
        title: "Benini's first (attributable fraction)",
        formula: "(tp tn - fp fn) / ((tp + fn) (fn + tn)) = 1 - (fn / (fn + tn)) / prevalence",
        about: "The relative reduction of prevalence if the class were as rare everywhere as \
                among the predicted negatives.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "No row is actually positive, or none is predicted negative.",
        laws: &[ScaleFree, Perfect(1.0)],
        source: "Benini 1901, Principii di demografia; Levin 1953",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let omitted = ratio(determinant(c), c.fn_ + c.tn, Undefined::NoPredictedNegatives)?;
            ratio(omitted, c.tp + c.fn_, Undefined::NoActualPositives).map(|x| x.at_most(1.0))
        })])
    },
    Index {
        name: "loevinger_h",
        aliases: &["benini_ii", "forbes_ii"],
        title: "Loevinger's H (Benini's second, Forbes's second)",
        formula: "(tp tn - fp fn) / min((tp + fn) (fn + tn), (tp + fp) (fp + tn))",
        about: "The association divided by the greatest that the margins allow; 0 is chance, 1 \
                means no errors of one kind.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be \
                    of one.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Forbes 1925, Science 61, 518-524; Loevinger 1948, doi:10.1037/h0055827",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let (least, greatest) = lesser_and_rest(c);
            let share = positive(determinant(c) / least / greatest, least, greatest)?;
            Ok(share.at_most(1.0))
        })])
    },
    Index {
        name: "clement",
        title: "Clement's index",
        formula: "precision (fn + tn) / n + npv (tp + fp) / n",
        about: "The mean of both predictive values, each weighted by the share of the other \
                prediction.",
        undefined: "No row is predicted positive, or none is predicted negative.",
        laws: &[Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Clement 1976, doi:10.2466/pr0.1976.39.1.257",
        ..reading(&[form!(|c, _| {
            Ok(precision(c)? * ((c.fn_ + c.tn) / c.total()) + npv(c)? * ((c.tp + c.fp) / c.total()))
        })])
    },
    Index {
        name: "consonni_todeschini_i",
        title: "Consonni and Todeschini's first",
        formula: "ln(1 + tp + tn) / ln(1 + n)",
        about: "Accuracy on a logarithmic scale. It is close to 1 for any large sample.",
        laws: &[Transposed(SELF), Swapped(SELF), Perfect(1.0)],
        source: CONSONNI,
        joint: Joint::UpDown,
        ..reading(&[form!(ln, |c, _| Ok((c.tp + c.tn).ln_1p() / c.total().ln_1p()))])
    },
    Index {
        name: "consonni_todeschini_ii",
        title: "Consonni and Todeschini's second",
        formula: "(ln(1 + n) - ln(1 + fp + fn)) / ln(1 + n)",
        about: "1 minus the logarithm of the errors divided by that of all rows. It falls fast \
                with the first errors.",
        laws: &[Transposed(SELF), Swapped(SELF), Perfect(1.0)],
        source: CONSONNI,
        joint: Joint::UpDown,
        ..reading(&[form!(ln, |c, _| {
            let odds = (c.tp + c.tn) / (c.fp + 1.0 + c.fn_);
            Ok(odds.ln_1p() / c.total().ln_1p())
        })])
    },
    Index {
        name: "consonni_todeschini_iii",
        title: "Consonni and Todeschini's third",
        formula: "ln(1 + tp) / ln(1 + n)",
        about: "The detection rate on a logarithmic scale.",
        laws: &[Transposed(SELF)],
        source: CONSONNI,
        joint: Joint::UpDown,
        ..reading(&[form!(ln, |c, _| Ok(c.tp.ln_1p() / c.total().ln_1p()))])
    },
    Index {
        name: "consonni_todeschini_iv",
        title: "Consonni and Todeschini's fourth",
        formula: "ln(1 + tp) / ln(1 + tp + fp + fn)",
        about: "Jaccard's index on a logarithmic scale.",
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed(SELF), Perfect(1.0)],
        source: CONSONNI,
        joint: Joint::UpDown,
        ..reading(&[form!(ln, |c, _| {
            ratio(c.tp.ln_1p(), (c.tp + c.fp + c.fn_).ln_1p(), Undefined::NoPositives)
        })])
    },
    Index {
        name: "consonni_todeschini_v",
        title: "Consonni and Todeschini's fifth",
        formula: "(ln(1 + tp tn) - ln(1 + fp fn)) / ln(1 + n^2 / 4)",
        about: "Close to the odds ratio on a logarithmic scale; 0 is chance.",
        range: (-1.0, 1.0),
        undefined: "The weights are too small for the logarithm.",
        laws: &[Transposed(SELF), Swapped(SELF)],
        source: CONSONNI,
        joint: Joint::UpDown,
        ..reading(&[form!(ln, |c, _| {
            let all = ln_1p_of_product(c.total() / 2.0, c.total() / 2.0);
            ratio(
                ln_1p_of_product(c.tp, c.tn) - ln_1p_of_product(c.fp, c.fn_),
                all,
                Undefined::ZeroDenominator,
            )
        })])
    },
    Index {
        name: "dennis",
        title: "Dennis's index",
        formula: "(tp - r) / sqrt(r), r = (tp + fp) (tp + fn) / n",
        about: "How many standard deviations the true positives lie above chance, if they are \
                counts of rare events. It grows with the sample.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed(SELF)],
        source: "Dennis 1965, The construction of a thesaurus automatically from a sample of text",
        joint: Joint::UpDown,
        delta: Delta::None(NoInterval::Grows),
        ..reading(&[form!(|c, _| {
            let scale = N::unit_scale(c.total());
            let c = c.scaled(scale);
            let share = ratio(
                determinant(&c),
                N::root_of_product(c.tp + c.fp, c.tp + c.fn_),
                nothing_positive(&c),
            )?;
            Ok(share / c.total().sqrt() / scale.sqrt())
        })])
    },
    Index {
        name: "digby",
        title: "Digby's H (approximate tetrachoric correlation)",
        formula: "((tp tn)^0.75 - (fp fn)^0.75) / ((tp tn)^0.75 + (fp fn)^0.75)",
        about: "An approximation to the correlation of two normal variables that were each cut in \
                two: actual and predicted class.",
        range: (-1.0, 1.0),
        undefined: "Neither both cells of right nor both cells of wrong predictions have rows.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, PrevalenceFree, Perfect(1.0)],
        source: "Digby 1983, doi:10.2307/2531104",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| digby(c))])
    },
    Index {
        name: "dispersion",
        title: "Dispersion",
        formula: "(tp tn - fp fn) / n^2",
        about: "The covariance of actual and predicted class: 0 is chance, and 1/4 is reached \
                only where half of all rows are positive.",
        range: (-0.25, 0.25),
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree],
        source: CHOI,
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok(dispersion(c)))])
    },
    Index {
        name: "eyraud",
        title: "Eyraud's index (as PyCM has it)",
        formula: "(tp - (tp + fp) (tp + fn)) / ((tp + fp) (tp + fn) (fp + tn) (fn + tn))",
        about: "For comparison with PyCM only. Without the factors of n that other authors write, \
                it goes to 0 as the sample grows.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Neither,
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be \
                    of one; or the weights are so small that it cannot be held.",
        laws: &[Transposed(SELF)],
        source: "Eyraud 1936, Les principes de la mesure des correlations",
        ..reading(&[form!(|c, _| {
            let by_chance =
                positive(c.tp / (c.tp + c.fp) / (c.tp + c.fn_), c.tp + c.fp, c.tp + c.fn_)?;
            let share = ratio(by_chance - 1.0, c.fp + c.tn, Undefined::NoActualNegatives)?;
            finite(ratio(share, c.fn_ + c.tn, Undefined::NoPredictedNegatives)?)
        })])
    },
    Index {
        name: "fager_mcgowan",
        aliases: &["fager_mc_gowan"],
        title: "Fager and McGowan's index",
        formula: "tp / sqrt((tp + fp) (tp + fn)) - 1 / (2 sqrt(max(tp + fp, tp + fn)))",
        about: "The Fowlkes-Mallows index minus a correction for small samples.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed(SELF)],
        source: "Fager, McGowan 1963, doi:10.1126/science.140.3566.453",
        cancels: true,
        ..reading(&[form!(|c, _| {
            let (predicted, actual) = (c.tp + c.fp, c.tp + c.fn_);
            let root = N::root_of_product(predicted, actual);
            let overlap = ratio(c.tp, root, nothing_positive(c))?;
            Ok((overlap - N::of(0.5) / predicted.max(actual).sqrt()).at_most(1.0))
        })])
    },
    Index {
        name: "faith",
        title: "Faith's index",
        formula: "(tp + tn / 2) / n",
        about: "Accuracy in which a true negative counts half.",
        laws: &[Transposed(SELF), ScaleFree],
        source: "Faith 1983, doi:10.1007/BF00377169",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| Ok((c.tp + c.tn * 0.5) / c.total()))])
    },
    Index {
        name: "negative_agreement",
        aliases: &["fleiss_levin_paik", "negative_specific_agreement", "negative_f1"],
        title: "Negative agreement: F1 of the negatives",
        formula: "2 tn / (2 tn + fp + fn)",
        about: "F1 of the negative class. Read beside F1, the positive agreement, it shows what a \
                single number hides.",
        undefined: "No row is negative, neither actually nor as predicted.",
        laws: &[Transposed(SELF), Swapped("f1"), ScaleFree, Perfect(1.0)],
        source: "Fleiss, Levin, Paik 2003, doi:10.1002/0471445428; Cicchetti, Feinstein 1990",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            ratio(c.tn * 2.0, c.tn * 2.0 + c.fp + c.fn_, Undefined::NoNegatives)
        })])
    },
    Index {
        name: "fossum",
        title: "Fossum's index",
        formula: "n (tp - 0.5)^2 / ((tp + fp) (tp + fn))",
        about: "Lift times the true positives, corrected for small samples. It grows with the \
                sample, and it is not 0 without true positives.",
        range: (0.0, f64::INFINITY),
        undefined: "No row is actually positive, or none is predicted positive; or the weights \
                    are so small that it cannot be held.",
        laws: &[Transposed(SELF)],
        source: "Fossum, Kaskey 1966, Optimization and standardization of information retrieval language \
                 and systems",
        delta: Delta::None(NoInterval::Grows),
        ..reading(&[form!(|c, _| {
            let less = c.tp - 0.5;
            let share = ratio(less, c.tp + c.fp, Undefined::NoPredictedPositives)?;
            let other = ratio(less, c.tp + c.fn_, Undefined::NoActualPositives)?;
            finite(share * other * c.total())
        })])
    },
    Index {
        name: "gilbert_wells",
        title: "Gilbert and Wells's index",
        formula: "ln(n^3 / (2 pi m)) + 2 ln(n! tp! fp! fn! tn! / ((tp + fp)! (tp + fn)! (fp + tn)! (fn + \
                  tn)!)), m = (tp + fp) (tp + fn) (fp + tn) (fn + tn)",
        about: "A measure of how unlikely such a strong association is by chance, close to the \
                likelihood-ratio statistic of independence. Always wrong is as good as always \
                right, and it grows with the sample. Weights use the gamma function.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Neither,
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be \
                    of one.",
        laws: &[Transposed(SELF), Swapped(SELF)],
        source: "Gilbert, Wells 1966, doi:10.2307/2257810",
        delta: Delta::None(NoInterval::Grows),
        ..reading(&[plain(&|c, _| gilbert_wells(c))])
    },
    Index {
        name: "goodall",
        title: "Goodall's index",
        formula: "2 asin(sqrt((tp + tn) / n)) / pi",
        about: "Accuracy after an arcsine transformation, which makes its sampling error the same \
                everywhere.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Goodall 1967, doi:10.2307/2528419",
        joint: Joint::UpDown,
        ..reading(&[form!(ln, |c, _| {
            let angle = N::atan2(N::sqrt(c.tp + c.tn), N::sqrt(c.fp + c.fn_));
            Ok(angle * std::f64::consts::FRAC_2_PI)
        })])
    },
    Index {
        name: "goodman_kruskal_lambda_r",
        title: "Goodman and Kruskal's lambda of reliability",
        formula: "(tp + tn - r / 2) / (n - r / 2), r = max(tp + fp, fn + tn) + max(tp + fn, fp + tn)",
        about: "The relative reduction of errors compared with always naming the most frequent \
                class. Below 0, always naming it would be better. As in PyCM, the most frequent \
                actual class and the most frequent predicted class may differ; the paper uses one \
                class for both.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "All rows are in one cell.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: GOODMAN,
        ..reading(&[form!(|c, _| {
            let modal = N::of(0.5) * (rarer_predicted(c) + rarer_actual(c));
            ratio(modal - (c.fp + c.fn_), modal, Undefined::OneActualClass)
        })])
    },
    Index {
        name: "harris_lahey",
        title: "Harris and Lahey's index",
        formula: "(tp (2 tn + fp + fn) / (tp + fp + fn) + tn (2 tp + fp + fn) / (tn + fp + fn)) / (2 n)",
        about: "Jaccard's indices of the positives and of the negatives, combined with more \
                weight on the rarer class.",
        undefined: "No row is positive, or none is negative, neither actually nor as predicted.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Harris, Lahey 1978, doi:10.1901/jaba.1978.11-523",
        ..reading(&[form!(|c, _| {
            let wrong = c.fp + c.fn_;
            let positive = ratio(c.tp, c.tp + wrong, Undefined::NoPositives)?;
            let negative = ratio(c.tn, c.tn + wrong, Undefined::NoNegatives)?;
            let double = c.total() * 2.0;
            Ok(positive * ((c.tn * 2.0 + wrong) / double)
                + negative * ((c.tp * 2.0 + wrong) / double))
        })])
    },
    Index {
        name: "hawkins_dotson",
        title: "Hawkins and Dotson's index",
        formula: "(tp / (tp + fp + fn) + tn / (tn + fp + fn)) / 2",
        about: "The mean of Jaccard's index of the positives and of the negatives.",
        undefined: "No row is positive, or none is negative, neither actually nor as predicted.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Hawkins, Dotson 1975, Reliability scores that delude",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let wrong = c.fp + c.fn_;
            let positive = ratio(c.tp, c.tp + wrong, Undefined::NoPositives)?;
            let negative = ratio(c.tn, c.tn + wrong, Undefined::NoNegatives)?;
            Ok((positive + negative) / 2.0)
        })])
    },
    Index {
        name: "kendall_tau_similarity",
        title: "Kendall's tau in the form of similarity indices",
        formula: "2 (tp + tn - fp - fn) / (n (n - 1))",
        about: "Not Kendall's rank correlation, which for two classes is mcc, but right minus \
                wrong rows divided by the pairs of rows, so it goes to 0 as the sample grows. \
                From -2 to 2 for counts, unbounded for small weights.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        undefined: "There is just one row.",
        laws: &[Transposed(SELF), Swapped(SELF)],
        source: "Kendall 1938, doi:10.1093/biomet/30.1-2.81; in this form Choi, Cha, Tappert 2010",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            ratio(
                N::of(2.0) * ((c.tp + c.tn - c.fp - c.fn_) / c.total()),
                c.total() - 1.0,
                Undefined::ZeroDenominator,
            )
        })])
    },
    Index {
        name: "kent_foster_i",
        title: "Kent and Foster's first",
        formula: "(tp - r) / (tp - r + fp + fn), r = (tp + fp) (tp + fn) / (tp + fp + fn)",
        about: "Agreement on positives beyond chance. Chance is computed among the rows that are \
                actually or predicted positive. Never above 0.",
        range: (-1.0 / 3.0, 0.0),
        undefined: "There are no errors.",
        laws: &[Transposed(SELF), Swapped("kent_foster_ii"), ScaleFree],
        source: "Kent, Foster 1977, Direct observational procedures: methodological issues in naturalistic \
                 settings",
        ..reading(&[form!(|c, _| kent_foster(c.tp, c.fp, c.fn_))])
    },
    Index {
        name: "kent_foster_ii",
        title: "Kent and Foster's second",
        formula: "(tn - r) / (tn - r + fp + fn), r = (tn + fp) (tn + fn) / (tn + fp + fn)",
        about: "Agreement on negatives beyond chance. Chance is computed among the rows that are \
                actually or predicted negative. Never above 0.",
        range: (-1.0 / 3.0, 0.0),
        undefined: "There are no errors.",
        laws: &[Transposed(SELF), Swapped("kent_foster_i"), ScaleFree],
        source: "Kent, Foster 1977, Direct observational procedures: methodological issues in naturalistic \
                 settings",
        ..reading(&[form!(|c, _| kent_foster(c.tn, c.fp, c.fn_))])
    },
    Index {
        name: "koppen_i",
        title: "Koppen's first",
        formula: "(x y - (fp + fn) / 2) / (x y), x = (2 tp + fp + fn) / 2, y = (2 tn + fp + fn) / 2",
        about: "Close to 1 for any large sample; x and y are the mean margins. From -1 to 1 for \
                counts, below -1 for small weights.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "No row is positive, or none is negative, neither actually nor as predicted.",
        laws: &[Transposed(SELF), Swapped(SELF), Perfect(1.0)],
        source: "Koppen 1884, Eine rationelle Methode zur Prufung der Wetterprognosen, Meteorol. Z. 1, 397-404",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let wrong = c.fp + c.fn_;
            let share = ratio(wrong, c.tp * 2.0 + wrong, Undefined::NoPositives)?;
            Ok(N::of(1.0) - ratio(share * 2.0, c.tn * 2.0 + wrong, Undefined::NoNegatives)?)
        })])
    },
    Index {
        name: "koppen_ii",
        title: "Koppen's second",
        formula: "tp + (fp + fn) / 2",
        about: "An amount: the mean of the actual and the predicted positives.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[Transposed(SELF), Proportional],
        source: "Koppen 1884, Eine rationelle Methode zur Prufung der Wetterprognosen, Meteorol. Z. 1, 397-404",
        joint: Joint::UpUp,
        delta: Delta::None(NoInterval::Grows),
        ..reading(&[form!(|c, _| Ok(c.tp + (c.fp + c.fn_) * 0.5))])
    },
    Index {
        name: "kuder_richardson",
        title: "Kuder and Richardson's reliability",
        formula: "4 (tp tn - fp fn) / ((tp + fp) (fn + tn) + (tp + fn) (fp + tn) + 2 (tp tn - fp fn))",
        about: "The reliability of actual and predicted class as a test of two items (Cronbach's \
                alpha).",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "All rows are in one cell, or all are wrong.",
        laws: &[Transposed(SELF), Swapped(SELF), ScaleFree, Perfect(1.0)],
        source: "Kuder, Richardson 1937, doi:10.1007/BF02288391",
        joint: Joint::UpDown,
        ..reading(&[form!(|c, _| {
            let all = c.tp * 4.0 * c.tn + (c.tp + c.tn) * (c.fp + c.fn_);
            Ok(ratio(determinant(c) * 4.0, all, Undefined::ZeroDenominator)?.at_most(1.0))
        })])
    },
];

/// The lesser of the actual and the predicted positives, and what the greater leaves of all rows.
#[inline]
fn lesser_and_rest<N: Number>(c: &BinaryCounts<N>) -> (N, N) {
    if c.fp.less(c.fn_) { (c.tp + c.fp, c.fp + c.tn) } else { (c.tp + c.fn_, c.fn_ + c.tn) }
}

/// max(a, b) + max(c, d) - max(a + c, b + d), without subtracting sums: the errors in guessing a
/// column that are saved by knowing the row.
fn gain<N: Number>(a: N, b: N, c: N, d: N) -> N {
    if (b.less(a) && c.less(d)) || (a.less(b) && d.less(c)) {
        (a - b).abs().min((c - d).abs())
    } else {
        N::of(0.0)
    }
}

/// The rows of the prediction made less often.
#[inline]
fn rarer_predicted<N: Number>(c: &BinaryCounts<N>) -> N {
    (c.tp + c.fp).min(c.fn_ + c.tn)
}

/// The rows of the class that is rarer.
#[inline]
fn rarer_actual<N: Number>(c: &BinaryCounts<N>) -> N {
    (c.tp + c.fn_).min(c.fp + c.tn)
}

/// (x - r) / (x - r + b + c) with r = (x + b)(x + c) / (x + b + c). Since x - r = -b c / (x + b +
/// c), nothing need cancel.
fn kent_foster<N: Number>(x: N, b: N, c: N) -> Outcome<N> {
    let all = (b + c) * x + (b * b + b * c + c * c);
    ratio(-(b * c), all, Undefined::ZeroDenominator).map(|value| value.at_least(-1.0 / 3.0) + 0.0)
}

/// (u - v) / (u + v) with u = (tp tn)^(3/4), v = (fp fn)^(3/4). With s the fourth root of the
/// lesser product over the greater it is (1 - s³) / (1 + s³), and 1 - s = (1 - s⁴) / ((1 + s)(1 +
/// s²)), where 1 - s⁴ comes from the determinant.
#[inline]
fn digby<N: Number>(c: &BinaryCounts<N>) -> Outcome<N> {
    let (right, wrong) = (c.tp * c.tn, c.fp * c.fn_);
    let greater = right.max(wrong);
    let beyond = ratio(determinant(c), greater, Undefined::ZeroDenominator)?;
    let s = (right.min(wrong) / greater).sqrt().sqrt();
    let value = beyond * (s + 1.0 + s * s) / ((s + 1.0) * (s * s + 1.0)) / (s * s * s + 1.0);
    Ok(value.within(-1.0, 1.0))
}
