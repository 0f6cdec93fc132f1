"""Formulas of the registry, from their plain text to LaTeX.

The text is what `rocksteady.index(name).formula` shows. Its grammar, loosest first:

| text | means |
|---|---|
| `first; second` | several forms of one index; a form may begin with `=` |
| `formula, clause, clause` | a form and what is to be known about it, mostly definitions: `p = tp / n`, `k the number of classes` |
| `x = y = z`, `<`, `>`, `<=`, `>=`, `!=` | relations |
| `x + y`, `x - y`, `x +- y` | sums |
| `x * y`, `x / y` | from left to right, looser than products without a sign; `x / (y z)` must have the brackets |
| `2 tp`, `a (b + c)` | products without a sign |
| `sqrt(x)`, `ln x`, `log_b x`, `min(x, y)`, `binomial(n, k)` | functions; without brackets, of the one factor that follows |
| `sum_k x`, `sum_ij x`, `sum_(k != j) x`, `mean_k x` | over k: the product, and what divides it if that depends on k |
| `x^2`, `x[k]`, `M[i,j]`, `tp_random`, <code>&#124;x&#124;</code> | powers, subscripts, the absolute value |

A name is a count, a single letter (with a digit or a subscript, if need be), a Greek letter in words, a parameter of
the row, another index, or what a clause of the same formula defines. Anything else is refused, with the place.

What grammar cannot say is said in a sentence. A link of a chain of `=` that holds an English function word ("of",
"the", "over", "if", ...) is one: its words are set as text, and the parts between the words must again be formulas.

Tried and rejected:

- sympy or pytexit: they read Python's expressions, and 74 of 303 formulas are one. The others have products without a
  sign, sums over indices, clauses or sentences. sympy also puts terms in an order of its own.
- LaTeX in each row beside the text: 303 formulas are more lines than this file, and the two could differ. The text
  is what `rs.indices()`, `help` and the command line show.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

GREEK = frozenset(
    "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega "
    "Gamma Delta Theta Lambda Sigma Phi Psi Omega".split()
)
COUNTS = frozenset({"tp", "fp", "fn", "tn"})
FUNCTION_WORDS = frozenset(
    "all among an and are as at before between both by each either else every for from given has if in into is its "
    "most nor of on one only or otherwise over per than that the their then to two under when where which with "
    "without".split()
)
"""The words by which a sentence is told from a formula; no name in a formula is one of them."""

_FUNCTIONS = {
    "ln": r"\ln",
    "log": r"\log",
    "log2": r"\log_{2}",
    "log10": r"\log_{10}",
    "exp": r"\exp",
    "min": r"\min",
    "max": r"\max",
    "cos": r"\cos",
    "sin": r"\sin",
    "tan": r"\tan",
    "asin": r"\arcsin",
    "acos": r"\arccos",
    "atan": r"\arctan",
    "tanh": r"\tanh",
    "sign": r"\mathrm{sgn}",
    "erf": r"\mathrm{erf}",
    "ln_gamma": r"\ln\Gamma",
}
_OVER = {"sum": r"\sum", "prod": r"\prod", "min": r"\min", "max": r"\max", "mean": r"\mathrm{mean}"}
_RELATIONS = {"=": "=", "<": "<", ">": ">", "<=": r"\le", ">=": r"\ge", "!=": r"\ne"}
_SIGNS = {"+": "+", "-": "-", "+-": r"\pm"}
_CLOSING = {"(": ")", "[": "]"}

_TOKEN = re.compile(
    r"(?P<space>\s*)(?:"
    r"(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?(?![\w.]*\.\d))"
    r"|(?P<over>(?:sum|prod|mean|min|max)_(?=\())"
    r"|(?P<word>[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*(?:'s?(?![A-Za-z]))?(?:-[A-Za-z]{2,}(?![A-Za-z(\[]))*)"
    r"|(?P<sign>\.\.\.|<=|>=|!=|\+-|[-+*/^=<>()\[\]|,;:!])"
    r")"
)


class FormulaError(ValueError):
    """A formula that does not keep to the grammar; the message shows the place."""

    def __init__(self, text: str, place: int, problem: str) -> None:
        super().__init__(f"{problem}\n    {text}\n    {' ' * place}^")


@dataclass(frozen=True)
class Token:
    """A number, a word or a sign, with its place in the text."""

    kind: str
    text: str
    place: int
    spaced: bool


@dataclass(frozen=True)
class Link:
    """A piece of a form between two relations `=`.

    `formula` is whole LaTeX for a display. A sentence also comes in `pieces`: (True, LaTeX) and (False, text), one
    after the other, for a paragraph; they are None for what is a formula throughout. `names` are those of `known` that
    occur.
    """

    formula: str
    pieces: tuple[tuple[bool, str], ...] | None
    names: tuple[str, ...]


@dataclass(frozen=True)
class Clause:
    """Links that were joined by `=`; `continues` if the text began with one."""

    links: tuple[Link, ...]
    continues: bool

    @property
    def formula(self) -> str:
        """The clause as one LaTeX formula."""
        return ("= " if self.continues else "") + " = ".join(link.formula for link in self.links)


@dataclass(frozen=True)
class Form:
    """One way to write an index: its formula, and the clauses that explain it."""

    main: Clause
    explained: tuple[Clause, ...]

    @property
    def names(self) -> list[str]:
        """The known names that occur in it."""
        return [name for clause in (self.main, *self.explained) for link in clause.links for name in link.names]


def forms(text: str, known: Collection[str]) -> tuple[Form, ...]:
    """The forms of a formula. `known` holds the names that it may use besides the grammar's own."""
    tokens = list(_tokens(text))
    clauses = [list(_split(form, ",")) for form in _split(tokens, ";")]
    defined = {name for form in clauses for clause in form for name in _defines(clause)}
    vocabulary = frozenset(known) | defined
    found = []
    for form in clauses:
        main, *explained = (_clause(text, clause, vocabulary) for clause in form)
        found.append(Form(main, tuple(explained)))
    return tuple(found)


