//! Stored levels upside down, without touching a pixel (dossier section 5.5).

use super::format::Unit;
use super::{Mmp, reverse_rows};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader};

/// Pixels of a block, and bytes of the alpha before the colors of a large one.
const SIDE: u32 = 4;
const ALPHA_SIZE: usize = 8;

impl Mmp {
    /// The stored bytes of a level with the last row first. Blocks are turned over too; twice is as before.
    ///
    /// # Errors
    /// Blocks of a height above four that is no multiple of it: they reach over the edge on the wrong side then.
    /// Packed pixels, and formats that only the name is known of.
    pub(super) fn flipped_level(&self, level: usize) -> Result<Vec<u8>, FormatError> {
        let [width, height] = self.level_size(level);
        let mut bytes = self.levels.get(level).cloned().unwrap_or_default();
        let unsupported = |what: String| {
            let kind = FormatErrorKind::Unsupported { what };
            Reader::new(super::FORMAT, &[]).error("rows", kind)
        };
        if self.is_over_the_edge(level) {
            return Err(unsupported(format!("turning over blocks of {height} rows")));
        }
        match self.format.unit() {
            Unit::Pixel(size) => reverse_rows(&mut bytes, (width as usize).saturating_mul(size)),
            Unit::Block(format) => {
                let row_size = usize::try_from(format.n_bytes([width, SIDE]));
                reverse_rows(&mut bytes, row_size.unwrap_or(usize::MAX));
                let block_size = usize::try_from(format.n_bytes([SIDE, SIDE])).unwrap_or(1);
                for block in bytes.chunks_exact_mut(block_size) {
                    turn_block(block, height.min(SIDE), self.format);
                }
            }
            Unit::Packed | Unit::Unknown => {
                return Err(unsupported(format!(
                    "turning over pixels of format {}",
                    self.format
                )));
            }
        }
        Ok(bytes)
    }

    /// Whether the last row of a level's blocks reaches over the edge, and would do so before the first row if they
    /// were turned over, where no format has room for it.
    pub(super) fn is_over_the_edge(&self, level: usize) -> bool {
        let [_, height] = self.level_size(level);
        let is_blocks = matches!(self.format.unit(), Unit::Block(_));
        is_blocks && height > SIDE && !height.is_multiple_of(SIDE)
    }
}

/// Exchanges the first `n_rows` rows of a block, the first with the last.
fn turn_block(block: &mut [u8], n_rows: u32, format: super::MmpFormat) {
    use super::MmpFormat::{Dxt4, Dxt5};
    let (alpha, colors) = match block.split_at_mut_checked(ALPHA_SIZE) {
        Some((alpha, colors)) if !colors.is_empty() => (Some(alpha), colors),
        Some((colors, _)) => (None, colors),
        None => return,
    };
    // Two end points, then a byte a row.
    turn_rows(colors, 4, u8::BITS, n_rows);
    match (alpha, format) {
        // Two end points, then 12 bits a row.
        (Some(alpha), Dxt4 | Dxt5) => turn_rows(alpha, 2, 12, n_rows),
        (Some(alpha), _) => turn_rows(alpha, 0, 16, n_rows),
        (None, _) => {}
    }
}

/// Exchanges rows of `row_bits` that follow `head` bytes.
fn turn_rows(bytes: &mut [u8], head: usize, row_bits: u32, n_rows: u32) {
    let Some(rows) = bytes.get_mut(head..) else {
        return;
    };
    let mut wide = [0; 8];
    for (target, byte) in wide.iter_mut().zip(rows.iter()) {
        *target = *byte;
    }
    let stored = u64::from_le_bytes(wide);
    let mask = (1_u64 << row_bits).saturating_sub(1);
    let at = |row: u32| row.saturating_mul(row_bits);
    let turned = (0..SIDE).fold(0, |turned, row| {
        let from = if row < n_rows {
            n_rows.saturating_sub(row.saturating_add(1))
        } else {
            row
        };
        turned | (stored >> at(from) & mask) << at(row)
    });
    for (target, byte) in rows.iter_mut().zip(turned.to_le_bytes()) {
        *target = byte;
    }
}
