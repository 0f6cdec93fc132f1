//! The two labels of a statistic: which is positive, and how two statistics agree on them.
//!
//! A part with rows of one class, or without rows, does not know both labels, so it may take the
//! wrong class for positive. Only the sum of the parts knows both labels. So addition first merges
//! the labels; then each statistic exchanges its classes if it guessed wrong
//! ([`BinaryLabels::turned`]). Statistics with different labels or different `pos_label` are not
//! added.

use crate::base::bytes::{Reader, Writer};
use crate::base::error::{Refusal, Result};
use crate::base::input::{Label, LabelKind, LabelSet, Labels};
use crate::base::memory::{Gather, Room, with_room};
use crate::labels::binary::Pair;
use crate::labels::confusion::repeated;

/// The labels of the two classes, as far as rows or the caller gave them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryLabels {
    /// The two labels.
    pub pair: Pair,
    /// The positive label that the caller asked for.
    pub pos_label: Option<Label>,
    /// The kind of the labels as given.
    pub kind: LabelKind,
}

impl BinaryLabels {
    /// The labels of a column. Without rows, their kind is unknown and follows `pos_label`.
    pub fn from_column(column: &Labels<'_>, pair: Pair, pos_label: Option<Label>) -> Self {
        let kind = match (&pos_label, column.kind()) {
            (Some(Label::Text(_)), _) if column.is_empty() => LabelKind::Text,
            (Some(_), LabelKind::Float | LabelKind::Text) if column.is_empty() => LabelKind::Int,
            (_, kind) => kind,
        };
        Self { pair, pos_label, kind }
    }

    /// Whether the positive class is still a guess: fewer than two labels are known, and the caller
    /// named none.
    pub fn is_open(&self) -> bool {
        self.pos_label.is_none() && (self.pair.negative.is_none() || self.pair.positive.is_none())
    }

    /// Merges the labels of both.
    ///
    /// # Errors
    /// [`Refusal::Merge`] if there are more than two labels between them, if they differ in which
    /// is positive, or for text against numbers.
    pub fn add(&self, other: &Self) -> Result<Self> {
        let refusal = |reason: String| Refusal::Merge { reason };
        let pos_label = match (&self.pos_label, &other.pos_label) {
            (Some(a), Some(b)) if a != b => {
                let reason = format!("the positive label is {a} in one and {b} in the other");
                return Err(refusal(reason));
            }
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let mut found = [pos_label.clone(), None];
        for pair in [&self.pair, &other.pair] {
            for label in [&pair.negative, &pair.positive] {
                if label.is_none() || found.contains(label) {
                    continue;
                }
                let Some(free) = found.iter_mut().find(|place| place.is_none()) else {
                    let reason = "there are more than two labels between them";
                    return Err(refusal(reason.to_owned()));
                };
                free.clone_from(label);
            }
        }
        if (self.kind == LabelKind::Text) != (other.kind == LabelKind::Text) {
            let reason = "text labels go with text labels only";
            return Err(refusal(reason.to_owned()));
        }
        Ok(Self {
            pair: Pair::of(found, pos_label.as_ref()),
            pos_label,
            kind: self.kind.max(other.kind),
        })
    }

    /// Merges the labels of two statistics, one without rows: the kind of labels comes from
    /// the one with rows.
    ///
    /// # Errors
    /// Like [`Self::add`].
    pub(crate) fn add_no_rows(&self, other: &Self) -> Result<Self> {
        let union = self.add(other)?;
        Ok(Self { kind: self.kind, ..union })
    }

    /// Whether the classes change sides within `union`: a label that was negative because it was
    /// alone, or positive because it was the greater, may turn out to be the other.
    pub fn turned(&self, union: &Self) -> bool {
        let (own, all) = (&self.pair, &union.pair);
        (own.positive.is_some() && own.positive == all.negative)
            || (own.negative.is_some() && own.negative == all.positive)
    }

    /// Exchanges the classes on the caller's request.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        Self {
            pair: Pair {
                negative: self.pair.positive.clone(),
                positive: self.pair.negative.clone(),
            },
            pos_label: self.pair.negative.clone(),
            kind: self.kind,
        }
    }

    /// Writes the kind, then the negative, the positive and the requested label.
    pub fn put(&self, out: &mut Writer) {
        out.put(&[self.kind as u8]);
        for label in [&self.pair.negative, &self.pair.positive, &self.pos_label] {
            put_label(out, label.as_ref());
        }
    }

    /// Reads what [`Self::put`] wrote.
    pub fn take(input: &mut Reader) -> Result<Self> {
        let kind = take_kind(input)?;
        let labels = Self {
            pair: Pair { negative: take_label(input)?, positive: take_label(input)? },
            pos_label: take_label(input)?,
            kind,
        };
        match labels.contradiction() {
            Some(reason) => Err(input.refusal(reason)),
            None => Ok(labels),
        }
    }

    /// Why these cannot be the labels of a statistic.
    fn contradiction(&self) -> Option<&'static str> {
        let Pair { negative, positive } = &self.pair;
        // A requested label without rows may be of any kind.
        let of_rows = [negative, positive].into_iter().flatten();
        let asked = self.pos_label.as_ref();
        if of_rows.into_iter().any(|label| !self.kind.holds(label) && Some(label) != asked) {
            return Some(OF_ANOTHER_KIND);
        }
        if negative.is_some() && negative == positive {
            return Some("the two labels are one");
        }
        if self.pos_label.is_some() && self.pos_label != *positive {
            return Some("the positive label is not the one asked for");
        }
        // A single label is on one side by rule; on the other side its rows would change class when
        // added.
        let found = [negative.clone(), positive.clone()];
        let sides = Pair::of(found, self.pos_label.as_ref());
        (sides != self.pair).then_some("the labels are on the wrong sides")
    }
}

