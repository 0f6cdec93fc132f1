//! How good the scores are as probabilities: proper scoring rules.

use super::Law::ScaleFree;
use super::{BLANK, Better, Index};

pub(super) static ROWS: &[Index] = &[
    Index {
        name: "log_loss",
        aliases: &["cross_entropy", "mean_cross_entropy", "mxe"],
        title: "Logarithmic loss, in nats",
        formula: "mean of -ln q, q the probability given to what came true, \
                  cut to [eps, 1 - eps], eps the machine epsilon of the scores' type",
        range: (0.0, f64::INFINITY),
        better: Better::Lower,
        laws: &[ScaleFree],
        source: "Good 1952, doi:10.1111/j.2517-6161.1952.tb00104.x",
        probability: Some(&|sums, _| Ok(sums.log_loss / sums.weight)),
        ..BLANK
    },
    Index {
        name: "brier",
        aliases: &["brier_score", "brier_score_loss"],
        title: "Brier score",
        formula: "mean of (p - y)^2, y 1 for positives and 0 for negatives",
        better: Better::Lower,
        laws: &[ScaleFree],
        source: "Brier 1950, doi:10.1175/1520-0493(1950)078<0001:VOFEIT>2.0.CO;2",
        probability: Some(&|sums, _| Ok(sums.brier / sums.weight)),
        ..BLANK
    },
];
