//! Two classes and a score, against rows that are sorted plainly.
//!
//! Labels, scores of any dtype and layout, weights and options: the score table, the rank sum, the
//! counts at given thresholds, bins and sums of losses are those of the sorted rows, or the row
//! that these refuse first is refused. Counts and sums of weights are compared to the bit, and
//! numbers that take roundings on the way within the error of a plain sum. Then the same of parts
//! that are added or collected, and everything that is derived from the table is asked for.

use std::cmp::Ordering;
use std::ops::Range;

use arbitrary::{Result, Unstructured};
use rocksteady::arith::weight_kind::WeightKind;
use rocksteady::base::column::Column;
use rocksteady::base::error::Refusal;
use rocksteady::base::input::{Label, LabelSet, NanPolicy, Scores};
use rocksteady::scores::bin_counts::{BinOptions, binned, extremes};
use rocksteady::scores::calibration::bins::Binning;
use rocksteady::scores::calibration::brier_decomposition::Rule;
use rocksteady::scores::calibration::losses::probability_sums;
use rocksteady::scores::calibration::probability_sums::ProbabilitySums;
use rocksteady::scores::gains::Bands;
use rocksteady::scores::ranking::Ranking;
use rocksteady::scores::ranking::average_precision::TieOrder;
use rocksteady::scores::score_table::{ScoreTable, Side};
use rocksteady::scores::spill::collector::SpillingCollector;
use rocksteady::scores::sweep::all_thresholds::score_table;
use rocksteady::scores::sweep::auc::roc_auc;
use rocksteady::scores::sweep::collector::ScoreCollector;
use rocksteady::scores::sweep::counted_scores::{Given, table_of_masses};
use rocksteady::scores::sweep::given_thresholds::{Threshold, counts_at, counts_of_table};
use rocksteady::scores::sweep::pooled::pooled;
use rocksteady::scores::sweep::rows::SweepOptions;
use rocksteady::scores::sweep::signed::SignedTotals;
use rocksteady::scores::sweep::weighted_auc::weighted_auc;
use rocksteady::statistic::Statistic;

use crate::input::{DTYPES, Exact, Held, Number, is_bad, rows_of, shape, threads, weights};
use crate::labels::{Drawn, Row, column};

/// Too few bytes for an input are none.
pub fn run(data: &[u8]) {
    let _ = ranked(&mut Unstructured::new(data));
}

/// A row that counts: whether it is positive, its score, its weight.
#[derive(Clone, Copy, Debug)]
struct Ranked {
    positive: bool,
    score: Number,
    weight: f64,
}

/// What becomes of a row.
enum Read {
    Row(Ranked),
    LeftOut,
    Refused,
}

/// The order of scores; NaN is where the policy puts it.
fn order(a: Number, b: Number, best: bool) -> Ordering {
    match (a, b) {
        (Number::Int(a), Number::Int(b)) => a.cmp(&b),
        _ => match (a.float().is_nan(), b.float().is_nan()) {
            (false, false) => a.float().partial_cmp(&b.float()).expect("numbers"),
            (true, true) => Ordering::Equal,
            (true, false) if best => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, true) if best => Ordering::Less,
            (false, true) => Ordering::Greater,
        },
    }
}

/// All that the kernels are given.
struct Case {
    labels: Drawn,
    scores: Held,
    weights: Option<Held>,
    options: SweepOptions,
    probabilities: bool,
}

impl Case {
    fn part(&self, range: Range<usize>) -> Self {
        let mut plain = Unstructured::new(&[]);
        let mut cut = |held: &Held| {
            Held::of(&mut plain, held.dtype, &held.values[range.clone()], 1)
                .expect("no bytes needed")
        };
        Self {
            scores: cut(&self.scores),
            weights: self.weights.as_ref().map(cut),
            labels: self.labels.part(range.clone()),
            options: self.options.clone(),
            probabilities: self.probabilities,
        }
    }

    fn rows(&self) -> usize {
        self.scores.values.len()
    }

