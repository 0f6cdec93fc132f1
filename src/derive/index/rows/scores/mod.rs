//! The rows that are read from scores.

pub(crate) mod area;
pub(crate) mod calibration;
pub(crate) mod early_recognition;
pub(crate) mod probability;
pub(crate) mod profit;
pub(crate) mod ranking;
mod spilled;
