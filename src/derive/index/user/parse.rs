//! From the text of an expression to its steps.

use crate::base::error::{Refusal, Result};
use crate::base::memory::with_room;
use crate::index::parameter::Domain;
use crate::index::registry::{hint_among, known};
use crate::index::row::Index;
use crate::index::user::program::Program;
use crate::index::user::step::{
    Amount, Argument, Function, Operation, Readable, Reading, Statistics, Step,
};
use crate::index::user::{MOST_CHARACTERS, MOST_NESTED, MOST_STEPS};
use crate::index::value::Undefined;

/// The precedence of operators.
const SUM: u8 = 1;
const PRODUCT: u8 = 2;
const SIGN: u8 = 3;
const POWER: u8 = 4;

const OPERAND: &str = "a number, a count, an index, a function, \"(\" or \"-\"";
const AFTER_OPERAND: &str = "an operator (products are written with *)";

const NOT_ZERO: &str = "a denominator that is not 0";

/// A token of the text.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Number(f64),
    Name(&'a str),
    /// Punctuation; `**` is `^`.
    Sign(char),
    Other(char),
    End,
}

/// The program of an expression, and the domains of its own parameters, which follow from the
/// parameters that they are passed to.
///
/// # Errors
/// [`Refusal::Expression`] with the place; [`Refusal::Argument`] for a text that is too long.
pub(crate) fn program_of(
    text: &str,
    own_name: &str,
    own: &[(String, f64)],
) -> Result<(Program<Index>, Vec<Domain>)> {
    let length = text.chars().count();
    if length > MOST_CHARACTERS {
        let expected = format!("at most {MOST_CHARACTERS}");
        return Err(Refusal::argument("expression", format!("{length} characters long"), expected));
    }
    let mut parser = Parser {
        text,
        start: 0,
        end: 0,
        token: Token::End,
        nested: 0,
        own_name,
        own,
        domains: vec![Domain::Finite; own.len()],
        steps: Vec::new(),
        readings: Vec::new(),
        statistics: Statistics::ANY,
        reads: false,
    };
    parser.advance()?;
    let result = parser.expression(SUM)?;
    if parser.token != Token::End {
        let open = if parser.token == Token::Sign(')') {
            "an operator or the end: no parenthesis is open"
        } else {
            AFTER_OPERAND
        };
        return Err(parser.unexpected(open));
    }
    if !parser.reads {
        return Err(parser.refusal(0, text.trim(), "a count or an index somewhere in it"));
    }
    let program = Program::new(parser.steps, parser.readings, result, parser.statistics);
    Ok((program, parser.domains))
}

/// Whether a name is the name of a count or a function.
pub(crate) fn is_word(name: &str) -> bool {
    words().any(|word| word == name)
}

fn words<'a>() -> impl Iterator<Item = &'a str> {
    let amounts = Amount::NAMED.iter().map(|word| word.0);
    let functions = Function::NAMED.iter().map(|word| word.0);
    amounts.chain(functions).chain(["min", "max"])
}

struct Parser<'a> {
    text: &'a str,
    /// Where the token starts and ends, in bytes.
    start: usize,
    end: usize,
    token: Token<'a>,
    nested: usize,
    own_name: &'a str,
    own: &'a [(String, f64)],
    domains: Vec<Domain>,
    steps: Vec<Step>,
    readings: Vec<Reading<Index>>,
    /// The statistics that give everything read so far.
    statistics: Statistics,
    /// Whether anything was read.
    reads: bool,
}