    fn weights(&self) -> Option<Column<'_, f64>> {
        self.weights.as_ref().map(Held::weights)
    }

    fn table(&self) -> std::result::Result<ScoreTable, Refusal> {
        let (labels, scores) = (self.labels.labels(), self.scores.scores());
        score_table(&labels, &scores, self.weights(), &self.options)
    }

    fn sums(&self) -> std::result::Result<ProbabilitySums, Refusal> {
        let (labels, scores) = (self.labels.labels(), self.scores.scores());
        probability_sums(&labels, &scores, self.weights(), &self.options)
    }

    /// The rows that count, or the one that is refused; `None` for one that cannot be foretold.
    fn naive(&self) -> std::result::Result<Vec<Ranked>, Option<usize>> {
        let labels = self.labels.rows();
        if labels.len() != self.rows() || labels.is_empty() {
            return Err(None);
        }
        let mut met: Vec<&Label> = Vec::new();
        for row in &labels {
            if let Row::Label(label) = row
                && !met.contains(&label)
            {
                met.push(label);
            }
        }
        let pos_label = self.options.pos_label.as_ref();
        let rest = self.options.rest && pos_label.is_some();
        let others = met.iter().filter(|label| Some(**label) != pos_label).count();
        let is_text = |label: &Label| matches!(label, Label::Text(_));
        let kind = pos_label.map(is_text);
        let is_of_other_kind =
            met.iter().any(|label| kind.is_some_and(|kind| is_text(label) != kind));
        if !rest && (is_of_other_kind || others + usize::from(pos_label.is_some()) > 2) {
            return Err(None);
        }
        let one = Label::Int(1);
        let positive = match (pos_label, met[..].iter().max()) {
            (Some(label), _) => Some(label),
            (None, Some(&label)) if met.len() == 2 || *label == one => Some(label),
            _ => None,
        };
        let mut rows = Vec::new();
        for (row, label) in labels.iter().enumerate() {
            match self.read(row, label, positive) {
                Read::Refused => return Err(Some(row)),
                Read::LeftOut => {}
                Read::Row(one) => rows.push(one),
            }
        }
        Ok(rows)
    }

    fn read(&self, row: usize, label: &Row, positive: Option<&Label>) -> Read {
        let omit = self.options.nan_policy == NanPolicy::Omit;
        let score = self.scores.values[row];
        let weight = self.weights.as_ref().map_or(1.0, |held| held.values[row].float());
        let ranked = matches!(self.options.nan_policy, NanPolicy::Worst | NanPolicy::Best);
        let is_nan = score.float().is_nan();
        let refused = *label == Row::Odd
            || *label == Row::Missing && !omit
            || is_nan && !omit && (!ranked || self.probabilities)
            || matches!(score, Number::Float(score) if score.is_infinite() && !self.options.infinite)
            || self.probabilities && !is_nan && !(0.0..=1.0).contains(&score.float())
            || is_bad(weight);
        match label {
            _ if refused => Read::Refused,
            Row::Label(label) if !(is_nan && omit) => {
                Read::Row(Ranked { positive: Some(label) == positive, score, weight })
            }
            _ => Read::LeftOut,
        }
    }
}

fn palette(u: &mut Unstructured, probabilities: bool) -> Result<Vec<Number>> {
    let mut palette = Vec::new();
    let kind = u.arbitrary::<u8>()?;
    for _ in 0..u.int_in_range(1..=48)? {
        let byte = u.arbitrary::<u8>()?;
        palette.push(match kind {
            _ if probabilities => Number::Float(f64::from(byte) / 255.0),
            0..=99 => Number::Float(f64::from(byte) / 16.0 - 8.0),
            100..=149 => Number::Int(i128::from(byte) - 100),
            150..=199 => Number::Float(f64::from_bits(u.arbitrary()?)),
            200..=229 => Number::Int(u.arbitrary::<i64>()?.into()),
            // Beside each other in the last digits.
            _ => Number::Float(f64::from_bits(0x3fd5_5555_5555_5500 + u64::from(byte))),
        });
    }
    if u.ratio(1, 8)? {
        palette.extend([f64::NAN, 0.0, -0.0, 5e-324, 1.0].map(Number::Float));
    }
    if u.ratio(1, 16)? {
        palette.extend([f64::INFINITY, f64::NEG_INFINITY, f64::MAX].map(Number::Float));
    }
    Ok(palette)
}

