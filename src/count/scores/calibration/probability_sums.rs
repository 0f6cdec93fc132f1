//! Exact sums over scores that are probabilities; they merge in any order.
//!
//! A row's losses depend on the probability of its true class, so on the positive label. If only
//! one label is known and the caller named none, the positive label is open. Then the losses are
//! summed both ways; adding sums with the other label decides.
//!
//! On request the sums of squared losses are kept, for intervals. With sampling weights they always
//! are, together with all sums for squared weights.

use crate::arith::exact::{Fixed, TOO_LARGE, Wide};
use crate::arith::weight_kind::{KINDS, WeightKind, added, changed, subtracted};
use crate::base::bytes::{OTHER_ROWS, Reader, Writer};
use crate::base::error::{Refusal, Result};
use crate::labels::binary_labels::{BinaryLabels, difference_of_labels};
use crate::statistic::Statistic;

/// Sums of the losses of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Losses {
    pub log_loss: Wide,
    pub brier: Wide,
}

impl Losses {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self { log_loss: self.log_loss.plus(other.log_loss), brier: self.brier.plus(other.brier) }
    }

    fn checked_plus(self, other: Self) -> Option<Self> {
        Some(Self {
            log_loss: self.log_loss.checked_plus(other.log_loss)?,
            brier: self.brier.checked_plus(other.brier)?,
        })
    }

    pub(crate) fn sums(&self) -> [&Wide; 2] {
        [&self.log_loss, &self.brier]
    }

    pub(crate) fn sums_mut(&mut self) -> [&mut Wide; 2] {
        [&mut self.log_loss, &mut self.brier]
    }

    /// Whether these can be the sums of squares of those losses.
    fn are_possible_squares(&self, losses: &Self) -> bool {
        let of = |sum: &Wide| sum.to_f64(Wide::LOWEST);
        self.brier <= losses.brier && of(&self.log_loss) <= 745.2 * of(&losses.log_loss)
    }

    /// Whether rows of this weight can have these losses: each squared error is at most 1, and each
    /// logarithmic loss at most −ln of the smallest number.
    fn are_possible(&self, weight: &Wide) -> bool {
        let log_loss = self.log_loss.to_f64(Wide::LOWEST);
        self.brier <= *weight && log_loss <= 745.2 * weight.to_f64(Wide::LOWEST)
    }
}

/// The losses, and the losses with exchanged classes while the labels are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BothWays {
    pub(crate) losses: Losses,
    pub(crate) turned: Option<Losses>,
}

impl BothWays {
    fn of(labels: &BinaryLabels) -> Self {
        Self { losses: Losses::default(), turned: labels.is_open().then(Losses::default) }
    }

    /// The losses for other labels; none if they were decided the other way.
    fn facing(&self, own: &BinaryLabels, labels: &BinaryLabels) -> Option<Losses> {
        if own.turned(labels) { self.turned } else { Some(self.losses) }
    }

    pub(crate) fn each(&self) -> impl Iterator<Item = &Losses> {
        std::iter::once(&self.losses).chain(&self.turned)
    }

    fn put(&self, out: &mut Writer) {
        for limb in self.each().flat_map(Losses::sums).flat_map(|sum| sum.0) {
            out.put(&limb.to_le_bytes());
        }
    }

    /// Reads what [`Self::put`] wrote, into sums with the same labels.
    fn take(mut self, input: &mut Reader) -> Result<Self> {
        let all = std::iter::once(&mut self.losses).chain(&mut self.turned);
        for sum in all.flat_map(Losses::sums_mut) {
            take(sum, input)?;
        }
        Ok(self)
    }
}

fn take(sum: &mut Wide, input: &mut Reader) -> Result<()> {
    for limb in &mut sum.0 {
        *limb = input.u64()?;
    }
    Ok(())
}

/// Sums over the rows, for the variance of a mean loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossMoments {
    /// The sum of the weights; for sampling weights, of squared weights.
    pub weight: f64,
    /// The sum of the losses times these weights.
    pub sum: f64,
    /// The sum of the squared losses times these weights.
    pub squares: f64,
}

