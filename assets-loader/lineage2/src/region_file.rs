//! A region in whatever format it is stored.

use super::conv_dat::{self, ConvDat};
use super::l2d::{self, L2d};
use super::l2g::L2g;
use super::l2j::{self, L2j};
use super::l2m::L2m;
use super::names::GeodataFormat;
use super::path_txt::PathTxt;
use super::region::{Block, BlockRef, Region};
use super::rp::Rp;
use super::{RegionId, RegionPath, Tolerance, ZERO_REGION, inspect};
use std::path::Path;

use ironlands_assets_core::bytes::{Finding, FormatError, FormatErrorKind, Reader, Severity};
use ironlands_assets_core::format::{FileKind, Format, Input, Match, inherent_methods};
use ironlands_assets_core::report::Report;

/// A typed file of any format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegionFile {
    /// Of the original server.
    ConvDat(ConvDat),
    /// Of community servers.
    L2j(L2j),
    /// With diagonals.
    L2d(L2d),
    /// Under a key.
    L2g(L2g),
    /// With offsets.
    L2m(L2m),
    /// With diagonals, under another name.
    Rp(Rp),
    /// As text.
    PathTxt(PathTxt),
}

/// What the name of a region's file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegionContext {
    /// How it is stored.
    pub format: GeodataFormat,
    /// Which region it is.
    pub id: RegionId,
}

impl Default for RegionContext {
    fn default() -> Self {
        Self {
            format: GeodataFormat::L2j,
            id: ZERO_REGION,
        }
    }
}

impl Format for RegionFile {
    type Context = RegionContext;

    const NAME: &'static str = "geodata";
    const EXTENSIONS: &'static [&'static str] = &["l2j", "l2d", "l2g", "l2m", "rp", "dat", "txt"];
    const KIND: FileKind = FileKind::Level;

    inherent_methods!(write, check);

    fn recognize(name: &str, _head: &[u8]) -> Option<Match> {
        inspect::is_region(name).then_some(Match::Name)
    }

    fn context(path: &Path) -> Result<RegionContext, Finding> {
        let path = RegionPath::new(path).map_err(|_| {
            let message = "no name of a region, which begins with two numbers from 0 to 31, as 22_16.l2j does";
            Finding::new(Severity::Error, Self::NAME, message)
        })?;
        Ok(RegionContext {
            format: path.name.format,
            id: path.name.id,
        })
    }

    /// Texts may have their lines in any order, and are written in one.
    fn contexts() -> Vec<RegionContext> {
        let formats = GeodataFormat::ALL.into_iter();
        let formats = formats.filter(|format| *format != GeodataFormat::PathTxt);
        let context = |format| RegionContext {
            format,
            id: ZERO_REGION,
        };
        formats.map(context).collect()
    }

    fn read(data: &[u8], context: &RegionContext) -> Result<Self, FormatError> {
        Self::read(context.format, context.id, data, Tolerance::STRICT)
    }

    fn read_tolerant(
        data: &[u8],
        context: &RegionContext,
    ) -> Result<(Self, Vec<Finding>), FormatError> {
        let tolerance = Tolerance::TRAILING_BYTES;
        let file = Self::read(context.format, context.id, data, tolerance)?;
        Ok((file, Vec::new()))
    }

    fn inspect(input: &Input<'_>, report: &mut Report) -> Result<(), FormatError> {
        inspect::inspect_region(input, report).map(drop)
    }
}

impl RegionFile {
    /// Reads a whole file of a format; `id` is from its name.
    ///
    /// # Errors
    /// If the bytes are not what the format requires; always for [`GeodataFormat::L2s`].
    pub fn read(
        format: GeodataFormat,
        id: RegionId,
        data: &[u8],
        tolerance: Tolerance,
    ) -> Result<Self, FormatError> {
        Ok(match format {
            GeodataFormat::ConvDat => Self::ConvDat(ConvDat::read_with(id, data, tolerance)?),
            GeodataFormat::L2j => Self::L2j(L2j::read_with(id, data, tolerance)?),
            GeodataFormat::L2d => Self::L2d(L2d::read_with(id, data, tolerance)?),
            GeodataFormat::L2g => Self::L2g(L2g::read_with(id, data, tolerance)?),
            GeodataFormat::L2m => Self::L2m(L2m::read_with(id, data, tolerance)?),
            GeodataFormat::Rp => Self::Rp(Rp::read_with(id, data, tolerance)?),
            GeodataFormat::PathTxt => Self::PathTxt(PathTxt::read(id, data)?),
            GeodataFormat::L2s => {
                let what = "a file that is locked to the address of its owner".to_owned();
                let kind = FormatErrorKind::Unsupported { what };
                return Err(Reader::new("l2s", data).error("key", kind));
            }
        })
    }

