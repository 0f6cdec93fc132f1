//! Every row, built in or defined by a user, and the look-up from a name to its row.
//!
//! Built-in rows are looked up first, without a lock. Defined rows are behind a lock that is held
//! for a few instructions at a time. Python takes it with the interpreter held, so no process forks
//! meanwhile.
//!
//! A name as it stands goes first. Only where no row has it, other spellings are tried
//! (`index::names`), so exact names cost one look-up.

use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::base::error::{Refusal, Result};
use crate::index::names::elsewhere::{self, Meant};
use crate::index::names::spelling::key;
use crate::index::names::suggestion::{self, Phrases};
use crate::index::row::Index;
use crate::index::rows::retrieval::{cutoff, gain, interpolated, samples};
use crate::index::rows::scores::{
    area, calibration, calibration_tests, early_recognition, likelihood_ratios, probability,
    profit, ranking, selective_classification,
};
use crate::index::rows::similarity::{baulieu, coefficients, kuhns, taxonomy};
use crate::index::rows::{
    agreement, amounts, association, confusion_entropy, correlation, cost, diagnosis, entropy,
    inference, overall, overlap, pairs_of_rates, rates,
};

/// The rows, by family; the rows of some stand in several files.
pub static FAMILIES: [(&str, &[&[Index]]); 19] = [
    ("amounts", &[amounts::ROWS]),
    ("rates", &[rates::ROWS, pairs_of_rates::ROWS]),
    ("diagnosis", &[diagnosis::ROWS]),
    ("overlap", &[overlap::ROWS]),
    (
        "similarity",
        &[
            coefficients::BEFORE_BAULIEU,
            baulieu::ROWS,
            coefficients::AFTER_BAULIEU,
            kuhns::ROWS,
            taxonomy::ROWS,
        ],
    ),
    ("overall", &[overall::ROWS]),
    ("agreement", &[agreement::ROWS]),
    ("correlation", &[correlation::ROWS]),
    ("association", &[association::ROWS]),
    ("entropy", &[confusion_entropy::ROWS, entropy::ROWS]),
    ("inference", &[inference::ROWS]),
    ("cost", &[cost::ROWS, profit::ROWS]),
    ("ranking", &[ranking::ROWS]),
    ("area", &[area::ROWS]),
    ("early_recognition", &[early_recognition::ROWS]),
    ("selective_classification", &[selective_classification::ROWS]),
    ("probability", &[probability::ROWS, likelihood_ratios::ROWS]),
    ("calibration", &[calibration::ROWS, calibration_tests::ROWS]),
    ("retrieval", &[cutoff::ROWS, gain::ROWS, interpolated::ROWS, samples::ROWS]),
];

/// Every built-in row, in the order of the families; [`defined`] has the rows of users.
pub fn all() -> impl Iterator<Item = &'static Index> {
    FAMILIES.iter().flat_map(|(_, rows)| rows.iter().copied().flatten())
}

pub(crate) fn names(index: &'static Index) -> impl Iterator<Item = &'static str> {
    std::iter::once(index.name).chain(index.aliases.iter().copied())
}

static BY_NAME: LazyLock<HashMap<&'static str, &'static Index>> =
    LazyLock::new(|| all().flat_map(|row| names(row).map(move |name| (name, row))).collect());

/// The built-in rows of a key, by names and aliases; titles have the keys that are left.
static BY_KEY: LazyLock<HashMap<String, Vec<&'static Index>>> = LazyLock::new(|| {
    let mut by_key: HashMap<String, Vec<&'static Index>> = HashMap::new();
    for row in all() {
        for name in names(row) {
            let rows = by_key.entry(key(name)).or_default();
            if !rows.contains(&row) {
                rows.push(row);
            }
        }
    }
    for row in all() {
        by_key.entry(key(row.title)).or_insert_with(|| vec![row]);
    }
    by_key
});

/// What suggestions compare a name with.
static PHRASES: LazyLock<Phrases> = LazyLock::new(|| Phrases::of(all()));

