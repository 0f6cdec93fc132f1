//! Rows that users define while the program runs.
//!
//! 1. Check the definition, and parse its expression into a program.
//! 2. Make a row, unless the same definition was made into one before. A row lives as long as the
//!    process, so that callers may keep it; the number of different rows is limited.
//! 3. Register the row under its names ([`crate::index::registry`]).

use std::sync::{Mutex, PoisonError};

use crate::base::error::{Refusal, Result, shown};
use crate::index::form::{Form, Reads};
use crate::index::parameter::{Parameter, Parameters};
use crate::index::registry::{built_in, register};
use crate::index::row::{Better, Index, reading};
use crate::index::sketched::form::Sketched;
use crate::index::user::MOST_CHARACTERS;
use crate::index::user::parse::{is_word, program_of};
use crate::index::user::program::Program;
use crate::labels::view::{BinaryCounts, MatrixView};
use crate::scores::calibration::probability_sums::ProbabilityView;
use crate::scores::ranking::Ranking;

/// The most different definitions in a process.
const MOST_DEFINITIONS: usize = 10_000;

/// The most aliases of a definition.
const MOST_ALIASES: usize = 100;

/// Keywords of calls that take an index's parameters by name: a parameter with such a name could
/// not be set.
const TAKEN: [&str; 12] = [
    "absent",
    "all",
    "average",
    "labels",
    "matrix",
    "maximize",
    "minimize",
    "name",
    "scale",
    "self",
    "subject_to",
    "zero_division",
];

const UNDEFINED: &str = "Where it divides by zero, takes a root or a logarithm that there is not, leaves the range of numbers, \
    or an index in it is undefined.";

/// A user's definition of an index. Only the name and the expression are required.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    /// The name.
    pub name: String,
    /// The expression over counts and indices: [`define`] has the grammar.
    pub expression: String,
    /// Parameters of its own, with their defaults.
    pub parameters: Vec<(String, f64)>,
    /// Other names that find it.
    pub aliases: Vec<String>,
    /// The name in full words; the name itself if empty.
    pub title: String,
    /// What the index tells.
    pub about: String,
    /// The least and the greatest possible value.
    pub range: (f64, f64),
    /// Which values are better.
    pub better: Better,
    /// The source of the definition.
    pub source: String,
}

impl Definition {
    /// A definition of a name and an expression alone.
    pub fn new(name: impl Into<String>, expression: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            expression: expression.into(),
            parameters: Vec::new(),
            aliases: Vec::new(),
            title: String::new(),
            about: String::new(),
            range: (f64::NEG_INFINITY, f64::INFINITY),
            better: Better::Higher,
            source: String::new(),
        }
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(String::as_str)
    }
}

struct Made {
    definition: Definition,
    row: &'static Index,
}

/// All rows that were made, so that the same definition gives the same row.
static MADE: Mutex<Vec<Made>> = Mutex::new(Vec::new());

/// Makes an index from an expression; it can then be used wherever one of the crate's own can.
///
/// The expression may hold
///
/// - the counts `tp`, `fp`, `fn`, `tn`, their sum `n`, and `actual_positives`, `actual_negatives`,
///   `predicted_positives`, `predicted_negatives`;
/// - indices by any of their names, with parameters if need be: `fbeta(beta=2)`;
/// - numbers, and the definition's own parameters;
/// - `+ - * /`, `^` or `**` for powers, and parentheses;
/// - `sqrt`, `ln`, `log2`, `log10`, `exp`, `probit` and `abs` of one number, `min` and `max` of several.
///
/// It has a value for every statistic that gives all of its parts: with counts in it for 2×2
/// tables; with `n` and indices of matrices for matrices; and so for scores and probabilities. If a
/// part is undefined, the expression is undefined for the same reason; a part with a conventional
/// value counts as this value. Indices in the expression are resolved now: replacing their
/// definitions later does not change this one.
///
/// The same definition again gives the existing row. Another definition of the same name is refused
/// unless `replace` is set. The names of built-in rows can never be taken.
///
/// # Errors
/// [`Refusal::Expression`] with the place for an expression that cannot be read;
/// [`Refusal::Argument`] for a name that is taken or is none, for too many parameters or aliases,
/// for a range or default that is not a number, and for more definitions than a process may hold.
///
/// ```
/// use rocksteady_derive::index;
/// use rocksteady_derive::index::parameter::Parameters;
/// use rocksteady_derive::index::user::define::Definition;
/// use rocksteady_derive::labels::view::BinaryCounts;
///
/// let mut definition = Definition::new("profit", "gain*tp - loss*fp");
/// definition.parameters = vec![("gain".to_owned(), 10.0), ("loss".to_owned(), 1.0)];
/// let profit = index::define(&definition, false)?;
/// let counts = BinaryCounts { tp: 5.0, fp: 2.0, fn_: 1.0, tn: 9.0 };
/// assert_eq!(profit.of_counts(&counts, &Parameters::defaults(profit))?.number, 48.0);
/// let parameters = Parameters::new(profit, &[("gain", 3.0)], None)?;
/// assert_eq!(index::find("profit")?.of_counts(&counts, &parameters)?.number, 13.0);
/// index::undefine("profit")?;
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn define(definition: &Definition, replace: bool) -> Result<&'static Index> {
    check(definition)?;
    let text = definition.expression.as_str();
    let (program, domains) = program_of(text, &definition.name, &definition.parameters)?;

    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |made: &&Made| made.definition == *definition && made.row.program == Some(&program);
    let known = made.iter().find(same).map(|made| made.row);
    let names: Vec<&str> = definition.names().collect();
    register(&names, replace, known, || {
        if made.len() == MOST_DEFINITIONS {
            let expected = format!(
                "at most {MOST_DEFINITIONS} different definitions; what varies may be a parameter"
            );
            let found = format!("{:?}", definition.name);
            return Err(Refusal::argument("name", found, expected));
        }
        let row = row(definition, Box::leak(Box::new(program)), &domains);
        made.push(Made { definition: definition.clone(), row });
        Ok(row)
    })
}