impl LossMoments {
    /// The number of rows, which weigh `weight`; with sampling weights Kish's effective number.
    pub fn rows(&self, weight: f64) -> f64 {
        weight / self.weight * weight
    }
}

/// The input of indices of probabilities: the weight of the rows and the sums of their losses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbabilityView {
    /// The weight of the rows; without weights their number.
    pub weight: f64,
    /// The sum of −ln of the probability of the true class, in nats.
    pub log_loss: f64,
    /// The sum of squared differences between probability and truth.
    pub brier: f64,
}

/// The weight of all rows, the sum of their logarithmic losses and the sum of their squared errors,
/// as exact integers, and the two labels.
///
/// Two statistics of the same rows, in any order and parts, are equal bit for bit.
/// [`crate::scores::calibration::losses`] fills them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbabilitySums {
    pub(crate) labels: BinaryLabels,
    pub(crate) rows: u64,
    pub(crate) weight: Wide,
    pub(crate) sums: BothWays,
    /// The sums of squared losses, if kept.
    pub(crate) squared_losses: Option<BothWays>,
    /// For sampling weights: the same statistic with squared weights.
    squares: Option<Box<Self>>,
}

impl ProbabilitySums {
    /// The sums of no rows with these labels.
    pub(crate) fn new(labels: BinaryLabels, keeps_squares: bool) -> Self {
        let none = BothWays::of(&labels);
        Self {
            rows: 0,
            weight: Wide::default(),
            sums: none,
            squared_losses: keeps_squares.then_some(none),
            squares: None,
            labels,
        }
    }

    /// These sums with sampling weights and the sums of the same rows with squared weights.
    ///
    /// # Errors
    /// Refuses sums that cannot belong to the same rows.
    pub(crate) fn with_squares(self, squares: Self) -> Result<Self> {
        let is_of_same_rows = self.labels == squares.labels
            && self.rows == squares.rows
            && self.squared_losses.is_some() == squares.squared_losses.is_some()
            && squares.squares.is_none();
        if !is_of_same_rows {
            return Err(changed());
        }
        let squares = Some(Box::new(squares));
        Ok(Self { squares, ..self })
    }

    /// The meaning of the weights.
    pub fn weight_kind(&self) -> WeightKind {
        WeightKind::of(self.squares.is_some())
    }

    /// Whether the squares of the losses are kept, for intervals.
    pub fn keeps_squares(&self) -> bool {
        self.squared_losses.is_some()
    }

    /// Sums for the variance of the mean of a loss; none if squares are not kept.
    pub fn moments(&self, of: impl Fn(&Losses) -> &Wide) -> Option<LossMoments> {
        let own = self.squares.as_deref().unwrap_or(self);
        let squared = own.squared_losses.as_ref()?;
        Some(LossMoments {
            weight: own.weight(),
            sum: of(&own.sums.losses).to_f64(Wide::LOWEST),
            squares: of(&squared.losses).to_f64(Wide::LOWEST),
        })
    }

    /// The labels of the two classes, as far as known.
    pub fn labels(&self) -> &BinaryLabels {
        &self.labels
    }

    /// The number of rows, without rows of weight zero.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The weight of the rows; without weights their number.
    pub fn weight(&self) -> f64 {
        self.weight.to_f64(Wide::LOWEST)
    }

    /// The sum of −ln of the probability of the true class, in nats, rounded once.
    pub fn log_loss(&self) -> f64 {
        self.sums.losses.log_loss.to_f64(Wide::LOWEST)
    }

    /// The sum of squared differences between probability and truth, rounded once.
    pub fn brier(&self) -> f64 {
        self.sums.losses.brier.to_f64(Wide::LOWEST)
    }

    /// The input of indices.
    pub fn view(&self) -> ProbabilityView {
        ProbabilityView { weight: self.weight(), log_loss: self.log_loss(), brier: self.brier() }
    }