def _tokens(text: str) -> Iterator[Token]:
    place = 0
    while place < len(text.rstrip()):
        match = _TOKEN.match(text, place)
        if match is None:
            at = place + len(text[place:]) - len(text[place:].lstrip())
            raise FormulaError(text, at, f"{text[at]!r} has no meaning here")
        kind = str(match.lastgroup)
        yield Token(kind, match[kind], match.start(kind), bool(match["space"]))
        place = match.end()


def _split(tokens: list[Token], sign: str) -> Iterator[list[Token]]:
    """The tokens between the signs that stand outside all brackets."""
    depth, part = 0, list[Token]()
    for token in tokens:
        depth += (token.text in _CLOSING) - (token.text in _CLOSING.values())
        if token.text == sign and depth == 0:
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _defines(clause: list[Token]) -> Iterator[str]:
    """The name that a clause defines: `po = ...`, `w[i,j] = ...`, `eps the machine epsilon`."""
    if len(clause) > 1 and clause[0].kind == "word" and not _big_or_log(clause[0].text):
        texts = [token.text for token in clause]
        after = texts.index("]") + 1 if texts[1] == "[" and "]" in texts else 1
        if texts[after : after + 1] == ["="] or texts[1] in FUNCTION_WORDS:
            yield texts[0]


def _clause(text: str, tokens: list[Token], vocabulary: frozenset[str]) -> Clause:
    if not tokens:
        raise FormulaError(text, len(text), "there is nothing between two commas or semicolons")
    continues = tokens[0].text == "="
    links = tuple(_link(text, link, vocabulary) for link in _split(tokens[continues:], "="))
    return Clause(links, continues)


def _link(text: str, tokens: list[Token], vocabulary: frozenset[str]) -> Link:
    if any(token.text in FUNCTION_WORDS for token in tokens):
        return _sentence(text, tokens, vocabulary)
    names: list[str] = []
    return Link(_Parser(text, tokens, vocabulary, names).whole(), None, tuple(names))


# Sentences


def _is_prose(tokens: list[Token], at: int, vocabulary: frozenset[str]) -> bool:
    """Whether a word of a sentence is text: not a symbol, or an article, or an operator's name without its operand."""
    token = tokens[at]
    if token.kind != "word" or token.text in COUNTS:
        return False
    if token.text in FUNCTION_WORDS:
        return True
    follows = tokens[at + 1] if at + 1 < len(tokens) else None
    calls = follows is not None and follows.text in ("(", "[") and not follows.spaced
    if token.text == "a":
        return follows is not None and follows.kind == "word" and len(follows.text) > 2
    if token.text in _OVER:
        return not calls
    if token.text in _FUNCTIONS or token.text in ("sqrt", "binomial") or _big_or_log(token.text):
        return False
    return not (calls or _known(token.text, vocabulary))


