#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| rocksteady_fuzz::states::run(data));
