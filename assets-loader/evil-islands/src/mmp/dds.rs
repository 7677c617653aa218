//! Textures as DDS files and back, pixels copied as they are stored.
//!
//! DDS is the texture container of DirectX: a header of 128 bytes with masks or the name of a block format, and levels
//! from the largest down, the highest row first. The header's reserved words keep what it has no place for, so that
//! what the strict reader takes comes back byte for byte, except for packed pixels, which are packed again.

use super::codec::is_side;
use super::encode::PixelRows;
use super::format::{Channel, Channels, Unit};
use super::{MAX_MIPS, Mmp, MmpFormat, RowOrder, pnt3};
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader, Writer};
use ironlands_assets_core::mips::level_size;
use ironlands_assets_core::record::{Record, at_field};
use ironlands_assets_core::unpack::Budget;

const DDS: &str = "dds";
const MAGIC: &[u8; 4] = b"DDS ";
const N_RESERVED: usize = 11;
/// What the header has: sides, pixel format and caps; levels; bytes of a row; bytes of a level.
const HAS_USUAL: u32 = 0x1007;
const HAS_LEVELS: u32 = 0x2_0000;
const HAS_ROW_SIZE: u32 = 0x8;
const HAS_LEVEL_SIZE: u32 = 0x8_0000;
/// What the pixel format has: alpha, a name, masks.
const HAS_ALPHA: u32 = 0x1;
const HAS_NAME: u32 = 0x4;
const HAS_MASKS: u32 = 0x40;
/// A texture; one with levels.
const IS_TEXTURE: u32 = 0x1000;
const IS_COMPLEX: u32 = 0x40_0008;
/// Cube maps and volumes.
const IS_NO_PICTURE: u32 = 0x20_FE00;

/// What follows the magic.
#[derive(Record)]
struct Stored {
    #[field("header size", check = is_number::<{ Stored::SIZE }>)]
    size: u32,
    #[field("flags")]
    flags: u32,
    #[field("height", check = is_side)]
    height: u32,
    #[field("width", check = is_side)]
    width: u32,
    /// Bytes of a row or of the first level.
    #[field("row size")]
    row_size: u32,
    #[field("depth")]
    depth: u32,
    #[field("level count")]
    n_levels: u32,
    #[field("reserved")]
    reserved: [u32; N_RESERVED],
    #[field("pixel format")]
    pixels: StoredPixels,
    #[field("caps")]
    caps: u32,
    #[field("caps 2")]
    caps_2: u32,
    #[field("reserved")]
    reserved_caps: [u32; 3],
}

/// How pixels are stored.
#[derive(Default, Record)]
struct StoredPixels {
    #[field("size of the pixel format", check = is_number::<{ StoredPixels::SIZE }>)]
    size: u32,
    #[field("flags of the pixel format")]
    flags: u32,
    #[field("name of the pixel format")]
    name: [u8; 4],
    #[field("bits of a pixel")]
    n_bits: u32,
    /// Of red, green, blue, alpha.
    #[field("mask")]
    masks: [u32; 4],
}

/// Sizes that the header says of itself and of its pixel format are true.
fn is_number<const N: usize>(
    at: &Reader<'_>,
    field: &'static str,
    number: &u32,
) -> Result<(), FormatError> {
    match *number as usize == N {
        true => Ok(()),
        false => Err(at.unexpected(field, N.to_string(), number)),
    }
}

impl Mmp {
    /// The texture as a DDS file. Packed pixels become plain ones of 32 bits.
    ///
    /// # Errors
    /// As [`Self::level_rgba`]; blocks whose rows cannot be turned over: those of a height above four that is no
    /// multiple of it, unless they are to stay in stored order.
    pub fn to_dds(&self, rows: PixelRows) -> Result<Vec<u8>, FormatError> {
        let unpacked = match self.format {
            MmpFormat::Pnt3 => Some(self.unpacked()?),
            _ => None,
        };
        let stored = unpacked.as_ref().unwrap_or(self);
        let mut w = Writer::new(DDS);
        write_header(&mut w, stored, self)?;
        for (level, bytes) in stored.levels.iter().enumerate() {
            match is_turned(self.format, rows) {
                true => w.bytes(&stored.flipped_level(level)?),
                false => w.bytes(bytes),
            }
        }
        w.bytes(&self.tail);
        Ok(w.finish())
    }