    /// Reads a whole file as [`read`](Self::read) does and calls `each` with its blocks, x-major, without holding the
    /// region in memory. What is called before an error is found is not taken back.
    ///
    /// # Errors
    /// As in [`read`](Self::read).
    pub fn visit(
        format: GeodataFormat,
        id: RegionId,
        data: &[u8],
        tolerance: Tolerance,
        mut each: impl FnMut(BlockRef<'_>),
    ) -> Result<(), FormatError> {
        match format {
            GeodataFormat::ConvDat => {
                ConvDat::visit(&mut Reader::new(conv_dat::FORMAT, data), tolerance, each).map(drop)
            }
            GeodataFormat::L2j => {
                let r = &mut Reader::new(l2j::FORMAT, data);
                l2j::BLOCKS.visit(r, tolerance, each).map(drop)
            }
            GeodataFormat::L2d => {
                let r = &mut Reader::new(l2d::FORMAT, data);
                l2d::BLOCKS.visit(r, tolerance, each).map(drop)
            }
            _ => {
                let file = Self::read(format, id, data, tolerance)?;
                let blocks = file.region().blocks().iter();
                blocks.for_each(|block| each(block.borrowed()));
                Ok(())
            }
        }
    }

    /// The bytes of the file; the same that it was read from.
    ///
    /// # Errors
    /// If the format cannot hold the region: too many layers in a cell.
    pub fn write(&self) -> Result<Vec<u8>, FormatError> {
        match self {
            Self::ConvDat(file) => file.write(),
            Self::L2j(file) => file.write(),
            Self::L2d(file) => file.write(),
            Self::L2g(file) => file.write(),
            Self::L2m(file) => file.write(),
            Self::Rp(file) => file.write(),
            Self::PathTxt(file) => file.write(),
        }
    }

    /// What the document calls unusual (section 8).
    pub fn check(&self) -> Vec<Finding> {
        match self {
            Self::ConvDat(file) => file.check(),
            Self::L2j(file) => file.check(),
            Self::L2d(file) => file.check(),
            Self::L2g(file) => file.check(),
            Self::L2m(file) => file.check(),
            Self::Rp(file) => file.check(),
            Self::PathTxt(file) => file.check(),
        }
    }

    /// The blocks.
    pub fn region(&self) -> &Region {
        match self {
            Self::ConvDat(file) => file.region(),
            Self::L2j(file) => &file.region,
            Self::L2d(file) => &file.region,
            Self::L2g(file) => &file.l2j.region,
            Self::L2m(file) => file.region(),
            Self::Rp(file) => &file.l2d.region,
            Self::PathTxt(file) => &file.region,
        }
    }

    /// Replaces a block by its number, x-major; what the file holds besides blocks follows, so that only the bytes of this
    /// block and of counts differ. Blocks with diagonals, and others where the format has them, are the caller's matter.
    pub fn set_block(&mut self, index: u16, block: Block) {
        let region = match self {
            Self::ConvDat(file) => return file.set_block(index, block),
            Self::L2m(file) => return file.set_block(index, block),
            Self::L2j(file) => &mut file.region,
            Self::L2d(file) => &mut file.region,
            Self::L2g(file) => &mut file.l2j.region,
            Self::Rp(file) => &mut file.l2d.region,
            Self::PathTxt(file) => &mut file.region,
        };
        if let Some(before) = region.blocks_mut().get_mut(usize::from(index)) {
            *before = block;
        }
    }

    /// Whether its cells have diagonals.
    pub fn has_diagonals(&self) -> bool {
        matches!(self, Self::L2d(_) | Self::Rp(_))
    }

    /// Bytes after the last block; none unless tolerated.
    pub(super) fn trailing(&self) -> &[u8] {
        match self {
            Self::ConvDat(file) => file.trailing(),
            Self::L2j(file) => &file.trailing,
            Self::L2d(file) => &file.trailing,
            Self::L2g(file) => &file.l2j.trailing,
            Self::L2m(file) => file.trailing(),
            Self::Rp(file) => &file.l2d.trailing,
            Self::PathTxt(_) => &[],
        }
    }

    /// How it is stored.
    pub fn format(&self) -> GeodataFormat {
        match self {
            Self::ConvDat(_) => GeodataFormat::ConvDat,
            Self::L2j(_) => GeodataFormat::L2j,
            Self::L2d(_) => GeodataFormat::L2d,
            Self::L2g(_) => GeodataFormat::L2g,
            Self::L2m(_) => GeodataFormat::L2m,
            Self::Rp(_) => GeodataFormat::Rp,
            Self::PathTxt(_) => GeodataFormat::PathTxt,
        }
    }
}

#[cfg(test)]
mod tests {
    use ironlands_assets_proof::{Damage, Fact, Truncations, proof};
    use proptest::strategy::Strategy;