/// A row for an expression that has no name, such as `2*tp - fp`; the look-up does not find it.
///
/// The same expression again gives the same row.
///
/// # Errors
/// [`Refusal::Expression`] as [`define`]; [`Refusal::Argument`] for more expressions than a process
/// may hold.
///
/// ```
/// use rocksteady_derive::index;
///
/// let row = index::of_expression("2*tp - fp")?;
/// assert_eq!(row.formula, "2*tp - fp");
/// assert!(index::find(row.name).is_err());
/// # Ok::<(), rocksteady_derive::base::error::Refusal>(())
/// ```
pub fn of_expression(expression: &str) -> Result<&'static Index> {
    let mut definition = Definition::new(expression, expression);
    definition.better = Better::Neither;
    let (program, domains) = program_of(expression, "", &[])?;
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let known = made
        .iter()
        .find(|made| made.definition == definition && made.row.program == Some(&program));
    if let Some(known) = known {
        return Ok(known.row);
    }
    if made.len() == MOST_DEFINITIONS {
        let expected = format!("at most {MOST_DEFINITIONS} different expressions");
        return Err(Refusal::argument("name", format!("{expression:?}"), expected));
    }
    let row = row(&definition, Box::leak(Box::new(program)), &domains);
    made.push(Made { definition, row });
    Ok(row)
}

/// Refuses bad or taken names, and numbers that are not finite.
fn check(definition: &Definition) -> Result<()> {
    if definition.aliases.len() > MOST_ALIASES {
        let found = format!("a list of {}", definition.aliases.len());
        let expected = format!("at most {MOST_ALIASES} names");
        return Err(Refusal::argument("aliases", found, expected));
    }
    for (place, name) in definition.names().enumerate() {
        let argument = argument(definition, name);
        check_name(argument, name)?;
        if let Some(row) = built_in(name) {
            let expected =
                format!("a name that is free: {} is an index of rocksteady's own", row.name);
            return Err(Refusal::argument(argument, shown(name), expected));
        }
        if definition.names().take(place).any(|other| other == name) {
            return Err(Refusal::argument("aliases", shown(name), "each name once"));
        }
    }
    if definition.parameters.len() > Parameters::MOST {
        let found = format!("a set of {}", definition.parameters.len());
        let expected = format!("at most {} parameters", Parameters::MOST);
        return Err(Refusal::argument("parameters", found, expected));
    }
    for (place, (name, default)) in definition.parameters.iter().enumerate() {
        check_name("parameters", name)?;
        if TAKEN.contains(&name.as_str()) {
            let expected = "another name: calls that take parameters have this word themselves";
            return Err(Refusal::argument("parameters", shown(name), expected));
        }
        if !default.is_finite() {
            let expected = "finite numbers as defaults";
            return Err(Refusal::argument(
                "parameters",
                format!("{default} for {}", shown(name)),
                expected,
            ));
        }
        if definition.parameters[..place].iter().any(|other| other.0 == *name) {
            return Err(Refusal::argument("parameters", shown(name), "each name once"));
        }
    }
    let (low, high) = definition.range;
    if low.is_nan() || high.is_nan() || low > high {
        let expected = "a lower and an upper end";
        return Err(Refusal::argument("low", format!("{low} with high {high}"), expected));
    }
    for (argument, text) in
        [("title", &definition.title), ("about", &definition.about), ("source", &definition.source)]
    {
        if text.len() > MOST_CHARACTERS {
            let expected = format!("at most {MOST_CHARACTERS}");
            return Err(Refusal::argument(
                argument,
                format!("{} bytes long", text.len()),
                expected,
            ));
        }
        if text.chars().any(char::is_control) {
            let expected = "words on one line, without control characters";
            return Err(Refusal::argument(argument, format!("{text:?}"), expected));
        }
    }
    Ok(())
}

