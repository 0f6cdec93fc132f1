//! Integers in as few bits as the largest of each block needs.
//!
//! 1. At most [`BLOCK`] integers are a block. Its width is the number of bits of the largest one,
//!    so the bytes follow from the integers alone.
//! 2. The bytes of a block are its integers in order, each `width` bits long, low bits first, then
//!    zero bits up to a whole byte. The width is stored elsewhere.
//!
//! Cost: 1 to 2 ns an integer, to write as to read.
//!
//! Tried and rejected:
//! - a varint for each integer (a byte longer for the gaps between a million scores of 64 bits, and
//!   a branch that cannot be predicted);
//! - Rice coding, quotients in unary (one bit shorter for each integer, but slower to read).

use crate::base::memory::Room;

/// How many integers share one width.
pub(crate) const BLOCK: usize = 128;

const MOST: usize = BLOCK * 8;

pub(crate) fn width_of(values: &[u64]) -> u8 {
    let all = values.iter().fold(0, |all, value| all | value);
    (u64::BITS - all.leading_zeros()) as u8
}

/// The number of bytes of `len` integers of a width.
pub(crate) fn bytes_of(len: usize, width: u8) -> usize {
    (len * usize::from(width)).div_ceil(8)
}

/// Writes a block: at most [`BLOCK`] integers of at most `width` bits.
pub(crate) fn pack(values: &[u64], width: u8, out: &mut Vec<u8>) {
    if width == 0 {
        return;
    }
    let mut bytes = [0_u8; MOST];
    let (mut held, mut bits, mut at) = (0_u128, 0_u32, 0);
    for &value in &values[..values.len().min(BLOCK)] {
        held |= u128::from(value) << bits;
        bits += u32::from(width);
        if bits >= u64::BITS {
            bytes[at..at + 8].copy_from_slice(&(held as u64).to_le_bytes());
            at += 8;
            held >>= u64::BITS;
            bits -= u64::BITS;
        }
    }
    let rest = (held as u64).to_le_bytes();
    let left = bits.div_ceil(8) as usize;
    bytes[at..at + left].copy_from_slice(&rest[..left]);
    out.grow_by(&bytes[..at + left]);
}

/// Reads a block that [`pack`] wrote: as many integers as `to` holds, from [`bytes_of`] that many
/// bytes. False if `pack` would have written other bytes.
#[must_use]
pub(crate) fn unpack(bytes: &[u8], width: u8, to: &mut [u64]) -> bool {
    let width = u32::from(width);
    if width == 0 {
        to.fill(0);
        return true;
    }
    if width > u64::BITS || to.len() > BLOCK {
        return false;
    }
    // Padding, so that sixteen bytes can be read from any place.
    let mut padded = [0_u8; MOST + 16];
    padded[..bytes.len()].copy_from_slice(bytes);
    let mask = u64::MAX >> (u64::BITS - width);
    let (mut all, mut bit) = (0, 0_usize);
    for value in &mut *to {
        let from = &padded[bit >> 3..][..16];
        let mut word = [0; 16];
        word.copy_from_slice(from);
        *value = (u128::from_le_bytes(word) >> (bit & 7)) as u64 & mask;
        all |= *value;
        bit += width as usize;
    }
    let spare = bytes.last().map_or(0, |&last| match bit & 7 {
        0 => 0,
        used => last >> used,
    });
    spare == 0 && all >> (width - 1) == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(values: &[u64], width: u8) -> Vec<u8> {
        let mut bytes = vec![0; bytes_of(values.len(), width)];
        for (place, value) in values.iter().enumerate() {
            for bit in 0..usize::from(width) {
                let to = place * usize::from(width) + bit;
                bytes[to / 8] |= ((value >> bit & 1) as u8) << (to % 8);
            }
        }
        bytes
    }

    proptest! {
        #[test]
        fn blocks_come_back(
            wide in prop::collection::vec(any::<u64>(), 0..=BLOCK), shift in 0_u32..64, flip in any::<usize>(),
        ) {
            let values: Vec<u64> = wide.iter().map(|value| value >> shift).collect();
            let width = width_of(&values);
            let mut bytes = Vec::new();
            pack(&values, width, &mut bytes);
            prop_assert_eq!(&bytes, &naive(&values, width));
            prop_assert_eq!(bytes.len(), bytes_of(values.len(), width));
            let mut read = vec![0; values.len()];
            prop_assert!(unpack(&bytes, width, &mut read));
            prop_assert_eq!(&read, &values);
            // Other bytes are other integers, or are refused.
            if !bytes.is_empty() {
                let place = flip % (8 * bytes.len());
                bytes[place / 8] ^= 1 << (place % 8);
                if unpack(&bytes, width, &mut read) {
                    prop_assert_ne!(&read, &values);
                    prop_assert_eq!(naive(&read, width), bytes);
                }
            }
        }

        #[test]
        fn a_width_that_is_too_great_is_refused(small in prop::collection::vec(0_u64..100, 1..BLOCK), more in 1_u8..40) {
            let width = width_of(&small) + more;
            prop_assert!(!unpack(&naive(&small, width), width, &mut vec![0; small.len()]));
        }
    }

    #[test]
    fn widths_beyond_an_integer_are_refused() {
        assert!(!unpack(&[0xff; 130], 65, &mut vec![0; 16]));
        assert!(unpack(&[], 0, &mut []));
    }
}
