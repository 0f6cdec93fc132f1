//! Two classes and a score, for Python.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `score_table` | the score table and its collector |
//! | `score_sketch` | the sketch and its collector |
//! | `spill` | rows beyond memory |
//! | `anchored` | counts around the scores of a rare class |
//! | `cut` | a threshold |
//! | `thresholds` | operating points, the best threshold |
//! | `areas_of_rows` | areas and KS from columns in one call |
//! | `curves_of_rows` | curves from columns in one call |
//! | `curves` | curves of a score table |
//! | `concordance` | how well scores order amounts |
//! | `signed` | curves of weights of either sign |
//! | `gains` | gains tables and profit |
//! | `stability` | the distance of two distributions |
//! | `probability_sums` | sums of losses |
//! | `calibration` | scores as probabilities |

pub(crate) mod anchored;
pub(crate) mod areas_of_rows;
pub(crate) mod calibration;
pub(crate) mod concordance;
pub(crate) mod curves;
pub(crate) mod curves_of_rows;
pub(crate) mod cut;
pub(crate) mod gains;
pub(crate) mod probability_sums;
pub(crate) mod score_sketch;
pub(crate) mod score_table;
pub(crate) mod signed;
pub(crate) mod spill;
pub(crate) mod stability;
pub(crate) mod thresholds;