/// The argument that holds a name of a definition.
fn argument(definition: &Definition, name: &str) -> &'static str {
    if name == definition.name { "name" } else { "aliases" }
}

fn check_name(argument: &'static str, name: &str) -> Result<()> {
    let mut characters = name.chars();
    let first = characters.next();
    let is_name = first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.len() <= 100;
    let expected = if !is_name {
        "letters, digits and underscores, no digit first, 100 at most"
    } else if name == "and" || is_word(name) {
        "another name: expressions have this word already"
    } else {
        return Ok(());
    };
    Err(Refusal::argument(argument, shown(name), expected))
}

fn leaked(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// The row of a definition.
fn row(
    definition: &Definition,
    program: &'static Program<Index>,
    domains: &[crate::index::parameter::Domain],
) -> &'static Index {
    let words: Vec<&str> = definition.expression.split_whitespace().collect();
    let aliases: Vec<&'static str> = definition.aliases.iter().map(|a| leaked(a)).collect();
    let parameters: Vec<Parameter> = definition
        .parameters
        .iter()
        .zip(domains)
        .map(|((name, default), &domain)| Parameter {
            name: leaked(name),
            default: Some(*default),
            domain,
            about: "",
            two_classes: false,
        })
        .collect();
    let title = if definition.title.is_empty() { &definition.name } else { &definition.title };
    let mut forms: Vec<Form> = Vec::new();
    if program.has_counts() {
        forms.push(Form::Counts(Box::leak(Box::new(|c: &BinaryCounts, own: &Parameters| {
            program.of_counts(c, own)
        }))));
    }
    if program.has_matrix() {
        forms.push(Form::Matrix(Box::leak(Box::new(|m: &MatrixView, own: &Parameters| {
            program.of_matrix(m, own)
        }))));
    }
    if program.has_class() {
        forms.push(Form::Class(Box::leak(Box::new(|m: &MatrixView, class, own: &Parameters| {
            program.of_class(m, class, own)
        }))));
    }
    if program.has_scores() {
        let form = |table: &Ranking, own: &Parameters| program.of_scores(table, own);
        forms.push(Form::Scores(Reads::Table, Box::leak(Box::new(form))));
    }
    if program.has_probabilities() {
        let form = |sums: &ProbabilityView, own: &Parameters| program.of_probabilities(sums, own);
        forms.push(Form::Probabilities(Box::leak(Box::new(form))));
    }
    Box::leak(Box::new(Index {
        name: leaked(&definition.name),
        aliases: Vec::leak(aliases),
        title: leaked(title),
        formula: leaked(&words.join(" ")),
        about: leaked(&definition.about),
        range: definition.range,
        better: definition.better,
        undefined: if program.may_be_undefined() { UNDEFINED } else { "" },
        source: leaked(&definition.source),
        parameters: Vec::leak(parameters),
        program: Some(program),
        sketched: Sketched::No("no bounds are known of this index"),
        ..reading(Vec::leak(forms))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::registry::{defined, find, undefine};

    /// All tests share the table of definitions, so each test has names of its own.
    fn value(name: &str) -> f64 {
        let row = find(name).unwrap();
        let counts = BinaryCounts { tp: 5.0, fp: 2.0, fn_: 3.0, tn: 10.0 };
        let defaults = Parameters::defaults(row);
        row.of_counts(&counts, &defaults).unwrap().number
    }

    fn refused(definition: &Definition, replace: bool) -> String {
        define(definition, replace).unwrap_err().to_string()
    }

    #[test]
    fn a_definition_is_found_replaced_and_taken_away() {
        let mut first = Definition::new("first_of_mine", "tp + 1");
        first.aliases = vec!["fom".to_owned()];
        let row = define(&first, false).unwrap();
        assert!(std::ptr::eq(row, find("fom").unwrap()));
        assert!(std::ptr::eq(row, define(&first, false).unwrap()));
        let user = define(&Definition::new("user_of_mine", "2*fom"), false).unwrap();
        let other = Definition::new("first_of_mine", "tp + 2");
        assert!(refused(&other, false).contains("a name that is free, or replace=True"));
        let second = define(&other, true).unwrap();
        assert!(!std::ptr::eq(row, second) && find("fom").is_err());
        assert_eq!((value("first_of_mine"), value("user_of_mine")), (7.0, 12.0));
        // Nor can definitions form a circle.
        let circle = Definition::new("first_of_mine", "user_of_mine + 1");
        define(&circle, true).unwrap();
        assert_eq!((value("first_of_mine"), value("user_of_mine")), (13.0, 12.0));
        assert!(std::ptr::eq(define(&first, true).unwrap(), row)); // made once for all
        undefine("fom").unwrap();
        assert!(find("first_of_mine").is_err() && value("user_of_mine") == 12.0);
        assert!(defined().any(|row| std::ptr::eq(row, user)));
        undefine("user_of_mine").unwrap();
    }

    #[test]
    fn names_that_are_taken_or_none_are_refused() {
        for (name, sentence) in [
            ("f1", "f1 is an index of rocksteady's own"),
            ("sensitivity", "recall is an index of rocksteady's own"),
            ("tp", "expressions have this word already"),
            ("max", "expressions have this word already"),
            ("and", "expressions have this word already"),
            ("", "letters, digits"),
            ("1a", "letters, digits"),
            ("a-b", "letters, digits"),
            ("é", "letters, digits"),
        ] {
            for replace in [false, true] {
                let found = refused(&Definition::new(name, "n"), replace);
                assert!(found.starts_with("name is") && found.contains(sentence), "{found}");
            }
        }
        define(&Definition::new("owner_of_mine", "n"), false).unwrap();
        let mut thief = Definition::new("thief_of_mine", "n");
        thief.aliases = vec!["owner_of_mine".to_owned()];
        assert!(refused(&thief, true).contains("owner_of_mine has it"));
        thief.aliases = vec!["thief_of_mine".to_owned()];
        assert!(refused(&thief, true).contains("each name once"));
        thief.aliases = (0..=MOST_ALIASES).map(|i| format!("of_mine_{i}")).collect();
        assert!(refused(&thief, false).contains("at most 100 names"));
        undefine("owner_of_mine").unwrap();
        assert!(undefine("f1").unwrap_err().to_string().contains("define_index"));
    }

    #[test]
    fn parameters_are_its_own_and_have_the_domain_that_they_are_given_for() {
        let mut definition = Definition::new("given_of_mine", "fbeta(beta=b) + a*recall");
        definition.parameters = vec![("b".to_owned(), 1.0), ("a".to_owned(), 0.0)];
        let row = define(&definition, false).unwrap();
        assert_eq!(value("given_of_mine"), value("f1"));
        assert!(Parameters::new(row, &[("b", -1.0)], None).is_err());
        assert!(Parameters::new(row, &[("a", -1.0)], None).is_ok());
        // Copied into another expression, with a number, and with a parameter of the other
        // expression.
        let mut user =
            Definition::new("giver_of_mine", "given_of_mine(b=2) - given_of_mine(b=c, a=1)");
        user.parameters = vec![("c".to_owned(), 2.0)];
        let user = define(&user, false).unwrap();
        assert!((value("giver_of_mine") + value("recall")).abs() < 1e-15);
        assert!(Parameters::new(user, &[("c", -1.0)], None).is_err());
        let mut both = Definition::new("torn_of_mine", "fbeta(beta=b) + cen(base=b)");
        both.parameters = vec![("b".to_owned(), 3.0)];
        assert_eq!(
            define(&both, false).unwrap().parameters[0].domain,
            crate::index::parameter::Domain::AboveOne
        );
        for name in ["given_of_mine", "giver_of_mine", "torn_of_mine"] {
            undefine(name).unwrap();
        }
    }

    #[test]
    fn long_chains_of_definitions_cost_no_more_than_their_steps() {
        define(&Definition::new("chain_of_mine_0", "tp"), false).unwrap();
        let mut last = 0;
        let refusal = loop {
            let text = format!("chain_of_mine_{last} * fp + chain_of_mine_{last}");
            let name = format!("chain_of_mine_{}", last + 1);
            match define(&Definition::new(name, text), false) {
                Ok(_) => last += 1,
                Err(refusal) => break refusal.to_string(),
            }
        };
        assert!(refusal.contains("at most 256 steps"), "{refusal}");
        assert!(value(&format!("chain_of_mine_{last}")) > 1e50);
        for place in 0..=last {
            undefine(&format!("chain_of_mine_{place}")).unwrap();
        }
    }
}