impl<'a> Parser<'a> {
    fn advance(&mut self) -> Result<()> {
        let rest = self.text[self.end..].trim_start();
        self.start = self.text.len() - rest.len();
        let bytes = rest.as_bytes();
        let count = |from: usize, wanted: fn(&u8) -> bool| {
            bytes[from..].iter().take_while(|byte| wanted(byte)).count()
        };
        let is_digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
        let (token, length) = match rest.chars().next() {
            None => (Token::End, 0),
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {
                let length = count(0, |byte| byte.is_ascii_alphanumeric() || *byte == b'_');
                (Token::Name(&rest[..length]), length)
            }
            Some(first) if first.is_ascii_digit() || first == '.' && is_digit(1) => {
                let mut length = count(0, u8::is_ascii_digit);
                if bytes.get(length) == Some(&b'.') {
                    length += 1 + count(length + 1, u8::is_ascii_digit);
                }
                if matches!(bytes.get(length), Some(b'e' | b'E')) {
                    let sign = usize::from(matches!(bytes.get(length + 1), Some(b'+' | b'-')));
                    if is_digit(length + 1 + sign) {
                        length += 1 + sign;
                        length += count(length, u8::is_ascii_digit);
                    }
                }
                let number = rest[..length].parse().unwrap_or(f64::INFINITY);
                if number == f64::INFINITY {
                    let expected = "a number that a float can hold";
                    return Err(self.refusal(self.start, &rest[..length], expected));
                }
                (Token::Number(number), length)
            }
            Some('*') if rest.starts_with("**") => (Token::Sign('^'), 2),
            Some(sign @ ('(' | ')' | ',' | '=' | '+' | '-' | '*' | '/' | '^')) => {
                (Token::Sign(sign), 1)
            }
            Some(other) => (Token::Other(other), other.len_utf8()),
        };
        self.token = token;
        self.end = self.start + length;
        Ok(())
    }

