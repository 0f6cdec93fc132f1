//! The names nearest to an unknown one, by letters and by meaning.
//!
//! 1. By letters, for typos: Levenshtein's distance to every name and alias.
//! 2. By meaning: the weight of the words that the name and a phrase (a name, an alias or a title)
//!    share, twice, divided by the weight of all words of both. Rare words weigh most. Words of the
//!    explanation help a row that names and titles almost suggest.
//! 3. A row gets the higher of the two likenesses, and the nearest three rows are named.
//!
//! Cost: a pass over some thousand short phrases, well below a millisecond. Names of more than 100
//! characters never come here.

use std::collections::HashMap;

use crate::index::names::spelling::{key, words};
use crate::index::row::Index;

/// The most names that are suggested.
const MOST: usize = 3;
/// The least likeness of a suggestion, and the least share of the likeness of the nearest one.
const LEAST: f64 = 0.5;
const OF_NEAREST: f64 = 0.75;
/// The likeness of a name that contains the whole unknown name.
const WITHIN: f64 = 0.55;
/// The most that words of an explanation add.
const OF_ABOUT: f64 = 0.2;
/// The likeness of two words if one begins with the other, or if they differ by one letter.
const SIMILAR: f64 = 0.8;

/// Words that say little about which index is meant.
const COMMON: &str = "a an and at by class classes coefficient curve for in index measure metric \
    model of on per prediction predictions rate ratio score scores statistic the to top value \
    which with";
/// The weight of a common word, and of a word that no phrase has or that replaces a user's word.
const WEIGHT_OF_COMMON: f64 = 0.2;
const WEIGHT_OF_STRANGE: f64 = 0.4;
/// The most words of a name that are compared.
const MOST_WORDS: usize = 8;

/// Words of users, and the registry's word for each.
const SYNONYMS: [(&str, &str); 9] = [
    ("alarms", "positive"),
    ("area", "auc"),
    ("centile", "fraction"),
    ("correct", "accuracy"),
    ("correctness", "accuracy"),
    ("decile", "fraction"),
    ("percent", "fraction"),
    ("percentage", "fraction"),
    ("wrong", "error"),
];

/// A name, an alias or a title.
struct Phrase {
    row: usize,
    key: String,
    /// See [`letters`].
    letters: u64,
    /// The name to show if the letters led to it.
    name: &'static str,
    words: Vec<usize>,
}

/// The phrases of some rows, ready for comparison.
pub(crate) struct Phrases {
    rows: Vec<(&'static Index, String)>,
    all: Vec<Phrase>,
    vocabulary: Vec<(String, f64)>,
}

impl Phrases {
    pub(crate) fn of(rows: impl Iterator<Item = &'static Index>) -> Self {
        let mut found = Self { rows: Vec::new(), all: Vec::new(), vocabulary: Vec::new() };
        let mut places = HashMap::new();
        for row in rows {
            let own = std::iter::once(row.name).chain(row.aliases.iter().copied());
            for (place, name) in own.chain([row.title]).enumerate() {
                let mut of_phrase: Vec<usize> =
                    words(name).into_iter().map(|word| found.place(word, &mut places)).collect();
                of_phrase.sort_unstable();
                of_phrase.dedup();
                let is_title = place > row.aliases.len();
                let key = if is_title { String::new() } else { key(name) };
                found.all.push(Phrase {
                    row: found.rows.len(),
                    letters: letters(&key),
                    key,
                    name,
                    words: of_phrase,
                });
            }
            found.rows.push((row, row.about.to_lowercase()));
        }
        for phrase in &found.all {
            for &word in &phrase.words {
                found.vocabulary[word].1 += 1.0;
            }
        }
        let phrases = found.all.len() as f64;
        for (word, weight) in &mut found.vocabulary {
            *weight = rarity(word, phrases / *weight);
        }
        found
    }

    fn place(&mut self, word: String, places: &mut HashMap<String, usize>) -> usize {
        *places.entry(word).or_insert_with_key(|word| {
            self.vocabulary.push((word.clone(), 0.0));
            self.vocabulary.len() - 1
        })
    }