    /// Like [`Self::add`], but sums of no rows keep their kind of weights.
    fn pool(&self, other: &Self) -> Result<Self> {
        let refusal = |reason: &str| Refusal::Merge { reason: reason.to_owned() };
        let labels = self.labels.add(&other.labels)?;
        let rows = self.rows.checked_add(other.rows);
        let plus = |own: &BothWays, their: &BothWays| {
            let own_way = own.facing(&self.labels, &labels);
            let their_way = their.facing(&other.labels, &labels);
            let (own_way, their_way) = own_way.zip(their_way).ok_or_else(|| {
                refusal("the positive label of one is the negative label of the other")
            })?;
            let turned = own.turned.zip(their.turned).filter(|_| labels.is_open());
            let sum =
                |own: Losses, their| own.checked_plus(their).ok_or_else(|| refusal(TOO_LARGE));
            Ok(BothWays {
                losses: sum(own_way, their_way)?,
                turned: turned.map(|(own, their)| sum(own, their)).transpose()?,
            })
        };
        let squared = self.squared_losses.as_ref().zip(other.squared_losses.as_ref());
        Ok(Self {
            rows: rows.ok_or_else(|| refusal("there are more than 2^64 rows in all"))?,
            weight: self.weight.checked_plus(other.weight).ok_or_else(|| refusal(TOO_LARGE))?,
            sums: plus(&self.sums, &other.sums)?,
            squared_losses: squared.map(|(own, their)| plus(own, their)).transpose()?,
            squares: added(self.squares.as_deref(), other.squares.as_deref(), Self::pool)?,
            labels,
        })
    }

    /// These sums, with the labels merged with sums of no rows.
    fn add_no_rows(&self, other: &Self, labels: BinaryLabels) -> Result<Self> {
        if other.squares.is_some() && self.squares.is_none() {
            return Err(Refusal::Merge { reason: KINDS.to_owned() });
        }
        let mut alike = Self::new(labels.clone(), self.keeps_squares());
        if let Some(squares) = &self.squares {
            alike.squares = Some(Box::new(Self::new(labels, squares.keeps_squares())));
        }
        self.pool(&alike)
    }

    /// Subtracts the sums of some of these rows.
    ///
    /// # Errors
    /// [`Refusal::Difference`] for different labels, for sums or rows that would become negative,
    /// and for sums that no rows have. Squared losses are kept if both keep them.
    pub fn subtract(&self, other: &Self) -> Result<Self> {
        let refusal = |reason: String| Refusal::Difference { reason };
        let labels = difference_of_labels(&self.labels, &other.labels)?;
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
        let minus = |own: &BothWays, their: &BothWays| -> Result<BothWays> {
            let facing = their.facing(&other.labels, &labels).ok_or_else(|| {
                refusal("the positive label of one is the negative label of the other".to_owned())
            })?;
            let turned = own.turned.zip(their.turned);
            Ok(BothWays {
                losses: losses(&own.losses, &facing)?,
                turned: turned.map(|(own, their)| losses(&own, &their)).transpose()?,
            })
        };
        let rows = self.rows.checked_sub(other.rows).ok_or_else(|| {
            let (own, their) = (self.rows, other.rows);
            refusal(format!("{their} rows are taken from {own}"))
        })?;
        let squared = self.squared_losses.as_ref();
        let squared = squared.zip(other.squared_losses.as_ref());
        let rest = Self {
            rows,
            weight: less("weight of the rows", &self.weight, &other.weight)?,
            sums: minus(&self.sums, &other.sums)?,
            squared_losses: squared.map(|(own, their)| minus(own, their)).transpose()?,
            squares: subtracted(self.squares.as_deref(), other.squares.as_deref(), Self::subtract)?,
            labels,
        };
        if !rest.is_possible() {
            let reason = "no rows have the sums that are left";
            return Err(refusal(reason.to_owned()));
        }
        Ok(rest)
    }

    /// Whether rows can have these sums.
    pub(crate) fn is_possible(&self) -> bool {
        let mut losses = self.sums.each();
        let is_empty = self.rows == 0;
        losses.all(|losses| losses.are_possible(&self.weight)) && is_empty == (self.weight() <= 0.0)
    }

    fn put_core(&self, out: &mut Writer) {
        self.labels.put(out);
        out.put(&self.rows.to_le_bytes());
        for limb in self.weight.0 {
            out.put(&limb.to_le_bytes());
        }
        self.sums.put(out);
    }
}

impl Statistic for ProbabilitySums {
    const NAME: &'static str = "ProbabilitySums";
    const KIND: u8 = b'P';

