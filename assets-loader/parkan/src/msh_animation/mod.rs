//! Animation of a model: keys (Res8) and frame map (Res19) of a `.msh` (dossier sections 8.1 and 8.7 to 8.9).
//!
//! In: the payloads of the two chunks, or the tables that [`super::msh::Msh`] has read. Out: the same bytes,
//! the track of each node, and a form without indices that can be edited ([`TrackSet`]). Times count in
//! frames, positions in world units in the space of the parent node; rotations are quaternions.
//!
//! Deliberately absent: sampling at a time, interpolation and matrices (`sim`).

mod check;
mod problems;
#[cfg(test)]
mod tests;
mod track_set;

use std::ops::Range;

pub use self::problems::TrackProblem;
pub use self::track_set::{NodeTrack, TrackMap, TrackSet};
use super::chunk;
use super::record::{Row, encode};
pub use super::slots::NONE;
use ironlands_assets_core::bytes::{FormatError, Reader};
use ironlands_assets_core::format::{FileKind, Format};
use ironlands_assets_core::record::Record;

const FORMAT: &str = MshAnimation::NAME;

/// Chunk number of the keys.
pub(super) const KEYS: u32 = 8;
/// Chunk number of the frame map.
pub(super) const MAP: u32 = 19;

/// Largest component of a stored quaternion.
const ROTATION_SCALE: f32 = 32767.0;

/// The animation tables of one model, shared by all its nodes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MshAnimation {
    /// Res8: keys of all nodes.
    pub keys: Vec<AnimKey>,
    /// Res19: for each frame of each animated node the key to begin at.
    pub map: Vec<u16>,
    /// Res19 attr2: frames of the whole model; 1 usually means static, 0 stands for a model without Res19.
    pub frame_count: u32,
}

/// Res8 record (24 bytes): the pose of a node at a time.
#[derive(Debug, Clone, Copy, PartialEq, Record)]
pub struct AnimKey {
    /// Position in the space of the parent node.
    #[field("key position")]
    pub position: [f32; 3],
    /// Time in frames; whole in all known files.
    #[field("key time")]
    pub time: f32,
    /// Quaternion in the order of the file, each number times 32767; see [`QuaternionOrder`].
    #[field("key rotation")]
    pub rotation: [i16; 4],
}

/// In which order the numbers of a quaternion are stored. No file says it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum QuaternionOrder {
    /// w, x, y, z: all models of the game fit their boxes so, and new ones are written so.
    #[default]
    Wxyz,
    /// x, y, z, w: an older reading of the same files.
    Xyzw,
}

/// How a node hangs on the tables: words 2 and 3 of its Res1 record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TrackLink {
    /// First word of the node's block in the frame map, [`NONE`] = no map.
    pub map_start: u16,
    /// The key that holds wherever the map does not say otherwise: the last of the track. [`NONE`] = no keys.
    pub fallback: u16,
}

/// The part of the tables that one node uses.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Track {
    /// All keys that sampling can reach; the last one is `fallback`.
    pub keys: Range<usize>,
    /// Index of the fallback key.
    pub fallback: usize,
    /// First word of the node's block in the frame map.
    pub map_start: Option<usize>,
}

/// How the two payloads, one behind the other, are separated: neither has a header.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct AnimationPayloads {
    /// Bytes of Res8.
    pub n_key_bytes: usize,
    /// attr2 of Res19.
    pub frame_count: u32,
}

/// The payloads of Res8 and Res19, one behind the other. What is wrong with them is the model's to check, whose nodes
/// lead to the keys.
impl Format for MshAnimation {
    type Context = AnimationPayloads;