fn draw(u: &mut Unstructured) -> Result<Case> {
    let shape = shape(u)?;
    let probabilities = u.ratio(1, 3)?;
    let two = u.arbitrary::<u8>()?;
    let first = i128::from(two % 3) - 1;
    let mut labels = vec![Number::Int(first), Number::Int(first + 1)];
    match two >> 2 {
        0..=1 => labels.push(Number::Int(7)),
        2..=3 => labels.push(Number::Float(f64::NAN)),
        4 => labels.push(Number::Float(0.5)),
        5 => labels.truncate(1),
        6..=7 => labels = vec![Number::Int(-(1 << 40)), Number::Int(1 << 62)],
        _ => {}
    }
    let coded = u.arbitrary::<u8>()?;
    let labels = column(u, &labels, shape, if coded < 250 { 0 } else { coded })?;
    let palette = palette(u, probabilities)?;
    let dtype = match u.arbitrary::<u8>()? {
        byte if probabilities => ["f16", "f32", "f64", "f64"][usize::from(byte % 4)],
        byte => DTYPES[usize::from(byte) % 12],
    };
    let mut drawn = rows_of(u, &palette, shape)?;
    // A palette has few scores. Where each row adds a step, there are many.
    let step = *u.choose(&[0, 0, 0, 1, 3])?;
    for (row, score) in (0..).zip(&mut drawn) {
        let further = f64::from(step * row) / 4096.0;
        *score = match *score {
            Number::Int(score) => Number::Int(score + i128::from(step * row)),
            Number::Float(score) if probabilities && score + further > 1.0 => {
                Number::Float((score + further).fract())
            }
            Number::Float(score) => Number::Float(score + further),
        };
    }
    match u.arbitrary::<u8>()? {
        0..=15 => drawn.sort_by(|a, b| order(*a, *b, true)),
        16..=31 => drawn.sort_by(|a, b| order(*b, *a, true)),
        _ => {}
    }
    let scores = Held::of(u, dtype, &drawn, 1)?;
    let weights = if u.arbitrary()? {
        let wanted: Vec<Number> = weights(u, shape)?.into_iter().map(Number::Float).collect();
        Some(Held::of(u, "f64", &wanted, 1)?)
    } else {
        None
    };
    let policies = [NanPolicy::Raise, NanPolicy::Omit, NanPolicy::Worst, NanPolicy::Best];
    let pos_label = match u.arbitrary::<u8>()? {
        0..=159 => None,
        160..=199 => Some(Label::Int(first)),
        200..=239 => Some(Label::Int(first + 1)),
        240..=247 => Some(Label::Int(99)),
        _ => Some(Label::Text("label 4".into())),
    };
    let options = SweepOptions {
        pos_label,
        rest: u.ratio(1, 3)?,
        nan_policy: *u.choose(&policies)?,
        infinite: u.arbitrary()?,
        ..SweepOptions::default()
    };
    Ok(Case { labels, scores, weights, options, probabilities: false })
}

/// Whether two sums of so many terms are one but for roundings.
pub(crate) fn near(found: f64, expected: f64, terms: usize) -> bool {
    let scale = found.abs().max(expected.abs()).max(1e-300);
    found == expected || (found - expected).abs() <= scale * 4e-16 * (terms as f64 + 16.0)
}

/// One distinct score: its rows and exact weights, positives and negatives.
#[derive(Default)]
struct Group {
    score: Option<Number>,
    rows: [u64; 2],
    sums: [Exact; 2],
}

/// The distinct scores, high to low; rows of weight zero are none.
fn groups(case: &Case, rows: &[Ranked]) -> Vec<Group> {
    let best = case.options.nan_policy == NanPolicy::Best;
    let mut sorted: Vec<Ranked> = rows.iter().filter(|row| row.weight > 0.0).copied().collect();
    sorted.sort_by(|a, b| order(b.score, a.score, best));
    let mut groups: Vec<Group> = Vec::new();
    for row in sorted {
        let same = |group: &Group| {
            let score = group.score.expect("a group has a score");
            order(score, row.score, best) == Ordering::Equal
        };
        if !groups.last().is_some_and(same) {
            groups.push(Group { score: Some(row.score), ..Group::default() });
        }
        let group = groups.last_mut().expect("it was added");
        let class = usize::from(!row.positive);
        group.rows[class] += 1;
        group.sums[class].add(row.weight);
    }
    groups
}

