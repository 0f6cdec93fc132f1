//! The rows that are read from scores.
//!
//! In the order in which data flow:
//!
//! | file | owns |
//! |---|---|
//! | `ranking` | how well scores rank, over all thresholds |
//! | `area` | areas under curves, losses at the best threshold |
//! | `early_recognition` | single points of a ranking, pairs of rows |
//! | `selective_classification` | confidence against right and wrong predictions |
//! | `probability` | proper scoring rules |
//! | `likelihood_ratios` | scores that are logarithms of likelihood ratios |
//! | `calibration` | calibration errors, decompositions, recalibration |
//! | `calibration_tests` | tests of calibration |
//! | `profit` | the expected maximum profit |
//! | `spilled` | indices of rows beyond memory |

pub(crate) mod area;
pub(crate) mod calibration;
pub(crate) mod calibration_tests;
pub(crate) mod early_recognition;
pub(crate) mod likelihood_ratios;
pub(crate) mod probability;
pub(crate) mod profit;
pub(crate) mod ranking;
pub(crate) mod selective_classification;
mod spilled;