    const NAME: &'static str = "msh_animation";
    const EXTENSIONS: &'static [&'static str] = &[];
    const KIND: FileKind = FileKind::Animation;

    fn contexts() -> Vec<AnimationPayloads> {
        let of_keys = |n_keys: usize| AnimationPayloads {
            n_key_bytes: n_keys.saturating_mul(AnimKey::SIZE),
            frame_count: 6,
        };
        [0, 1, 2, 6].map(of_keys).to_vec()
    }

    fn read(data: &[u8], payloads: &AnimationPayloads) -> Result<Self, FormatError> {
        let mut r = Reader::new(FORMAT, data);
        let keys = r.bytes("keys", payloads.n_key_bytes)?;
        Self::read(keys, r.rest(), payloads.frame_count)
    }

    fn write(&self) -> Result<Vec<u8>, FormatError> {
        Ok(self.write()?.concat())
    }
}

impl MshAnimation {
    /// Reads the payloads of Res8 and Res19; `frame_count` is attr2 of Res19.
    ///
    /// # Errors
    /// A payload that ends inside a record. Offsets count from the start of the payload.
    pub fn read(keys: &[u8], map: &[u8], frame_count: u32) -> Result<Self, FormatError> {
        Ok(Self {
            keys: read_all(KEYS, keys)?,
            map: read_all(MAP, map)?,
            frame_count,
        })
    }

    /// Writes the payloads of Res8 and Res19, in this order. The frame count belongs into attr2 of Res19.
    ///
    /// # Errors
    /// None is known: all values fit their fields.
    pub fn write(&self) -> Result<[Vec<u8>; 2], FormatError> {
        let Self {
            keys,
            map,
            frame_count: _,
        } = self;
        Ok([encode(FORMAT, keys)?, encode(FORMAT, map)?])
    }

    /// The block of the frame map that belongs to a node: one word per frame.
    ///
    /// `None` for a node without a map, and where the block leaves the map.
    pub fn map_of(&self, link: TrackLink) -> Option<&[u16]> {
        let start = link.map_start()?;
        let len = usize::try_from(self.frame_count).ok()?;
        self.map.get(start..start.checked_add(len)?)
    }

    /// The tracks of nodes; `None` for a node whose fallback key does not exist.
    ///
    /// A block that leaves the map counts as no map. The cost grows with the tables and the nodes, not with
    /// nodes times frames.
    pub fn tracks(&self, links: &[TrackLink]) -> Vec<Option<Track>> {
        let firsts = self.first_keys(links);
        (links.iter().zip(firsts))
            .map(|(link, first)| {
                let fallback = link.fallback().filter(|key| *key < self.keys.len())?;
                let map_start = first.and(link.map_start());
                let first = first.map_or(fallback, |key| key.min(fallback));
                Some(Track {
                    keys: first..fallback.saturating_add(1),
                    fallback,
                    map_start,
                })
            })
            .collect()
    }

    /// The smallest word in each node's block of the map; `None` without a block.
    fn first_keys(&self, links: &[TrackLink]) -> Vec<Option<usize>> {
        let has_maps = links.iter().any(|link| link.map_start().is_some());
        let block_len = usize::try_from(self.frame_count).unwrap_or(usize::MAX);
        let minima = match has_maps {
            true => window_minima(&self.map, block_len),
            false => Vec::new(),
        };
        let first = |link: &TrackLink| minima.get(link.map_start()?).copied().map(usize::from);
        links.iter().map(first).collect()
    }
}

impl AnimKey {
    /// Neither moved nor turned, at time 0.
    pub const fn in_place(order: QuaternionOrder) -> Self {
        Self {
            position: [0.0; 3],
            time: 0.0,
            rotation: match order {
                QuaternionOrder::Wxyz => [i16::MAX, 0, 0, 0],
                QuaternionOrder::Xyzw => [0, 0, 0, i16::MAX],
            },
        }
    }

    /// The rotation as w, x, y, z, the order of the original at run time: each stored value times 1/32767.
    pub fn rotation_wxyz(&self, order: QuaternionOrder) -> [f32; 4] {
        let [a, b, c, d] = self
            .rotation
            .map(|value| f32::from(value) * (1.0 / ROTATION_SCALE));
        match order {
            QuaternionOrder::Wxyz => [a, b, c, d],
            QuaternionOrder::Xyzw => [d, a, b, c],
        }
    }

