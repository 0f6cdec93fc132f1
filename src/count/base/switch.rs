//! Row limits at which kernels switch methods; small in a build for the fuzzer.

/// A number of rows at which a kernel switches methods: `usual`, or `fuzzed` in a build for the
/// fuzzer. So a few rows cross every limit, and fuzzed inputs can be short.
pub const fn switch_at(usual: usize, fuzzed: usize) -> usize {
    if cfg!(fuzzing) { fuzzed } else { usual }
}
