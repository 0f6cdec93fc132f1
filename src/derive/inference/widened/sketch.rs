//! The interval of an index of a ranking that is known by a sketch only.
//!
//! The value lies between two proven bounds, and so does its standard error (`super::area`,
//! `super::precision`, `super::losses`). The ends follow from the worst combination of both. A
//! sketch of atoms alone has the interval of its table.

use crate::arith::number::is_whole;
use crate::base::error::Result;
use crate::index::parameter::Parameters;
use crate::index::row::Index;
use crate::index::spread::{Base, Method};
use crate::index::value::Undefined;
use crate::inference::gap;
use crate::inference::interval::{Ask, NOT_WHOLE};
use crate::inference::scores::note_of_base;
use crate::inference::widened::area::Areas;
use crate::inference::widened::ends::{Ends, Widened};
use crate::inference::widened::losses;
use crate::inference::widened::precision;
use crate::scores::sketch::arrangements::Arrangements;

const OF_WEIGHTS: &str = "The variance of average precision has no bounds where weights are in doubt: a weight may be as \
                          small as one likes.";
const OF_SCORES: &str = "The variance of this index is not known from a sketch.";

impl Index {
    /// The interval that contains the intervals of all tables that a sketch allows.
    ///
    /// # Errors
    /// As [`Index::interval_of_scores`].
    pub fn interval_of_sketch(&self, of: &Arrangements, ask: &Ask) -> Result<Widened> {
        let influence = self.influence();
        if influence.is_none() && !self.is_gap() {
            return Err(self.only_drawn());
        }
        let (method, z) = (self.method(ask)?, ask.z());
        if let Some(exact) = of.exact() {
            let found = self.interval_of_scores(exact, &Parameters::defaults(self), ask)?;
            return Ok(Widened {
                low: found.low,
                high: found.high,
                method,
                why: found.why.map(Undefined::sentence),
                may_be_none: found.why.is_some(),
                note: found.note,
            });
        }
        let known = self.of_sketch(of, &Parameters::defaults(self))?;
        if let Some(why) = known.why {
            return Ok(Widened::none(method, why));
        }
        let (positives, negatives) = of.sketch().totals();
        let Some(influence) = influence else {
            let Some([low, high]) = gap::outer_bounds(of, ask.tail()) else {
                return Ok(Widened::none(method, Undefined::OneActualClass.sentence()));
            };
            let found = Ends { low, high }.widened(method, ask, self.range);
            let is_doubtful = !(is_whole(positives) && is_whole(negatives));
            let note = if is_doubtful { NOT_WHOLE } else { gap::WIDE };
            return Ok(Widened { note: Some(note), ..found });
        };
        let value = (known.low, known.high);
        let note = match influence.base() {
            _ if !(is_whole(positives) && is_whole(negatives)) => Some(NOT_WHOLE),
            base => note_of_base(base, of.tied(), influence.sums(of.tied()).scatter()[1]),
        };
        let (ends, has_all) = match influence.base() {
            Base::RocAuc => {
                let (least, greatest) = self.range;
                let area = |value: f64| (value - least) / (greatest - least);
                match Areas::of(of, (area(known.low), area(known.high))).ends(method, z) {
                    Err(why) => return Ok(Widened::none(method, why.sentence())),
                    Ok((ends, has_all)) => {
                        let along = |t: f64| least + (greatest - least) * t;
                        let ends = Ends { low: along(ends.low), high: along(ends.high) };
                        (ends, has_all)
                    }
                }
            }
            Base::AveragePrecision if of.sketch().is_weighted() => {
                return Ok(Widened::none(method, OF_WEIGHTS));
            }
            Base::AveragePrecision => {
                let errors = precision::errors(of, value);
                self.ends_of_error(value, errors, method, z)
            }
            base @ (Base::Brier | Base::LogLoss | Base::MeanProbability) => {
                let Some(sums) = of.sketch().losses() else {
                    return Ok(Widened::none(method, OF_SCORES));
                };
                let sum = match base {
                    Base::Brier => sums.brier(),
                    Base::LogLoss => sums.log_loss(),
                    _ => f64::NAN,
                };
                let prevalence = positives / (positives + negatives);
                let slopes = influence.slopes(sum / sums.weight(), prevalence);
                let errors = losses::errors(of, base, slopes);
                self.ends_of_error(value, errors, method, z)
            }
            Base::Aurc
            | Base::Augrc
            | Base::MeanScore
            | Base::MeansApart
            | Base::CalibrationIntercept
            | Base::CalibrationSlope
            | Base::CalibrationShift => {
                return Ok(Widened::none(method, OF_SCORES));
            }
        };
        if ends.is_none() {
            return Ok(Widened::none(method, Undefined::NoSpread.sentence()));
        }
        Ok(Widened { note, may_be_none: !has_all, ..ends.widened(method, ask, self.range) })
    }

    /// The ends, where value and standard error lie between two bounds each, and whether all tables
    /// have an interval. Values near an end of the range have any interval.
    fn ends_of_error(
        &self,
        (low, high): (f64, f64),
        errors: [f64; 2],
        method: Method,
        z: f64,
    ) -> (Ends, bool) {
        let (mut ends, mut has_all) = (Ends::NONE, true);
        if method == Method::Logit {
            return Ends::of_logits([low, high], errors, z);
        }
        let mut without = Ends::NONE;
        for value in [low, high] {
            for error in errors {
                if let Ok([low, high, _]) = self.of_error(value, error, method, z) {
                    ends = ends.or([low, high]);
                } else {
                    has_all = false;
                    without = without.or([value, value]);
                }
            }
        }
        // The smaller the error, the farther out a lone bound lies at a level below 1/2.
        if z < 0.0 && !ends.is_none() && !without.is_none() {
            ends = ends.or([without.low, without.high]);
        }
        (ends, has_all)
    }
}