/// The rows that users define.
#[derive(Default)]
struct Defined {
    /// In the order in which they were defined.
    rows: Vec<&'static Index>,
    by_name: HashMap<&'static str, &'static Index>,
    /// How often that has changed.
    version: u64,
}

static DEFINED: RwLock<Option<Defined>> = RwLock::new(None);

fn read() -> RwLockReadGuard<'static, Option<Defined>> {
    // A change is made last and in one go, so what a panic leaves is whole.
    DEFINED.read().unwrap_or_else(PoisonError::into_inner)
}

fn write() -> RwLockWriteGuard<'static, Option<Defined>> {
    DEFINED.write().unwrap_or_else(PoisonError::into_inner)
}

/// The row of a name or alias, built in or defined: as it stands, else in any case of letters, with
/// spaces or hyphens, or the title.
///
/// # Errors
/// [`Refusal::Index`] for a name that no row has, or several in this spelling, with what to call
/// instead or the names that come nearest.
pub fn find(name: &str) -> Result<&'static Index> {
    known(name).map_or_else(|| spelled(name), Ok)
}

/// The row of a name that no row has as it stands.
#[cold]
fn spelled(name: &str) -> Result<&'static Index> {
    let refused = |rest: String| {
        Err(Refusal::Index {
            name: name.to_owned(),
            problem: format!("is not the name of an index{rest}"),
        })
    };
    if let Some(answer) = elsewhere::literal(name) {
        return refused(format!(": {answer}"));
    }
    if let Some(row) = elsewhere::symbol(name).and_then(built_in) {
        return Ok(row);
    }
    let asked = key(name);
    let found = of_key(&asked);
    match found.as_slice() {
        [] => {}
        [only] => return Ok(only),
        several => {
            let names: Vec<&str> = several.iter().map(|row| row.name).collect();
            return refused(format!(" as it is written; it may be {}", names.join(" or ")));
        }
    }
    let only_one = |key: &str| match of_key(key).as_slice() {
        [only] => Some(*only),
        _ => None,
    };
    match elsewhere::meant(&asked, only_one) {
        Meant::Row(row) => Ok(row),
        Meant::Told(answer) => refused(format!(": {answer}")),
        Meant::Unknown => refused(hint_among(name, std::iter::empty())),
    }
}

/// The rows, built in and defined, that have a name with this key.
fn of_key(asked: &str) -> Vec<&'static Index> {
    if asked.is_empty() {
        return Vec::new();
    }
    let of_users = defined().filter(|row| names(row).any(|name| key(name) == asked));
    let built_in = BY_KEY.get(asked).into_iter().flatten().copied();
    built_in.chain(of_users).collect()
}

/// The row of a name or alias as it stands.
pub(crate) fn known(name: &str) -> Option<&'static Index> {
    let of_user = || read().as_ref()?.by_name.get(name).copied();
    built_in(name).or_else(of_user)
}

/// The rows that users defined, in the order in which they did.
pub fn defined() -> impl Iterator<Item = &'static Index> {
    let rows = read().as_ref().map(|all| all.rows.clone());
    rows.unwrap_or_default().into_iter()
}

/// A number that changes whenever a row is defined or taken away.
#[cfg(feature = "python")]
pub(crate) fn version() -> u64 {
    read().as_ref().map_or(0, |all| all.version)
}

