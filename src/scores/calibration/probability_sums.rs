//! Sums over scores that are probabilities: exact, so that they merge in any order.
//!
//! A row's losses follow from the probability given to what came true, so they depend on which
//! label is positive. As long as that is open, because only one label has been met and nobody said
//! which is positive, the losses are summed both ways; adding sums that have met the other label
//! settles it.

use crate::arith::exact::{Fixed, Wide};
use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Refusal, Result};
use crate::labels::binary_labels::{BinaryLabels, difference_of_labels};

const NAME: &str = "ProbabilitySums";
const KIND: u8 = b'P';

/// Sums of the losses of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Losses {
    pub(crate) log_loss: Wide,
    pub(crate) brier: Wide,
}

impl Losses {
    fn plus(self, other: Self) -> Self {
        Self {
            log_loss: self.log_loss.plus(other.log_loss),
            brier: self.brier.plus(other.brier),
        }
    }

    /// Whether rows of this weight can have these losses: no squared error is above 1, and no
    /// logarithmic loss above −ln of the smallest number.
    fn are_possible(&self, weight: &Wide) -> bool {
        let log_loss = self.log_loss.to_f64(Wide::LOWEST);
        self.brier <= *weight && log_loss <= 745.2 * weight.to_f64(Wide::LOWEST)
    }
}

/// What the indices of probabilities read: the weight of rows and the sums of their losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbabilityView {
    /// What the rows weigh; without weights their number.
    pub weight: f64,
    /// The sum of −ln of the probability given to what came true, in nats.
    pub log_loss: f64,
    /// The sum of squared differences between probability and truth.
    pub brier: f64,
}

/// The weight of all rows, the sum of their logarithmic losses and the sum of their squared errors,
/// as exact integers, and the two labels that they are about.
///
/// Two of them that saw the same rows, in whatever order and parts, are equal to the bit.
/// [`crate::scores::calibration::losses`] fills them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbabilitySums {
    pub(crate) labels: BinaryLabels,
    pub(crate) rows: u64,
    pub(crate) weight: Wide,
    pub(crate) losses: Losses,
    /// The losses with the classes exchanged, as long as the labels are open.
    pub(crate) turned: Option<Losses>,
}

impl ProbabilitySums {
    /// The sums of no rows with these labels.
    pub(crate) fn new(labels: BinaryLabels) -> Self {
        Self {
            rows: 0,
            weight: Wide::default(),
            losses: Losses::default(),
            turned: labels.is_open().then(Losses::default),
            labels,
        }
    }

    /// The labels of the two classes, as far as they are known.
    pub fn labels(&self) -> &BinaryLabels {
        &self.labels
    }

    /// The number of rows; those that weigh nothing do not count.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// What the rows weigh; without weights their number.
    pub fn weight(&self) -> f64 {
        self.weight.to_f64(Wide::LOWEST)
    }

    /// The sum of −ln of the probability given to what came true, in nats, rounded once.
    pub fn log_loss(&self) -> f64 {
        self.losses.log_loss.to_f64(Wide::LOWEST)
    }

    /// The sum of squared differences between probability and truth, rounded once.
    pub fn brier(&self) -> f64 {
        self.losses.brier.to_f64(Wide::LOWEST)
    }

    /// What indices read.
    pub fn view(&self) -> ProbabilityView {
        ProbabilityView {
            weight: self.weight(),
            log_loss: self.log_loss(),
            brier: self.brier(),
        }
    }

    /// The sums of the rows of both.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for labels that do not go together ([`BinaryLabels::add`]), for
    /// probabilities of which it was settled that they are those of the other label, and for more
    /// than 2^64 rows.
    pub fn add(&self, other: &Self) -> Result<Self> {
        let refusal = |reason: &str| Refusal::Merge {
            reason: reason.to_owned(),
        };
        let labels = self.labels.add(&other.labels)?;
        let rows = self.rows.checked_add(other.rows);
        let facing = |sums: &Self| {
            if sums.labels.turned(&labels) {
                sums.turned
            } else {
                Some(sums.losses)
            }
        };
        let losses = facing(self).zip(facing(other)).ok_or_else(|| {
            refusal("the positive label of one is the negative label of the other")
        })?;
        let turned = self.turned.zip(other.turned);
        Ok(Self {
            rows: rows.ok_or_else(|| refusal("there are more than 2^64 rows in all"))?,
            weight: self.weight.plus(other.weight),
            losses: losses.0.plus(losses.1),
            turned: turned
                .filter(|_| labels.is_open())
                .map(|(own, their)| own.plus(their)),
            labels,
        })
    }

