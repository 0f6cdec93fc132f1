//! Every row, and the way from a name to its row.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::base::error::{Refusal, Result};
use crate::index::row::Index;
use crate::index::rows::scores::{area, calibration, early_recognition, probability, ranking};
use crate::index::rows::{
    agreement, amounts, association, correlation, cost, diagnosis, entropy, inference, overall,
    overlap, rates, similarity,
};
use crate::index::user::define::{defined, find_defined};

/// The rows, by family.
pub static FAMILIES: [(&str, &[Index]); 17] = [
    ("amounts", amounts::ROWS),
    ("rates", rates::ROWS),
    ("diagnosis", diagnosis::ROWS),
    ("overlap", overlap::ROWS),
    ("similarity", similarity::ROWS),
    ("overall", overall::ROWS),
    ("agreement", agreement::ROWS),
    ("correlation", correlation::ROWS),
    ("association", association::ROWS),
    ("entropy", entropy::ROWS),
    ("inference", inference::ROWS),
    ("cost", cost::ROWS),
    ("ranking", ranking::ROWS),
    ("area", area::ROWS),
    ("screening", early_recognition::ROWS),
    ("probability", probability::ROWS),
    ("calibration", calibration::ROWS),
];

/// Every row of the crate's own, in the order of the families; [`defined`] has those of users.
pub fn all() -> impl Iterator<Item = &'static Index> {
    FAMILIES.iter().flat_map(|(_, rows)| rows.iter())
}

pub(crate) fn names(index: &'static Index) -> impl Iterator<Item = &'static str> {
    std::iter::once(index.name).chain(index.aliases.iter().copied())
}

static BY_NAME: LazyLock<HashMap<&'static str, &'static Index>> = LazyLock::new(|| {
    all()
        .flat_map(|row| names(row).map(move |name| (name, row)))
        .collect()
});

/// The row of a name or alias.
///
/// # Errors
/// [`Refusal::Index`] for a name that no row has, with the names that come nearest.
pub fn find(name: &str) -> Result<&'static Index> {
    if let Some(row) = built_in(name).or_else(|| find_defined(name)) {
        return Ok(row);
    }
    Err(Refusal::Index {
        name: name.to_owned(),
        problem: format!(
            "is not the name of an index{}",
            hint_among(name, std::iter::empty())
        ),
    })
}

/// The row of the crate's own that has a name or alias.
pub(crate) fn built_in(name: &str) -> Option<&'static Index> {
    BY_NAME.get(name).copied()
}

/// Up to three names of indices, or other names that would do, that come near: the rest of a sentence.
pub(crate) fn hint_among<'a>(name: &str, others: impl Iterator<Item = &'a str>) -> String {
    let wanted = name.to_lowercase().replace([' ', '-'], "_");
    let near = (wanted.chars().count() / 3).max(1);
    let rows = all().chain(defined()).flat_map(names);
    let mut nearest: Vec<(usize, &str)> = rows
        .map(|name| -> &'a str { name })
        .chain(others)
        .map(|known| (distance(&wanted, known), known))
        .filter(|&(distance, known)| {
            distance <= near || wanted.len() > 2 && known.contains(wanted.as_str())
        })
        .collect();
    nearest.sort_unstable();
    let quoted: Vec<String> = nearest
        .iter()
        .take(3)
        .map(|(_, known)| format!("{known:?}"))
        .collect();
    match quoted.as_slice() {
        [] => "; rocksteady.indices() lists them".to_owned(),
        [only] => format!("; did you mean {only}?"),
        [others @ .., last] => format!("; did you mean {} or {last}?", others.join(", ")),
    }
}

/// Levenshtein's distance: the least number of letters to insert, delete or replace.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
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

    #[test]
    fn distances_are_levenshteins() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "ab"), 2);
        assert_eq!(distance("same", "same"), 0);
    }
}
