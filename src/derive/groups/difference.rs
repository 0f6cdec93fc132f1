//! Statistics by group minus the statistics of some of the rows: the inverse of addition.
//!
//! 1. Find each group to be subtracted among the own groups, and each of its cells and scores among
//!    the cells and scores of the own group.
//! 2. Subtract counts as integers, weights as exact sums. So `(a + b) - b` is `a`, bit for bit, if
//!    `a` has the classes of `b` and the same kinds of keys and scores.
//! 3. Drop cells, scores and groups that become empty. Classes stay, as in a confusion matrix.
//!    Scores do not know rows of weight zero, so without predicted classes a group of such rows
//!    disappears.

use crate::arith::exact::ExactSums;
use crate::arith::weight_kind::{other_squares, subtracted};
use crate::base::error::{Refusal, Result};
use crate::base::input::LabelKind;
use crate::base::memory::{CopyAll, Gather, Room, with_room};
use crate::labels::binary_labels::difference_of_labels;
use crate::scores::keys::{Keys as Scores, ScoreKind};
use crate::scores::merge::{common_kind_of, promoted};

use crate::groups::counts::{GroupCounts, Places};
use crate::groups::masses::{Masses, Tally};
use crate::groups::ranking::GroupRanking;
use crate::groups::state::Groups;

fn refusal(reason: impl Into<String>) -> Refusal {
    let reason = reason.into();
    Refusal::Difference { reason }
}

/// Statistics that cannot be added cannot be subtracted either.
fn no_difference(met: Refusal) -> Refusal {
    match met {
        Refusal::Merge { reason } => refusal(reason),
        other => other,
    }
}

impl Groups {
    /// Subtracts the groups of some of these rows.
    ///
    /// # Errors
    /// [`Refusal::Difference`] for statistics that [`Groups::add`] refuses, for unknown groups,
    /// classes, cells and scores, and for differences below zero.
    pub fn subtract(&self, other: &Self) -> Result<Self> {
        self.goes_with(other).map_err(no_difference)?;
        let united = self.keys.united(&other.keys).map_err(no_difference)?;
        let (own, their) = united.codes.split_at(self.keys.groups);
        let mut place_of: Vec<u32> = vec![u32::MAX; united.keys.groups];
        for (place, &code) in (0..).zip(own) {
            place_of[code as usize] = place;
        }
        let to: Vec<u32> = their.iter().map(|&code| place_of[code as usize]).gather();
        if let Some(group) = to.iter().position(|&place| place == u32::MAX) {
            return Err(refusal(format!(
                "there are rows of the group with {}, but none in what they are taken from",
                other.keys.shown(group)
            )));
        }
        let within = |met: Refusal, group: usize| match met {
            Refusal::Difference { reason } => {
                refusal(format!("in the group with {}, {reason}", self.keys.shown(group)))
            }
            other => other,
        };
        let counts = match (&self.counts, &other.counts) {
            (Some(own), Some(less)) => Some(own.without(less, &to, within)?),
            _ => None,
        };
        let ranking = match (&self.ranking, &other.ranking) {
            (Some(own), Some(less)) => Some(own.without(less, &to, within)?),
            _ => None,
        };
        let rest = Self {
            keys: self.keys.clone(),
            counts,
            ranking,
            pos_label: self.pos_label.clone(),
            ..*self
        };
        let of_scores = rest.ranking.as_ref();
        let is_left = |&group: &usize| {
            rest.rows(group) > 0 || of_scores.is_some_and(|all| all.rows(group) > 0)
        };
        let left: Vec<usize> = (0..self.keys.groups).filter(is_left).gather();
        if left.len() == self.keys.groups {
            return Ok(rest);
        }
        Ok(Self {
            keys: rest.keys.taken(&left),
            counts: rest.counts.as_ref().map(|counts| counts.taken(&left)),
            ranking: rest.ranking.as_ref().map(|ranking| ranking.taken(&left)),
            ..rest
        })
    }
}

impl Masses {
    /// Subtracts place by place. Fails with the place where the result would be below zero, or with
    /// `None` where one has weights and the other counts.
    fn without(&self, less: &Self) -> std::result::Result<Self, Option<usize>> {
        match (self, less) {
            (Self::Counts(own), Self::Counts(less)) => {
                let mut rest = with_room(own.len());
                for place in 0..own.len() {
                    let left = own.get(place).checked_sub(less.get(place));
                    rest.push(left.ok_or(Some(place))?);
                }
                Ok(Self::Counts(Tally::of(rest)))
            }
            (Self::Weights(own), Self::Weights(less)) => {
                Ok(Self::Weights(own.without(less).map_err(Some)?))
            }
            _ => Err(None),
        }
    }

    fn taken(&self, places: &[usize]) -> Self {
        match self {
            Self::Counts(counts) => Self::Counts(counts.taken(places)),
            Self::Weights(sums) => Self::Weights(sums.taken(places)),
        }
    }

