//! The standard error of average precision from a sketch, within bounds.
//!
//! Its square is a sum of squared influences ([`crate::inference::influence`]). In an open cell
//! with p positives and q negatives, below t positives and f negatives, a positive has t + 1 to t +
//! p positives and f to f + q negatives at or above it. So each term of an influence lies between
//! two numbers: precision rises with the positives and falls with the negatives; FP / N² falls with
//! TP and is greatest where FP is nearest to TP; TP / N² vice versa. Sums over the scores below add
//! such terms up. So every influence lies between two numbers, and so does its square.
//!
//! Only for counts: weights may be arbitrarily small, and then a term has no bound.

use crate::scores::sketch::arrangements::Arrangements;
use crate::scores::sketch::cells::MIXED;

/// The margin for rounding, relative to a standard error.
const ROUNDING: f64 = 1e-9;

/// x / (x + y)² for x between two numbers, at the least or the greatest y.
fn over_square([least, greatest]: [f64; 2], [few, many]: [f64; 2]) -> [f64; 2] {
    let at = |x: f64, y: f64| if x > 0.0 { x / (x + y) / (x + y) } else { 0.0 };
    let low = at(least, many).min(at(greatest, many));
    let high = if least <= few && few <= greatest && few > 0.0 {
        0.25 / few
    } else {
        at(least, few).max(at(greatest, few))
    };
    [low, high]
}

/// The least and the greatest square of the numbers between two numbers.
fn squares([low, high]: [f64; 2]) -> [f64; 2] {
    let (one, other) = (low * low, high * high);
    let least = if low <= 0.0 && high >= 0.0 { 0.0 } else { one.min(other) };
    [least, one.max(other)]
}

/// The least and the greatest standard error, where average precision lies between two bounds. The
/// sketch has counts and positives.
pub(super) fn errors(of: &Arrangements, (low, high): (f64, f64)) -> [f64; 2] {
    let table = of.tied().finite();
    let (positives, _) = table.totals();
    let mut sums = [0.0; 2];
    // The sums of FP / N² and of TP / N² over the positives below.
    let (mut wrong, mut right) = ([0.0; 2], [0.0; 2]);
    let atoms = &of.sketch().cells.atoms;
    for at in (0..atoms.len()).rev() {
        let (p, q) = table.masses_between(at, at + 1);
        let (t, f) = table.at_or_above(at);
        let is_atom = atoms[at] != MIXED;
        let first = if is_atom { t + p } else { t + 1.0 };
        let (tp, fp) =
            if is_atom { ([t + p; 2], [f + q; 2]) } else { ([first, t + p], [f, f + q]) };
        let mut up = [0.0; 2];
        let mut down = right.map(|sum| -sum);
        down.reverse();
        if p > 0.0 {
            let of_fp = over_square(fp, tp);
            let of_tp = over_square(tp, fp);
            let precision = [tp[0] / (tp[0] + fp[1]), tp[1] / (tp[1] + fp[0])];
            let most = wrong[1] + p * of_fp[1];
            let least = wrong[0] + if is_atom { p } else { 1.0 } * of_fp[0];
            up = [precision[0] - high + least, precision[1] - low + most];
            let below = right[1] + p * of_tp[1];
            let above = if is_atom { right[0] + p * of_tp[0] } else { right[0] };
            down = [-below, -above];
            for side in 0..2 {
                wrong[side] += p * of_fp[side];
                right[side] += p * of_tp[side];
            }
        }
        let (of_up, of_down) = (squares(up), squares(down));
        for side in 0..2 {
            sums[side] += p * of_up[side] + q * of_down[side];
        }
    }
    [sums[0].sqrt() * (1.0 - ROUNDING) / positives, sums[1].sqrt() * (1.0 + ROUNDING) / positives]
}
