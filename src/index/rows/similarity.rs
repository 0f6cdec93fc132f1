//! Similarities and distances of two sets: the actual and the predicted positives.
//!
//! The literature writes a, b, c, d for the cells; here a = tp, b = fp, c = fn, d = tn, as in PyCM, where others often swap b
//! and c. What stands elsewhere under its usual name is not repeated: Forbes's first is lift, the simple matching coefficient
//! is accuracy, Dice's is f1, Hamann's is pabak, Doolittle's is `phi_squared`; the lambdas are among the associations.

use crate::arith::logarithm::ln;
use crate::arith::products::{root_of_product, unit_scale};
use crate::index::row::Law::{
    Complement, Perfect, PrevalenceFree, Proportional, ScaleFree, Swapped, Transposed,
};
use crate::index::row::{BLANK, Better, Index};
use crate::index::rows::rates::{determinant, n, npv, precision, recall, specificity};
use crate::index::value::{Outcome, Undefined};
use crate::index::value::{finite, ratio};
use crate::labels::view::BinaryCounts;

const BARONI: &str = "Baroni-Urbani, Buser 1976, doi:10.2307/2412493";
const BAULIEU_1989: &str = "Baulieu 1989, doi:10.1007/BF01908601";
const CHOI: &str = "Choi, Cha, Tappert 2010, A survey of binary similarity and distance measures, J. Syst. Cybern. Inf. 8(1), 43-48";
const CONSONNI: &str =
    "Consonni, Todeschini 2012, New similarity coefficients for binary data, MATCH 68, 581-592";
const GOODMAN: &str = "Goodman, Kruskal 1954, doi:10.1080/01621459.1954.10501231; Guttman 1941";
const KUHNS: &str = "Kuhns 1965, The continuum of coefficients of association";
const PYCM: &str = "Haghighi, Jasemi, Hessabi, Zolanvari 2018 (PyCM), doi:10.21105/joss.00729";