    fn is_zero(&self, place: usize) -> bool {
        self.get(place) == 0.0
    }
}

impl Tally {
    fn taken(&self, places: &[usize]) -> Self {
        Self::of(places.iter().map(|&place| self.get(place)).gather())
    }
}

/// The differences of cells or scores, their squares, and the rows of groups.
struct Rest {
    masses: Masses,
    squares: Option<ExactSums>,
    rows: Option<Tally>,
}

/// Subtracts `less` from `own`: counts or weights, their squares, and the rows of groups. `to` has
/// the own group of each group of `less`, `places` the own place of each of its entries. `group_of`
/// is the group of a place, and `what` describes a place in a message.
fn subtract(
    own: (&Masses, Option<&ExactSums>, Option<&Tally>),
    less: (&Masses, Option<&ExactSums>, Option<&Tally>),
    (to, places): (&[u32], &[usize]),
    (group_of, what): (impl Fn(usize) -> usize, impl Fn(usize) -> String),
    within: impl Fn(Refusal, usize) -> Refusal,
) -> Result<Rest> {
    let len = own.0.len();
    let their = less.0.moved(places, len);
    let masses = own.0.without(&their).map_err(|place| match place {
        None => refusal("one has weights and the other has none"),
        Some(place) => {
            let (a, b) = (own.0.get(place), their.get(place));
            let reason = format!("{}: {a} less {b} is below zero", what(place));
            within(refusal(reason), group_of(place))
        }
    })?;
    let squares = subtracted(own.1, less.1, |own, less| {
        let less = less.moved(places, len);
        own.without(&less).map_err(|_| other_squares())
    })?;
    let squares = squares.map(|squares| *squares);
    if let Some(squares) = &squares
        && (0..len).any(|place| masses.is_zero(place) != (squares.get(place) == 0.0))
    {
        return Err(other_squares());
    }
    let rows = match (own.2, less.2) {
        (Some(own), Some(less)) => {
            let to: Vec<usize> = to.iter().map(|&group| group as usize).gather();
            let less = less.moved(&to, own.len());
            let mut rest = with_room(own.len());
            for group in 0..own.len() {
                let (a, b) = (own.get(group), less.get(group));
                let reason = || within(refusal(format!("{b} rows are taken from {a}")), group);
                rest.push(a.checked_sub(b).ok_or_else(reason)?);
            }
            let rest = Tally::of(rest);
            let is_held = |place: usize| masses.is_zero(place) || rest.get(group_of(place)) > 0;
            if let Some(place) = (0..len).find(|&place| !is_held(place)) {
                let reason = "weights are left, and no rows";
                return Err(within(refusal(reason), group_of(place)));
            }
            Some(rest)
        }
        _ => None,
    };
    Ok(Rest { masses, squares, rows })
}

impl GroupCounts {
    /// The counts minus `other`; `to` has the group here of each of its groups.
    fn without(
        &self,
        other: &Self,
        to: &[u32],
        within: impl Fn(Refusal, usize) -> Refusal,
    ) -> Result<Self> {
        let is_text = |counts: &Self| counts.labels.kind == LabelKind::Text;
        if is_text(self) != is_text(other) && !other.labels.is_empty() {
            return Err(refusal("the labels of one are text, the labels of the other numbers"));
        }
        let class = |label| {
            let reason = || format!("the class {label} is not in what it is taken from");
            self.labels.position(label).ok_or_else(|| refusal(reason()))
        };
        let classes: Vec<usize> = other.labels.values.iter().map(class).gather_all()?;
        let label = |class: usize| &self.labels.values[class];
        let (mut kept, mut places) = (Vec::new(), Vec::new());
        for (group, &own) in to.iter().enumerate() {
            for place in other.range(group).filter(|&place| other.is_inside(place)) {
                let (actual, predicted) = other.cell(place);
                let (actual, predicted) = (classes[actual], classes[predicted]);
                let found = self.place(own as usize, actual, predicted);
                let found = found.filter(|&place| self.is_inside(place));
                places.grow(found.ok_or_else(|| {
                    let reason = format!(
                        "there are rows of class {} predicted to be {}, but none in what they are \
                         taken from",
                        label(actual),
                        label(predicted)
                    );
                    within(refusal(reason), own as usize)
                })?);
                kept.grow(place);
            }
        }
        let less = other.masses.taken(&kept);
        let squares = other.squares.as_ref().map(|squares| squares.taken(&kept));
        let group_of = |place: usize| match &self.places {
            None => place / 4,
            Some(Places { starts, .. }) => {
                starts.partition_point(|&start| start as usize <= place) - 1
            }
        };
        let what = |place: usize| {
            let (actual, predicted) = self.cell(place);
            let (actual, predicted) = (label(actual), label(predicted));
            format!("class {actual} predicted to be {predicted}")
        };
        let rest = subtract(
            (&self.masses, self.squares.as_ref(), self.rows.as_ref()),
            (&less, squares.as_ref(), other.rows.as_ref()),
            (to, &places),
            (group_of, what),
            within,
        )?;
        let all = Self {
            labels: self.labels.clone(),
            groups: self.groups,
            places: self.places.clone(),
            masses: rest.masses,
            squares: rest.squares,
            rows: rest.rows,
        };
        let groups: Vec<usize> = (0..self.groups).gather();
        Ok(all.taken(&groups))
    }