    /// The step of an operand and of all that follows it with at least this precedence.
    fn expression(&mut self, least: u8) -> Result<usize> {
        self.nested += 1;
        if self.nested > MOST_NESTED {
            return Err(self.unexpected(&format!("at most {MOST_NESTED} levels of nesting")));
        }
        let mut left = self.operand()?;
        while let Token::Sign(sign) = self.token {
            let (operation, binds) = match sign {
                '+' => (Operation::Add, SUM),
                '-' => (Operation::Subtract, SUM),
                '*' => (Operation::Multiply, PRODUCT),
                '/' => (Operation::Divide, PRODUCT),
                '^' => (Operation::Power, POWER),
                _ => break,
            };
            if binds < least {
                break;
            }
            let start = self.start;
            self.advance()?;
            // Powers are right associative, the others left associative.
            let right = self.expression(if binds == POWER { POWER } else { binds + 1 })?;
            left = self.two(operation, left, right, start)?;
        }
        self.nested -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<usize> {
        let start = self.start;
        match self.token {
            Token::Number(number) => {
                self.advance()?;
                self.step(Step::Number(number), start)
            }
            Token::Sign('(') => {
                self.advance()?;
                let inner = self.expression(SUM)?;
                self.expect(')', "an operator or \")\"")?;
                Ok(inner)
            }
            Token::Sign('-') => {
                self.advance()?;
                let of = self.expression(SIGN)?;
                self.step(Step::One(Function::Negative, of), start)
            }
            Token::Name(name) => {
                self.advance()?;
                self.named(name, start)
            }
            _ => Err(self.unexpected(OPERAND)),
        }
    }

    /// The step of a name: a parameter, a count, a function, or an index.
    fn named(&mut self, name: &'a str, start: usize) -> Result<usize> {
        if let Some(place) = self.own.iter().position(|own| own.0 == name) {
            return self.step(Step::Parameter(place), start);
        }
        if let Some(&(_, amount)) = Amount::NAMED.iter().find(|known| known.0 == name) {
            let from = match amount {
                Amount::N => Statistics::ANY,
                _ => Statistics::TABLE,
            };
            self.read(from, name, start)?;
            return self.step(Step::Amount(amount), start);
        }
        if let Some(&(_, function)) = Function::NAMED.iter().find(|known| known.0 == name) {
            self.expect('(', "\"(\" after the name of a function")?;
            let of = self.expression(SUM)?;
            self.expect(')', "an operator or \")\"")?;
            return self.step(Step::One(function, of), start);
        }
        if let Some((_, operation)) = [("min", Operation::Min), ("max", Operation::Max)]
            .into_iter()
            .find(|known| known.0 == name)
        {
            self.expect('(', "\"(\" after the name of a function")?;
            let mut least = self.expression(SUM)?;
            if self.token != Token::Sign(',') {
                return Err(
                    self.unexpected("an operator or \",\" and another number to compare with")
                );
            }
            while self.token == Token::Sign(',') {
                self.advance()?;
                let other = self.expression(SUM)?;
                least = self.two(operation, least, other, start)?;
            }
            self.expect(')', "an operator, \",\" or \")\"")?;
            return Ok(least);
        }
        self.index(name, start)
    }

    fn index(&mut self, name: &str, start: usize) -> Result<usize> {
        if name == self.own_name {
            return Err(self.refusal(
                start,
                name,
                "other indices than the one that is being defined",
            ));
        }
        let row = known(name).ok_or_else(|| {
            let own = self.own.iter().map(|own| own.0.as_str());
            let hint = hint_among(name, words().chain(own));
            self.refusal(
                start,
                name,
                &format!("a count, a parameter, a function or an index{hint}"),
            )
        })?;
        let given = if self.token == Token::Sign('(') { self.arguments(row)? } else { Vec::new() };
        if let Some(program) = row.program {
            let arguments: Vec<Argument> = row
                .parameters
                .iter()
                .map(|declared| {
                    let given = given.iter().find(|given| given.0 == declared.name);
                    let default = Argument::Number(declared.default.unwrap_or(f64::NAN));
                    given.map_or(default, |given| given.1)
                })
                .collect();
            self.read(program.statistics, name, start)?;
            return self.copied(program, &arguments, start);
        }
        let reading = self.reading(row, given, start)?;
        self.read(row.statistics(&reading.given), name, start)?;
        self.reading_step(reading, start)
    }

    /// `(name=number, name=parameter)`
    fn arguments(&mut self, row: &'static Index) -> Result<Vec<(&'static str, Argument)>> {
        let mut given: Vec<(&'static str, Argument)> = Vec::new();
        self.advance()?;
        while self.token != Token::Sign(')') {
            if !given.is_empty() {
                self.expect(',', "\",\" or \")\"")?;
            }
            let usable = |domain: Domain| !domain.is_matrix() && !matches!(domain, Domain::Word(_));
            let declared = match self.token {
                Token::Name(name) => row.parameters.iter().find(|known| known.name == name),
                _ => None,
            };
            let Some(declared) = declared.filter(|known| usable(known.domain)) else {
                let names = row.parameters.iter().filter(|known| usable(known.domain));
                let names: Vec<String> = names.map(|known| format!("{}=", known.name)).collect();
                return Err(self.unexpected(&if names.is_empty() {
                    format!("\")\": {} has no parameters that are numbers", row.name)
                } else {
                    format!("a parameter of {}: {}", row.name, names.join(", "))
                }));
            };
            if given.iter().any(|known| known.0 == declared.name) {
                return Err(self.unexpected("each parameter once"));
            }
            self.advance()?;
            self.expect('=', "\"=\" and a number")?;
            let argument = self.argument(declared.domain)?;
            given.push((declared.name, argument));
        }
        self.advance()?;
        Ok(given)
    }

    fn argument(&mut self, domain: Domain) -> Result<Argument> {
        let start = self.start;
        let negative = self.token == Token::Sign('-');
        if negative {
            self.advance()?;
        }
        let argument = match self.token {
            Token::Number(number) => Argument::Number(if negative { -number } else { number }),
            Token::Name(name) if !negative => {
                let place = self.own.iter().position(|own| own.0 == name);
                Argument::Own(place.ok_or_else(|| {
                    self.unexpected("a number, or a parameter of this definition")
                })?)
            }
            _ => return Err(self.unexpected("a number, or a parameter of this definition")),
        };
        let number = match argument {
            Argument::Number(number) => number,
            Argument::Own(place) => {
                let both = self.domains[place].and(domain);
                self.domains[place] = both.ok_or_else(|| {
                    let other = self.domains[place];
                    self.unexpected(&format!(
                        "{domain}, and elsewhere the same parameter is {other}"
                    ))
                })?;
                self.own[place].1
            }
        };
        if !domain.holds(number) {
            let found = match argument {
                Argument::Number(_) => self.text[start..self.end].to_owned(),
                Argument::Own(_) => format!("{} = {number}", &self.text[start..self.end]),
            };
            return Err(self.refusal(start, &found, &domain.to_string()));
        }
        self.advance()?;
        Ok(argument)
    }

    fn reading(
        &self,
        row: &'static Index,
        given: Vec<(&'static str, Argument)>,
        start: usize,
    ) -> Result<Reading<Index>> {
        Reading::new(row, given)
            .map_err(|refusal| self.refusal(start, row.name, &refusal.to_string()))
    }

    fn reading_step(&mut self, reading: Reading<Index>, start: usize) -> Result<usize> {
        let known = self.readings.iter().position(|known| *known == reading);
        let place = known.unwrap_or_else(|| {
            self.readings.push(reading);
            self.readings.len() - 1
        });
        self.step(Step::Index(place), start)
    }

    /// The steps of a defined index, as though its expression were written here.
    fn copied(
        &mut self,
        program: &Program<Index>,
        arguments: &[Argument],
        start: usize,
    ) -> Result<usize> {
        let mut places = with_room(program.steps.len());
        for &step in &program.steps {
            let step = match step {
                Step::Parameter(place) => match arguments[place] {
                    Argument::Number(number) => Step::Number(number),
                    Argument::Own(place) => Step::Parameter(place),
                },
                Step::One(function, of) => Step::One(function, places[of]),
                Step::Two(operation, a, b) => Step::Two(operation, places[a], places[b]),
                Step::Index(place) => {
                    let Reading { row, given, .. } = program.readings[place].clone();
                    let replaced = given.into_iter().map(|(name, argument)| match argument {
                        Argument::Own(place) => (name, arguments[place]),
                        Argument::Number(_) => (name, argument),
                    });
                    let reading = self.reading(row, replaced.collect(), start)?;
                    places.push(self.reading_step(reading, start)?);
                    continue;
                }
                Step::Number(_) | Step::Amount(_) => step,
            };
            places.push(self.step(step, start)?);
        }
        Ok(places[program.result])
    }

    /// Notes a reading, and refuses one that no statistic gives together with the earlier ones.
    fn read(&mut self, from: Statistics, name: &str, start: usize) -> Result<()> {
        let both = self.statistics.and(from);
        if both.none() {
            let (before, here) = (self.statistics.names(), from.names());
            let expected =
                format!("what can be read from {before} like the rest; {name} is read from {here}");
            return Err(self.refusal(start, name, &expected));
        }
        self.statistics = both;
        self.reads = true;
        Ok(())
    }

    fn two(&mut self, operation: Operation, a: usize, b: usize, start: usize) -> Result<usize> {
        if operation == Operation::Power && self.steps[b] == Step::Number(2.0) {
            return self.step(Step::Two(Operation::Multiply, a, a), start);
        }
        if operation == Operation::Divide && self.steps[b] == Step::Number(0.0) {
            return Err(self.refusal(start, self.word(start), NOT_ZERO));
        }
        self.step(Step::Two(operation, a, b), start)
    }

    /// The place of a step: of an equal earlier step, or of a new one. Operations on literal
    /// numbers are folded.
    fn step(&mut self, step: Step, start: usize) -> Result<usize> {
        let number = |place: usize| match self.steps[place] {
            Step::Number(number) => Some(number),
            _ => None,
        };
        let operands = match step {
            Step::One(_, of) => number(of).map(|of| (of, of)),
            Step::Two(_, a, b) => number(a).zip(number(b)),
            _ => None,
        };
        let step = match operands.map(|(a, b)| step.folded(a, b)) {
            None => step,
            Some(Ok(number)) => Step::Number(number),
            Some(Err(why)) => {
                let expected = match why {
                    Undefined::ZeroDenominator => NOT_ZERO,
                    Undefined::OutsideDomain => "a number that has a root or a logarithm",
                    _ => "a result that a float can hold",
                };
                return Err(self.refusal(start, self.word(start), expected));
            }
        };
        if let Some(place) = self.steps.iter().position(|known| *known == step) {
            return Ok(place);
        }
        if self.steps.len() == MOST_STEPS {
            let expected = format!("at most {MOST_STEPS} steps, and this is one more");
            return Err(self.refusal(start, self.word(start), &expected));
        }
        self.steps.push(step);
        Ok(self.steps.len() - 1)
    }

    /// The name, number or sign at a byte.
    fn word(&self, start: usize) -> &'a str {
        let rest = &self.text[start..];
        let is_part = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let length = rest.chars().take_while(is_part).count(); // all of one byte
        let first = rest.chars().next().map_or(0, char::len_utf8);
        &rest[..length.max(first)]
    }

    /// Skips a sign.
    fn expect(&mut self, sign: char, expected: &str) -> Result<()> {
        if self.token == Token::Sign(sign) {
            return self.advance();
        }
        Err(self.unexpected(expected))
    }

    fn unexpected(&self, expected: &str) -> Refusal {
        self.refusal(self.start, &self.text[self.start..self.end], expected)
    }

    /// The refusal of the text at a byte; an empty text is the end.
    fn refusal(&self, start: usize, found: &str, expected: &str) -> Refusal {
        Refusal::Expression {
            argument: "expression",
            expression: self.text.to_owned(),
            place: self.text[..start].chars().count(),
            found: found.to_owned(),
            expected: expected.to_owned(),
        }
    }
}