def _big_or_log(word: str) -> bool:
    """Whether it is an operator with a subscript: `sum_ij`, `mean_k`, `log_b`."""
    base, _, below = word.partition("_")
    return bool(below) and (base == "log" or (base in _OVER and len(below) <= 3 and below.isalpha()))


def _sentence(text: str, tokens: list[Token], vocabulary: frozenset[str]) -> Link:
    for at in sorted(_unmatched(tokens)):
        raise FormulaError(text, tokens[at].place, f"{tokens[at].text!r} has no partner")
    sentence = _Sentence(text, vocabulary)
    run: list[Token] = []
    for at, token in enumerate(tokens):
        _check_neighbours(text, tokens, at)
        if _is_prose(tokens, at, vocabulary):
            sentence.set_run(run)
            sentence.say(token)
            run = []
            continue
        if token.kind == "number" and run and run[-1].kind == "word":
            sentence.set_run(run)  # "y 1 for positives": no product has a number behind a name
            run = []
        run.append(token)
    sentence.set_run(run)
    return sentence.link()


class _Sentence:
    """Words as they come, and between them runs of symbols, which must be formulas."""

    def __init__(self, text: str, vocabulary: frozenset[str]) -> None:
        self._text, self._vocabulary = text, vocabulary
        self._pieces: list[tuple[bool, str]] = []
        self._names: list[str] = []

    def say(self, token: Token) -> None:
        """A word, or a sign that stands for itself."""
        said = " " * token.spaced + token.text
        if self._pieces and not self._pieces[-1][0]:
            said = self._pieces.pop()[1] + said
        self._pieces.append((False, said))

    def set_run(self, run: list[Token]) -> None:
        """The formulas between two words; a bracket whose partner stands among other words parts them."""
        begin = 0
        for at in (*sorted(_unmatched(run)), len(run)):
            bracket = run[at] if at < len(run) else None
            self._set(run[begin:at], is_called=bracket is not None and bracket.text == "(" and not bracket.spaced)
            if bracket is not None:
                self.say(bracket)
            begin = at + 1

    def _set(self, part: list[Token], *, is_called: bool) -> None:
        first, last = _core(part)
        core = part[first:last]
        is_name = len(core) == 1 and len(core[0].text) > 2 and core[0].text in self._vocabulary
        if is_name or (len(core) == 1 and (core[0].kind == "number" or is_called)):
            # These read as well in the text. And a name without an underscore, "lift", may be just a word.
            self._names.extend(token.text for token in core if "_" in token.text)
            first = last
        for token in part[:first]:
            self.say(token)
        if first < last:
            if core[0].spaced and (not self._pieces or self._pieces[-1][0]):
                self._pieces.append((False, " "))
            elif core[0].spaced:
                self._pieces[-1] = (False, self._pieces[-1][1] + " ")
            self._pieces.append((True, _Parser(self._text, core, self._vocabulary, self._names).whole()))
        for token in part[last:]:
            self.say(token)

    def link(self) -> Link:
        """All of it."""
        latex = ""
        for is_formula, piece in self._pieces:
            ends_in_command = re.search(r"\\[a-z]+$", latex)
            latex += " " * bool(ends_in_command) + (piece if is_formula else _loose(piece))
        return Link(latex.strip(), tuple(self._pieces), tuple(self._names))


def _check_neighbours(text: str, tokens: list[Token], at: int) -> None:
    """Refuse a function word as an operand, such as "or" for the odds ratio: it would be read as a word."""
    arithmetic = {"+", "+-", "*", "/", "^"}
    before = tokens[at - 1].text if at else ""
    after = tokens[at + 1].text if at + 1 < len(tokens) else ""
    if tokens[at].text in FUNCTION_WORDS and (before in arithmetic | {"-"} or after in arithmetic):
        raise FormulaError(text, tokens[at].place, f"{tokens[at].text!r} is a word of a sentence here, not a name")