/// The labels after subtraction: the own labels, which must include the other's.
///
/// # Errors
/// [`Refusal::Difference`] for incompatible labels, and for a label that only the other has.
pub fn difference_of_labels(own: &BinaryLabels, their: &BinaryLabels) -> Result<BinaryLabels> {
    let less = |reason: String| Refusal::Difference { reason };
    let union = own.add(their).map_err(|refusal| match refusal {
        Refusal::Merge { reason } => less(reason),
        other => other,
    })?;
    if union.pair == own.pair {
        return Ok(own.clone());
    }
    let pair = |labels: &BinaryLabels| {
        let known = [&labels.pair.negative, &labels.pair.positive];
        let known: Vec<String> = known.into_iter().flatten().map(Label::to_string).gather();
        known.join(" and ")
    };
    let (their, own) = (pair(their), pair(own));
    let reason = format!("rows with the labels {their} are taken from rows with {own} only");
    Err(less(reason))
}

/// Writes the kind of the labels, their number and the labels.
pub fn put_labels(out: &mut Writer, labels: &LabelSet) {
    out.put(&[labels.kind as u8]);
    out.put(&(labels.len() as u64).to_le_bytes());
    for label in &labels.values {
        put_label(out, Some(label));
    }
}

/// Reads what [`put_labels`] wrote.
pub fn take_labels(input: &mut Reader) -> Result<LabelSet> {
    let kind = take_kind(input)?;
    let len = input.len(9)?;
    let mut values = with_room(len);
    for _ in 0..len {
        let label = take_label(input)?;
        values.grow(label.ok_or_else(|| input.refusal("a label is missing"))?);
    }
    set_of(input, kind, values)
}

/// The set of labels read, if it is valid.
pub(crate) fn set_of(input: &Reader, kind: LabelKind, values: Vec<Label>) -> Result<LabelSet> {
    if !values.iter().all(|label| kind.holds(label)) {
        return Err(input.refusal(OF_ANOTHER_KIND));
    }
    let labels = LabelSet { kind, values };
    match repeated(&labels) {
        Some(label) => Err(input.refusal(format!("label {label} is there twice"))),
        None => Ok(labels),
    }
}

const OF_ANOTHER_KIND: &str = "the labels are not of their kind";

pub(crate) fn take_kind(input: &mut Reader) -> Result<LabelKind> {
    let kinds = [LabelKind::Bool, LabelKind::Int, LabelKind::Float, LabelKind::Text];
    let kind = kinds.get(usize::from(input.u8()?)).copied();
    kind.ok_or_else(|| input.refusal("the labels are of no known kind"))
}