    /// The texture of a DDS file that holds blocks, or pixels by masks that textures have too. Pixels without alpha
    /// are opaque.
    ///
    /// # Errors
    /// No DDS file, sides or a number of levels that textures do not have, levels beyond the bytes that are there,
    /// blocks whose rows cannot be turned over. Other pixels, cube maps and volumes are unsupported.
    pub fn from_dds(data: &[u8], rows: PixelRows) -> Result<Self, FormatError> {
        let mut r = Reader::new(DDS, data);
        let header = Header::read(&mut r)?;
        let Origin {
            format: origin,
            bits_per_pixel,
            extra_offset,
            n_tail_bytes,
        } = header.origin;
        let mut mmp = Self {
            width: header.width,
            height: header.height,
            level_word: header.n_levels,
            format: header.format,
            bits_per_pixel,
            channels: header.channels,
            extra_offset,
            levels: Vec::new(),
            tail: Vec::new(),
            budget: Budget::from_file_size(data.len()),
        };
        for level in 0..header.n_levels {
            let size = level_size(mmp.width, mmp.height, level);
            let n_bytes = mmp.format.level_bytes(size).unwrap_or(u64::MAX);
            let n_bytes = usize::try_from(n_bytes).unwrap_or(usize::MAX);
            let bytes = r.bytes("level", n_bytes)?;
            mmp.levels
                .push(with_bits(bytes, header.missing_alpha, mmp.format));
        }
        // Only as many bytes as the texture had beyond its levels: anything else was added by another program.
        let n_tail_bytes = r.claim("bytes after the last level", n_tail_bytes.into(), 1)?;
        mmp.tail = r
            .bytes("bytes after the last level", n_tail_bytes)?
            .to_vec();
        r.finish("after the last level")?;
        if is_turned(origin, rows) {
            let levels = (0..mmp.levels.len()).map(|level| mmp.flipped_level(level));
            mmp.levels = levels.collect::<Result<_, _>>()?;
        }
        if origin == MmpFormat::Pnt3 {
            mmp.pack()?;
        }
        Ok(mmp)
    }

    /// The same texture with plain pixels of 32 bits in place of packed ones.
    fn unpacked(&self) -> Result<Self, FormatError> {
        let [width, height] = [self.width, self.height].map(u64::from);
        let n_bytes = width.saturating_mul(height).saturating_mul(4);
        let packed = self.levels.first().map_or(&[][..], Vec::as_slice);
        let at = Reader::new(super::FORMAT, &[]);
        self.budget.spend(&at, "level", n_bytes)?;
        Ok(Self {
            level_word: 1,
            format: MmpFormat::Argb8888,
            channels: MmpFormat::Argb8888.channels().unwrap_or_default(),
            levels: vec![pnt3::unpacked(packed, n_bytes)?],
            ..self.clone()
        })
    }

    /// Packs the largest level; the others go.
    fn pack(&mut self) -> Result<(), FormatError> {
        let largest = self.levels.first().map_or(&[][..], Vec::as_slice);
        let (words, _) = largest.as_chunks();
        let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let packed = pnt3::packed(&words);
        self.level_word = u32::try_from(packed.len()).map_err(|_| {
            let what = "packed pixels of 4 GiB".to_owned();
            Reader::new(DDS, &[]).error("level", FormatErrorKind::Unsupported { what })
        })?;
        self.format = MmpFormat::Pnt3;
        self.levels = vec![packed];
        Ok(())
    }
}

/// Whether the rows of a texture change places on the way.
fn is_turned(format: MmpFormat, rows: PixelRows) -> bool {
    rows == PixelRows::Upright && format.row_order() == RowOrder::BottomUp
}

/// What the header's reserved words keep of the texture that a file was made of.
struct Origin {
    format: MmpFormat,
    bits_per_pixel: u32,
    extra_offset: u32,
    n_tail_bytes: u32,
}

/// What a header says.
struct Header {
    width: u32,
    height: u32,
    n_levels: u32,
    /// How pixels are stored here.
    format: MmpFormat,
    channels: Channels,
    /// Bits that make every pixel opaque where the file has no alpha.
    missing_alpha: u32,
    origin: Origin,
}