fn ranked(u: &mut Unstructured) -> Result<()> {
    threads(u)?;
    let mut case = draw(u)?;
    let naive = case.naive();
    let found = case.table();
    let sum = roc_auc(&case.labels.labels(), &case.scores.scores(), &case.options);
    let rows = match (&naive, &found) {
        (Ok(rows), Ok(_)) => rows,
        (Err(expected), Err(refusal)) => {
            if let (Some(expected), Refusal::Row { row, .. }) = (expected, refusal) {
                assert_eq!(row, expected, "{refusal}");
            }
            assert!(expected.is_none() || matches!(refusal, Refusal::Row { .. }));
            assert!(sum.is_err() || case.weights.is_some());
            return Ok(());
        }
        _ => panic!("{found:?}, expected {naive:?}"),
    };
    let Ok(table) = found else { return Ok(()) };
    let groups = groups(&case, rows);
    check_table(&case, &table, &groups);
    if case.weights.is_none() {
        let mut twice_u = 0;
        let mut below: [u64; 2] = [0; 2];
        for group in groups.iter().rev() {
            let [p, n] = group.rows;
            twice_u += u128::from(p) * u128::from(2 * below[1] + n);
            below = [below[0] + p, below[1] + n];
        }
        let sum = sum.expect("the table was not refused");
        assert_eq!((sum.twice_u, sum.positives, sum.negatives), (twice_u, below[0], below[1]));
        assert_eq!(Ranking::from(table.clone()).roc_auc(), sum.area());
    }
    at_thresholds(u, &case, &table, rows)?;
    in_bins(u, &case)?;
    derived(u, &table, &groups)?;
    in_parts(u, &case, &table)?;
    by_other_ways(&case, &table, &groups);

    // The same rows as probabilities.
    case.probabilities = true;
    if !matches!(case.options.nan_policy, NanPolicy::Worst | NanPolicy::Best) {
        losses(u, &case)?;
    }
    Ok(())
}

fn check_table(case: &Case, table: &ScoreTable, groups: &[Group]) {
    assert_eq!(table.len(), groups.len());
    let (mut counts, mut sums) = ([0; 2], [Exact::default(), Exact::default()]);
    for (place, group) in groups.iter().enumerate() {
        let score = group.score.expect("a group has a score").float();
        let found = table.score(place);
        assert!(found == score || found.is_nan() && score.is_nan(), "{found} for {score}");
        for class in 0..2 {
            counts[class] += group.rows[class];
            sums[class].merge(&group.sums[class]);
        }
        let expected = match case.weights {
            None => (counts[0] as f64, counts[1] as f64),
            Some(_) => (sums[0].rounded(), sums[1].rounded()),
        };
        assert_eq!(table.cumulative(place), expected, "at {place}");
    }
    assert_eq!(table.rows(), counts[0] + counts[1]);
    assert_eq!(ScoreTable::from_bytes(&table.to_bytes()).as_ref(), Ok(table));
}

/// Whether a score reaches a threshold, exactly.
fn reaches(score: Number, threshold: Threshold, side: Side, best: bool) -> bool {
    if score.float().is_nan() {
        return best;
    }
    let order = match (score, threshold) {
        (Number::Int(score), Threshold::Integer(threshold)) => score.cmp(&threshold),
        (Number::Float(score), Threshold::Float(threshold)) => {
            score.partial_cmp(&threshold).expect("numbers")
        }
        (Number::Int(score), Threshold::Float(threshold)) => {
            let whole = threshold.floor();
            let tie = if threshold > whole { Ordering::Less } else { Ordering::Equal };
            score.cmp(&(whole as i128)).then(tie)
        }
        (Number::Float(score), Threshold::Integer(threshold)) => {
            let whole = score.floor();
            let tie = if score > whole { Ordering::Greater } else { Ordering::Equal };
            (whole as i128).cmp(&threshold).then(tie)
        }
    };
    match side {
        Side::GreaterEqual => order.is_ge(),
        Side::Greater => order.is_gt(),
    }
}

