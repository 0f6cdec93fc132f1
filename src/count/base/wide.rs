//! One loop, compiled for several instruction sets. The widest that the machine has is chosen at
//! run time.
//!
//! 1. Write the loop once, as a plain `#[inline(always)]` function over slices. The compiler
//!    vectorises it.
//! 2. [`wide!`] makes the function that callers use. It contains the loop three times, compiled for
//!    AVX-512, for AVX2 and for the baseline, and jumps to one of them.
//!
//! Cost: 1 ns per jump. So use it around a chunk or a bucket, never around a row.
//!
//! A closure inside such a loop has the loop's instruction set only if it is inlined. A closure
//! that runs on another thread never has it. So the loops take slices, and threads run code that
//! calls the loops.
#![allow(unsafe_code)]
#![allow(clippy::inline_always)] // Only an inlined loop is compiled for wider instructions.

#[cfg(target_arch = "x86_64")]
use std::sync::atomic::{AtomicU8, Ordering};

/// The width of the machine's vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(dead_code)]
pub enum Level {
    /// The instructions that every machine of the target has.
    Baseline,
    /// 32-byte vectors.
    Avx2,
    /// 64-byte vectors with masks.
    Avx512,
}

/// The widest level that this machine has and that may be used; cached, so that another call costs
/// one load.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn level() -> Level {
    static KNOWN: AtomicU8 = AtomicU8::new(u8::MAX);
    let known = KNOWN.load(Ordering::Relaxed);
    if let Some(&level) = LEVELS.get(usize::from(known)) {
        return level;
    }
    let level = find_level();
    KNOWN.store(level as u8, Ordering::Relaxed);
    level
}

#[cfg(target_arch = "x86_64")]
#[cold]
fn find_level() -> Level {
    let avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    let widest = match (avx2, avx512) {
        (true, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        _ => Level::Baseline,
    };
    wanted().map_or(widest, |wanted| wanted.min(widest))
}

/// Other machines have one level.
#[cfg(not(target_arch = "x86_64"))]
#[allow(dead_code)]
pub(crate) fn level() -> Level {
    Level::Baseline
}

/// The level in the environment: `ROCKSTEADY_INSTRUCTIONS` is `sse2`, `avx2` or `avx512`; other
/// values are ignored. For developers, who test each level on one machine.
#[cfg(target_arch = "x86_64")]
fn wanted() -> Option<Level> {
    let word = std::env::var("ROCKSTEADY_INSTRUCTIONS").ok()?;
    NAMES.iter().position(|&name| name == word).map(|at| LEVELS[at])
}

#[cfg(target_arch = "x86_64")]
const LEVELS: [Level; 3] = [Level::Baseline, Level::Avx2, Level::Avx512];

#[cfg(target_arch = "x86_64")]
const NAMES: [&str; 3] = ["sse2", "avx2", "avx512"];
#[cfg(not(target_arch = "x86_64"))]
#[allow(dead_code)]
const NAMES: [&str; 1] = ["baseline"];

/// The name of the level that the kernels run at.
pub fn level_name() -> &'static str {
    NAMES[level() as usize]
}

/// `wide! { fn name[T: Bound](argument: Type) -> Out = body; }` defines `name`. It runs the
/// `#[inline(always)]` function `body`, compiled for the widest instructions of the machine.
#[macro_export]
macro_rules! wide {
    ($($(#[$meta:meta])* $vis:vis fn $name:ident [$($generics:tt)*] ($($arg:ident : $ty:ty),* $(,)?) -> $out:ty
        = $body:expr;)+) => {$(
        $(#[$meta])*
        #[allow(unsafe_code, clippy::too_many_arguments)]
        $vis fn $name<$($generics)*>($($arg: $ty),*) -> $out {
            $crate::base::interrupt::check();
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt")]
                #[allow(clippy::too_many_arguments)]
                fn avx512<$($generics)*>($($arg: $ty),*) -> $out {
                    $body($($arg),*)
                }
                #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                #[allow(clippy::too_many_arguments)]
                fn avx2<$($generics)*>($($arg: $ty),*) -> $out {
                    $body($($arg),*)
                }
                match $crate::base::wide::level() {
                    // SAFETY: `level` found all these features on this machine.
                    $crate::base::wide::Level::Avx512 => return unsafe { avx512($($arg),*) },
                    // SAFETY: as above.
                    $crate::base::wide::Level::Avx2 => return unsafe { avx2($($arg),*) },
                    $crate::base::wide::Level::Baseline => {}
                }
            }
            $body($($arg),*)
        }
    )+};
}
pub use wide;

/// Prefetches the cache line at `place` for writing. A hint: the address need not be valid.
#[inline(always)]
pub fn prefetch_write<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch never faults and changes nothing that a program can see.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_ET0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_ET0>(place.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        std::arch::asm!("prfm pstl1keep, [{place}]", place = in(reg) place, options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = place;
}

/// Prefetches the cache line at `place` for reading. A hint: the address need not be valid.
#[inline(always)]
pub fn prefetch_read<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch never faults and changes nothing that a program can see.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(place.cast());
    }
    #[cfg(target_arch = "aarch64")]
    // SAFETY: as above.
    unsafe {
        std::arch::asm!("prfm pldl1keep, [{place}]", place = in(reg) place, options(nostack, preserves_flags, readonly));
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_may_ask_for_a_narrower_level() {
        let name = level_name();
        assert!(NAMES.contains(&name));
        let asked = std::env::var("ROCKSTEADY_INSTRUCTIONS").unwrap_or_default();
        if let Some(asked) = NAMES.iter().position(|&name| name == asked) {
            assert!(level() as usize <= asked);
        }
    }
}