/// Registers a row under its name and aliases, none of them a built-in row's. `known` is the row if
/// it was made before, else `make` makes it. With `replace` it takes the place of the row that has
/// its name.
///
/// # Errors
/// [`Refusal::Argument`] for a name that is taken; what `make` refuses.
pub(crate) fn register(
    names_of_row: &[&str],
    replace: bool,
    known: Option<&'static Index>,
    make: impl FnOnce() -> Result<&'static Index>,
) -> Result<&'static Index> {
    let mut defined = write();
    let all = defined.get_or_insert_default();
    let old = names_of_row.first().and_then(|name| all.by_name.get(name).copied());
    if let Some(row) = known.filter(|row| old.is_some_and(|old| std::ptr::eq(old, *row))) {
        return Ok(row);
    }
    for (place, name) in names_of_row.iter().enumerate() {
        let Some(other) = all.by_name.get(name).copied() else {
            continue;
        };
        let is_own = Some(&other.name) == names_of_row.first();
        if is_own && replace {
            continue;
        }
        let expected = if is_own {
            "a name that is free, or replace=True".to_owned()
        } else {
            format!("a name that is free: {} has it", other.name)
        };
        let argument = if place == 0 { "name" } else { "aliases" };
        return Err(Refusal::argument(argument, format!("{name:?}"), expected));
    }
    let row = known.map_or_else(make, Ok)?;
    match old.and_then(|old| all.rows.iter().position(|row| std::ptr::eq(*row, old))) {
        Some(place) => {
            for name in names(all.rows[place]) {
                all.by_name.remove(name);
            }
            all.rows[place] = row;
        }
        None => all.rows.push(row),
    }
    all.by_name.extend(names(row).map(|name| (name, row)));
    all.version += 1;
    Ok(row)
}

/// Takes away an index that a user defined. Definitions that used it stay as they are.
///
/// # Errors
/// [`Refusal::Argument`] for a built-in row, [`Refusal::Index`] for a name that no row has.
pub fn undefine(name: &str) -> Result<()> {
    let row = find(name)?;
    let mut defined = write();
    let all = defined.get_or_insert_default();
    let Some(place) = all.rows.iter().position(|other| std::ptr::eq(*other, row)) else {
        let expected = "the name of an index that was defined with define_index";
        return Err(Refusal::argument("name", format!("{name:?}"), expected));
    };
    all.rows.remove(place);
    for name in names(row) {
        all.by_name.remove(name);
    }
    all.version += 1;
    Ok(())
}

/// The built-in row that has a name or alias.
pub(crate) fn built_in(name: &str) -> Option<&'static Index> {
    BY_NAME.get(name).copied()
}

/// Up to three names of indices, or other names that would do, that come near: the rest of a
/// sentence.
pub(crate) fn hint_among<'a>(name: &str, others: impl Iterator<Item = &'a str>) -> String {
    suggestion::hint(name, &[&PHRASES, &Phrases::of(defined())], others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_aliases_find_their_row() {
        for row in all() {
            for name in names(row) {
                assert_eq!(find(name).unwrap().name, row.name, "{name} is used twice");
            }
        }
        assert_eq!(find("tpr").unwrap().name, "recall");
        assert_eq!(find("tnr").unwrap().name, "specificity");
    }

    #[test]
    fn an_unknown_name_is_refused_with_a_hint() {
        let sentence = |name: &str| find(name).unwrap_err().to_string();
        assert!(sentence("recal").contains(r#"did you mean "recall""#));
        assert!(sentence("Balanced Acuracy").contains("balanced_accuracy"));
        assert!(sentence("zzzzzzzz").contains("indices()"));
    }

    /// Names that mean something else in capitals elsewhere.
    const OTHERWISE: [&str; 1] = ["csi"];

    #[test]
    fn every_spelling_of_a_name_finds_its_row() {
        for row in all() {
            for name in names(row).filter(|name| !OTHERWISE.contains(name)) {
                for spelling in [
                    name.to_uppercase(),
                    name.replace('_', " "),
                    name.replace('_', "-"),
                    name.replace('_', ""),
                    format!(" {} ", name.replace('_', " ").to_uppercase()),
                ] {
                    let found = find(&spelling).unwrap_or_else(|error| panic!("{error}"));
                    assert_eq!(found.name, row.name, "{spelling}");
                }
            }
        }
    }

    #[test]
    fn titles_find_their_row() {
        for row in all() {
            assert_eq!(find(row.title).unwrap().name, row.name);
        }
    }
}
