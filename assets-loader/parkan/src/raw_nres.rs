//! An NRes file put together by hand for tests, so that facts do not rest on the writer under test.

pub(super) use ironlands_assets_proof::{hex, set16, set32};

pub(super) const ROW_SIZE: usize = 64;

/// One entry, as it stands in the directory.
#[derive(Debug, Clone)]
pub(super) struct RawChunk {
    pub(super) type_id: u32,
    pub(super) attr1: u32,
    pub(super) attr2: u32,
    pub(super) attr3: u32,
    pub(super) name: [u8; 36],
    pub(super) data: Vec<u8>,
}

impl RawChunk {
    pub(super) fn new(
        type_id: u32,
        [attr1, attr2, attr3]: [u32; 3],
        name: &[u8],
        data: Vec<u8>,
    ) -> Self {
        let mut field = [0; 36];
        field[..name.len()].copy_from_slice(name);
        Self {
            type_id,
            attr1,
            attr2,
            attr3,
            name: field,
            data,
        }
    }
}

/// The file of these chunks: payloads in order at multiples of 8, then the directory. Names must be in order.
pub(super) fn raw_nres(chunks: &[RawChunk]) -> Vec<u8> {
    let mut file = vec![0; 16];
    let mut directory = Vec::new();
    for (index, chunk) in chunks.iter().enumerate() {
        let offset = file.len() as u32;
        file.extend(&chunk.data);
        file.resize(file.len().next_multiple_of(8), 0);
        let size = chunk.data.len() as u32;
        for word in [chunk.type_id, chunk.attr1, chunk.attr2, size, chunk.attr3] {
            directory.extend(word.to_le_bytes());
        }
        directory.extend(chunk.name);
        directory.extend(offset.to_le_bytes());
        directory.extend((index as u32).to_le_bytes());
    }
    file.extend(directory);
    let len = file.len() as u32;
    file[..4].copy_from_slice(b"NRes");
    file[4..8].copy_from_slice(&0x100u32.to_le_bytes());
    file[8..12].copy_from_slice(&(chunks.len() as u32).to_le_bytes());
    file[12..16].copy_from_slice(&len.to_le_bytes());
    file
}

/// The same bytes with their length in the header, so that damage reaches what lies behind that check.
pub(super) fn with_true_size(data: &[u8]) -> Vec<u8> {
    let mut file = data.to_vec();
    let len = file.len() as u32;
    if let Some(total_size) = file.get_mut(12..16) {
        total_size.copy_from_slice(&len.to_le_bytes());
    }
    file
}