impl Header {
    fn read(r: &mut Reader<'_>) -> Result<Self, FormatError> {
        r.expect("magic", MAGIC)?;
        let record = r.clone();
        let stored = Stored::read(r, ())?;
        let at = |field| at_field::<Stored>(&record, field, ());
        let n_levels = match stored.n_levels {
            n if stored.flags & HAS_LEVELS == 0 || n == 0 => 1,
            n @ 1..=MAX_MIPS => n,
            n => return Err(at("level count").unexpected("level count", "at most 15", n)),
        };
        let mark = Mark::from_reserved(&stored.reserved);
        let at_pixels = at("pixel format");
        let (format, channels, missing_alpha) = stored.pixels.format(&at_pixels, mark.as_ref())?;
        if stored.caps_2 & IS_NO_PICTURE != 0 {
            let what = "a cube map or volume".to_owned();
            return Err(at("caps").error("caps 2", FormatErrorKind::Unsupported { what }));
        }
        let mark = mark.filter(|mark| mark.fits(format));
        let origin = mark.map(|mark| mark.0).unwrap_or(Origin {
            format,
            bits_per_pixel: format.bits_per_pixel().unwrap_or(u32::BITS),
            extra_offset: 0,
            n_tail_bytes: 0,
        });
        Ok(Self {
            width: stored.width,
            height: stored.height,
            n_levels,
            format,
            channels,
            missing_alpha,
            origin,
        })
    }
}

/// What a file of ours says of the texture that it was made of. Another program may have changed the pixels since.
struct Mark(Origin);

impl Mark {
    fn from_reserved(reserved: &[u32; N_RESERVED]) -> Option<Self> {
        let [
            magic,
            fourcc,
            bits_per_pixel,
            extra_offset,
            n_tail_bytes,
            ..,
        ] = *reserved;
        let mut formats = MmpFormat::ALL.into_iter();
        let format = formats.find(|it| it.fourcc() == fourcc.to_le_bytes())?;
        let is_ours = magic == u32::from_le_bytes(super::MAGIC);
        is_ours.then_some(Self(Origin {
            format,
            bits_per_pixel,
            extra_offset,
            n_tail_bytes,
        }))
    }

    /// Whether pixels of that format can be those of the texture.
    fn fits(&self, format: MmpFormat) -> bool {
        let origin = self.0.format;
        origin == format || (origin == MmpFormat::Pnt3 && format == MmpFormat::Argb8888)
    }

    /// The format of pixels of this many bytes with these masks.
    fn by_masks(&self, n_bytes: usize) -> Option<MmpFormat> {
        match self.0.format {
            MmpFormat::Pnt3 if n_bytes == 4 => Some(MmpFormat::Argb8888),
            format if format.unit() == Unit::Pixel(n_bytes) => Some(format),
            _ => None,
        }
    }
}

impl StoredPixels {
    /// How pixels are stored, where channels lie, and which bits every pixel lacks.
    fn format(
        &self,
        at: &Reader<'_>,
        mark: Option<&Mark>,
    ) -> Result<(MmpFormat, Channels, u32), FormatError> {
        let Self {
            size: _,
            flags,
            name,
            n_bits,
            masks,
        } = *self;
        let unsupported =
            |what: String| at.error("pixel format", FormatErrorKind::Unsupported { what });
        if flags & HAS_NAME != 0 {
            let mut formats = MmpFormat::ALL.into_iter();
            let is_named =
                |it: &MmpFormat| it.fourcc() == name && matches!(it.unit(), Unit::Block(_));
            let format = formats.find(is_named);
            let format = format.ok_or_else(|| unsupported(name.escape_ascii().to_string()))?;
            return Ok((format, format.channels().unwrap_or_default(), 0));
        }
        let [red, green, blue, alpha] = masks.map(Channel::from_mask);
        let has_alpha = flags & HAS_ALPHA != 0;
        let channels = Channels {
            alpha: if has_alpha { alpha } else { Channel::default() },
            red,
            green,
            blue,
        };
        let is_plain = flags & HAS_MASKS != 0 && matches!(n_bits, 16 | 32);
        let reported = mark.and_then(|mark| mark.by_masks(n_bits as usize / 8));
        if let Some(format) = reported.filter(|_| is_plain) {
            return Ok((format, channels, 0));
        }
        let same_colors = |it: &Channels| (it.red, it.green, it.blue) == (red, green, blue);
        let fits = |it: &MmpFormat| {
            let usual = it
                .channels()
                .filter(|_| it.unit() == Unit::Pixel(n_bits as usize / 8));
            usual.is_some_and(|usual| {
                same_colors(&usual) && (!has_alpha || usual.alpha == channels.alpha)
            })
        };
        let format = MmpFormat::ALL.into_iter().find(fits).filter(|_| is_plain);
        let usual = format.and_then(MmpFormat::channels);
        let Some((format, usual)) = format.zip(usual) else {
            return Err(unsupported(format!(
                "{n_bits} bits a pixel with masks {masks:x?}"
            )));
        };
        let missing = if has_alpha { 0 } else { usual.alpha.mask };
        Ok((format, usual, missing))
    }
}

