//! One entry of an RsLi library: its packing methods, both ways.

use std::borrow::Cow;
use std::io::{Read, Write};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::table::Row;
use super::{FORMAT, KeyStream, LzhPosition, NAME_SIZE, Tolerance, lzhuf, lzss};
use ironlands_assets_core::bytes::{
    Finding, FormatError, FormatErrorKind, Reader, Severity, Writer,
};
use ironlands_assets_core::text::{decode_cp1251, encode_cp1251, fixed_name, until_nul};
use ironlands_assets_core::unpack::Budget;

/// The bits of an entry's flags that hold its method.
const METHOD_MASK: i16 = 0x1E0;
/// Deflate makes at most 1032 bytes of one (RFC 1951: 258 bytes from two bits).
const DEFLATE_MAX_RATIO: u64 = 1032;

/// One entry: a row of the table and its packed payload.
///
/// Equality is that of the public fields.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Name, usually upper-case ASCII; may fill all 12 bytes.
    pub name: [u8; NAME_SIZE],
    /// Not interpreted; kept.
    pub service: [u8; 4],
    /// Method and other bits; see [`Entry::method`].
    pub flags: i16,
    /// Bytes after unpacking, as the table claims.
    pub unpacked_size: u32,
    /// The payload as packed, the XOR stream removed; its key is the entry's place in the sort table.
    pub packed: Vec<u8>,
    /// Where the payload lay in the file.
    offset: u64,
    /// That of the library, or of the file that it lies in.
    budget: Budget,
}

/// How a payload is packed: `flags & 0x1E0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// 0x000: as it is.
    Stored,
    /// 0x020: under the XOR stream.
    Xor,
    /// 0x040: LZSS, as in retail `gamefont.rlb`.
    Lzss,
    /// 0x060: LZSS, then XOR.
    XorLzss,
    /// 0x080: LZSS under adaptive Huffman codes.
    Lzhuf,
    /// 0x0A0: the same, then XOR.
    XorLzhuf,
    /// 0x100: raw Deflate (RFC 1951), as in retail `sprites.lib`.
    Deflate,
}

impl Method {
    /// Every method, in the order of its bits.
    pub const ALL: [Self; 7] = [
        Self::Stored,
        Self::Xor,
        Self::Lzss,
        Self::XorLzss,
        Self::Lzhuf,
        Self::XorLzhuf,
        Self::Deflate,
    ];

    /// The method that flags name; `None` if it is none that is known.
    pub fn from_flags(flags: i16) -> Option<Self> {
        let bits = flags & METHOD_MASK;
        Self::ALL.into_iter().find(|method| method.bits() == bits)
    }

    /// The method's bits in the flags.
    pub fn bits(self) -> i16 {
        match self {
            Self::Stored => 0x000,
            Self::Xor => 0x020,
            Self::Lzss => 0x040,
            Self::XorLzss => 0x060,
            Self::Lzhuf => 0x080,
            Self::XorLzhuf => 0x0A0,
            Self::Deflate => 0x100,
        }
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        let Self {
            name,
            service,
            flags,
            unpacked_size,
            packed,
            offset: _,
            budget: _,
        } = self;
        *name == other.name
            && *service == other.service
            && *flags == other.flags
            && *unpacked_size == other.unpacked_size
            && *packed == other.packed
    }
}

impl Eq for Entry {}

impl Entry {
    /// A new entry, packed. The name is stored as CP1251, at most 12 bytes without NUL.
    pub fn new(name: &str, method: Method, data: &[u8]) -> Result<Self, FormatError> {
        let w = Writer::new(FORMAT);
        let bytes = encode_cp1251(name);
        let Some(name) = bytes.and_then(|bytes| fixed_name(&bytes, NAME_SIZE)) else {
            return Err(w.unexpected(
                "entry name",
                "at most 12 bytes of CP1251 without NUL",
                name.escape_default(),
            ));
        };
        let Ok(unpacked_size) = u32::try_from(data.len()) else {
            return Err(w.too_large("unpacked size", data.len() as u64, u64::from(u32::MAX)));
        };
        Ok(Self {
            name,
            service: [0; 4],
            flags: method.bits(),
            unpacked_size,
            packed: pack(method, data),
            offset: 0,
            budget: Budget::default(),
        })
    }

    /// The name: its bytes before the first NUL.
    pub fn name_bytes(&self) -> &[u8] {
        until_nul(&self.name)
    }