    /// The pose of the key as three rows of a matrix for column vectors: parent from node.
    pub fn parent_from_node(&self, order: QuaternionOrder) -> [[f32; 4]; 3] {
        parent_from_node(self.rotation_wxyz(order), self.position)
    }

    /// Packs a quaternion w, x, y, z into [`AnimKey::rotation`] of a new file: half away from zero, clamped to
    /// `-32767..=32767`.
    pub fn pack_rotation(rotation: [f32; 4]) -> [i16; 4] {
        rotation.map(|v| {
            let scaled = (v * ROTATION_SCALE).round();
            scaled.clamp(-ROTATION_SCALE, ROTATION_SCALE) as i16
        })
    }
}

/// A pose as three rows of a matrix for column vectors, by the original's own table (dossier section 8.4): the
/// rotation by the conjugate of the quaternion w, x, y, z, then the translation. One rounding an operation, in the
/// order of the dossier.
#[inline] // for each node of each frame, from another crate
pub fn parent_from_node([w, x, y, z]: [f32; 4], [px, py, pz]: [f32; 3]) -> [[f32; 4]; 3] {
    let (xx, yy, zz) = (x * x, y * y, z * z);
    let (xy, xz, yz) = (x * y, x * z, y * z);
    let (wx, wy, wz) = (w * x, w * y, w * z);
    let diagonal = |squares: f32| 1.0 - 2.0 * squares;
    [
        [diagonal(yy + zz), 2.0 * (xy + wz), 2.0 * (xz - wy), px],
        [2.0 * (xy - wz), diagonal(xx + zz), 2.0 * (yz + wx), py],
        [2.0 * (xz + wy), 2.0 * (yz - wx), diagonal(xx + yy), pz],
    ]
}

impl TrackLink {
    /// A node without keys and map.
    pub const NONE: Self = Self {
        map_start: NONE,
        fallback: NONE,
    };

    fn map_start(self) -> Option<usize> {
        (self.map_start != NONE).then_some(usize::from(self.map_start))
    }

    fn fallback(self) -> Option<usize> {
        (self.fallback != NONE).then_some(usize::from(self.fallback))
    }
}

impl Row for AnimKey {
    /// Not the size (dossier section 8.10).
    const ATTR3: usize = 4;
}

fn read_all<T: Row>(type_id: u32, payload: &[u8]) -> Result<Vec<T>, FormatError> {
    let mut r = Reader::new(FORMAT, payload);
    let n_records = payload.len().checked_div(T::SIZE).unwrap_or(0);
    let records = (0..n_records)
        .map(|_| T::read(&mut r, T::NAME, ()))
        .collect::<Result<_, _>>();
    let whole = records.and_then(|records| r.finish("after the last record").map(|()| records));
    whole.map_err(|error| error.in_entry(&chunk::label(type_id)))
}

/// For each start, the smallest of the `len` words from there; nothing for windows that leave the words.
///
/// Every window is the end of one block of `len` and the start of the next, so running minima of the blocks in
/// both directions cover all windows in one pass.
fn window_minima(words: &[u16], len: usize) -> Vec<u16> {
    let Some(last) = len.checked_sub(1).filter(|_| len <= words.len()) else {
        return Vec::new();
    };
    let to_block_end = words.chunks(len).flat_map(|block| {
        let mut minima: Vec<u16> = running_minima(block.iter().rev()).collect();
        minima.reverse();
        minima
    });
    let from_block_start = words
        .chunks(len)
        .flat_map(|block| running_minima(block.iter()));
    (to_block_end.zip(from_block_start.skip(last)))
        .map(|(a, b)| a.min(b))
        .collect()
}

fn running_minima<'a>(words: impl Iterator<Item = &'a u16>) -> impl Iterator<Item = u16> {
    words.scan(u16::MAX, |least, word| {
        *least = (*least).min(*word);
        Some(*least)
    })
}
