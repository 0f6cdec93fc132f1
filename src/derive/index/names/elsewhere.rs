//! Names of other packages that no row has, each with what to call instead and what differs.
//!
//! If a row has the same value, the name is an alias of the row. The names here have several
//! meanings, values on another scale, curves or tables, or something that rocksteady does not have.
//! `elsewhere.tsv` lists the names of each package with the row that a name finds, or with the
//! answer that it gets: its own, or the answer of another name. A name with neither is read by its
//! words.

use std::sync::LazyLock;

use crate::index::names::spelling::key;
use crate::index::row::{Index, Law};

const LABELS: &str = "it is about several labels a row: see rocksteady.metrics";

/// Names in the spelling of their package, with their answers: the rest of a sentence. This
/// spelling is asked before the rows, so that `CSI` is not read as `csi`; other spellings come
/// after the rows.
static ANSWERS: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let mut answers: Vec<(&str, &str)> = Vec::new();
    for line in include_str!("elsewhere.tsv").lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, _, name, "", same_as, tells] = fields[..] else { continue };
        let same = answers.iter().find(|(known, _)| *known == same_as);
        let answer = same.map_or(tells, |(_, answer)| answer);
        if !answer.is_empty() {
            answers.push((name, answer));
        }
    }
    answers
});

/// Capital letters of papers and packages. They are no aliases: users define single letters of
/// their own in expressions.
const SYMBOLS: [(&str, &str); 9] = [
    ("F", "f1"),
    ("G", "fowlkes_mallows"),
    ("H", "h_measure"),
    ("J", "jaccard"),
    ("P", "positives"),
    ("Q", "yule_q"),
    ("Y", "informedness"),
    ("f", "f1"),
    ("κ", "kappa"),
];

pub(crate) fn symbol(name: &str) -> Option<&'static str> {
    let found = SYMBOLS.iter().find(|(symbol, _)| *symbol == name);
    found.map(|(_, row)| *row)
}

/// The meaning of a name that no row has.
pub(crate) enum Meant {
    Row(&'static Index),
    /// The rest of a sentence.
    Told(String),
    Unknown,
}

pub(crate) fn literal(name: &str) -> Option<&'static str> {
    answer(|known| known == name)
}

fn answer(is_asked: impl Fn(&str) -> bool) -> Option<&'static str> {
    ANSWERS.iter().find(|(known, _)| is_asked(known)).map(|(_, answer)| *answer)
}

fn of_queries() -> Meant {
    literal("frequency_at_k").map_or(Meant::Unknown, |answer| Meant::Told(answer.to_owned()))
}

/// Words around the name of a row in the names of other packages.
const AROUND: &[(&str, Around)] = &[
    ("1", Around::Complement),
    ("binary", Around::Same),
    ("query", Around::Same),
    ("neg", Around::Negated),
    ("multilabel", Around::Labels),
    ("multiclass", Around::Average("macro")),
    ("macro", Around::Average("macro")),
    ("mean", Around::Average("macro")),
    ("micro", Around::Average("micro")),
    ("weighted", Around::Average("weighted")),
    ("retrieval", Around::Queries),
    ("max", Around::Best),
    ("maximum", Around::Best),
    ("best", Around::Best),
    ("bylabel", Around::PerClass),
    ("perclass", Around::PerClass),
    ("bythreshold", Around::PerThreshold),
];

#[derive(Clone, Copy)]
enum Around {
    Same,
    Complement,
    Negated,
    Average(&'static str),
    Labels,
    Queries,
    Best,
    PerClass,
    PerThreshold,
}

/// The meaning of a key that no row has. `known` gives the row of a key.
pub(crate) fn meant(asked: &str, known: impl Fn(&str) -> Option<&'static Index>) -> Meant {
    if let Some(answer) = answer(|known| key(known) == asked) {
        return Meant::Told(answer.to_owned());
    }
    for (word, around) in AROUND {
        let before = asked.strip_prefix(word).map(|rest| (true, rest));
        let after = asked.strip_suffix(word).map(|rest| (false, rest));
        for (is_before, rest) in before.into_iter().chain(after) {
            let of_rest = || answer(|known| key(known) == rest);
            let row = match (known(rest), around) {
                (Some(row), _) => row,
                (None, Around::Queries) if is_before => return of_queries(),
                (None, Around::Same) if is_before => match of_rest() {
                    Some(answer) => return Meant::Told(answer.to_owned()),
                    None => continue,
                },
                (None, _) => continue,
            };
            let name = row.name;
            let told = match around {
                Around::Same if is_before => return Meant::Row(row),
                Around::Complement if is_before => match complement(row, &known) {
                    Some(other) => return Meant::Row(other),
                    None => format!("it is 1 - {name}; ask for {name}"),
                },
                Around::Negated if is_before => format!(
                    "it is {name} with the sign turned (higher is better); ask for {name} (lower is \
                     better)"
                ),
                Around::Average(how) if row.counts.is_some() => format!(
                    "it is a mean over the classes: cm.value({name:?}, average={how:?}); of one class it \
                     is {name}"
                ),
                Around::Average(how) if row.scores().is_some() => format!(
                    "it is a mean over the classes: tables.value({name:?}, average={how:?}), where tables \
                     is a rocksteady.ScoreTables; of one class it is {name}"
                ),
                Around::Labels => {
                    format!("{LABELS}.{}; of one label it is {name}", function_of(name))
                }
                Around::Queries => return of_queries(),
                Around::Best if row.counts.is_some() => format!(
                    "the best value over all thresholds is table.best({name:?}); at one it is {name}"
                ),
                Around::PerClass => {
                    format!("the values of all classes are cm.every({name:?})")
                }
                Around::PerThreshold => {
                    format!("the values at all thresholds are table.every({name:?})")
                }
                _ => continue,
            };
            return Meant::Told(told);
        }
    }
    Meant::Unknown
}

fn function_of(name: &str) -> String {
    match name {
        "accuracy" | "average_precision" | "f1" | "jaccard" | "precision" | "recall"
        | "roc_auc" => {
            format!("{name}_score")
        }
        _ => "multilabel_confusion_matrix".to_owned(),
    }
}

/// The row that is one minus this row.
fn complement(
    row: &Index,
    known: impl Fn(&str) -> Option<&'static Index>,
) -> Option<&'static Index> {
    row.laws.iter().find_map(|law| match law {
        Law::Complement(other) => known(&key(other)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::registry::{built_in, find};

    #[test]
    fn no_answer_hides_a_row_or_another_answer() {
        let mut seen = std::collections::HashMap::new();
        for (name, answer) in ANSWERS.iter() {
            assert!(built_in(name).is_none(), "{name} is a row");
            assert_eq!(*seen.entry(name).or_insert(answer), answer, "{name} has two answers");
            assert!(find(name).is_err(), "{name}");
        }
    }

    #[test]
    fn complements_are_found() {
        for (name, row) in [("1-specificity", "fpr"), ("1 - recall", "fnr"), ("1-ppv", "fdr")] {
            assert_eq!(find(name).unwrap().name, row);
        }
    }
}