fn at_thresholds(
    u: &mut Unstructured,
    case: &Case,
    table: &ScoreTable,
    rows: &[Ranked],
) -> Result<()> {
    let side = *u.choose(&[Side::GreaterEqual, Side::Greater])?;
    let mut thresholds = Vec::new();
    for _ in 0..u.int_in_range(0..=12)? {
        let near = case.scores.values[usize::from(u.arbitrary::<u8>()?) % case.rows()];
        thresholds.push(match (u.arbitrary::<u8>()? % 8, near) {
            (0, _) => Threshold::Float(f64::from(u.arbitrary::<i16>()?) / 256.0),
            (1, _) => Threshold::Integer(u.arbitrary::<i64>()?.into()),
            (2, _) => Threshold::Float(f64::NEG_INFINITY),
            (3, Number::Int(near)) => Threshold::Integer(near + 1),
            (3, Number::Float(near)) if !near.is_nan() => Threshold::Float(near.next_up()),
            (_, Number::Int(near)) => Threshold::Integer(near),
            (_, Number::Float(near)) if !near.is_nan() => Threshold::Float(near),
            _ => Threshold::Float(f64::INFINITY),
        });
    }
    let best = case.options.nan_policy == NanPolicy::Best;
    let found = counts_at(
        &case.labels.labels(),
        &case.scores.scores(),
        case.weights(),
        &case.options,
        &thresholds,
        side,
    )
    .expect("the table was not refused");
    assert_eq!(counts_of_table(table, &thresholds, side), found);
    for (&threshold, found) in thresholds.iter().zip(&found) {
        let mut cells: [Exact; 4] = Default::default();
        for row in rows {
            let above = reaches(row.score, threshold, side, best);
            cells[2 * usize::from(!above) + usize::from(above != row.positive)].add(row.weight);
        }
        // Predicted positive: right, wrong; predicted negative: right, wrong.
        let cells = cells.map(|sum| sum.rounded());
        let found = [found.tp, found.fp, found.tn, found.fn_];
        assert_eq!(found, cells, "at {threshold:?}, {side:?}");
        if let Threshold::Float(threshold) = threshold {
            let at = table.at(threshold, side);
            assert_eq!([at.tp, at.fp, at.tn, at.fn_], cells, "at {threshold}, {side:?}");
        }
    }
    Ok(())
}

fn in_bins(u: &mut Unstructured, case: &Case) -> Result<()> {
    let mut edges = Vec::new();
    for _ in 0..u.int_in_range(0..=40)? {
        let near = case.scores.values[usize::from(u.arbitrary::<u8>()?) % case.rows()].float();
        edges.push(if near.is_finite() { near } else { 0.25 });
    }
    edges.sort_by(f64::total_cmp);
    edges.dedup_by(|a, b| a == b);
    let options = BinOptions {
        nan_policy: case.options.nan_policy,
        infinite: case.options.infinite,
        scores: "scores",
        weights: "weights",
    };
    let found = binned(&case.scores.scores(), case.weights(), &edges, options);
    let ends = extremes(&case.scores.scores(), options);
    let mut bins = vec![Exact::default(); edges.len() + 1];
    let mut missing = Exact::default();
    let mut refused = None;
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (row, &value) in case.scores.values.iter().enumerate() {
        let score = value.float();
        let weight = case.weights.as_ref().map_or(1.0, |held| held.values[row].float());
        let raise = options.nan_policy == NanPolicy::Raise;
        let infinite = matches!(value, Number::Float(score) if score.is_infinite());
        if is_bad(weight) || score.is_nan() && raise || infinite && !options.infinite {
            refused = Some(row);
            break;
        }
        if score.is_nan() {
            if options.nan_policy != NanPolicy::Omit {
                missing.add(weight);
            }
            continue;
        }
        (low, high) = (low.min(score), high.max(score));
        let above = |edge: &f64| reaches(value, Threshold::Float(*edge), Side::GreaterEqual, false);
        bins[edges.iter().filter(|edge| above(edge)).count()].add(weight);
    }
    match (refused, found) {
        // Which of several bad rows is named is not promised here.
        (Some(_), Err(Refusal::Row { .. })) => {}
        (None, Ok(found)) => {
            let bins: Vec<f64> = bins.iter().map(Exact::rounded).collect();
            assert_eq!((found.bins, found.missing), (bins, missing.rounded()));
            let expected = (low <= high).then_some((low, high));
            assert_eq!(ends.expect("the scores were not refused"), expected);
        }
        (refused, found) => panic!("{found:?}, expected {refused:?}"),
    }
    Ok(())
}

