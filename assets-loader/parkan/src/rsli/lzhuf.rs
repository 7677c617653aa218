//! LZHUF of RsLi: adaptive Huffman codes over LZSS (dossier section 3.4.2).
//!
//! No known file uses it. The document's two sources disagree on how a position is read; [`LzhPosition`]
//! names both.

use super::Tolerance;
use super::lzss::{Item, RING_SIZE, RingOutput, check_ratio, items};
use ironlands_assets_core::bytes::{FormatError, Reader};

const MAX_MATCH: usize = 60;
const RING_START: usize = RING_SIZE - MAX_MATCH;
/// A length symbol minus this is the length.
const LENGTH_BIAS: usize = 253;
/// Symbols: 256 literals and the lengths 3..=60.
const N_SYMBOLS: usize = 314;
const N_NODES: usize = 2 * N_SYMBOLS - 1;
const ROOT: usize = N_NODES - 1;
const MAX_WEIGHT: u16 = 0x8000;
/// One bit of symbol and nine of position make at most 60 bytes.
const MAX_RATIO: u64 = 48;

/// How a position's low bits are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LzhPosition {
    /// As in the public LZHUF scheme: the bits read last are the low six.
    #[default]
    Classic,
    /// As one reading of the original has it, most likely by mistake: extra bits are ORed over the first eight.
    Peer,
}

/// Unpacks exactly `unpacked_size` bytes.
pub(super) fn unpack(
    r: &mut Reader<'_>,
    unpacked_size: usize,
    position: LzhPosition,
    tolerance: Tolerance,
) -> Result<Vec<u8>, FormatError> {
    check_ratio(r, unpacked_size, MAX_RATIO)?;
    let mut bits = BitReader {
        r,
        byte: 0,
        n_left: 0,
        feeds_zeros: tolerance.contains(Tolerance::LZHUF_INPUT_END),
    };
    let mut tree = Tree::new();
    let mut output = RingOutput::new(RING_START, unpacked_size);
    while !output.is_full() {
        let symbol = tree.read_symbol(&mut bits)?;
        match u8::try_from(symbol) {
            Ok(literal) => output.push(literal),
            Err(_) => {
                let back = read_position(&mut bits, position)?.wrapping_add(1);
                let from = output.position().wrapping_sub(back);
                output.copy(from, symbol.saturating_sub(LENGTH_BIAS));
            }
        }
    }
    Ok(output.finish())
}

/// Packs greedily, positions in the classic form.
pub(super) fn pack(data: &[u8]) -> Vec<u8> {
    let mut bits = BitWriter::default();
    let mut tree = Tree::new();
    for item in items(data, MAX_MATCH) {
        match item {
            Item::Literal(byte) => tree.write_symbol(usize::from(byte), &mut bits),
            Item::Match { distance, len, .. } => {
                tree.write_symbol(len.saturating_add(LENGTH_BIAS), &mut bits);
                write_position(distance.saturating_sub(1), &mut bits);
            }
        }
    }
    bits.finish()
}

fn read_position(bits: &mut BitReader<'_, '_>, form: LzhPosition) -> Result<usize, FormatError> {
    let first = bits.read(8)?;
    let (high, code_len) = high_of_code(first);
    let n_extra = code_len.saturating_sub(2);
    let extra = bits.read(n_extra)?;
    Ok(match form {
        LzhPosition::Classic => high << 6 | (first << n_extra | extra) & 0x3F,
        LzhPosition::Peer => high << 6 | extra | first & 0x3F,
    })
}

fn write_position(position: usize, bits: &mut BitWriter) {
    let high = position >> 6;
    let codes = (0..256).map(|code| (code, high_of_code(code)));
    let first_code = codes.into_iter().find(|(_, (coded, _))| *coded == high);
    if let Some((code, (_, code_len))) = first_code {
        bits.write(code >> 8u32.saturating_sub(code_len), code_len);
        bits.write(position & 0x3F, 6);
    }
}

/// Code lengths of the position's high six bits: how many values in a row have which length.
const POSITION_CODES: [(usize, u32); 6] = [(1, 3), (3, 4), (8, 5), (12, 6), (24, 7), (16, 8)];

/// The high part of a position and the length of its code, by the first eight bits (`d_code`, `d_len`).
fn high_of_code(first_bits: usize) -> (usize, u32) {
    let mut value: usize = 0;
    let mut rest = first_bits;
    for (n_values, code_len) in POSITION_CODES {
        let span = 8u32.saturating_sub(code_len);
        if rest >> span < n_values {
            return (value.saturating_add(rest >> span), code_len);
        }
        value = value.saturating_add(n_values);
        rest = rest.saturating_sub(n_values << span);
    }
    (value, 8)
}

/// Bits of a stream, the highest of each byte first.
struct BitReader<'r, 'a> {
    r: &'r mut Reader<'a>,
    byte: u8,
    n_left: u32,
    feeds_zeros: bool,
}

impl BitReader<'_, '_> {
    fn bit(&mut self) -> Result<usize, FormatError> {
        if self.n_left == 0 {
            let at_end = self.feeds_zeros && self.r.remaining() == 0;
            self.byte = if at_end { 0 } else { self.r.u8("LZHUF bits")? };
            self.n_left = 8;
        }
        self.n_left = self.n_left.saturating_sub(1);
        let bit = self.byte >> 7;
        self.byte <<= 1;
        Ok(usize::from(bit))
    }