def _core(run: list[Token]) -> tuple[int, int]:
    """The part of some symbols that must be a formula: without the signs that join it to words."""
    loose = {*_RELATIONS, *_SIGNS, "*", "/", ",", ";", ":"}
    first, last = 0, len(run)
    while first < last and run[first].text in loose - {"-"}:
        first += 1
    while first < last and run[last - 1].text in loose:
        last -= 1
    return first, last


def _unmatched(tokens: list[Token]) -> set[int]:
    opened: list[int] = []
    unmatched = set()
    for at, token in enumerate(tokens):
        if token.text in _CLOSING:
            opened.append(at)
        elif token.text in _CLOSING.values():
            if opened:
                opened.pop()
            else:
                unmatched.add(at)
    return unmatched | set(opened)


def _loose(piece: str) -> str:
    """Text of a sentence within a formula: words as text, signs as signs."""
    found = []
    for part in re.findall(r"\s*[A-Za-z](?:(?:[\w' ,]|(?<=\w)-(?=\w))*[\w',])?\s*|<=|>=|!=|\S", piece):
        is_words = part.lstrip()[:1].isalpha()
        found.append(rf"\text{{{part.replace('_', ' ')}}}" if is_words else _RELATIONS.get(part, part))
    return " ".join(found)


# Formulas


@dataclass(frozen=True)
class _Set:
    """A typeset part; `bare` is what stands inside if it is one pair of brackets, `kind` says how it may be joined."""

    latex: str
    kind: str = "symbol"  # symbol, word, number, group, fraction
    bare: str | None = None
    bare_kind: str = ""

    @property
    def unwrapped(self) -> str:
        return self.latex if self.bare is None else self.bare


def _known(word: str, vocabulary: frozenset[str]) -> bool:
    if word in vocabulary or word in COUNTS or word in GREEK or word == "infinity":
        return True
    if re.fullmatch(r"[A-Za-z]\d*", word):
        return True
    base, under, _ = word.partition("_")
    return bool(under) and _known(base, vocabulary)


def _glyphs(word: str, vocabulary: Collection[str]) -> str:
    if word == "infinity":
        return r"\infty"
    if word in COUNTS:
        return rf"\mathrm{{{word}}}"
    base, _, below = word.partition("_")
    has_symbol = base in COUNTS or len(base) == 1 or base in GREEK
    if below and (has_symbol or word not in vocabulary):
        squared, _, rest = below.partition("_") if below.startswith("squared") else ("", "", below)
        return _glyphs(base, vocabulary) + (f"_{{{_lowered(rest)}}}" if rest else "") + ("^{2}" if squared else "")
    if word in GREEK:
        return f"\\{word}"
    numbered = re.fullmatch(r"([A-Za-z])(\d+)", word)
    if numbered:
        return f"{numbered[1]}_{{{numbered[2]}}}"
    if len(word) == 1:
        return word
    return rf"\mathrm{{{word}}}" if word.isalnum() and len(word) <= 4 else rf"\text{{{word.replace('_', ' ')}}}"


def _lowered(below: str) -> str:
    if len(below) == 1 or below in GREEK:
        return _glyphs(below, ())
    return rf"\mathrm{{{below.replace('_', ' ')}}}"