fn derived(u: &mut Unstructured, table: &ScoreTable, groups: &[Group]) -> Result<()> {
    let ranking = Ranking::from(table.clone());
    if u.arbitrary()? {
        ranking.prepare();
    }
    let (positives, negatives) = table.totals();
    let finite = (positives + negatives).is_finite();
    if !table.is_weighted() {
        let (mut tp, mut fp, mut precision, mut widest) = (0, 0, 0.0, 0_i128);
        for group in groups {
            tp += group.rows[0];
            fp += group.rows[1];
            precision += group.rows[0] as f64 * (tp as f64 / (tp + fp) as f64);
            let (p, n) = (positives as i128, negatives as i128);
            widest = widest.max((i128::from(tp) * n - i128::from(fp) * p).abs());
        }
        let found = ranking.average_precision();
        assert_eq!(found.is_some(), positives > 0.0);
        if let Some(found) = found {
            let expected = precision / positives;
            assert!(near(found, expected, groups.len()), "{found}, expected {expected}");
        }
        let found = ranking.ks().map(|ks| ks.value);
        assert_eq!(found.is_some(), positives > 0.0 && negatives > 0.0);
        if let Some(found) = found {
            let expected = widest as f64 / (positives * negatives);
            assert!(near(found, expected, 1), "{found}, expected {expected}");
        }
    }
    let numbers = [
        ranking.roc_auc(),
        ranking.average_precision(),
        ranking.negative_average_precision(),
        ranking.average_precision_of_ties(TieOrder::Best),
        ranking.average_precision_of_ties(TieOrder::Worst),
        ranking.ks().map(|ks| ks.value),
    ];
    for number in numbers.into_iter().flatten() {
        assert!(!finite || (0.0..=1.0).contains(&number), "{number} of {numbers:?}");
    }
    let _ = (ranking.pairs(), ranking.mean_scores(), ranking.scored_auc(), ranking.roc_hull());
    let _ = (ranking.early_recognition(20.0), ranking.highest_precision(1));
    if ranking.are_probabilities() && finite && !table.is_empty() {
        let bins = u.int_in_range(1..=20)?;
        for binning in [Binning::Uniform, Binning::Quantile, Binning::Isotonic] {
            if let Some(bins) = ranking.calibration_bins(bins, binning) {
                let sum: f64 = bins.positives.iter().sum();
                assert!(near(sum, positives, groups.len()), "{sum}, expected {positives}");
            }
        }
        let _ = (ranking.mean_log_loss(), ranking.mean_squared_error());
        let _ = (ranking.decomposition(Rule::Brier), ranking.decomposition(Rule::LogLoss));
        let _ = (ranking.calibration_fit(), ranking.calibration_shift());
    }
    if finite && !table.is_empty() {
        let bands = Bands::of(table, u.int_in_range(1..=12)?, u.arbitrary()?);
        let bands = bands.expect("a good number of bands");
        let sum: f64 = bands.positives.iter().sum();
        assert!(near(sum, positives, groups.len()), "{sum}, expected {positives}");
    }
    Ok(())
}

