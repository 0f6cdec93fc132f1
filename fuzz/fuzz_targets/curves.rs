#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rocksteady_fuzz::curves::run(data));