pub fn put_label(out: &mut Writer, label: Option<&Label>) {
    match label {
        None => out.put(&[0]),
        Some(Label::Int(value)) => {
            out.put(&[1]);
            out.put(&value.to_le_bytes());
        }
        Some(Label::Text(text)) => {
            out.put(&[2]);
            out.put(&(text.len() as u64).to_le_bytes());
            out.put(text.as_bytes());
        }
    }
}

pub fn take_label(input: &mut Reader) -> Result<Option<Label>> {
    Ok(match input.u8()? {
        0 => None,
        1 => Some(Label::Int(i128::from_le_bytes(input.array()?))),
        2 => {
            let len = input.len(1)?;
            let text = std::str::from_utf8(input.take(len)?);
            let text = text.map_err(|_| input.refusal("a label is not text"))?;
            Some(Label::Text(text.into()))
        }
        _ => return Err(input.refusal("a label is of no known kind")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(labels: &[i128], pos_label: Option<i128>) -> BinaryLabels {
        let pos_label = pos_label.map(Label::Int);
        let mut labels = labels.iter().map(|&label| Label::Int(label));
        BinaryLabels {
            pair: Pair::of([labels.next(), labels.next()], pos_label.as_ref()),
            pos_label,
            kind: LabelKind::Int,
        }
    }

    #[test]
    fn the_union_settles_what_was_open() {
        for (a, b, pair, turns) in [
            (&[0][..], &[1][..], (0, 1), (false, false)),
            (&[1], &[2], (1, 2), (true, true)),
            (&[5], &[2, 5], (2, 5), (true, false)),
            (&[1], &[0, 1], (0, 1), (false, false)),
            (&[], &[-1, 1], (-1, 1), (false, false)),
        ] {
            let (a, b) = (found(a, None), found(b, None));
            let union = a.add(&b).unwrap();
            assert_eq!(b.add(&a).unwrap(), union);
            let expected = (Some(Label::Int(pair.0)), Some(Label::Int(pair.1)));
            assert_eq!((union.pair.negative.clone(), union.pair.positive.clone()), expected);
            assert_eq!((a.turned(&union), b.turned(&union)), turns);
            assert!(a.is_open() && !union.is_open());
        }
        let asked = found(&[0, 1], Some(0));
        let union = found(&[0, 1], None).add(&asked).unwrap();
        assert_eq!(union, asked);
        assert!(found(&[0, 1], None).turned(&union));
    }

    #[test]
    fn bytes_with_a_lone_label_on_the_wrong_side_are_refused() {
        let again = |labels: &BinaryLabels| {
            let mut out = Writer::new(b'T');
            labels.put(&mut out);
            BinaryLabels::take(&mut Reader::new(&out.finish(), "Test", b'T').unwrap())
        };
        for (labels, pos_label) in [
            (&[][..], None),
            (&[0], None),
            (&[1], None),
            (&[7], None),
            (&[3, 2], None),
            (&[], Some(4)),
            (&[0], Some(0)),
            (&[0, 1], Some(0)),
        ] {
            let labels = found(labels, pos_label);
            assert_eq!(again(&labels).as_ref(), Ok(&labels));
            let (one, other) = (labels.pair.positive.clone(), labels.pair.negative.clone());
            let turned =
                BinaryLabels { pair: Pair { negative: one, positive: other }, ..labels.clone() };
            let is_empty = turned == labels;
            assert_eq!(again(&turned).is_ok(), is_empty, "{turned:?}");
        }
    }

    #[test]
    fn different_meanings_are_not_added() {
        let reason = |a: &BinaryLabels, b: &BinaryLabels| a.add(b).unwrap_err().to_string();
        assert!(reason(&found(&[0, 1], None), &found(&[2], None)).contains("more than two"));
        let (a, b) = (found(&[0, 1], Some(1)), found(&[0, 1], Some(0)));
        assert!(reason(&a, &b).contains("is 1 in one and 0 in the other"));
        let text = BinaryLabels { kind: LabelKind::Text, ..found(&[], None) };
        assert!(reason(&text, &found(&[0], None)).contains("text"));
    }
}