fn in_parts(u: &mut Unstructured, case: &Case, table: &ScoreTable) -> Result<()> {
    let cut = u.int_in_range(0..=case.rows())?;
    let parts = [case.part(0..cut), case.part(cut..case.rows())];
    if let [Ok(first), Ok(second)] = [parts[0].table(), parts[1].table()] {
        for sum in [first.add(&second), second.add(&first)] {
            // With `rest` a table has one of several negative labels.
            if !case.options.rest {
                assert_eq!(sum.as_ref(), Ok(table), "cut at {cut}");
            }
        }
    }
    let mut collector = ScoreCollector::new(case.options.clone());
    for part in &parts {
        if part.rows() > 0 {
            let (labels, scores) = (part.labels.labels(), part.scores.scores());
            let outcome = collector.update(&labels, &scores, part.weights());
            outcome.expect("the rows were not refused");
        }
    }
    let collected = collector.table();
    if !case.options.rest {
        assert_eq!(collected.as_ref(), Ok(table), "cut at {cut}");
    }
    let rows = (collector.len(), collector.is_empty());
    let (labels, scores) = (case.labels.labels(), case.scores.scores());
    if let Some(has_weights) = collector.has_weights() {
        let ones = vec![1.0; case.rows()];
        let other = (!has_weights).then(|| Column::from_slice(&ones));
        assert!(collector.update(&labels, &scores, other).is_err());
        assert_eq!(rows, (collector.len(), collector.is_empty()));
        assert_eq!(collector.table(), collected);
    }
    if cut % 4 == 0 && !case.options.rest {
        spilled(case, &parts, table);
    }
    // Weights above zero are as they are where any sign is allowed.
    if let Some(weights) = case.weights() {
        let (labels, scores) = (case.labels.labels(), case.scores.scores());
        let signed = SignedTotals::sweep(&labels, &scores, weights, &case.options);
        let signed = signed.expect("the table was not refused");
        assert_eq!(signed.totals(), table.totals());
        let _ = (
            signed.roc(true),
            signed.precision_recall(false),
            signed.average_precision(),
            signed.detection_error(cut % 2 == 0),
        );
        let (above, keys) = (signed.at_or_above(), signed.keys());
        assert_eq!((above.0.len(), above.1.len()), (keys.len(), keys.len()));
        // Some integers are one double, and a NaN may be ranked.
        let in_order = |pair: &[u64]| {
            let scores = [signed.score(pair[0]), signed.score(pair[1])];
            pair[0] > pair[1] && !(scores[0] < scores[1])
        };
        assert!(keys.windows(2).all(in_order));
    }
    Ok(())
}

/// Rows that go to a file have the area and the counts of those in memory.
fn spilled(case: &Case, parts: &[Case], table: &ScoreTable) {
    let Ok(mut collector) = SpillingCollector::new(case.options.clone(), 1, None) else {
        assert_eq!(case.options.weight_kind, WeightKind::Sampling);
        return;
    };
    for part in parts.iter().filter(|part| part.rows() > 0) {
        let (labels, scores) = (part.labels.labels(), part.scores.scores());
        let outcome = collector.update(&labels, &scores, part.weights());
        outcome.expect("the rows were not refused");
    }
    if case.rows() == 0 {
        return;
    }
    let rows = collector.len();
    assert_eq!(collector.has_weights(), Some(case.weights().is_some()));
    let (positives, negatives) = table.totals();
    let Ok(view) = collector.view(None) else {
        assert!(!(positives + negatives).is_finite());
        return;
    };
    assert_eq!((view.rows(), view.totals()), (rows, table.totals()));
    assert_eq!(view.distinct(), Ok(table.len()));
    let of_table = Ranking::from(table.clone());
    let ranking = view.ranking().expect("the file is there");
    assert_eq!(ranking.roc_auc(), of_table.roc_auc());
    let ks = |ranking: &Ranking| ranking.ks().map(|ks| (ks.value, ks.threshold.to_bits()));
    assert_eq!(ks(ranking), ks(&of_table));
    for side in [Side::Greater, Side::GreaterEqual] {
        assert_eq!(view.at(Threshold::Float(0.5), side), Ok(of_table.at(0.5, side)));
    }
}

/// The table of its own scores and counts, the area of weighted rows without a table, and the table
/// of three parts.
fn by_other_ways(case: &Case, table: &ScoreTable, groups: &[Group]) {
    let (labels, scores) = (case.labels.labels(), case.scores.scores());
    if let Some(weights) = case.weights() {
        let found = weighted_auc(&labels, &scores, weights, &case.options);
        if let Some(found) = found.expect("the table was not refused") {
            assert_eq!((found.positives, found.negatives), table.totals());
            assert_eq!(found.area, Ranking::from(table.clone()).roc_auc());
        }
        let amounts = [0, 1].map(|class| {
            let sums = groups.iter().map(|group| group.sums[class].rounded());
            sums.collect::<Vec<f64>>()
        });
        check_amounts(groups, [&amounts[0], &amounts[1]].map(|amounts| Given::Floats(amounts)));
    } else {
        let amounts = [0, 1].map(|class| {
            let counts = groups.iter().map(|group| group.rows[class]);
            counts.collect::<Vec<u64>>()
        });
        check_amounts(groups, [&amounts[0], &amounts[1]].map(|amounts| Given::Counts(amounts)));
    }
    let third = case.rows() / 3;
    let parts = [0..third, third..2 * third, 2 * third..case.rows()];
    let parts = parts.map(|range| case.part(range).table());
    if let [Ok(first), Ok(second), Ok(last)] = &parts
        && !case.options.rest
        && let Ok(Some(pooled)) = pooled(&[first, second, last])
    {
        assert_eq!(&pooled, table);
    }
}