    /// The likeness of each row, and the name to show.
    fn nearest(&self, name: &str) -> Vec<(f64, &'static str)> {
        let (wanted, asked) = (key(name), asked(name));
        let wanted_letters = letters(&wanted);
        let most = self.all.len() as f64;
        // How well each word of the vocabulary fits one of the asked words.
        let mut fits = vec![0.0_f64; self.vocabulary.len()];
        let mut weight_asked = 0.0;
        for (word, is_strange) in &asked {
            let mut weight = WEIGHT_OF_STRANGE * rarity(word, most);
            for (place, (known, known_weight)) in self.vocabulary.iter().enumerate() {
                let fit = likeness(word, known);
                fits[place] = fits[place].max(fit);
                if fit == 1.0 && !is_strange {
                    weight = *known_weight;
                }
            }
            weight_asked += weight;
        }
        let mut best: Vec<(f64, &'static str)> =
            self.rows.iter().map(|(row, _)| (0.0, row.name)).collect();
        for phrase in &self.all {
            let weights = || phrase.words.iter().map(|&word| self.vocabulary[word].1);
            let shared: f64 =
                phrase.words.iter().map(|&word| fits[word] * self.vocabulary[word].1).sum();
            // Common words alone do not name an index.
            let is_meant = phrase
                .words
                .iter()
                .any(|&word| fits[word] > 0.0 && !is_common(&self.vocabulary[word].0));
            let by_meaning =
                if is_meant { 2.0 * shared / (weight_asked + weights().sum::<f64>()) } else { 0.0 };
            let (row, _) = self.rows[phrase.row];
            let differ = (phrase.letters ^ wanted_letters).count_ones() as usize;
            let may_be_near = differ <= 2 * near(&wanted).max(1);
            let by_letters = (by_letters(&wanted, &phrase.key, may_be_near), phrase.name);
            for (score, shown) in [(by_meaning, row.name), by_letters] {
                if score > best[phrase.row].0 {
                    best[phrase.row] = (score, shown);
                }
            }
        }
        for ((score, _), (_, about)) in best.iter_mut().zip(&self.rows) {
            // The explanation decides only where names and titles nearly do: a word may be in many
            // explanations.
            if asked.len() > 1 && (LEAST - OF_ABOUT..LEAST).contains(score) {
                let told = asked
                    .iter()
                    .filter(|(word, _)| !is_common(word) && about.contains(word.as_str()));
                *score += OF_ABOUT * told.count() as f64 / asked.len().max(1) as f64;
            }
        }
        best.retain(|&(score, _)| score >= LEAST);
        best
    }
}

/// The words of a name, without numbers, and whether the registry's word replaced the user's.
fn asked(name: &str) -> Vec<(String, bool)> {
    let mut asked = words(name);
    asked.retain(|word| word.chars().any(|letter| !letter.is_ascii_digit()));
    asked.truncate(MOST_WORDS);
    let synonym = |word: String| match SYNONYMS.iter().find(|(from, _)| *from == word) {
        Some((_, other)) => ((*other).to_owned(), true),
        None => (word, false),
    };
    asked.into_iter().map(synonym).collect()
}

fn is_common(word: &str) -> bool {
    COMMON.split(' ').any(|common| common == word)
}

fn rarity(word: &str, share: f64) -> f64 {
    let weight = share.max(1.0).ln().max(0.5);
    if is_common(word) { WEIGHT_OF_COMMON * weight } else { weight }
}

fn likeness(asked: &str, known: &str) -> f64 {
    if asked == known {
        return 1.0;
    }
    if is_common(asked) {
        return 0.0;
    }
    let shorter = asked.len().min(known.len());
    let is_similar = shorter >= 3 && known.starts_with(asked)
        || shorter >= 5 && asked.starts_with(known)
        || shorter >= 4
            && asked.len().abs_diff(known.len()) <= 1
            && distance(asked, known) <= near(asked).min(1);
    if is_similar { SIMILAR } else { 0.0 }
}

/// How many letters may differ: one of four. Digits are no typos.
fn near(wanted: &str) -> usize {
    wanted.chars().filter(|letter| !letter.is_ascii_digit()).count() / 4
}

/// A bit for each letter that occurs: an edit changes at most two bits.
fn letters(key: &str) -> u64 {
    key.bytes().fold(0, |letters, byte| letters | 1 << (byte % 64))
}

/// One minus the share of letters that differ. It is 0 if more than a quarter differ; one letter
/// may always be missing from a name of three letters or more.
fn by_letters(wanted: &str, known: &str, may_be_near: bool) -> f64 {
    if wanted.is_empty() || known.is_empty() {
        return 0.0;
    }
    let is_cut = wanted.len() > 2 && known.len() > wanted.len();
    let near = near(wanted).max(usize::from(is_cut));
    if may_be_near && known.len().abs_diff(wanted.len()) <= near {
        let distance = distance(wanted, known);
        if distance <= near {
            return (1.0 - distance as f64 / wanted.chars().count() as f64).max(LEAST);
        }
    }
    if is_cut && known.contains(wanted) { WITHIN } else { 0.0 }
}

/// Up to three names of indices, or of `others`, that are near: the rest of a sentence.
pub(crate) fn hint<'a>(
    name: &str,
    rows: &[&Phrases],
    others: impl Iterator<Item = &'a str>,
) -> String {
    let wanted = key(name);
    let mut nearest: Vec<(f64, &'a str)> = rows
        .iter()
        .flat_map(|rows| rows.nearest(name))
        .map(|(score, name)| -> (f64, &'a str) { (score, name) })
        .chain(others.map(|other| (by_letters(&wanted, &key(other), true), other)))
        .filter(|&(score, _)| score >= LEAST)
        .collect();
    nearest.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    nearest.dedup_by_key(|&mut (_, name)| name);
    let least = nearest.first().map_or(0.0, |first| OF_NEAREST * first.0);
    let quoted: Vec<String> = nearest
        .iter()
        .take_while(|&&(score, _)| score >= least)
        .take(MOST)
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
    use crate::index::registry::all;

    #[test]
    fn distances_are_levenshteins() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "ab"), 2);
        assert_eq!(distance("same", "same"), 0);
    }

    #[test]
    fn suggestions_go_by_meaning() {
        let rows = Phrases::of(all());
        for (name, wanted) in [
            ("sensitivity score value", "recall"),
            ("rate of false positives", "fpr"),
            ("coefficient of matthews correlation", "mcc"),
            ("lift at 10 percent", "enrichment_factor"),
            ("precision in the top 5 %", "top_precision"),
            ("roc curve area", "roc_auc"),
            ("calibration error expected", "expected_calibration_error"),
            ("percentage of correct predictions", "accuracy"),
            ("balanced acc", "balanced_accuracy"),
            ("agreement beyond chance cohen", "kappa"),
        ] {
            let said = hint(name, &[&rows], std::iter::empty());
            assert!(said.contains(&format!("{wanted:?}")), "{name}: {said}");
        }
        for name in ["zzzzzzzz", "foo", "top_5"] {
            let said = hint(name, &[&rows], std::iter::empty());
            assert!(said.contains("indices()"), "{name}: {said}");
        }
    }
}
