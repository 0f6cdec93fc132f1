//! Random bits that depend on their use alone: a seed, a purpose and two counters.
//!
//! 1. [`stream`] mixes the seed, the purpose, a replicate (or batch of replicates) and a chunk of
//!    rows into the start of a stream. So any thread can draw any part, and gets the same bits.
//! 2. [`Stream`] gives 64 bits at a time. [`Wide`] gives 32 draws of 16 bits at a time, in vectors.
//!
//! Cost: about 1 ns for 64 bits of [`Stream`], 0.1 ns for a draw of [`Wide`].
//!
//! Sources: Steele, Lea, Flood 2014, doi:10.1145/2660193.2660195 (`SplitMix64`); Blackman, Vigna
//! 2021, doi:10.1145/3460772 (xoshiro128++).
#![allow(clippy::inline_always)] // Only inlined code is compiled for each instruction set.

/// The use of random bits. Streams with different purposes are independent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    /// The first draws of the rows of a chunk.
    Rows = 1,
    /// Draws of rows whose first 16 bits left them undecided.
    Rest,
    /// Rows drawn once more, or once less, so that a chunk has its total.
    Balance,
    /// The number of draws of each class and chunk.
    Totals,
    /// Draws of whole cells.
    Cells,
    /// Draws by the key of a row.
    Keys,
    /// Signs of paired differences.
    Signs,
}

/// 2^64 divided by the golden ratio, odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes 64 bits so that each output bit depends on all of them.
#[inline(always)]
pub(crate) const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

pub(crate) fn stream(seed: u64, purpose: Purpose, replicate: usize, chunk: usize) -> Stream {
    let mut state = mix(seed.wrapping_add(GOLDEN));
    for part in [purpose as u64, replicate as u64, chunk as u64] {
        state = mix(state.wrapping_add(GOLDEN) ^ part.wrapping_mul(0xd6e8_feb8_6659_fd93));
    }
    Stream { state }
}

/// A stream of 64 random bits at a time.
#[derive(Clone, Debug)]
pub(crate) struct Stream {
    state: u64,
}

impl Stream {
    /// The next 64 bits.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// A number in [0, 1).
    #[inline(always)]
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * 2_f64.powi(-53)
    }

    /// A place below `len`, and 64 more bits that do not depend on it.
    ///
    /// Each place has its probability to within 2^-64.
    #[inline(always)]
    pub(crate) fn place(&mut self, len: usize) -> (usize, u64) {
        let product = u128::from(self.next()) * len as u128;
        ((product >> 64) as usize, product as u64)
    }
}

/// Sixteen generators of 32 bits side by side.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    state: [[u32; 16]; 4],
}

impl Wide {
    /// Generators seeded by a stream.
    pub(crate) fn new(mut stream: Stream) -> Self {
        let mut state = [[0; 16]; 4];
        for pair in state.as_flattened_mut().chunks_exact_mut(2) {
            let bits = stream.next();
            pair[0] = bits as u32;
            pair[1] = (bits >> 32) as u32;
        }
        Self { state }
    }

    /// The next 32 draws of 16 bits.
    #[inline(always)]
    pub(crate) fn next(&mut self) -> [u16; 32] {
        let mut draws = [0; 32];
        let [a, b, c, d] = &mut self.state;
        for lane in 0..16 {
            let sum = a[lane].wrapping_add(d[lane]);
            let found = sum.rotate_left(7).wrapping_add(a[lane]);
            let shifted = b[lane] << 9;
            c[lane] ^= a[lane];
            d[lane] ^= b[lane];
            b[lane] ^= c[lane];
            a[lane] ^= d[lane];
            c[lane] ^= shifted;
            d[lane] = d[lane].rotate_left(11);
            draws[2 * lane] = found as u16;
            draws[2 * lane + 1] = (found >> 16) as u16;
        }
        draws
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The xoshiro128++ of Blackman and Vigna, as published.
    fn next(s: &mut [u32; 4]) -> u32 {
        let result = s[0].wrapping_add(s[3]).rotate_left(7).wrapping_add(s[0]);
        let t = s[1] << 9;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(11);
        result
    }

    #[test]
    fn each_lane_is_a_generator_of_its_own() {
        let mut wide = Wide::new(stream(5, Purpose::Rows, 3, 4));
        let mut lanes: [[u32; 4]; 16] =
            std::array::from_fn(|lane| std::array::from_fn(|word| wide.state[word][lane]));
        for _ in 0..100 {
            let draws = wide.next();
            for (lane, state) in lanes.iter_mut().enumerate() {
                let bits = next(state);
                assert_eq!(draws[2 * lane], bits as u16);
                assert_eq!(draws[2 * lane + 1], (bits >> 16) as u16);
            }
        }
    }

    /// The first outputs of the authors' `splitmix64.c` from state 1234567.
    #[test]
    fn a_stream_is_split_mix() {
        let mut stream = Stream { state: 1_234_567 };
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!(expected.map(|_| stream.next()), expected);
    }

    #[test]
    fn streams_differ_in_every_part() {
        let first =
            |seed, purpose, replicate, chunk| stream(seed, purpose, replicate, chunk).next();
        let all = [
            first(0, Purpose::Rows, 0, 0),
            first(1, Purpose::Rows, 0, 0),
            first(0, Purpose::Rest, 0, 0),
            first(0, Purpose::Rows, 1, 0),
            first(0, Purpose::Rows, 0, 1),
        ];
        for (place, one) in all.iter().enumerate() {
            assert!(!all[..place].contains(one));
        }
    }
}