class _Parser:
    """Recursive descent, a method for each line of the grammar; each gives what it has read, typeset."""

    def __init__(self, text: str, tokens: list[Token], vocabulary: frozenset[str], names: list[str]) -> None:
        self._text, self._tokens, self._vocabulary = text, tokens, vocabulary
        self._names = names  # filled with those that are read
        self._at = 0
        self._absolutes = 0  # how many | are open

    def whole(self) -> str:
        latex = self._relation().unwrapped
        if self._at < len(self._tokens):
            raise self._error(f"{self._tokens[self._at].text!r} was not expected here")
        return latex

    def _error(self, problem: str) -> FormulaError:
        if self._at < len(self._tokens):
            place = self._tokens[self._at].place
        else:
            place = self._tokens[-1].place + len(self._tokens[-1].text) if self._tokens else len(self._text)
        return FormulaError(self._text, place, problem)

    def _next(self) -> Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, *signs: str) -> str | None:
        token = self._next()
        if token is not None and token.kind == "sign" and token.text in signs:
            self._at += 1
            return token.text
        return None

    def _expect(self, sign: str) -> None:
        if self._take(sign) is None:
            raise self._error(f"{sign!r} was expected here")

    def _joined(self, part: Callable[[], _Set], signs: dict[str, str]) -> _Set:
        left = part()
        while sign := self._take(*signs):
            left = _Set(f"{left.latex} {signs[sign]} {part().latex}", "sum")
        return left

    def _relation(self) -> _Set:
        return self._joined(self._sum, _RELATIONS)

    def _sum(self) -> _Set:
        return self._joined(self._quotient, _SIGNS)

    def _quotient(self) -> _Set:
        left = self._product()
        while sign := self._take("*", "/"):
            right = self._divisor() if sign == "/" else self._product()
            left = _over(left, right) if sign == "/" else _Set(rf"{left.latex} \cdot {right.latex}", "product")
        return left

    def _divisor(self) -> _Set:
        begin = self._at
        divisor = self._product()
        if divisor.kind == "product":
            self._at = begin
            raise self._error("what is divided by must stand in brackets if it is a product")
        return divisor

    def _product(self) -> _Set:
        if self._take("-"):
            return _Set(f"-{self._product().latex}", "negative")
        self._take("+")
        factors: list[_Set] = []
        is_glued = True
        while self._starts_factor():
            token = self._tokens[self._at]
            is_glued = is_glued and not (factors and token.spaced)
            factors.append(self._power())
            if factors[-1].kind == "operator":
                factors.append(self._summand(_letters(token, self._tokens[: self._at])))
                break
        if not factors:
            raise self._error("a number, a name or a bracket was expected here")
        if len(factors) == 1:
            return factors[0]
        latex = ""
        previous: _Set | None = None
        for factor in factors:
            shown = factor
            if factor.bare is not None and factor.bare_kind == "fraction":
                shown = _Set(factor.bare, "fraction")  # a fraction's bar is bracket enough in a product
            latex += _between(previous, shown) + shown.latex
            previous = shown
        is_one = factors[0].kind == "operator" or is_glued  # sum_k x y, 2T
        return _Set(latex, "symbol" if is_one else "product")

    def _summand(self, letters: frozenset[str]) -> _Set:
        """What stands behind `sum_k`: the product, and what it is divided by if that depends on k."""
        summand = self._product()
        while True:
            before = self._at
            if not self._take("/"):
                return summand
            begin = self._at
            divisor = self._divisor()
            if not letters & _free(self._tokens[begin : self._at]):
                self._at = before
                return summand
            summand = _over(summand, divisor)

    def _starts_factor(self) -> bool:
        token = self._next()
        if token is None:
            return False
        if token.text == "|" and self._absolutes:
            return False
        return token.kind in ("number", "word", "over") or token.text in ("(", "[", "|", "...")

    def _power(self) -> _Set:
        base = self._factor()
        while self._take("!"):
            base = _Set(f"{base.latex}!", base.kind)
        if not self._take("^"):
            return base
        minus = "-" if self._take("-") else ""
        if not self._starts_factor():
            raise self._error("an exponent was expected here")
        exponent = self._power()
        if re.search(r"\^\{[^{}]*\}$", base.latex):  # chi_squared^2
            base = _Set(rf"\left({base.latex}\right)", "group")
        return _Set(f"{base.latex}^{{{minus}{exponent.unwrapped}}}", base.kind if base.kind != "group" else "symbol")

    def _factor(self) -> _Set:
        token = self._tokens[self._at]
        self._at += 1
        if token.kind == "number":
            return _Set(token.text.replace("e-", r" \cdot 10^{-") + "}" * ("e-" in token.text), "number")
        if token.text == "(":
            # Within brackets a bar opens again.
            outer, self._absolutes = self._absolutes, 0
            inner = self._relation()
            self._absolutes = outer
            self._expect(")")
            return _Set(rf"\left({inner.latex}\right)", "group", inner.latex, inner.kind)
        if token.text == "...":
            return _Set(r"\dots")
        if token.text == "[":
            self._at -= 1
            return _Set(rf"\left[{self._listed('[', ']')}\right]", "group")
        if token.text == "|":
            self._absolutes += 1
            inner = self._sum()
            self._expect("|")
            self._absolutes -= 1
            return _Set(rf"\left|{inner.latex}\right|", "group")
        if token.kind == "over":
            if self._next() is None:
                raise self._error("what it runs over was expected here")
            return self._big(token.text[:-1], self._factor().unwrapped)
        return self._word(token)

    def _word(self, token: Token) -> _Set:
        word = token.text
        base, _, below = word.partition("_")
        if word not in self._vocabulary:
            if word == "sqrt":
                return _Set(rf"\sqrt{{{self._operand().unwrapped}}}")
            if word in _FUNCTIONS:
                return self._function(_FUNCTIONS[word])
            if _big_or_log(word):
                below = _glyphs(below, self._vocabulary) if base == "log" else below
                return self._function(rf"\log_{{{below}}}") if base == "log" else self._big(base, below)
            if word == "binomial":
                arguments = self._arguments()
                if len(arguments) != 2:
                    raise self._error("a binomial coefficient is of two numbers")
                return _Set(rf"\binom{{{arguments[0].unwrapped}}}{{{arguments[1].unwrapped}}}")
        if not _known(word, self._vocabulary):
            self._at -= 1
            raise self._error(f"{word!r} is no name that the formula may use")
        if word in self._vocabulary:
            self._names.append(word)
        latex = _glyphs(word, self._vocabulary)
        follows = self._next()
        if follows is not None and follows.text == "[" and not follows.spaced:
            latex += f"_{{{self._subscript()}}}"
        elif follows is not None and follows.text == "(" and not follows.spaced:
            return _Set(rf"{latex}\left({self._listed()}\right)")
        return _Set(latex, "word" if latex.startswith(r"\text") else "symbol")

    def _big(self, operator: str, below: str) -> _Set:
        if operator == "mean":
            return _Set(rf"\underset{{{below}}}{{\mathrm{{mean}}}}", "operator")
        return _Set(rf"{_OVER[operator]}_{{{below}}}", "operator")

    def _function(self, latex: str) -> _Set:
        follows = self._next()
        if follows is not None and follows.text == "(":
            return _Set(rf"{latex}\left({self._listed()}\right)")
        return _Set(f"{latex} {self._operand().latex}")

    def _operand(self) -> _Set:
        if not self._starts_factor():
            raise self._error("what the function is of was expected here")
        return self._factor()

    def _arguments(self, opening: str = "(", closing: str = ")") -> list[_Set]:
        outer, self._absolutes = self._absolutes, 0
        self._expect(opening)
        found = [self._relation()]
        while self._take(","):
            found.append(self._relation())
        self._expect(closing)
        self._absolutes = outer
        return found

    def _listed(self, opening: str = "(", closing: str = ")") -> str:
        return ", ".join(argument.latex for argument in self._arguments(opening, closing))

    def _subscript(self) -> str:
        parts = [argument.latex for argument in self._arguments("[", "]")]
        return ("" if all(len(part) == 1 for part in parts) else ",").join(parts)