    fn read(&mut self, n_bits: u32) -> Result<usize, FormatError> {
        let mut value = 0;
        for _ in 0..n_bits {
            value = value << 1 | self.bit()?;
        }
        Ok(value)
    }
}

/// The twin of [`BitReader`]; the last byte is filled with zeros.
#[derive(Default)]
struct BitWriter {
    out: Vec<u8>,
    byte: u8,
    n_bits: u32,
}

impl BitWriter {
    fn bit(&mut self, bit: usize) {
        self.byte = self.byte << 1 | (bit & 1) as u8;
        self.n_bits = self.n_bits.saturating_add(1);
        if self.n_bits == 8 {
            self.out.push(std::mem::take(&mut self.byte));
            self.n_bits = 0;
        }
    }

    fn write(&mut self, value: usize, n_bits: u32) {
        for shift in (0..n_bits).rev() {
            self.bit(value >> shift);
        }
    }

    fn finish(mut self) -> Vec<u8> {
        while self.n_bits > 0 {
            self.bit(0);
        }
        self.out
    }
}

/// The adaptive code tree. Nodes are kept in the order of their weights; `son` of an inner node names the
/// first of its two adjacent children, `son` of a leaf is its symbol plus `N_NODES`.
struct Tree {
    /// One more than nodes: a last weight that nothing exceeds.
    weight: [u16; N_NODES + 1],
    son: [usize; N_NODES],
    /// Of nodes, then of symbols.
    parent: [usize; N_NODES + N_SYMBOLS],
}

#[expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "indices and weights come from the tree's own invariants, never from the file"
)]
impl Tree {
    fn new() -> Self {
        let mut tree = Self {
            weight: [0; N_NODES + 1],
            son: [0; N_NODES],
            parent: [0; N_NODES + N_SYMBOLS],
        };
        for symbol in 0..N_SYMBOLS {
            tree.weight[symbol] = 1;
            tree.son[symbol] = symbol + N_NODES;
        }
        for (pair, node) in (N_SYMBOLS..N_NODES).enumerate() {
            tree.weight[node] = tree.weight[2 * pair] + tree.weight[2 * pair + 1];
            tree.son[node] = 2 * pair;
        }
        tree.weight[N_NODES] = u16::MAX;
        tree.link_parents();
        tree
    }

    fn read_symbol(&mut self, bits: &mut BitReader<'_, '_>) -> Result<usize, FormatError> {
        let mut node = self.son[ROOT];
        while node < N_NODES {
            node = self.son[node + bits.bit()?];
        }
        let symbol = node - N_NODES;
        self.count(symbol);
        Ok(symbol)
    }

    fn write_symbol(&mut self, symbol: usize, bits: &mut BitWriter) {
        let mut path = Vec::with_capacity(16);
        let mut node = self.parent[symbol + N_NODES];
        while node != ROOT {
            // Children are adjacent and the first one is even, so the branch is the lowest bit.
            path.push(node & 1);
            node = self.parent[node];
        }
        path.into_iter().rev().for_each(|bit| bits.bit(bit));
        self.count(symbol);
    }

    /// Adds one to a symbol's weight and moves the nodes on its way to the root where their weights belong.
    fn count(&mut self, symbol: usize) {
        if self.weight[ROOT] == MAX_WEIGHT {
            self.rebuild();
        }
        let mut node = self.parent[symbol + N_NODES];
        loop {
            self.weight[node] += 1;
            let weight = self.weight[node];
            let mut last_lighter = node;
            while weight > self.weight[last_lighter + 1] {
                last_lighter += 1;
            }
            if last_lighter != node {
                self.weight.swap(node, last_lighter);
                self.son.swap(node, last_lighter);
                self.link_children(node);
                self.link_children(last_lighter);
                node = last_lighter;
            }
            if node == ROOT {
                return;
            }
            node = self.parent[node];
        }
    }

    /// Halves the weights of all symbols and rebuilds the tree.
    fn rebuild(&mut self) {
        let mut n_leaves = 0;
        for node in 0..N_NODES {
            if self.son[node] >= N_NODES {
                self.weight[n_leaves] = self.weight[node].div_ceil(2);
                self.son[n_leaves] = self.son[node];
                n_leaves += 1;
            }
        }
        for (pair, end) in (N_SYMBOLS..N_NODES).enumerate() {
            let weight = self.weight[2 * pair] + self.weight[2 * pair + 1];
            // Behind nodes of equal weight.
            let place = self.weight[..end].partition_point(|other| *other <= weight);
            self.weight.copy_within(place..end, place + 1);
            self.son.copy_within(place..end, place + 1);
            self.weight[place] = weight;
            self.son[place] = 2 * pair;
        }
        self.weight[N_NODES] = u16::MAX;
        self.link_parents();
    }

    fn link_parents(&mut self) {
        (0..N_NODES).for_each(|node| self.link_children(node));
        self.parent[ROOT] = 0;
    }

    fn link_children(&mut self, node: usize) {
        let child = self.son[node];
        self.parent[child] = node;
        if child < N_NODES {
            self.parent[child + 1] = node;
        }
    }
}