    /// The sums of the rows here that are not those of another, which are a part of them.
    ///
    /// # Errors
    /// [`Refusal::Difference`] for other labels, for sums or rows that would go below zero, and for
    /// sums that no rows have.
    pub fn subtract(&self, other: &Self) -> Result<Self> {
        let refusal = |reason: String| Refusal::Difference { reason };
        let labels = difference_of_labels(&self.labels, &other.labels)?;
        let is_turned = other.labels.turned(&labels);
        let theirs = if is_turned {
            other.turned
        } else {
            Some(other.losses)
        };
        let theirs = theirs.ok_or_else(|| {
            refusal("the positive label of one is the negative label of the other".to_owned())
        })?;
        let less = |what: &str, own: &Wide, their: &Wide| {
            if own < their {
                let [own, their] = [own, their].map(|sum| sum.to_f64(Wide::LOWEST));
                let reason = format!("the {what}: {own} less {their} is below zero");
                return Err(refusal(reason));
            }
            Ok(own.minus(*their))
        };
        let losses = |own: &Losses, their: &Losses| -> Result<Losses> {
            Ok(Losses {
                log_loss: less("sum of logarithmic losses", &own.log_loss, &their.log_loss)?,
                brier: less("sum of squared errors", &own.brier, &their.brier)?,
            })
        };
        let rows = self.rows.checked_sub(other.rows).ok_or_else(|| {
            let (own, their) = (self.rows, other.rows);
            refusal(format!("{their} rows are taken from {own}"))
        })?;
        let turned = self.turned.zip(other.turned);
        let rest = Self {
            rows,
            weight: less("weight of the rows", &self.weight, &other.weight)?,
            losses: losses(&self.losses, &theirs)?,
            turned: turned
                .map(|(own, their)| losses(&own, &their))
                .transpose()?,
            labels,
        };
        if !rest.is_possible() {
            let reason = "no rows have the sums that are left";
            return Err(refusal(reason.to_owned()));
        }
        Ok(rest)
    }

    /// Whether there can be rows of these sums.
    fn is_possible(&self) -> bool {
        let mut losses = std::iter::once(&self.losses).chain(&self.turned);
        let is_empty = self.rows == 0;
        losses.all(|losses| losses.are_possible(&self.weight)) && is_empty == (self.weight() <= 0.0)
    }