def _over(top: _Set, bottom: _Set) -> _Set:
    minus, latex = ("-", top.latex[1:]) if top.kind == "negative" else ("", top.unwrapped)
    return _Set(rf"{minus}\frac{{{latex}}}{{{bottom.unwrapped}}}", "fraction")


def _letters(operator: Token, read: list[Token]) -> frozenset[str]:
    """What an operator runs over: the letters of `sum_ij`, or those of the bracket of `sum_(k != j)` that was just read."""
    if operator.kind == "word":
        return frozenset(operator.text.partition("_")[2])
    bracket = read[max(at for at, token in enumerate(read) if token is operator) :]
    return frozenset(token.text for token in bracket if token.kind == "word")


def _free(tokens: list[Token]) -> frozenset[str]:
    """The names of a part that no operator in it runs over."""
    bound = {letter for token in tokens if _big_or_log(token.text) for letter in token.text.partition("_")[2]}
    return frozenset(token.text for token in tokens if token.kind == "word") - bound


def _between(left: _Set | None, right: _Set) -> str:
    """What stands between two factors: nothing that is not needed to tell them apart, a dot between words."""
    if left is None:
        return ""
    if left.kind == "operator" or right.kind == "group":
        return " "
    if right.kind == "number" or "word" in (left.kind, right.kind):
        return r" \cdot "
    return " " if left.kind == "group" else r"\,"