    fn size(&self) -> usize {
        0
    }

    /// Adds the sums of other rows. Squared losses are kept if both keep them. Sums of no rows
    /// change only the known labels.
    ///
    /// # Errors
    /// [`Refusal::Merge`] for labels that do not go together ([`BinaryLabels::add`]), for losses
    /// already decided for the other label, for weights of another kind, for more than 2^64 rows,
    /// and for sums of 2^1102 and more.
    fn add(&self, other: &Self) -> Result<Self> {
        match (self.rows, other.rows) {
            (1.., 0) => self.add_no_rows(other, self.labels.add_no_rows(&other.labels)?),
            (0, 1..) => other.add_no_rows(self, other.labels.add_no_rows(&self.labels)?),
            (0, 0) => {
                // The sums that keep more: without rows, the others may lack any of it.
                let kept = |sums: &Self| (sums.squares.is_some(), sums.keeps_squares());
                let is_more = kept(self) >= kept(other);
                let (more, less) = if is_more { (self, other) } else { (other, self) };
                more.add_no_rows(less, self.labels.add(&other.labels)?)
            }
            _ => self.pool(other),
        }
    }

    fn put(&self, out: &mut Writer) {
        self.put_core(out);
        let squares = self.squares.as_deref();
        if let Some(squares) = squares {
            out.open_squares();
            squares.put_core(out);
        }
        if let Some(own) = &self.squared_losses {
            out.open_squared_losses();
            own.put(out);
            if let Some(of_squares) = squares.and_then(|squares| squares.squared_losses.as_ref()) {
                of_squares.put(out);
            }
        }
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut sections = Reader::with_sections(bytes, Self::NAME, Self::KIND)?;
        let mut sums = sections.core.whole(Self::take)?;
        let squares = sections.squares.as_mut().map(|squares| squares.whole(Self::take));
        let mut squares = squares.transpose()?;
        if let Some(mut input) = sections.squared_losses {
            for sums in std::iter::once(&mut sums).chain(&mut squares) {
                let squared = BothWays::of(&sums.labels).take(&mut input)?;
                let mut pairs = squared.each().zip(sums.sums.each());
                if !pairs.all(|(squared, losses)| squared.are_possible_squares(losses)) {
                    return Err(input.refusal("the squared losses contradict the losses"));
                }
                sums.squared_losses = Some(squared);
            }
            input.finish()?;
        }
        let Some(squares) = squares else {
            return Ok(sums);
        };
        sums.with_squares(squares).map_err(|_| Self::bad(OTHER_ROWS))
    }

    fn take(input: &mut Reader<'_>) -> Result<Self> {
        let mut sums = Self::new(BinaryLabels::take(input)?, false);
        sums.rows = input.u64()?;
        take(&mut sums.weight, input)?;
        sums.sums = sums.sums.take(input)?;
        if !sums.is_possible() {
            return Err(input.refusal("the sums contradict each other"));
        }
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
        let options =
            SweepOptions { pos_label: pos_label.map(Label::Int), ..SweepOptions::default() };
        let labels = Labels::I64(Column::from_slice(labels));
        let scores = Scores::F64(Column::from_slice(scores));
        probability_sums(&labels, &scores, None, &options).unwrap()
    }

    #[test]
    fn a_lone_label_finds_its_side_when_the_other_turns_up() {
        // Alone, 1 is positive and 2 negative; together, 2 is positive.
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
        assert!(pooled.sums.turned.is_none());
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
            assert_eq!(ProbabilitySums::from_bytes(&nothing.to_bytes()), Ok(nothing));
            let words = a.subtract(&all).unwrap_err().to_string();
            assert!(words.contains("6 rows are taken from 2"), "{words}");
        }
        let (one, other) = (sums(&[0, 1], &[0.1, 0.9], None), sums(&[0, 1], &[0.8, 0.1], None));
        let words = one.subtract(&other).unwrap_err().to_string();
        assert!(words.contains("sum of logarithmic losses") && words.contains("below zero"));
        // A single label turns out to be negative.
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
        assert_eq!(ones.add(&asked).unwrap().labels().pos_label, Some(Label::Int(1)));
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