    /// The sums as bytes, to be read by [`Self::from_bytes`] on any machine. `docs/bytes.md` lists
    /// the fields.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Writer::new(KIND);
        self.labels.put(&mut out);
        out.put(&self.rows.to_le_bytes());
        let losses = std::iter::once(&self.losses).chain(&self.turned);
        let sums = losses.flat_map(|losses| [&losses.log_loss, &losses.brier]);
        for limb in std::iter::once(&self.weight)
            .chain(sums)
            .flat_map(|sum| sum.0)
        {
            out.put(&limb.to_le_bytes());
        }
        out.finish()
    }

    /// The sums from their bytes.
    ///
    /// # Errors
    /// [`Refusal::Bytes`] for bytes of another kind, version or length, and for sums that no rows
    /// have.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut input = Reader::new(bytes, NAME, KIND)?;
        let mut sums = Self::new(BinaryLabels::take(&mut input)?);
        sums.rows = input.u64()?;
        let losses = std::iter::once(&mut sums.losses).chain(&mut sums.turned);
        let amounts = losses.flat_map(|losses| [&mut losses.log_loss, &mut losses.brier]);
        for limb in std::iter::once(&mut sums.weight)
            .chain(amounts)
            .flat_map(|sum| &mut sum.0)
        {
            *limb = input.u64()?;
        }
        if !sums.is_possible() {
            return Err(input.refusal("the sums contradict each other"));
        }
        input.finish()?;
        Ok(sums)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::column::Column;
    use crate::base::input::{Label, Labels, Scores};
    use crate::scores::calibration::losses::probability_sums;
    use crate::scores::sweep::rows::SweepOptions;

    fn sums(labels: &[i64], scores: &[f64], pos_label: Option<i128>) -> ProbabilitySums {
        let options = SweepOptions {
            pos_label: pos_label.map(Label::Int),
            ..SweepOptions::default()
        };
        let labels = Labels::I64(Column::from_slice(labels));
        let scores = Scores::F64(Column::from_slice(scores));
        probability_sums(&labels, &scores, None, &options).unwrap()
    }

    #[test]
    fn a_lone_label_finds_its_side_when_the_other_turns_up() {
        // Alone, 1 is positive and 2 negative; together it is the other way round.
        let (labels, scores) = ([1, 1, 2, 2, 1], [0.1, 0.2, 0.9, 0.4, 0.3]);
        let pooled = sums(&labels, &scores, None);
        for cut in 1..labels.len() {
            let low = sums(&labels[..cut], &scores[..cut], None);
            let high = sums(&labels[cut..], &scores[cut..], None);
            assert_eq!(low.add(&high).unwrap(), pooled, "{cut}");
            assert_eq!(high.add(&low).unwrap(), pooled, "{cut}");
            for part in [low, high] {
                assert_eq!(ProbabilitySums::from_bytes(&part.to_bytes()), Ok(part));
            }
        }
        assert!(pooled.turned.is_none());
    }

    #[test]
    fn what_was_added_is_taken_away() {
        let scores = [0.1, 0.2, 0.9, 0.4, 0.3, 1e-200];
        for (pos_label, labels) in [
            (None, [0, 1, 0, 1, 0, 1]),
            (Some(0), [0, 1, 0, 1, 0, 1]),
            (Some(3), [3, 3, 3, 3, 3, 3]),
            (None, [3, 3, 3, 3, 3, 3]),
        ] {
            let a = sums(&labels[..2], &scores[..2], pos_label);
            let b = sums(&labels[2..], &scores[2..], pos_label);
            let all = sums(&labels, &scores, pos_label);
            assert_eq!(all.subtract(&b).unwrap(), a);
            assert_eq!(all.subtract(&a).unwrap().to_bytes(), b.to_bytes());
            let nothing = all.subtract(&all).unwrap();
            assert_eq!((nothing.rows(), nothing.log_loss()), (0, 0.0));
            assert_eq!(
                ProbabilitySums::from_bytes(&nothing.to_bytes()),
                Ok(nothing)
            );
            let words = a.subtract(&all).unwrap_err().to_string();
            assert!(words.contains("6 rows are taken from 2"), "{words}");
        }
        let (one, other) = (
            sums(&[0, 1], &[0.1, 0.9], None),
            sums(&[0, 1], &[0.8, 0.1], None),
        );
        let words = one.subtract(&other).unwrap_err().to_string();
        assert!(words.contains("sum of logarithmic losses") && words.contains("below zero"));
        // A lone label turns out to be the negative one.
        let low = sums(&[1, 1], &[0.1, 0.4], None);
        let both = low.add(&sums(&[2], &[0.5], None)).unwrap();
        let high = both.subtract(&low).unwrap();
        assert_eq!(high.add(&low).unwrap(), both);
        assert_eq!(high.log_loss(), sums(&[2], &[0.5], Some(2)).log_loss());
    }

    #[test]
    fn probabilities_of_different_labels_are_not_added() {
        let ones = sums(&[0, 1], &[0.2, 0.7], None);
        let reason = |a: &ProbabilitySums, b: &ProbabilitySums| a.add(b).unwrap_err().to_string();
        assert!(reason(&ones, &sums(&[2], &[0.5], None)).contains("more than two labels"));
        let zeros = sums(&[0, 1], &[0.2, 0.7], Some(0));
        assert!(reason(&ones, &zeros).contains("negative label of the other"));
        let asked = sums(&[0, 1], &[0.2, 0.7], Some(1));
        assert!(reason(&asked, &zeros).contains("is 1 in one and 0 in the other"));
        assert_eq!(
            ones.add(&asked).unwrap().labels().pos_label,
            Some(Label::Int(1))
        );
    }

    #[test]
    fn bytes_come_back_and_others_are_refused() {
        for labels in [[1, 0, 1], [7, 7, 7]] {
            let sums = sums(&labels, &[0.7, 0.2, 1e-200], None);
            let bytes = sums.to_bytes();
            assert_eq!(ProbabilitySums::from_bytes(&bytes), Ok(sums));
            for cut in 0..bytes.len() {
                assert!(ProbabilitySums::from_bytes(&bytes[..cut]).is_err());
            }
            assert!(ProbabilitySums::from_bytes(&[&bytes[..], &[0]].concat()).is_err());
            let mut odd = bytes;
            *odd.last_mut().unwrap() = 0xff;
            let refusal = ProbabilitySums::from_bytes(&odd).unwrap_err();
            assert!(refusal.to_string().contains("contradict"));
        }
    }
}