    /// The name, decoded from CP1251.
    pub fn name_text(&self) -> Cow<'_, str> {
        decode_cp1251(self.name_bytes())
    }

    /// Where the payload lay in the file that the entry was read from; 0 for a new entry.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The packing method; `None` if it is none that is known.
    pub fn method(&self) -> Option<Method> {
        Method::from_flags(self.flags)
    }

    /// Unpacks the payload by the strict rules: exactly `unpacked_size` bytes, or an error.
    ///
    /// Memory grows with what the payload yields, not with what the table claims; what no payload of that
    /// size could yield is refused at once, and so is what exceeds the [budget](ironlands_assets_core::unpack) of the file.
    pub fn unpack(&self) -> Result<Vec<u8>, FormatError> {
        self.unpack_with(LzhPosition::Classic, Tolerance::STRICT)
    }

    /// Unpacks the payload with a choice of how LZHUF positions are read, waiving the named rules.
    pub fn unpack_with(
        &self,
        position: LzhPosition,
        tolerance: Tolerance,
    ) -> Result<Vec<u8>, FormatError> {
        self.unpack_payload(position, tolerance)
            .map_err(|error| error.in_entry(&self.name_text()))
    }

    fn unpack_payload(
        &self,
        position: LzhPosition,
        tolerance: Tolerance,
    ) -> Result<Vec<u8>, FormatError> {
        let mut r = Reader::nested(FORMAT, &self.packed, self.offset);
        let Some(method) = self.method() else {
            let what = format!("packing method {:#x}", self.flags & METHOD_MASK);
            return Err(r.error("entry flags", FormatErrorKind::Unsupported { what }));
        };
        let size = self.unpacked_size as usize;
        if size == 0 && self.packed.is_empty() {
            return Ok(Vec::new());
        }
        self.budget.spend(&r, "unpacked size", size as u64)?;
        match method {
            Method::Stored | Method::Xor => {
                let at = r.clone();
                let data = r.bytes("stored payload", size)?.to_vec();
                if r.remaining() > 0 && !tolerance.contains(Tolerance::STORED_SIZE) {
                    let expected = format!("{size} bytes, the unpacked size");
                    return Err(at.unexpected("stored payload", expected, self.packed.len()));
                }
                Ok(data)
            }
            Method::Lzss | Method::XorLzss => lzss::unpack(&mut r, size),
            Method::Lzhuf | Method::XorLzhuf => lzhuf::unpack(&mut r, size, position, tolerance),
            Method::Deflate => inflate(&mut r, size),
        }
    }

    pub(super) fn from_row(row: &Row, mut payload: Reader<'_>, key: u16, budget: &Budget) -> Self {
        let offset = payload.offset();
        let mut entry = Self {
            name: row.name,
            service: row.service,
            flags: row.flags,
            unpacked_size: row.unpacked_size,
            packed: payload.rest().to_vec(),
            offset,
            budget: budget.clone(),
        };
        entry.packed = entry.encrypted(key).into_owned();
        entry
    }

    pub(super) fn row(&self, sort_to_original: u16, data_offset: u32, packed_size: u32) -> Row {
        let Self {
            name,
            service,
            flags,
            unpacked_size,
            packed: _,
            offset: _,
            budget: _,
        } = self;
        Row {
            name: *name,
            service: *service,
            flags: *flags,
            sort_to_original,
            unpacked_size: *unpacked_size,
            data_offset,
            packed_size,
        }
    }

    /// The payload under its XOR stream, if its method has one; the same call decrypts.
    pub(super) fn encrypted(&self, key: u16) -> Cow<'_, [u8]> {
        let covered = match self.method() {
            // The stream covers the unpacked size, should the packed one differ (Q-R4).
            Some(Method::Xor) => self.unpacked_size as usize,
            Some(Method::XorLzss | Method::XorLzhuf) => self.packed.len(),
            Some(Method::Stored | Method::Lzss | Method::Lzhuf | Method::Deflate) | None => 0,
        };
        if covered == 0 {
            return Cow::Borrowed(&self.packed);
        }
        let mut bytes = self.packed.clone();
        let covered = covered.min(bytes.len());
        if let Some(covered) = bytes.get_mut(..covered) {
            KeyStream::new(key).apply(covered);
        }
        Cow::Owned(bytes)
    }

    pub(super) fn check(&self, index: usize) -> Vec<Finding> {
        let find = |severity, what: &str| {
            let message = format!("entry {index} \"{}\" {what}", self.name_text());
            Finding::new(severity, FORMAT, message).at(self.offset)
        };
        let mut findings = Vec::new();
        if let Err(error) = self.unpack() {
            findings.push(find(Severity::Error, &format!("does not unpack: {error}")));
        }
        if self.name_bytes() != self.name_bytes().to_ascii_uppercase() {
            findings.push(find(
                Severity::Warning,
                "has small letters in its name; the original never finds it",
            ));
        }
        findings
    }
}

fn pack(method: Method, data: &[u8]) -> Vec<u8> {
    match method {
        Method::Stored | Method::Xor => data.to_vec(),
        Method::Lzss | Method::XorLzss => lzss::pack(data),
        Method::Lzhuf | Method::XorLzhuf => lzhuf::pack(data),
        Method::Deflate => {
            let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
            let written = encoder.write_all(data).and_then(|()| encoder.finish());
            written.expect("writing to a Vec cannot fail")
        }
    }
}

fn inflate(r: &mut Reader<'_>, unpacked_size: usize) -> Result<Vec<u8>, FormatError> {
    lzss::check_ratio(r, unpacked_size, DEFLATE_MAX_RATIO)?;
    let at = r.clone();
    let mut data = Vec::new();
    // One byte more than requested reveals a stream that is too long.
    let one_more = (unpacked_size as u64).saturating_add(1);
    let decoded = DeflateDecoder::new(r.rest())
        .take(one_more)
        .read_to_end(&mut data);
    if let Err(error) = decoded {
        return Err(at.unexpected("Deflate stream", "a raw Deflate stream", error));
    }
    if data.len() != unpacked_size {
        let expected = format!("exactly {unpacked_size} bytes");
        let found = match data.len() > unpacked_size {
            true => "more".to_owned(),
            false => data.len().to_string(),
        };
        return Err(at.unexpected("Deflate stream", expected, found));
    }
    Ok(data)
}
