//! Every row, and the way from a name to its row.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{
    Index, agreement, amounts, association, correlation, cost, diagnosis, entropy, inference,
    overall, overlap, probability, ranking, rates, similarity,
};
use crate::error::{Refusal, Result};

/// The rows, by family.
pub static FAMILIES: [(&str, &[Index]); 14] = [
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
    ("probability", probability::ROWS),
];

/// Every row, in the order of the families.
pub fn all() -> impl Iterator<Item = &'static Index> {
    FAMILIES.iter().flat_map(|(_, rows)| rows.iter())
}

fn names(index: &'static Index) -> impl Iterator<Item = &'static str> {
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
    BY_NAME.get(name).copied().ok_or_else(|| Refusal::Index {
        name: name.to_owned(),
        problem: format!("is not the name of an index{}", hint(name)),
    })
}

/// Up to three names that come near, as the rest of a sentence.
fn hint(name: &str) -> String {
    let wanted = name.to_lowercase().replace([' ', '-'], "_");
    let near = (wanted.chars().count() / 3).max(1);
    let mut nearest: Vec<(usize, &str)> = all()
        .flat_map(names)
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