/// Pixels with more bits set.
fn with_bits(bytes: &[u8], bits: u32, format: MmpFormat) -> Vec<u8> {
    let size = match format.unit() {
        Unit::Pixel(size) if bits != 0 => size,
        _ => return bytes.to_vec(),
    };
    let bits = bits.to_le_bytes();
    let bits = bits.iter().take(size).cycle();
    bytes
        .iter()
        .zip(bits)
        .map(|(byte, bits)| byte | bits)
        .collect()
}

fn write_header(w: &mut Writer, stored: &Mmp, origin: &Mmp) -> Result<(), FormatError> {
    let size = [stored.width, stored.height];
    let is_packed = matches!(stored.format.unit(), Unit::Packed | Unit::Unknown);
    let Some(n_bytes) = stored.format.level_bytes(size).filter(|_| !is_packed) else {
        let what = format!("format {}, of which only the name is known,", stored.format);
        return Err(w.error("pixel format", FormatErrorKind::Unsupported { what }));
    };
    let is_blocks = matches!(stored.format.unit(), Unit::Block(_));
    let (stated_size, n_stated) = match is_blocks {
        true => (HAS_LEVEL_SIZE, n_bytes),
        false => (
            HAS_ROW_SIZE,
            n_bytes.checked_div(stored.height.into()).unwrap_or(0),
        ),
    };
    let mut reserved = [0; N_RESERVED];
    let n_tail_bytes = w.checked_count("bytes after the last level", origin.tail.len())?;
    let kept = [
        u32::from_le_bytes(super::MAGIC),
        u32::from_le_bytes(origin.format.fourcc()),
        origin.bits_per_pixel,
        origin.extra_offset,
        n_tail_bytes,
    ];
    for (target, word) in reserved.iter_mut().zip(kept) {
        *target = word;
    }
    let Channels {
        alpha,
        red,
        green,
        blue,
    } = stored.channels;
    let has_alpha = if alpha.mask != 0 { HAS_ALPHA } else { 0 };
    let pixels = match is_blocks {
        true => StoredPixels {
            flags: HAS_NAME,
            name: stored.format.fourcc(),
            ..StoredPixels::default()
        },
        false => StoredPixels {
            flags: HAS_MASKS | has_alpha,
            n_bits: stored.format.bits_per_pixel().unwrap_or(u32::BITS),
            masks: [red, green, blue, alpha].map(|channel| channel.mask),
            ..StoredPixels::default()
        },
    };
    let has_levels = stored.levels.len() > 1;
    let header = Stored {
        size: Stored::SIZE as u32,
        flags: HAS_USUAL | HAS_LEVELS | stated_size,
        height: stored.height,
        width: stored.width,
        row_size: w.checked_count("row size", usize::try_from(n_stated).unwrap_or(usize::MAX))?,
        depth: 0,
        n_levels: w.checked_count("level count", stored.levels.len())?,
        reserved,
        pixels: StoredPixels {
            size: StoredPixels::SIZE as u32,
            ..pixels
        },
        caps: IS_TEXTURE | if has_levels { IS_COMPLEX } else { 0 },
        caps_2: 0,
        reserved_caps: [0; 3],
    };
    w.bytes(MAGIC);
    header.write(w, ())
}