    use super::*;
    use crate::N_BLOCKS;
    use crate::convert::{ConvertOptions, convert};
    use crate::flat::FlatRule;
    use crate::test_regions::{id, mixed, random};

    proof! {
        RegionFile {
            facts: facts(),
            damage: damage(),
            truncations: Truncations::Refused,
            values: proptest::num::u64::ANY.prop_map(any_region),
            growth: 16,
            runs: 20,
        }
    }

    fn any_region(seed: u64) -> RegionFile {
        let blocks = random(seed).blocks().to_vec();
        let region = Region::new(ZERO_REGION, blocks).unwrap();
        RegionFile::L2j(L2j::from_region(&region, FlatRule::Max))
    }

    /// Texts are larger than all others together; they have tests of their own.
    fn facts() -> Vec<Fact<RegionFile>> {
        let formats = FORMATS.into_iter();
        let formats = formats.filter(|format| *format != GeodataFormat::PathTxt);
        let fact = |format| {
            let context = RegionContext { format, id: id() };
            Fact::from_bytes("a region of all kinds of blocks", bytes_of(format))
                .with_context(context)
        };
        formats.map(fact).collect()
    }

    fn damage() -> Vec<Damage> {
        let flat = |n_blocks: usize| [0, 0x90, 0xEF].repeat(n_blocks);
        vec![
            Damage::new("too few bytes", flat(7), "blocks", 0),
            Damage::new(
                "a byte after the last block",
                [&flat(N_BLOCKS)[..], &[0]].concat(),
                "after the last block",
                3 * N_BLOCKS as u64,
            ),
        ]
    }

    const FORMATS: [GeodataFormat; 7] = [
        GeodataFormat::ConvDat,
        GeodataFormat::L2j,
        GeodataFormat::L2d,
        GeodataFormat::L2g,
        GeodataFormat::L2m,
        GeodataFormat::Rp,
        GeodataFormat::PathTxt,
    ];

    fn bytes_of(format: GeodataFormat) -> Vec<u8> {
        let source = RegionFile::L2j(L2j::from_region(&mixed(31), Default::default()));
        let converted = convert(&source, format, &ConvertOptions::default()).unwrap();
        converted.file.write().unwrap()
    }

    fn visited(format: GeodataFormat, data: &[u8]) -> Result<Vec<Block>, FormatError> {
        let mut blocks = Vec::new();
        RegionFile::visit(format, id(), data, Tolerance::STRICT, |block| {
            blocks.push(Block::from(block));
        })?;
        Ok(blocks)
    }

    #[test]
    fn blocks_are_visited_as_they_are_read() {
        for format in FORMATS {
            let data = bytes_of(format);
            let file = RegionFile::read(format, id(), &data, Tolerance::STRICT).unwrap();
            let blocks = visited(format, &data).unwrap();
            assert_eq!(blocks.len(), N_BLOCKS);
            assert!(blocks == file.region().blocks(), "{format}");
        }
    }

    /// At the first block, in a column, in front of the last block, and after it.
    #[test]
    fn visits_end_with_the_error_of_the_reader() {
        for format in FORMATS {
            let sound = bytes_of(format);
            let n = sound.len();
            let mut all = vec![sound.clone(); 5];
            all[0].truncate(3);
            all[1].truncate(n / 2);
            all[2].truncate(n - 1);
            all[3].push(0);
            all[4][20..400].fill(0xEE);
            for (case, data) in all.iter().enumerate() {
                let read = RegionFile::read(format, id(), data, Tolerance::STRICT).map(drop);
                assert_eq!(visited(format, data).map(drop), read, "{format}, {case}");
            }
        }
    }
}
