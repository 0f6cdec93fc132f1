//! Where kernels change their ways: numbers of rows that are small in a build for the fuzzer.

/// A number of rows at which a kernel does something else: the usual one or, in a build for the
/// fuzzer, a small one. So a few rows cross every limit, and no fuzzed input needs to be long.
pub const fn switch_at(usual: usize, fuzzed: usize) -> usize {
    if cfg!(fuzzing) { fuzzed } else { usual }
}