pub(crate) static ROWS: &[Index] = &[
    Index {
        name: "ample",
        aliases: &[],
        title: "AMPLE",
        formula: "|tp / (tp + fp) - fn / (fn + tn)|",
        about: "How much the predictions tell about the actual class: the absolute value of markedness, so \
                always wrong is as good as always right.",
        undefined: "No row is predicted positive, or none is predicted negative.",
        laws: &[Swapped("ample"), ScaleFree, Perfect(1.0)],
        source: "Dallmeier, Lindig, Zeller 2005, doi:10.1007/11531142_23",
        counts: Some(&|c, _| {
            let omitted = ratio(c.fn_, c.fn_ + c.tn, Undefined::NoPredictedNegatives)?;
            Ok((precision(c)? - omitted).abs())
        }),
        ..BLANK
    },
    Index {
        name: "anderberg_d",
        aliases: &["goodman_kruskal_gain"],
        title: "Anderberg's D",
        formula: "((max(tp, fp) + max(fn, tn) + max(tp, fn) + max(fp, tn)) - (max(tp + fn, fp + tn) + \
                  max(tp + fp, fn + tn))) / (2 n)",
        about: "By how much knowing one of actual and predicted class makes errors in guessing the other \
                rarer, the mean of both ways. PyCM's \"anderberg\" departs from it.",
        range: (0.0, 0.5),
        laws: &[Transposed("anderberg_d"), Swapped("anderberg_d"), ScaleFree],
        source: "Anderberg 1973, Cluster Analysis for Applications",
        counts: Some(&|c, _| {
            Ok((gain(c.tp, c.fp, c.fn_, c.tn) + gain(c.tp, c.fn_, c.fp, c.tn)) / (2.0 * n(c)))
        }),
        ..BLANK
    },
    Index {
        name: "anderberg",
        aliases: &[],
        title: "Anderberg's D as PyCM 4.6 has it",
        formula: "((max(tp, fp) + max(fn, tn) + max(tp, fn) + max(fp, tn)) - (max(tp + fp, fp + tn) + \
                  max(tp + fp, fn + tn))) / (2 n)",
        about: "Where Anderberg compares tp + fn with fp + tn, PyCM takes tp + fp; the value then has no \
                meaning of its own. Meant for comparison with PyCM: use anderberg_d.",
        range: (-0.25, 0.5),
        better: Better::Neither,
        laws: &[ScaleFree],
        source: PYCM,
        counts: Some(&|c, _| {
            let cells = c.tp.max(c.fp) + c.fn_.max(c.tn) + c.tp.max(c.fn_) + c.fp.max(c.tn);
            let margins = (c.tp + c.fp).max(c.fp + c.tn) + (c.tp + c.fp).max(c.fn_ + c.tn);
            Ok(((cells - margins) / (2.0 * n(c))).clamp(-0.25, 0.5))
        }),
        ..BLANK
    },
    Index {
        name: "andres_marzo_delta",
        aliases: &["delta"],
        title: "Andres and Marzo's delta",
        formula: "(tp + tn - 2 sqrt(fp fn)) / n",
        about: "The share of agreement that is not by chance, in a model in which raters know or guess: it \
                does not collapse as kappa does where one class is rare.",
        range: (-1.0, 1.0),
        laws: &[
            Transposed("andres_marzo_delta"),
            Swapped("andres_marzo_delta"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Andres, Marzo 2004, doi:10.1348/000711004849268",
        counts: Some(&|c, _| Ok((c.tp + c.tn - 2.0 * root_of_product(c.fp, c.fn_)) / n(c))),
        ..BLANK
    },
    Index {
        name: "baroni_urbani_buser_i",
        aliases: &[],
        title: "Baroni-Urbani and Buser's first",
        formula: "(sqrt(tp tn) + tp) / (sqrt(tp tn) + tp + fp + fn)",
        about: "Jaccard's index with joint absence counted, but only as far as there is joint presence.",
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed("baroni_urbani_buser_i"), ScaleFree, Perfect(1.0)],
        source: BARONI,
        counts: Some(&|c, _| {
            let both = root_of_product(c.tp, c.tn) + c.tp;
            ratio(both, both + c.fp + c.fn_, Undefined::NoPositives)
        }),
        ..BLANK
    },
    Index {
        name: "baroni_urbani_buser_ii",
        aliases: &[],
        title: "Baroni-Urbani and Buser's second",
        formula: "(sqrt(tp tn) + tp - fp - fn) / (sqrt(tp tn) + tp + fp + fn)",
        about: "Twice the first less 1, so that 0 is in the middle.",
        range: (-1.0, 1.0),
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[
            Transposed("baroni_urbani_buser_ii"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: BARONI,
        counts: Some(&|c, _| {
            let both = root_of_product(c.tp, c.tn) + c.tp;
            let wrong = c.fp + c.fn_;
            ratio(both - wrong, both + wrong, Undefined::NoPositives)
        }),
        ..BLANK
    },
    Index {
        name: "batagelj_bren",
        aliases: &[],
        title: "Batagelj and Bren's distance",
        formula: "fp fn / (tp tn)",
        about: "The diagnostic odds ratio turned over: 1 is chance, 0 no errors of one kind.",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        undefined: "There are no true positives, or no true negatives.",
        laws: &[
            Transposed("batagelj_bren"),
            Swapped("batagelj_bren"),
            ScaleFree,
            PrevalenceFree,
            Perfect(0.0),
        ],
        source: "Batagelj, Bren 1995, doi:10.1007/BF01202268",
        counts: Some(&|c, _| ratio(c.fp * c.fn_, c.tp * c.tn, Undefined::ZeroDenominator)),
        ..BLANK
    },
    Index {
        name: "baulieu_i",
        aliases: &[],
        title: "Baulieu's first",
        formula: "((tp + fp) (tp + fn) - tp^2) / ((tp + fp) (tp + fn)) = 1 - precision recall",
        about: "What the product of precision and recall (sorgenfrei) lacks to 1.",
        better: Better::Lower,
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[
            Transposed("baulieu_i"),
            Complement("sorgenfrei"),
            ScaleFree,
            Perfect(0.0),
        ],
        source: BAULIEU_1989,
        counts: Some(&|c, _| {
            let missed = ratio(c.fn_, c.tp + c.fn_, Undefined::NoActualPositives)?;
            let precision = precision(c)?;
            Ok(c.fp / (c.tp + c.fp) + precision * missed)
        }),
        ..BLANK
    },
    Index {
        name: "sorgenfrei",
        aliases: &[],
        title: "Sorgenfrei's index",
        formula: "tp^2 / ((tp + fp) (tp + fn)) = precision recall",
        about: "The square of the Fowlkes-Mallows index.",
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[
            Transposed("sorgenfrei"),
            Complement("baulieu_i"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Sorgenfrei 1958, Molluscan assemblages from the marine middle Miocene of South Jutland",
        counts: Some(&|c, _| Ok(precision(c)? * recall(c)?)),
        ..BLANK
    },
    Index {
        name: "baulieu_ii",
        aliases: &[],
        title: "Baulieu's second",
        formula: "tp^2 tn^2 / ((tp + fp) (tp + fn) (fp + tn) (fn + tn)) = precision recall specificity npv",
        about: "The product of both recalls and both predictive values: 0 as soon as one of them is.",
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be of one.",
        laws: &[
            Transposed("baulieu_ii"),
            Swapped("baulieu_ii"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: BAULIEU_1989,
        counts: Some(&|c, _| Ok(precision(c)? * recall(c)? * specificity(c)? * npv(c)?)),
        ..BLANK
    },
    Index {
        name: "baulieu_iii",
        aliases: &[],
        title: "Baulieu's third",
        formula: "(n^2 - 4 (tp tn - fp fn)) / (2 n^2)",
        about: "1/2 is chance; 0 is reached only where half of all rows are positive.",
        better: Better::Lower,
        laws: &[Transposed("baulieu_iii"), Swapped("baulieu_iii"), ScaleFree],
        source: BAULIEU_1989,
        counts: Some(&|c, _| {
            // n² − 4 (tp tn − fp fn) as a sum of squares and products, so that it keeps its digits near 0.
            let (all, wrong, uneven) = (n(c), c.fp + c.fn_, c.tp - c.tn);
            let right = 2.0 * (c.tp + c.tn) + wrong;
            let squares = uneven * uneven + wrong * right + 4.0 * c.fp * c.fn_;
            Ok((squares / all / all / 2.0).min(1.0))
        }),
        ..BLANK
    },
    Index {
        name: "baulieu_iv",
        aliases: &[],
        title: "Baulieu's fourth",
        formula: "(fp + fn - (tp + 0.5) (tn + 0.5) tn e) / n, e = exp(1)",
        about: "A dissimilarity without a lower end: of real tables it is dominated by true positives times \
                true negatives squared.",
        range: (f64::NEG_INFINITY, 1.0),
        better: Better::Lower,
        undefined: "The weights are so large that it cannot be held.",
        laws: &[Transposed("baulieu_iv")],
        source: BAULIEU_1989,
        counts: Some(&|c, _| {
            let right = (c.tp + 0.5) * (c.tn + 0.5) * (c.tn / n(c)) * std::f64::consts::E;
            finite((c.fp + c.fn_) / n(c) - right)
        }),
        ..BLANK
    },
    Index {
        name: "baulieu_v",
        aliases: &[],
        title: "Baulieu's fifth",
        formula: "(fp + fn + 1) / (tp + fp + fn + 1)",
        about: "Jaccard's distance with one error more, so that small samples are not trusted.",
        better: Better::Lower,
        laws: &[Transposed("baulieu_v")],
        source: BAULIEU_1989,
        counts: Some(&|c, _| Ok((c.fp + c.fn_ + 1.0) / (c.tp + c.fp + c.fn_ + 1.0))),
        ..BLANK
    },
    Index {
        name: "baulieu_vi",
        aliases: &[],
        title: "Baulieu's sixth",
        formula: "(fp + fn) / (tp + fp + fn + 1)",
        about: "Jaccard's distance with one row more, so that it is never undefined.",
        better: Better::Lower,
        laws: &[Transposed("baulieu_vi"), Perfect(0.0)],
        source: BAULIEU_1989,
        counts: Some(&|c, _| Ok((c.fp + c.fn_) / (c.tp + c.fp + c.fn_ + 1.0))),
        ..BLANK
    },
    Index {
        name: "baulieu_vii",
        aliases: &[],
        title: "Baulieu's seventh",
        formula: "(fp + fn) / (n + tp (tp - 4)^2)",
        about: "The error rate with true positives weighing by their cube once there are more than a few.",
        better: Better::Lower,
        laws: &[Transposed("baulieu_vii"), Perfect(0.0)],
        source: BAULIEU_1989,
        counts: Some(&|c, _| Ok((c.fp + c.fn_) / (n(c) + c.tp * (c.tp - 4.0) * (c.tp - 4.0)))),
        ..BLANK
    },
    Index {
        name: "baulieu_viii",
        aliases: &[],
        title: "Baulieu's eighth",
        formula: "(fp - fn)^2 / n^2",
        about: "The squared difference of both kinds of errors: 0 where they are as many, however many.",
        better: Better::Lower,
        laws: &[
            Transposed("baulieu_viii"),
            Swapped("baulieu_viii"),
            ScaleFree,
            Perfect(0.0),
        ],
        source: BAULIEU_1989,
        counts: Some(&|c, _| {
            let share = (c.fp - c.fn_) / n(c);
            Ok(share * share)
        }),
        ..BLANK
    },
    Index {
        name: "baulieu_ix",
        aliases: &[],
        title: "Baulieu's ninth",
        formula: "(fp + 2 fn) / (n + fn)",
        about: "The error rate with a miss counted twice.",
        better: Better::Lower,
        laws: &[ScaleFree, Perfect(0.0)],
        source: BAULIEU_1989,
        counts: Some(&|c, _| Ok(((c.fp + 2.0 * c.fn_) / (n(c) + c.fn_)).min(1.0))),
        ..BLANK
    },
    Index {
        name: "baulieu_x",
        aliases: &[],
        title: "Baulieu's tenth",
        formula: "(fp + fn + max(fp, fn)) / (n + max(fp, fn))",
        about: "The error rate with the more frequent kind of errors counted twice.",
        better: Better::Lower,
        laws: &[
            Transposed("baulieu_x"),
            Swapped("baulieu_x"),
            ScaleFree,
            Perfect(0.0),
        ],
        source: BAULIEU_1989,
        counts: Some(&|c, _| {
            let more = c.fp.max(c.fn_);
            Ok(((c.fp + c.fn_ + more) / (n(c) + more)).min(1.0))
        }),
        ..BLANK
    },
    Index {
        name: "baulieu_xi",
        aliases: &[],
        title: "Baulieu's eleventh",
        formula: "(fp + fn) / (fp + fn + tn)",
        about: "Jaccard's distance of the negatives.",
        better: Better::Lower,
        undefined: "No row is negative, neither actually nor as predicted.",
        laws: &[Transposed("baulieu_xi"), ScaleFree, Perfect(0.0)],
        source: BAULIEU_1989,
        counts: Some(&|c, _| {
            let wrong = c.fp + c.fn_;
            ratio(wrong, wrong + c.tn, Undefined::NoNegatives)
        }),
        ..BLANK
    },
    Index {
        name: "baulieu_xii",
        aliases: &[],
        title: "Baulieu's twelfth",
        formula: "(fp + fn) / (tp + fp + fn - 1)",
        about: "Jaccard's distance with one row less; of counts from 0 to 2, of small weights anything.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Lower,
        undefined: "Just one row is positive, actually or as predicted.",
        laws: &[Transposed("baulieu_xii")],
        source: BAULIEU_1989,
        counts: Some(&|c, _| {
            ratio(
                c.fp + c.fn_,
                c.tp + c.fp + c.fn_ - 1.0,
                Undefined::ZeroDenominator,
            )
            .map(|x| x + 0.0)
        }),
        ..BLANK
    },
    Index {
        name: "baulieu_xiii",
        aliases: &[],
        title: "Baulieu's thirteenth",
        formula: "(fp + fn) / (tp + fp + fn + tp (tp - 4)^2)",
        about: "Jaccard's distance with true positives weighing by their cube once there are more than a few.",
        better: Better::Lower,
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed("baulieu_xiii"), Perfect(0.0)],
        source: BAULIEU_1989,
        counts: Some(&|c, _| {
            ratio(
                c.fp + c.fn_,
                c.tp + c.fp + c.fn_ + c.tp * (c.tp - 4.0) * (c.tp - 4.0),
                Undefined::NoPositives,
            )
        }),
        ..BLANK
    },
    Index {
        name: "baulieu_xiv",
        aliases: &[],
        title: "Baulieu's fourteenth",
        formula: "(fp + 2 fn) / (tp + fp + 2 fn)",
        about: "Jaccard's distance with a miss counted twice.",
        better: Better::Lower,
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[ScaleFree, Perfect(0.0)],
        source: BAULIEU_1989,
        counts: Some(&|c, _| {
            let wrong = c.fp + 2.0 * c.fn_;
            ratio(wrong, c.tp + wrong, Undefined::NoPositives)
        }),
        ..BLANK
    },
    Index {
        name: "baulieu_xv",
        aliases: &[],
        title: "Baulieu's fifteenth",
        formula: "(fp + fn + max(fp, fn)) / (tp + fp + fn + max(fp, fn))",
        about: "Jaccard's distance with the more frequent kind of errors counted twice.",
        better: Better::Lower,
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed("baulieu_xv"), ScaleFree, Perfect(0.0)],
        source: BAULIEU_1989,
        counts: Some(&|c, _| {
            let wrong = c.fp + c.fn_ + c.fp.max(c.fn_);
            ratio(wrong, c.tp + wrong, Undefined::NoPositives)
        }),
        ..BLANK
    },
    Index {
        name: "benini_i",
        aliases: &["population_attributable_fraction"],
        title: "Benini's first (attributable fraction)",
        formula: "(tp tn - fp fn) / ((tp + fn) (fn + tn)) = 1 - (fn / (fn + tn)) / prevalence",
        about: "By what share the class would be rarer if it were as rare everywhere as among the predicted \
                negatives.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "No row is actually positive, or none is predicted negative.",
        laws: &[ScaleFree, Perfect(1.0)],
        source: "Benini 1901, Principii di demografia; Levin 1953",
        counts: Some(&|c, _| {
            let omitted = ratio(
                determinant(c),
                c.fn_ + c.tn,
                Undefined::NoPredictedNegatives,
            )?;
            ratio(omitted, c.tp + c.fn_, Undefined::NoActualPositives).map(|x| x.min(1.0))
        }),
        ..BLANK
    },
    Index {
        name: "loevinger_h",
        aliases: &["benini_ii", "forbes_ii"],
        title: "Loevinger's H (Benini's second, Forbes's second)",
        formula: "(tp tn - fp fn) / min((tp + fn) (fn + tn), (tp + fp) (fp + tn))",
        about: "The association as a share of the greatest that the margins allow; 0 is chance, 1 means \
                that there are no errors of one kind.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be of one.",
        laws: &[
            Transposed("loevinger_h"),
            Swapped("loevinger_h"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Forbes 1925, Science 61, 518-524; Loevinger 1948, doi:10.1037/h0055827",
        counts: Some(&|c, _| {
            let (least, greatest) = lesser_and_rest(c);
            let share = positive(determinant(c) / least / greatest, least, greatest)?;
            Ok(share.min(1.0))
        }),
        ..BLANK
    },
    Index {
        name: "clement",
        aliases: &[],
        title: "Clement's index",
        formula: "precision (fn + tn) / n + npv (tp + fp) / n",
        about: "Both predictive values, each weighing by the share of the other prediction.",
        undefined: "No row is predicted positive, or none is predicted negative.",
        laws: &[Swapped("clement"), ScaleFree, Perfect(1.0)],
        source: "Clement 1976, doi:10.2466/pr0.1976.39.1.257",
        counts: Some(&|c, _| {
            Ok(precision(c)? * ((c.fn_ + c.tn) / n(c)) + npv(c)? * ((c.tp + c.fp) / n(c)))
        }),
        ..BLANK
    },
    Index {
        name: "consonni_todeschini_i",
        aliases: &[],
        title: "Consonni and Todeschini's first",
        formula: "ln(1 + tp + tn) / ln(1 + n)",
        about: "Accuracy on a logarithmic scale: it is near 1 for any large sample.",
        laws: &[
            Transposed("consonni_todeschini_i"),
            Swapped("consonni_todeschini_i"),
            Perfect(1.0),
        ],
        source: CONSONNI,
        counts: Some(&|c, _| Ok(ln_1p(c.tp + c.tn) / ln_1p(n(c)))),
        ..BLANK
    },
    Index {
        name: "consonni_todeschini_ii",
        aliases: &[],
        title: "Consonni and Todeschini's second",
        formula: "(ln(1 + n) - ln(1 + fp + fn)) / ln(1 + n)",
        about: "1 less the logarithm of the errors, as a share of that of all rows: it falls fast with the \
                first errors.",
        laws: &[
            Transposed("consonni_todeschini_ii"),
            Swapped("consonni_todeschini_ii"),
            Perfect(1.0),
        ],
        source: CONSONNI,
        counts: Some(&|c, _| Ok(ln_1p((c.tp + c.tn) / (1.0 + c.fp + c.fn_)) / ln_1p(n(c)))),
        ..BLANK
    },
    Index {
        name: "consonni_todeschini_iii",
        aliases: &[],
        title: "Consonni and Todeschini's third",
        formula: "ln(1 + tp) / ln(1 + n)",
        about: "The detection rate on a logarithmic scale.",
        laws: &[Transposed("consonni_todeschini_iii")],
        source: CONSONNI,
        counts: Some(&|c, _| Ok(ln_1p(c.tp) / ln_1p(n(c)))),
        ..BLANK
    },
    Index {
        name: "consonni_todeschini_iv",
        aliases: &[],
        title: "Consonni and Todeschini's fourth",
        formula: "ln(1 + tp) / ln(1 + tp + fp + fn)",
        about: "Jaccard's index on a logarithmic scale.",
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed("consonni_todeschini_iv"), Perfect(1.0)],
        source: CONSONNI,
        counts: Some(&|c, _| {
            ratio(
                ln_1p(c.tp),
                ln_1p(c.tp + c.fp + c.fn_),
                Undefined::NoPositives,
            )
        }),
        ..BLANK
    },
    Index {
        name: "consonni_todeschini_v",
        aliases: &[],
        title: "Consonni and Todeschini's fifth",
        formula: "(ln(1 + tp tn) - ln(1 + fp fn)) / ln(1 + n^2 / 4)",
        about: "Near the odds ratio on a logarithmic scale; 0 is chance, and the ends are for halves.",
        range: (-1.0, 1.0),
        undefined: "The weights are too small for the logarithm.",
        laws: &[
            Transposed("consonni_todeschini_v"),
            Swapped("consonni_todeschini_v"),
        ],
        source: CONSONNI,
        counts: Some(&|c, _| {
            let all = ln_1p_of_product(n(c) / 2.0, n(c) / 2.0);
            ratio(
                ln_1p_of_product(c.tp, c.tn) - ln_1p_of_product(c.fp, c.fn_),
                all,
                Undefined::ZeroDenominator,
            )
        }),
        ..BLANK
    },
    Index {
        name: "dennis",
        aliases: &[],
        title: "Dennis's index",
        formula: "(tp - r) / sqrt(r), r = (tp + fp) (tp + fn) / n",
        about: "How many standard deviations the true positives are from what chance gives, if they are \
                counts of rare events. It grows with the sample.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed("dennis")],
        source: "Dennis 1965, The construction of a thesaurus automatically from a sample of text",
        counts: Some(&|c, _| {
            let scale = unit_scale(n(c));
            let c = c.scaled(scale);
            let share = ratio(
                determinant(&c),
                root_of_product(c.tp + c.fp, c.tp + c.fn_),
                nothing_positive(&c),
            )?;
            Ok(share / n(&c).sqrt() / scale.sqrt())
        }),
        ..BLANK
    },
    Index {
        name: "digby",
        aliases: &[],
        title: "Digby's H (approximate tetrachoric correlation)",
        formula: "((tp tn)^0.75 - (fp fn)^0.75) / ((tp tn)^0.75 + (fp fn)^0.75)",
        about: "Approximates the correlation of two normal quantities of which actual and predicted class \
                are halves.",
        range: (-1.0, 1.0),
        undefined: "Neither both cells of right nor both cells of wrong predictions have rows.",
        laws: &[
            Transposed("digby"),
            Swapped("digby"),
            ScaleFree,
            PrevalenceFree,
            Perfect(1.0),
        ],
        source: "Digby 1983, doi:10.2307/2531104",
        counts: Some(&|c, _| digby(c)),
        ..BLANK
    },
    Index {
        name: "dispersion",
        aliases: &[],
        title: "Dispersion",
        formula: "(tp tn - fp fn) / n^2",
        about: "The covariance of actual and predicted class: 0 is chance, and 1/4 is reached only where \
                half of all rows are positive.",
        range: (-0.25, 0.25),
        laws: &[Transposed("dispersion"), Swapped("dispersion"), ScaleFree],
        source: CHOI,
        counts: Some(&|c, _| Ok(dispersion(c))),
        ..BLANK
    },
    Index {
        name: "eyraud",
        aliases: &[],
        title: "Eyraud's index (as PyCM has it)",
        formula: "(tp - (tp + fp) (tp + fn)) / ((tp + fp) (tp + fn) (fp + tn) (fn + tn))",
        about: "For comparison only: without the factors of n that others write, it vanishes as the sample \
                grows.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Neither,
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be of one; or the weights are \
                    so small that it cannot be held.",
        laws: &[Transposed("eyraud")],
        source: "Eyraud 1936, Les principes de la mesure des correlations",
        counts: Some(&|c, _| {
            let by_chance = positive(
                c.tp / (c.tp + c.fp) / (c.tp + c.fn_),
                c.tp + c.fp,
                c.tp + c.fn_,
            )?;
            let share = ratio(by_chance - 1.0, c.fp + c.tn, Undefined::NoActualNegatives)?;
            finite(ratio(share, c.fn_ + c.tn, Undefined::NoPredictedNegatives)?)
        }),
        ..BLANK
    },
    Index {
        name: "fager_mcgowan",
        aliases: &["fager_mc_gowan"],
        title: "Fager and McGowan's index",
        formula: "tp / sqrt((tp + fp) (tp + fn)) - 1 / (2 sqrt(max(tp + fp, tp + fn)))",
        about: "The Fowlkes-Mallows index less a correction for small samples.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed("fager_mcgowan")],
        source: "Fager, McGowan 1963, doi:10.1126/science.140.3566.453",
        counts: Some(&|c, _| {
            let (predicted, actual) = (c.tp + c.fp, c.tp + c.fn_);
            let root = root_of_product(predicted, actual);
            let overlap = ratio(c.tp, root, nothing_positive(c))?;
            Ok((overlap - 0.5 / predicted.max(actual).sqrt()).min(1.0))
        }),
        ..BLANK
    },
    Index {
        name: "faith",
        aliases: &[],
        title: "Faith's index",
        formula: "(tp + tn / 2) / n",
        about: "Accuracy in which a true negative counts half.",
        laws: &[Transposed("faith"), ScaleFree],
        source: "Faith 1983, doi:10.1007/BF00377169",
        counts: Some(&|c, _| Ok((c.tp + 0.5 * c.tn) / n(c))),
        ..BLANK
    },
    Index {
        name: "negative_agreement",
        aliases: &[
            "fleiss_levin_paik",
            "negative_specific_agreement",
            "negative_f1",
        ],
        title: "Negative agreement: F1 of the negatives",
        formula: "2 tn / (2 tn + fp + fn)",
        about: "F1 with the classes exchanged; with F1 itself, the positive agreement, it tells what one \
                number of agreement hides.",
        undefined: "No row is negative, neither actually nor as predicted.",
        laws: &[
            Transposed("negative_agreement"),
            Swapped("f1"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Fleiss, Levin, Paik 2003, doi:10.1002/0471445428; Cicchetti, Feinstein 1990",
        counts: Some(&|c, _| {
            ratio(
                2.0 * c.tn,
                2.0 * c.tn + c.fp + c.fn_,
                Undefined::NoNegatives,
            )
        }),
        ..BLANK
    },
    Index {
        name: "fossum",
        aliases: &[],
        title: "Fossum's index",
        formula: "n (tp - 0.5)^2 / ((tp + fp) (tp + fn))",
        about: "Lift times the true positives, with a correction for small samples. It grows with the \
                sample, and of no true positives it is not 0.",
        range: (0.0, f64::INFINITY),
        undefined: "No row is actually positive, or none is predicted positive; or the weights are so small that it cannot be \
                    held.",
        laws: &[Transposed("fossum")],
        source: "Fossum, Kaskey 1966, Optimization and standardization of information retrieval language \
                 and systems",
        counts: Some(&|c, _| {
            let less = c.tp - 0.5;
            let share = ratio(less, c.tp + c.fp, Undefined::NoPredictedPositives)?;
            let other = ratio(less, c.tp + c.fn_, Undefined::NoActualPositives)?;
            finite(share * other * n(c))
        }),
        ..BLANK
    },
    Index {
        name: "gilbert_wells",
        aliases: &[],
        title: "Gilbert and Wells's index",
        formula: "ln(n^3 / (2 pi m)) + 2 ln(n! tp! fp! fn! tn! / ((tp + fp)! (tp + fn)! (fp + tn)! (fn + \
                  tn)!)), m = (tp + fp) (tp + fn) (fp + tn) (fn + tn)",
        about: "How unlikely so strong an association is by chance: near the likelihood-ratio statistic of \
                independence. Always wrong is as good as always right, and it grows with the sample. \
                Weights go through the gamma function.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        better: Better::Neither,
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be of one.",
        laws: &[Transposed("gilbert_wells"), Swapped("gilbert_wells")],
        source: "Gilbert, Wells 1966, doi:10.2307/2257810",
        counts: Some(&|c, _| gilbert_wells(c)),
        ..BLANK
    },
    Index {
        name: "goodall",
        aliases: &[],
        title: "Goodall's index",
        formula: "2 asin(sqrt((tp + tn) / n)) / pi",
        about: "Accuracy on a scale on which its sampling error is the same everywhere.",
        laws: &[
            Transposed("goodall"),
            Swapped("goodall"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Goodall 1967, doi:10.2307/2528419",
        counts: Some(&|c, _| {
            Ok((c.tp + c.tn).sqrt().atan2((c.fp + c.fn_).sqrt()) * std::f64::consts::FRAC_2_PI)
        }),
        ..BLANK
    },
    Index {
        name: "goodman_kruskal_lambda_r",
        aliases: &[],
        title: "Goodman and Kruskal's lambda of reliability",
        formula: "(tp + tn - r / 2) / (n - r / 2), r = max(tp + fp, fn + tn) + max(tp + fn, fp + tn)",
        about: "By what share the errors are rarer than those of always naming the most frequent class; \
                below 0 it would do better. As PyCM has it, with the most frequent actual and the most frequent predicted class; the \
                paper takes one class for both, which differs where these two do.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "All rows are in one cell.",
        laws: &[
            Transposed("goodman_kruskal_lambda_r"),
            Swapped("goodman_kruskal_lambda_r"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: GOODMAN,
        counts: Some(&|c, _| {
            let modal = 0.5 * (rarer_predicted(c) + rarer_actual(c));
            Ok(1.0 - ratio(c.fp + c.fn_, modal, Undefined::OneActualClass)?)
        }),
        ..BLANK
    },
    Index {
        name: "harris_lahey",
        aliases: &[],
        title: "Harris and Lahey's index",
        formula: "(tp (2 tn + fp + fn) / (tp + fp + fn) + tn (2 tp + fp + fn) / (tn + fp + fn)) / (2 n)",
        about: "Jaccard's index of the positives and of the negatives, the rarer class weighing more.",
        undefined: "No row is positive, or none is negative, neither actually nor as predicted.",
        laws: &[
            Transposed("harris_lahey"),
            Swapped("harris_lahey"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Harris, Lahey 1978, doi:10.1901/jaba.1978.11-523",
        counts: Some(&|c, _| {
            let wrong = c.fp + c.fn_;
            let positive = ratio(c.tp, c.tp + wrong, Undefined::NoPositives)?;
            let negative = ratio(c.tn, c.tn + wrong, Undefined::NoNegatives)?;
            let double = 2.0 * n(c);
            Ok(positive * ((2.0 * c.tn + wrong) / double)
                + negative * ((2.0 * c.tp + wrong) / double))
        }),
        ..BLANK
    },
    Index {
        name: "hawkins_dotson",
        aliases: &[],
        title: "Hawkins and Dotson's index",
        formula: "(tp / (tp + fp + fn) + tn / (tn + fp + fn)) / 2",
        about: "The mean of Jaccard's index of the positives and of the negatives.",
        undefined: "No row is positive, or none is negative, neither actually nor as predicted.",
        laws: &[
            Transposed("hawkins_dotson"),
            Swapped("hawkins_dotson"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Hawkins, Dotson 1975, Reliability scores that delude",
        counts: Some(&|c, _| {
            let wrong = c.fp + c.fn_;
            let positive = ratio(c.tp, c.tp + wrong, Undefined::NoPositives)?;
            let negative = ratio(c.tn, c.tn + wrong, Undefined::NoNegatives)?;
            Ok(f64::midpoint(positive, negative))
        }),
        ..BLANK
    },
    Index {
        name: "kendall_tau_similarity",
        aliases: &[],
        title: "Kendall's tau in the form of similarity indices",
        formula: "2 (tp + tn - fp - fn) / (n (n - 1))",
        about: "Not Kendall's rank correlation, which of two classes is mcc: right less wrong over pairs of \
                rows, so it vanishes as the sample grows. Of counts from -2 to 2, of small weights anything.",
        range: (f64::NEG_INFINITY, f64::INFINITY),
        undefined: "There is just one row.",
        laws: &[
            Transposed("kendall_tau_similarity"),
            Swapped("kendall_tau_similarity"),
        ],
        source: "Kendall 1938, doi:10.1093/biomet/30.1-2.81; in this form Choi, Cha, Tappert 2010",
        counts: Some(&|c, _| {
            ratio(
                2.0 * ((c.tp + c.tn - c.fp - c.fn_) / n(c)),
                n(c) - 1.0,
                Undefined::ZeroDenominator,
            )
        }),
        ..BLANK
    },
    Index {
        name: "kent_foster_i",
        aliases: &[],
        title: "Kent and Foster's first",
        formula: "(tp - r) / (tp - r + fp + fn), r = (tp + fp) (tp + fn) / (tp + fp + fn)",
        about: "Agreement on presence beyond chance, chance taken among the rows that are positive in \
                either way: never above 0.",
        range: (-1.0 / 3.0, 0.0),
        undefined: "There are no errors.",
        laws: &[
            Transposed("kent_foster_i"),
            Swapped("kent_foster_ii"),
            ScaleFree,
        ],
        source: "Kent, Foster 1977, Direct observational procedures: methodological issues in naturalistic \
                 settings",
        counts: Some(&|c, _| kent_foster(c.tp, c.fp, c.fn_)),
        ..BLANK
    },
    Index {
        name: "kent_foster_ii",
        aliases: &[],
        title: "Kent and Foster's second",
        formula: "(tn - r) / (tn - r + fp + fn), r = (tn + fp) (tn + fn) / (tn + fp + fn)",
        about: "Agreement on absence beyond chance, chance taken among the rows that are negative in either \
                way: never above 0.",
        range: (-1.0 / 3.0, 0.0),
        undefined: "There are no errors.",
        laws: &[
            Transposed("kent_foster_ii"),
            Swapped("kent_foster_i"),
            ScaleFree,
        ],
        source: "Kent, Foster 1977, Direct observational procedures: methodological issues in naturalistic \
                 settings",
        counts: Some(&|c, _| kent_foster(c.tn, c.fp, c.fn_)),
        ..BLANK
    },
    Index {
        name: "koppen_i",
        aliases: &[],
        title: "Koppen's first",
        formula: "(x y - (fp + fn) / 2) / (x y), x = (2 tp + fp + fn) / 2, y = (2 tn + fp + fn) / 2",
        about: "Near 1 for any large sample; x and y are the mean margins. Of counts from -1 to 1, of small \
                weights below.",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "No row is positive, or none is negative, neither actually nor as predicted.",
        laws: &[Transposed("koppen_i"), Swapped("koppen_i"), Perfect(1.0)],
        source: "Koppen 1884, Eine rationelle Methode zur Prufung der Wetterprognosen, Meteorol. Z. 1, 397-404",
        counts: Some(&|c, _| {
            let wrong = c.fp + c.fn_;
            let share = ratio(wrong, 2.0 * c.tp + wrong, Undefined::NoPositives)?;
            Ok(1.0 - ratio(2.0 * share, 2.0 * c.tn + wrong, Undefined::NoNegatives)?)
        }),
        ..BLANK
    },
    Index {
        name: "koppen_ii",
        aliases: &[],
        title: "Koppen's second",
        formula: "tp + (fp + fn) / 2",
        about: "An amount: the mean of the actual and the predicted positives.",
        range: (0.0, f64::INFINITY),
        better: Better::Neither,
        laws: &[Transposed("koppen_ii"), Proportional],
        source: "Koppen 1884, Eine rationelle Methode zur Prufung der Wetterprognosen, Meteorol. Z. 1, 397-404",
        counts: Some(&|c, _| Ok(c.tp + 0.5 * (c.fp + c.fn_))),
        ..BLANK
    },
    Index {
        name: "kuder_richardson",
        aliases: &[],
        title: "Kuder and Richardson's reliability",
        formula: "4 (tp tn - fp fn) / ((tp + fp) (fn + tn) + (tp + fn) (fp + tn) + 2 (tp tn - fp fn))",
        about: "The reliability of actual and predicted class as a test of two items (Cronbach's alpha).",
        range: (f64::NEG_INFINITY, 1.0),
        undefined: "All rows are in one cell, or all are wrong.",
        laws: &[
            Transposed("kuder_richardson"),
            Swapped("kuder_richardson"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Kuder, Richardson 1937, doi:10.1007/BF02288391",
        counts: Some(&|c, _| {
            let all = 4.0 * c.tp * c.tn + (c.tp + c.tn) * (c.fp + c.fn_);
            Ok(ratio(4.0 * determinant(c), all, Undefined::ZeroDenominator)?.min(1.0))
        }),
        ..BLANK
    },
    Index {
        name: "kuhns_i",
        aliases: &[],
        title: "Kuhns's first",
        formula: "2 (tp - r) / n, r = (tp + fp) (tp + fn) / n",
        about: "Twice the covariance of actual and predicted class; 0 is chance.",
        range: (-0.5, 0.5),
        laws: &[Transposed("kuhns_i"), Swapped("kuhns_i"), ScaleFree],
        source: KUHNS,
        counts: Some(&|c, _| Ok(2.0 * dispersion(c))),
        ..BLANK
    },
    Index {
        name: "kuhns_ii",
        aliases: &[],
        title: "Kuhns's second",
        formula: "(tp - r) / max(tp + fp, tp + fn), r = (tp + fp) (tp + fn) / n",
        about: "The true positives beyond chance as a share of the larger set of positives; 0 is chance, \
                and 1 is only neared.",
        range: (-0.5, 1.0),
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed("kuhns_ii"), ScaleFree],
        source: KUHNS,
        counts: Some(&|c, _| {
            let larger = (c.tp + c.fp).max(c.tp + c.fn_);
            Ok(beyond_chance(c, larger, Undefined::NoPositives)?.clamp(-0.5, 1.0))
        }),
        ..BLANK
    },
    Index {
        name: "kuhns_iii",
        aliases: &[],
        title: "Kuhns's third",
        formula: "(tp - r) / ((1 - tp / s) (s - r)), r = (tp + fp) (tp + fn) / n, s = 2 tp + fp + fn",
        about: "The true positives beyond chance against the rows positive in either way; 0 is chance, and \
                1 is only neared.",
        range: (-1.0 / 3.0, 1.0),
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed("kuhns_iii"), ScaleFree],
        source: KUHNS,
        counts: Some(&|c, _| {
            let (predicted, actual) = (c.tp + c.fp, c.tp + c.fn_);
            let either = predicted + c.fn_;
            let rest = predicted * n(c) + actual * (c.fn_ + c.tn);
            let share = ratio(predicted + actual, either, Undefined::NoPositives)?;
            let value = ratio(share * determinant(c), rest, Undefined::NoPositives)?;
            Ok(value.clamp(-1.0 / 3.0, 1.0))
        }),
        ..BLANK
    },
    Index {
        name: "kuhns_iv",
        aliases: &[],
        title: "Kuhns's fourth",
        formula: "(tp - r) / min(tp + fp, tp + fn), r = (tp + fp) (tp + fn) / n",
        about: "The true positives beyond chance as a share of the smaller set of positives; 0 is chance, \
                and 1 is only neared.",
        range: (-1.0, 1.0),
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed("kuhns_iv"), ScaleFree],
        source: KUHNS,
        counts: Some(&|c, _| {
            let smaller = (c.tp + c.fp).min(c.tp + c.fn_);
            Ok(beyond_chance(c, smaller, nothing_positive(c))?.clamp(-1.0, 1.0))
        }),
        ..BLANK
    },
    Index {
        name: "kuhns_v",
        aliases: &[],
        title: "Kuhns's fifth",
        formula: "(tp - r) / max(x (1 - x / n), y (1 - y / n)), r = x y / n, x = tp + fp, y = tp + fn",
        about: "The covariance of actual and predicted class over the greater of their variances: the \
                lesser of informedness and markedness in size.",
        range: (-1.0, 1.0),
        undefined: "All rows are in one cell, or all are wrong and of one class.",
        laws: &[
            Transposed("kuhns_v"),
            Swapped("kuhns_v"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: KUHNS,
        counts: Some(&|c, _| {
            let spread = spreads(c);
            Ok(ratio(
                determinant(c),
                spread.0.max(spread.1),
                Undefined::OneActualClass,
            )?
            .clamp(-1.0, 1.0))
        }),
        ..BLANK
    },
    Index {
        name: "kuhns_vi",
        aliases: &[],
        title: "Kuhns's sixth",
        formula: "(tp - r) / min(x (1 - x / n), y (1 - y / n)), r = x y / n, x = tp + fp, y = tp + fn",
        about: "The covariance of actual and predicted class over the lesser of their variances: the \
                greater of informedness and markedness in size.",
        range: (-1.0, 1.0),
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be of one.",
        laws: &[
            Transposed("kuhns_vi"),
            Swapped("kuhns_vi"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: KUHNS,
        counts: Some(&|c, _| {
            let spread = spreads(c);
            Ok(ratio(
                determinant(c),
                spread.0.min(spread.1),
                Undefined::ZeroDenominator,
            )?
            .clamp(-1.0, 1.0))
        }),
        ..BLANK
    },
    Index {
        name: "kuhns_vii",
        aliases: &[],
        title: "Kuhns's seventh",
        formula: "(tp - r) / sqrt((tp + fp) (tp + fn)), r = (tp + fp) (tp + fn) / n",
        about: "The true positives beyond chance over the geometric mean of both sets of positives; 0 is \
                chance, and 1 is only neared.",
        range: (-0.5, 1.0),
        undefined: "No row is actually positive, or none is predicted positive.",
        laws: &[Transposed("kuhns_vii"), ScaleFree],
        source: KUHNS,
        counts: Some(&|c, _| {
            let mean = root_of_product(c.tp + c.fp, c.tp + c.fn_);
            Ok(beyond_chance(c, mean, nothing_positive(c))?.clamp(-0.5, 1.0))
        }),
        ..BLANK
    },
    Index {
        name: "absolute_mcc",
        aliases: &[],
        title: "Absolute value of the Matthews correlation coefficient",
        formula: "|tp tn - fp fn| / sqrt((tp + fn) (tn + fp) (tp + fp) (tn + fn))",
        about: "How strongly actual and predicted class hang together: always wrong is as good as always right. Its square is \
                phi_squared.",
        undefined: "All rows are actually of one class, or all are predicted to be of one; 0 by convention.",
        when_undefined: 0.0,
        laws: &[
            Transposed("absolute_mcc"),
            Swapped("absolute_mcc"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "H2O.ai 2016, H2O-3, hex.AUC2 (absolute_mcc)",
        counts: Some(&|c, _| {
            let (predicted, actual) = ((c.tp + c.fp, c.fn_ + c.tn), (c.tp + c.fn_, c.fp + c.tn));
            let spread =
                root_of_product(actual.0, predicted.0) * root_of_product(actual.1, predicted.1);
            Ok(ratio(determinant(c).abs(), spread, Undefined::ZeroDenominator)?.min(1.0))
        }),
        ..BLANK
    },
    Index {
        name: "rogers_tanimoto",
        aliases: &[],
        title: "Rogers and Tanimoto's index",
        formula: "(tp + tn) / (tp + tn + 2 (fp + fn))",
        about: "Accuracy with errors counted twice.",
        laws: &[
            Transposed("rogers_tanimoto"),
            Swapped("rogers_tanimoto"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Rogers, Tanimoto 1960, doi:10.1126/science.132.3434.1115",
        counts: Some(&|c, _| {
            let right = c.tp + c.tn;
            Ok(right / (right + 2.0 * (c.fp + c.fn_)))
        }),
        ..BLANK
    },
    Index {
        name: "sokal_sneath_i",
        aliases: &["sokal_sneath"],
        title: "Sokal and Sneath's first",
        formula: "tp / (tp + 2 (fp + fn))",
        about: "Jaccard's index with errors counted twice.",
        undefined: "No row is positive, neither actually nor as predicted.",
        laws: &[Transposed("sokal_sneath_i"), ScaleFree, Perfect(1.0)],
        source: "Sokal, Sneath 1963, Principles of Numerical Taxonomy",
        counts: Some(&|c, _| ratio(c.tp, c.tp + 2.0 * (c.fp + c.fn_), Undefined::NoPositives)),
        ..BLANK
    },
    Index {
        name: "sokal_sneath_ii",
        aliases: &["gower_legendre"],
        title: "Sokal and Sneath's second",
        formula: "2 (tp + tn) / (2 (tp + tn) + fp + fn)",
        about: "Accuracy with right predictions counted twice.",
        laws: &[
            Transposed("sokal_sneath_ii"),
            Swapped("sokal_sneath_ii"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Sokal, Sneath 1963, Principles of Numerical Taxonomy",
        counts: Some(&|c, _| {
            let right = 2.0 * (c.tp + c.tn);
            Ok(right / (right + c.fp + c.fn_))
        }),
        ..BLANK
    },
    Index {
        name: "sokal_sneath_iii",
        aliases: &[],
        title: "Sokal and Sneath's third",
        formula: "(tp + tn) / (fp + fn)",
        about: "Right predictions for each wrong one.",
        range: (0.0, f64::INFINITY),
        undefined: "There are no errors.",
        laws: &[
            Transposed("sokal_sneath_iii"),
            Swapped("sokal_sneath_iii"),
            ScaleFree,
        ],
        source: "Sokal, Sneath 1963, Principles of Numerical Taxonomy",
        counts: Some(&|c, _| ratio(c.tp + c.tn, c.fp + c.fn_, Undefined::ZeroDenominator)),
        ..BLANK
    },
    Index {
        name: "sokal_sneath_iv",
        aliases: &[],
        title: "Sokal and Sneath's fourth",
        formula: "(precision + recall + specificity + npv) / 4",
        about: "The mean of both recalls and both predictive values.",
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be of one.",
        laws: &[
            Transposed("sokal_sneath_iv"),
            Swapped("sokal_sneath_iv"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Sokal, Sneath 1963, Principles of Numerical Taxonomy",
        counts: Some(&|c, _| Ok((precision(c)? + recall(c)? + specificity(c)? + npv(c)?) / 4.0)),
        ..BLANK
    },
    Index {
        name: "sokal_sneath_v",
        aliases: &[],
        title: "Sokal and Sneath's fifth",
        formula: "tp tn / sqrt((tp + fp) (tp + fn) (fp + tn) (fn + tn))",
        about: "The geometric mean of both recalls and both predictive values, squared.",
        undefined: "A margin is 0: all rows are actually of one class, or all are predicted to be of one.",
        laws: &[
            Transposed("sokal_sneath_v"),
            Swapped("sokal_sneath_v"),
            ScaleFree,
            Perfect(1.0),
        ],
        source: "Sokal, Sneath 1963, Principles of Numerical Taxonomy",
        counts: Some(&|c, _| {
            Ok((precision(c)? * recall(c)?).sqrt() * (specificity(c)? * npv(c)?).sqrt())
        }),
        ..BLANK
    },
    Index {
        name: "kulczynski_i",
        aliases: &["kulczynski_1"],
        title: "Kulczynski's first",
        formula: "tp / (fp + fn)",
        about: "True positives for each error: the odds of Jaccard's index.",
        range: (0.0, f64::INFINITY),
        undefined: "There are no errors.",
        laws: &[Transposed("kulczynski_i"), ScaleFree],
        source: "Kulczynski 1927, Bull. Int. Acad. Pol. Sci. Lett. B (Suppl. 2), 57-203",
        counts: Some(&|c, _| ratio(c.tp, c.fp + c.fn_, Undefined::ZeroDenominator)),
        ..BLANK
    },
    Index {
        name: "michael",
        aliases: &[],
        title: "Michael's index",
        formula: "4 (tp tn - fp fn) / ((tp + tn)^2 + (fp + fn)^2)",
        about: "An association that is 1 only where right predictions are shared evenly by both classes and \
                errors are none.",
        range: (-1.0, 1.0),
        laws: &[Transposed("michael"), Swapped("michael"), ScaleFree],
        source: "Michael 1920, Marine ecology and the coefficient of association, J. Ecol. 8, 54-59",
        counts: Some(&|c, _| {
            let (right, wrong) = (c.tp + c.tn, c.fp + c.fn_);
            Ok((4.0 * determinant(c) / (right * right + wrong * wrong)).clamp(-1.0, 1.0))
        }),
        ..BLANK
    },
];

/// The value, if neither of what it was divided by is zero.
fn positive(value: f64, one: f64, other: f64) -> Outcome {
    if one == 0.0 || other == 0.0 || value.is_nan() {
        Err(Undefined::ZeroDenominator)
    } else {
        Ok(value)
    }
}

/// Which of the two sets of positives is empty.
#[inline]
fn nothing_positive(c: &BinaryCounts) -> Undefined {
    if c.tp + c.fn_ == 0.0 {
        Undefined::NoActualPositives
    } else {
        Undefined::NoPredictedPositives
    }
}

/// (tp tn - fp fn) / n²: the covariance of actual and predicted class.
#[inline]
fn dispersion(c: &BinaryCounts) -> f64 {
    (determinant(c) / n(c) / n(c)).clamp(-0.25, 0.25)
}

/// The true positives beyond those of chance, as a share of `of`.
#[inline]
fn beyond_chance(c: &BinaryCounts, of: f64, otherwise: Undefined) -> Outcome {
    ratio(determinant(c) / n(c), of, otherwise)
}

/// The variances of predicted and of actual class, times n².
#[inline]
fn spreads(c: &BinaryCounts) -> (f64, f64) {
    (
        (c.tp + c.fp) * (c.fn_ + c.tn),
        (c.tp + c.fn_) * (c.fp + c.tn),
    )
}

/// The lesser of the actual and the predicted positives, and what the greater leaves of all rows.
#[inline]
fn lesser_and_rest(c: &BinaryCounts) -> (f64, f64) {
    if c.fp < c.fn_ {
        (c.tp + c.fp, c.fp + c.tn)
    } else {
        (c.tp + c.fn_, c.fn_ + c.tn)
    }
}

/// max(a, b) + max(c, d) - max(a + c, b + d), without subtracting sums: the errors in guessing a column that are saved by
/// knowing the row.
fn gain(a: f64, b: f64, c: f64, d: f64) -> f64 {
    if (a > b && c < d) || (a < b && c > d) {
        (a - b).abs().min((c - d).abs())
    } else {
        0.0
    }
}

/// The rows of the prediction made less often.
#[inline]
fn rarer_predicted(c: &BinaryCounts) -> f64 {
    (c.tp + c.fp).min(c.fn_ + c.tn)
}

/// The rows of the class that is rarer.
#[inline]
fn rarer_actual(c: &BinaryCounts) -> f64 {
    (c.tp + c.fn_).min(c.fp + c.tn)
}

/// (x - r) / (x - r + b + c) with r = (x + b)(x + c) / (x + b + c). Since x - r = -b c / (x + b + c), nothing need cancel.
fn kent_foster(x: f64, b: f64, c: f64) -> Outcome {
    let all = (b + c) * x + (b * b + b * c + c * c);
    ratio(-(b * c), all, Undefined::ZeroDenominator).map(|value| value.max(-1.0 / 3.0) + 0.0)
}

/// (u - v) / (u + v) with u = (tp tn)^(3/4), v = (fp fn)^(3/4). With s the fourth root of the lesser product over the greater
/// it is (1 - s³) / (1 + s³), and 1 - s = (1 - s⁴) / ((1 + s)(1 + s²)), where 1 - s⁴ comes from the determinant.
#[inline]
fn digby(c: &BinaryCounts) -> Outcome {
    let (right, wrong) = (c.tp * c.tn, c.fp * c.fn_);
    let greater = right.max(wrong);
    let beyond = ratio(determinant(c), greater, Undefined::ZeroDenominator)?;
    let s = (right.min(wrong) / greater).sqrt().sqrt();
    let value = beyond * (1.0 + s + s * s) / ((1.0 + s) * (1.0 + s * s)) / (1.0 + s * s * s);
    Ok(value.clamp(-1.0, 1.0))
}

/// ln(1 + x) for x ≥ 0, exact also where x is small (Kahan's correction of the rounding in 1 + x).
fn ln_1p(x: f64) -> f64 {
    let sum = 1.0 + x;
    if sum == 1.0 {
        x
    } else {
        ln(sum) * (x / (sum - 1.0))
    }
}

/// ln(1 + a b), whose product may leave the range of `f64`.
fn ln_1p_of_product(a: f64, b: f64) -> f64 {
    let product = a * b;
    if product < f64::INFINITY {
        ln_1p(product)
    } else {
        ln(a) + ln(b)
    }
}

/// Gilbert and Wells's index, without factorials that overflow and without the differences of their logarithms, which at 10^12
/// rows would leave no digit. With ln x! = x ln x - x + g(x), the terms x ln x - x of all factorials together are half the
/// likelihood-ratio statistic G = 2 sum O ln(O / E) of the four cells against independence, E = row column / n. It is summed
/// as 2 sum E h((O - E) / E), h(d) = (1 + d) ln(1 + d) - d, no term of which is negative, with O - E = ±(tp tn - fp fn) / n.
#[inline]
fn gilbert_wells(c: &BinaryCounts) -> Outcome {
    let scale = unit_scale(n(c));
    let near_one = c.scaled(scale);
    let all = n(&near_one);
    let beyond = determinant(&near_one) / all;
    let (predicted, actual) = (
        [near_one.tp + near_one.fp, near_one.fn_ + near_one.tn],
        [near_one.tp + near_one.fn_, near_one.fp + near_one.tn],
    );
    for (margin, why) in [
        (actual[0], Undefined::NoActualPositives),
        (actual[1], Undefined::NoActualNegatives),
        (predicted[0], Undefined::NoPredictedPositives),
        (predicted[1], Undefined::NoPredictedNegatives),
    ] {
        if margin == 0.0 {
            return Err(why);
        }
    }
    let cells = [
        (near_one.tp, predicted[0], actual[0], beyond),
        (near_one.fp, predicted[0], actual[1], -beyond),
        (near_one.fn_, predicted[1], actual[0], -beyond),
        (near_one.tn, predicted[1], actual[1], beyond),
    ];
    let departure = |(observed, row, column, beyond): (f64, f64, f64, f64)| {
        let expected = row * (column / all);
        if observed == 0.0 || expected == 0.0 {
            return expected;
        }
        let relative = beyond / expected;
        if relative.abs() < 0.25 {
            expected * small_departure(relative)
        } else {
            observed * (ln(observed / row) - ln(column / all)) - beyond
        }
    };
    let statistic = 2.0 * cells.into_iter().map(departure).sum::<f64>() / scale;
    let margins = [c.tp + c.fp, c.fn_ + c.tn, c.tp + c.fn_, c.fp + c.tn];
    let cells = [c.tp, c.fp, c.fn_, c.tn];
    let sum = |amounts: [f64; 4], of: fn(f64) -> f64| amounts.into_iter().map(of).sum::<f64>();
    let rest =
        ln_factorial_rest(n(c)) + sum(cells, ln_factorial_rest) - sum(margins, ln_factorial_rest);
    let weight = 3.0 * ln(n(c)) - ln(2.0 * std::f64::consts::PI) - sum(margins, ln);
    let value = weight + statistic + 2.0 * rest;
    if value.is_nan() {
        Err(Undefined::OutsideDomain)
    } else {
        Ok(value)
    }
}

/// (1 + d) ln(1 + d) - d for |d| < 1/4, as its series d²/2 - d³/6 + d⁴/12 - ...: the terms (-d)^k / (k (k - 1)).
fn small_departure(d: f64) -> f64 {
    let (mut sum, mut power, mut k) = (0.0_f64, d * d, 2.0);
    loop {
        let next = sum + power / (k * (k - 1.0));
        if next == sum || k > 40.0 {
            return next;
        }
        (sum, power, k) = (next, -power * d, k + 1.0);
    }
}

/// ln x! - (x ln x - x), with x! = Γ(x + 1) for any x ≥ 0: Stirling's series from 16 on, below it by x! = (x + 16)! over the
/// product of what lies between. Absolute error below 1e-13.
fn ln_factorial_rest(x: f64) -> f64 {
    const TWO_PI: f64 = 2.0 * std::f64::consts::PI;
    let stirling = |x: f64| {
        let y = 1.0 / (x * x);
        let series =
            1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y * (1.0 / 1680.0 - y / 1188.0)));
        0.5 * ln(TWO_PI * x) + series / x
    };
    if x == 0.0 {
        0.0
    } else if x >= 16.0 {
        stirling(x)
    } else {
        let shifted = x + 16.0;
        let between: f64 = (1..=16).map(|k| x + f64::from(k)).product();
        stirling(shifted) + (shifted * ln(shifted) - shifted) - ln(between) - (x * ln(x) - x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factorials_are_right() {
        let mut factorial = 1.0_f64;
        for k in 1..100_i32 {
            let x = f64::from(k);
            factorial *= x;
            let found = ln_factorial_rest(x) + x * x.ln() - x;
            let near = (found - factorial.ln()).abs() < 1e-13 * found.abs().max(1.0);
            assert!(near, "{k}! {found} {}", factorial.ln());
        }
        // Γ(3/2) = √π / 2.
        let half = ln_factorial_rest(0.5) + 0.5 * 0.5_f64.ln() - 0.5;
        assert!((half - (std::f64::consts::PI.sqrt() / 2.0).ln()).abs() < 1e-13);
        assert_eq!(ln_factorial_rest(0.0), 0.0);
    }

    #[test]
    fn small_departures_meet_their_formula() {
        for d in [-0.249_f64, -0.1, 0.01, 0.2, 0.249] {
            let plain = (1.0 + d) * d.ln_1p() - d;
            assert!((small_departure(d) - plain).abs() < 1e-16, "{d}");
        }
        assert_eq!(small_departure(1e-12), 4.999_999_999_998_333e-25); // d²/2 - d³/6
        assert_eq!(small_departure(0.0), 0.0);
    }

    #[test]
    fn logarithms_of_one_and_more_are_right() {
        for x in [0.0, 1e-300, 1e-17, 1e-9, 0.5, 3.0, 1e15, 1e300] {
            assert!(
                (ln_1p(x) - f64::ln_1p(x)).abs() <= 4e-16 * f64::ln_1p(x),
                "{x}"
            );
        }
    }
}
