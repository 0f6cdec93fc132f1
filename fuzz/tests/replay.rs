//! Every input that is kept, and some random ones, through every target. Needs no fuzzer.
//!
//! `FUZZ_RANDOM` sets how many random inputs each target gets, and `FUZZ_CORPUS` another folder of
//! inputs, such as `work`.

use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rocksteady_fuzz::TARGETS;

/// The number of threads and the defined indices are those of the process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

#[test]
fn inputs_that_are_kept_break_nothing() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for (name, run) in TARGETS {
        let corpus = std::env::var("FUZZ_CORPUS").unwrap_or_else(|_| "corpus".to_owned());
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(corpus).join(name);
        let mut replayed = 0;
        for file in fs::read_dir(&folder).expect("every target has a corpus") {
            let path = file.expect("a file").path();
            println!("{}", path.display());
            run(&fs::read(path).expect("a file that can be read"));
            replayed += 1;
        }
        assert!(replayed > 0, "{} is empty", folder.display());
    }
}

/// xorshift64*, Vigna 2016.
fn next(state: &mut u64) -> u64 {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    state.wrapping_mul(0x2545_f491_4f6c_dd1d)
}

#[test]
fn random_inputs_break_nothing() {
    let _alone = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let wanted = std::env::var("FUZZ_RANDOM").ok();
    let inputs: u64 = wanted.map_or(500, |text| text.parse().expect("a number of inputs"));
    for (name, run) in TARGETS {
        for seed in 1..=inputs {
            let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let len = next(&mut state) % 400;
            let data: Vec<u8> = (0..len).map(|_| (next(&mut state) >> 56) as u8).collect();
            let outcome = std::panic::catch_unwind(|| run(&data));
            assert!(outcome.is_ok(), "{name} breaks at the random input {seed}");
        }
    }
}
