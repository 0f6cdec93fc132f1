//! Writes the inputs that the fuzzer starts from into `corpus/`: stored statistics of real rows,
//! and texts. `cargo fuzz cmin` then keeps what is needed of them and of what the fuzzer found.

use std::fs;
use std::path::Path;

use rocksteady::arith::weight_kind::WeightKind;
use rocksteady::base::column::Column;
use rocksteady::base::input::{Label, Labels, ScoreMatrix, Scores};
use rocksteady::base::matrix::Matrix;
use rocksteady::classes::label_score_tables::label_score_tables;
use rocksteady::classes::score_tables::score_tables;
use rocksteady::labels::counting::count::{CountOptions, confusion};
use rocksteady::scores::calibration::losses::probability_sums;
use rocksteady::scores::sweep::all_thresholds::score_table;
use rocksteady::scores::sweep::rows::SweepOptions;
use rocksteady::statistic::Statistic;

const HEAD: usize = 19;

fn write(target: &str, name: &str, data: &[u8]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    fs::create_dir_all(&folder).expect("a folder that can be made");
    fs::write(folder.join(name), data).expect("a file that can be written");
}

/// As a content; the first of each kind also as it is, of version 1, and with an unknown section.
fn write_bytes(place: u8, name: &str, bytes: &[u8]) {
    let form = |form: u8, bytes: &[u8]| [&[form], bytes].concat();
    write("bytes", name, &form(place, &bytes[HEAD..]));
    if name.ends_with("-0") {
        write("bytes", &format!("{name}-whole"), &form(0, bytes));
        write("bytes", &format!("{name}-old"), &form(place + 5, &bytes[HEAD..]));
        write("bytes", &format!("{name}-more"), &form(place + 10, &bytes[HEAD..]));
    }
}

fn statistics() {
    let (truth, guess) = ([2, 0, 2, 2, 0, 1], [0, 0, 2, 2, 0, 2]);
    let weights = [[1.0, 0.5, 2.0, 0.1, 0.0, 3.0], [1e300, 1e-300, 0.1, 5e-324, 1.0, 2.0]];
    let binary = [1, 0, 1, 0, 0, 1];
    let scores = [0.9, 0.8, 0.7, 0.7, 0.0, 0.25];
    let narrow = scores.map(|score| score as f32);
    let whole = [3_i8, -1, 3, 127, -128, 0];
    let words = ["no", "yes"].map(|word| Label::Text(word.into()));
    let (labels, guesses) =
        (Labels::I64(Column::from_slice(&truth)), Labels::I64(Column::from_slice(&guess)));
    let flags = Labels::U8(Column::from_slice(&binary));
    let codes = binary.map(u32::from);
    let texts = Labels::Coded(rocksteady::base::input::Coded {
        codes: Column::from_slice(&codes),
        labels: &words,
        kind: rocksteady::base::input::LabelKind::Text,
    });
    let probabilities: Vec<f64> = [0.2, 0.3, 0.5].repeat(6);
    let matrix = ScoreMatrix::F64(Matrix::from_slice(&probabilities, 3));
    let options = SweepOptions::default();
    let some = [None, Some(&weights[0]), Some(&weights[1])];
    for (at, weights) in some.into_iter().enumerate() {
        let weights = weights.map(|weights| Column::from_slice(&weights[..]));
        let counted = confusion(&labels, &guesses, weights, &CountOptions::default());
        write_bytes(1, &format!("confusion-{at}"), &counted.expect("good rows").to_bytes());
        let counted = confusion(&texts, &texts, weights, &CountOptions::default());
        write_bytes(1, &format!("text-{at}"), &counted.expect("good rows").to_bytes());
        for (kind, column) in [
            ("f64", Scores::F64(Column::from_slice(&scores))),
            ("f32", Scores::F32(Column::from_slice(&narrow))),
            ("i8", Scores::I8(Column::from_slice(&whole))),
        ] {
            let table = score_table(&flags, &column, weights, &options).expect("good rows");
            write_bytes(2, &format!("table-{kind}-{at}"), &table.to_bytes());
        }
        let column = Scores::F64(Column::from_slice(&scores));
        let sums = probability_sums(&texts, &column, weights, &options).expect("good rows");
        write_bytes(3, &format!("sums-{at}"), &sums.to_bytes());
        let ones = Labels::U8(Column::from_slice(&[0; 6]));
        let sums = probability_sums(&ones, &column, weights, &options).expect("good rows");
        write_bytes(3, &format!("open-{at}"), &sums.to_bytes());
        let kind = WeightKind::Counts;
        let tables = score_tables(&labels, None, &matrix, weights, kind).expect("good rows");
        write_bytes(4, &format!("tables-{at}"), &tables.to_bytes());
        let truth: Vec<u8> = [1, 0, 0, 1, 1, 0].repeat(3);
        let truth = ScoreMatrix::U8(Matrix::from_slice(&truth, 3));
        let tables = label_score_tables(&truth, &matrix, None, weights, kind).expect("good rows");
        write_bytes(5, &format!("labels-{at}"), &tables.to_bytes());
    }
}

fn texts() {
    for (at, text) in [
        "2*tp - 0.5*fp^2 / (n - -1)",
        "sqrt(precision * recall)",
        "min(tp, fp, fn) ** 2 + ln(n)",
        "fbeta(beta=2) - cost(fp=-1)",
        "gain * tp + fbeta(beta=beta)",
        "precision >= 0.9 and rpp <= 0.5",
        "0.1 <= rpp < 0.2 and f1 > recall == 1",
        "(tp + fp",
        "roc_auc - average_precision",
        "recal + 1",
    ]
    .into_iter()
    .enumerate()
    {
        write("formulas", &format!("text-{at}"), &[&[0], text.as_bytes()].concat());
    }
    for at in 0..8_u8 {
        let words: Vec<u8> =
            (0..24).map(|word| at.wrapping_mul(37).wrapping_add(word * 11)).collect();
        write("formulas", &format!("words-{at}"), &[&[1], &words[..]].concat());
        let tree: Vec<u8> =
            (0..120).map(|byte: u8| byte.wrapping_mul(at | 1).wrapping_add(at)).collect();
        write("formulas", &format!("tree-{at}"), &[&[2], &tree[..]].concat());
    }
}

/// Rows of every sort, by bytes that jump about.
fn rows() {
    for target in ["labels", "scores", "classes", "indices", "curves", "arrow"] {
        for at in 0..16_u32 {
            let mut state = at.wrapping_mul(2_654_435_761).wrapping_add(1);
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 24) as u8
            };
            let len = 60 + 15 * at;
            let data: Vec<u8> = (0..len).map(|_| next()).collect();
            write(target, &format!("rows-{at}"), &data);
        }
    }
}

fn main() {
    statistics();
    texts();
    rows();
}