/// The table of distinct scores with amounts has them at or above each.
fn check_amounts(groups: &[Group], amounts: [Given; 2]) {
    let of = |group: &Group| group.score.expect("a group has a score").float();
    let scores: Vec<f64> = groups.iter().map(of).collect();
    // Some integers are one double.
    if scores.windows(2).any(|pair| pair[0] == pair[1]) {
        return;
    }
    let labels = LabelSet::numbered(2);
    let options =
        SweepOptions { nan_policy: NanPolicy::Raise, infinite: true, ..SweepOptions::zero_one() };
    let column = Scores::F64(Column::from_slice(&scores));
    let is_weighted = matches!(amounts[0], Given::Floats(_));
    let found = table_of_masses(&column, amounts, Some(is_weighted), &labels, &options);
    let is_good = !scores.iter().any(|score| score.is_nan())
        && !matches!(amounts, [Given::Floats(one), Given::Floats(other)]
            if one.iter().chain(other).any(|&amount| is_bad(amount)));
    assert_eq!(found.is_ok(), is_good, "{found:?}");
    let Ok(found) = found else { return };
    assert_eq!(found.len(), scores.len());
    let mut sums = [Exact::default(), Exact::default()];
    for (place, &score) in scores.iter().enumerate() {
        assert_eq!(found.score(place), score);
        for (sum, amounts) in sums.iter_mut().zip(&amounts) {
            sum.add(match amounts {
                Given::Counts(counts) => counts[place] as f64,
                Given::Floats(floats) => floats[place],
            });
        }
        let [positives, negatives] = [&sums[0], &sums[1]].map(Exact::rounded);
        assert_eq!(found.cumulative(place), (positives, negatives));
    }
}

fn losses(u: &mut Unstructured, case: &Case) -> Result<()> {
    let naive = case.naive();
    let found = case.sums();
    let (rows, found) = match (naive, found) {
        (Ok(rows), Ok(found)) => (rows, found),
        // Which of several bad rows is named is not promised here.
        (Err(_), Err(_)) => return Ok(()),
        (naive, found) => panic!("{found:?}, expected {naive:?}"),
    };
    let weight = Exact::of(rows.iter().map(|row| row.weight)).rounded();
    assert_eq!(found.weight(), weight);
    assert_eq!(found.rows(), rows.iter().filter(|row| row.weight > 0.0).count() as u64);
    let epsilon = match case.scores.dtype {
        "f16" => f64::from(half::f16::EPSILON),
        "f32" => f64::from(f32::EPSILON),
        _ => f64::EPSILON,
    };
    let (mut log_loss, mut brier) = (0.0, 0.0);
    for row in &rows {
        let p = row.score.float();
        let truth = f64::from(u8::from(row.positive));
        brier += row.weight * (truth - p) * (truth - p);
        let p = p.clamp(epsilon, 1.0 - epsilon);
        log_loss -= row.weight * if row.positive { p } else { 1.0 - p }.ln();
    }
    // A product of a small weight loses digits, or vanishes.
    let close = |found: f64, expected: f64| {
        !expected.is_finite()
            || near(found, expected, rows.len())
            || (found - expected).abs() <= 1e-300
    };
    assert!(close(found.brier(), brier), "{}, expected {brier}", found.brier());
    assert!(close(found.log_loss(), log_loss), "{}, expected {log_loss}", found.log_loss());
    assert_eq!(ProbabilitySums::from_bytes(&found.to_bytes()).as_ref(), Ok(&found));
    let cut = u.int_in_range(0..=case.rows())?;
    let parts = [case.part(0..cut).sums(), case.part(cut..case.rows()).sums()];
    if let [Ok(first), Ok(second)] = parts
        && !case.options.rest
    {
        assert_eq!(first.add(&second).as_ref(), Ok(&found), "cut at {cut}");
        assert_eq!(second.add(&first).as_ref(), Ok(&found), "cut at {cut}");
    }
    Ok(())
}