    /// The counts of some groups, without empty cells.
    fn taken(&self, groups: &[usize]) -> Self {
        let mut kept = Vec::new();
        let mut starts = with_room(groups.len() + 1);
        starts.push(0);
        for &group in groups {
            let range = self.range(group);
            kept.grow_with(range.filter(|&place| self.places.is_none() || self.is_inside(place)));
            starts.push(kept.len() as u64);
        }
        let places = self.places.as_ref().map(|places| Places {
            starts,
            cells: kept.iter().map(|&place| places.cells[place]).gather(),
        });
        Self {
            labels: self.labels.clone(),
            groups: groups.len(),
            places,
            masses: self.masses.taken(&kept),
            squares: self.squares.as_ref().map(|squares| squares.taken(&kept)),
            rows: self.rows.as_ref().map(|rows| rows.taken(groups)),
        }
        .settled()
    }
}

impl GroupRanking {
    /// The ranking minus `other`; `to` has the group here of each of its groups.
    fn without(
        &self,
        other: &Self,
        to: &[u32],
        within: impl Fn(Refusal, usize) -> Refusal,
    ) -> Result<Self> {
        let labels = difference_of_labels(&self.labels, &other.labels)?;
        let kinds = [(self.kind, &self.keys), (other.kind, &other.keys)];
        let kind = common_kind_of(kinds).ok_or_else(|| {
            refusal(format!("no type holds scores of {:?} and {:?} exactly", self.kind, other.kind))
        })?;
        let keys = promoted(&self.keys, self.kind, kind);
        let their = promoted(&other.keys, other.kind, kind);
        let (half, other_half) = (keys.len(), their.len());
        let mut places: Vec<usize> = vec![0; 2 * other_half];
        let turned = other.labels.turned(&labels);
        for (group, &own) in to.iter().enumerate() {
            let mut range = self.range(own as usize);
            for place in other.range(group) {
                let key = their.get(place);
                let found = range.find(|&place| keys.get(place) <= key);
                let found = found.filter(|&place| keys.get(place) == key);
                let found = found.ok_or_else(|| {
                    let score = score_of(kind, key);
                    let reason = format!(
                        "there are rows of score {score}, but none in what they are taken from"
                    );
                    within(refusal(reason), own as usize)
                })?;
                let [p, n] = if turned { [half, 0] } else { [0, half] };
                places[place] = found + p;
                places[place + other_half] = found + n;
            }
        }
        let group_of = |place: usize| {
            let place = place % half.max(1);
            self.starts.partition_point(|&start| start as usize <= place) - 1
        };
        let what = |place: usize| {
            let class = if place < half { "positives" } else { "negatives" };
            let score = score_of(kind, keys.get(place % half.max(1)));
            format!("{class} of score {score}")
        };
        let rest = subtract(
            (&self.masses, self.squares.as_ref(), self.rows.as_ref()),
            (&other.masses, other.squares.as_ref(), other.rows.as_ref()),
            (to, &places),
            (group_of, what),
            within,
        )?;
        let all = Self {
            kind,
            labels,
            starts: self.starts.copy_all(),
            keys,
            masses: rest.masses,
            squares: rest.squares,
            rows: rest.rows,
        };
        let groups: Vec<usize> = (0..self.groups()).gather();
        Ok(all.taken(&groups))
    }

    /// The ranking of some groups, without scores that have no rows.
    fn taken(&self, groups: &[usize]) -> Self {
        let half = self.keys.len();
        let mut kept = Vec::new();
        let mut starts = with_room(groups.len() + 1);
        starts.push(0);
        for &group in groups {
            let is_there =
                |place: &usize| !self.masses.is_zero(*place) || !self.masses.is_zero(place + half);
            kept.grow_with(self.range(group).filter(is_there));
            starts.push(kept.len() as u64);
        }
        let keys = match &self.keys {
            Scores::Narrow(keys) => Scores::Narrow(kept.iter().map(|&at| keys[at]).gather()),
            Scores::Wide(keys) => Scores::Wide(kept.iter().map(|&at| keys[at]).gather()),
        };
        for place in 0..kept.len() {
            kept.grow(kept[place] + half);
        }
        Self {
            kind: self.kind,
            labels: self.labels.clone(),
            starts,
            keys,
            masses: self.masses.taken(&kept),
            squares: self.squares.as_ref().map(|squares| squares.taken(&kept)),
            rows: self.rows.as_ref().map(|rows| rows.taken(groups)),
        }
        .settled()
    }
}

fn score_of(kind: ScoreKind, key: u64) -> String {
    match kind.integer(key) {
        Some(integer) => integer.to_string(),
        None => kind.score(key).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::weight_kind::WeightKind;
    use crate::base::column::Column;
    use crate::base::input::Labels;
    use crate::groups::made::{KINDS, Rows, rows};
    use crate::row_keys::column::KeyColumn;
    use crate::row_keys::keys::RowKeys;

    /// The groups of rows; `has` tells whether they have cells and scores.
    fn of(
        rows: &Rows,
        classes: i64,
        kind: Option<WeightKind>,
        has: [bool; 2],
        is_single: bool,
    ) -> Groups {
        let numbers: Vec<i64> = rows.codes.iter().map(|&code| code.into()).collect();
        let column = KeyColumn::new(&Labels::I64(Column::from_slice(&numbers)), "by").unwrap();
        let grouped = RowKeys::new(vec![("part".to_owned(), column)], numbers.len(), "by").unwrap();
        let groups = grouped.keys.groups;
        let own = Rows { codes: grouped.codes, ..rows.kept(|_| true) };
        Groups {
            keys: grouped.keys,
            controls: 0,
            pos_label: None,
            threshold: None,
            counts: has[0].then(|| own.count(groups, classes as usize, kind)),
            ranking: has[1].then(|| own.rank(groups, kind, is_single)),
        }
    }

    #[test]
    fn subtraction_undoes_addition() {
        for (classes, has) in [(2, [true, true]), (2, [false, true]), (5, [true, false])] {
            for kind in KINDS {
                for (len, groups, cut) in [(9, 3, 5), (300, 7, 100), (300, 250, 150), (400, 1, 9)] {
                    let all = rows(len, groups, classes, len == 300, len as u64);
                    let part = |keep: &dyn Fn(usize) -> bool| {
                        of(&all.kept(keep), classes, kind, has, cut == 9)
                    };
                    let (a, b) = (part(&|row| row < cut), part(&|row| row >= cut));
                    let whole = a.add(&b).unwrap();
                    assert!(whole == part(&|_| true));
                    let nothing = whole.subtract(&whole).unwrap();
                    assert_eq!(nothing.keys.groups, 0);
                    // Of scores alone, groups whose rows all weigh nothing are gone.
                    let heavy = a.subtract(&nothing).unwrap();
                    assert!(heavy == a || (kind.is_some() && !has[0]));
                    assert!(whole.subtract(&b).unwrap() == heavy);
                    let again = whole.subtract(&a).unwrap().add(&a).unwrap();
                    assert!(again == whole || (kind.is_some() && !has[0]));
                    assert!(nothing.add(&a).unwrap() == a);
                    let text = a.subtract(&whole).unwrap_err().to_string();
                    assert!(text.starts_with("cannot subtract: "), "{text}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_part_is_refused_in_words() {
        let row = |code, actual, predicted, score| Rows {
            codes: vec![code],
            actual: vec![actual],
            predicted: vec![predicted],
            scores: vec![score],
            weights: vec![2.0],
        };
        let both = [true, true];
        let kinds = [None, Some(WeightKind::Counts)];
        let words = |own: &Groups, less: &Groups| own.subtract(less).unwrap_err().to_string();
        for kind in kinds {
            let make = |rows: &Rows, has| of(rows, 2, kind, has, false);
            let one = make(&row(3, 1, 0, 0.5), both);
            for (less, expected) in [
                (
                    make(&row(4, 1, 0, 0.5), both),
                    "there are rows of the group with part 4, but none in what they are taken from",
                ),
                (
                    make(&row(3, 1, 1, 0.5), both),
                    "in the group with part 3, there are rows of class 1 predicted to be 1, but \
                     none in what they are taken from",
                ),
                (
                    make(&row(3, 1, 0, 0.25), both),
                    "in the group with part 3, there are rows of score 0.25, but none in what \
                     they are taken from",
                ),
                (make(&row(3, 1, 0, 0.5), [true, false]), "one has scores and the other has none"),
            ] {
                assert_eq!(words(&one, &less), format!("cannot subtract: {expected}"));
            }
            let two = one.add(&one).unwrap();
            let text = words(&one, &two);
            assert!(text.contains("less") && text.contains("is below zero"), "{text}");
        }
        let plain = of(&row(3, 1, 0, 0.5), 2, None, both, false);
        let weighted = of(&row(3, 1, 0, 0.5), 2, kinds[1], both, false);
        assert!(words(&plain, &weighted).contains("weights"));
    }
}
