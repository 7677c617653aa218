//! What can be seen from where: for each cluster, the clusters that some line of sight reaches.
//!
//! A line of sight runs through portals. From a portal, the flow follows each chain of portals and narrows what is
//! left of the first and the last one by the planes that separate what has been passed, so that nothing that can be
//! seen is ever missed (the method of Teller, as level compilers have used it since 1996).

use ironlands_assets_source::bsp::Visibility;

use super::planes::PlaneTable;
use super::polygon::{Polygon, Split};
use super::portals::Portal;
use crate::vector::{Plane, Vec3, cross, dot, length, sub};

/// Thickness of separating planes.
const EPSILON: f64 = 0.01;

/// A square table of bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BitTable {
    n: usize,
    n_words: usize,
    words: Vec<u64>,
}

impl BitTable {
    /// No bit is set.
    pub fn new(n_rows: usize, n: usize) -> Self {
        let n_words = n.div_ceil(64);
        Self {
            n,
            n_words,
            words: vec![0; n_rows * n_words],
        }
    }

    /// Whether a bit is set.
    pub fn get(&self, row: usize, column: usize) -> bool {
        self.row(row)[column / 64] >> (column % 64) & 1 != 0
    }

    /// Sets a bit.
    pub fn set(&mut self, row: usize, column: usize) {
        self.words[row * self.n_words + column / 64] |= 1 << (column % 64);
    }

    fn row(&self, row: usize) -> &[u64] {
        &self.words[row * self.n_words..][..self.n_words]
    }

    fn merge(&mut self, row: usize, bits: &[u64]) {
        let words = &mut self.words[row * self.n_words..][..self.n_words];
        for (word, bits) in words.iter_mut().zip(bits) {
            *word |= bits;
        }
    }

    /// A row as bytes, lowest bit first.
    fn bytes(&self, row: usize) -> Vec<u8> {
        let bytes = self.row(row).iter().flat_map(|word| word.to_le_bytes());
        bytes.take(self.n.div_ceil(8)).collect()
    }
}

/// What is seen and what is heard from each cluster.
#[derive(Debug, Clone)]
pub struct Sight {
    /// Clusters that are seen.
    pub seen: BitTable,
    /// Clusters that see a cluster that is seen.
    pub heard: BitTable,
}

/// One direction of a portal between clusters.
struct Passage {
    /// Cluster that it leads to.
    to: usize,
    /// Plane; the front is where it leads to.
    plane: Plane,
    polygon: Polygon,
}

/// What is known on the way from a first portal.
struct Way<'a> {
    source: &'a Polygon,
    pass: Option<&'a Polygon>,
    plane: &'a Plane,
    might: &'a [u64],
    cluster: usize,
}

struct Flow<'a> {
    passages: &'a [Passage],
    exits: &'a [Vec<usize>],
    /// Clusters that may be seen through each passage; exact ones where `is_done`.
    might: &'a [Vec<u64>],
    first: usize,
    seen: Vec<u64>,
}

impl Sight {
    /// `clusters` of leaves; portals of leaves without one are closed.
    pub fn new(
        portals: &[Portal],
        planes: &PlaneTable,
        clusters: &[Option<usize>],
        n_clusters: usize,
    ) -> Self {
        let (passages, exits) = passages(portals, planes, clusters, n_clusters);
        let mut might = first_guess(&passages, &exits, n_clusters);
        let mut order: Vec<usize> = (0..passages.len()).collect();
        order.sort_by_key(|p| (count(&might[*p]), *p));
        for first in order {
            // Passages that come earlier in the order are exact already, which narrows the later ones.
            might[first] = flow_from(first, &passages, &exits, &might, n_clusters);
        }
        let mut seen = BitTable::new(n_clusters, n_clusters);
        for (cluster, exits) in exits.iter().enumerate() {
            seen.set(cluster, cluster);
            for exit in exits {
                seen.merge(cluster, &might[*exit]);
            }
        }
        // A line of sight has two ends; rounding may have lost it from one of them.
        for a in 0..n_clusters {
            for b in 0..n_clusters {
                if seen.get(a, b) {
                    seen.set(b, a);
                }
            }
        }
        let mut heard = BitTable::new(n_clusters, n_clusters);
        for a in 0..n_clusters {
            for b in (0..n_clusters).filter(|b| seen.get(a, *b)) {
                let row = seen.row(b).to_vec();
                heard.merge(a, &row);
            }
        }
        Self { seen, heard }
    }

    /// Lump 4.
    pub fn lump(&self) -> Visibility {
        let n = self.seen.n;
        let mut rows = Vec::new();
        let mut row_offsets = vec![[0; 2]; n];
        for (which, table) in [&self.seen, &self.heard].into_iter().enumerate() {
            for (cluster, offsets) in row_offsets.iter_mut().enumerate() {
                offsets[which] = (4 + 8 * n + rows.len()) as i32;
                rows.extend(run_lengths(&table.bytes(cluster)));
            }
        }
        Visibility { row_offsets, rows }
    }
}

/// Zero bytes become a zero and their number.
fn run_lengths(bytes: &[u8]) -> Vec<u8> {
    let mut coded = Vec::new();
    let mut rest = bytes;
    while let Some((first, after)) = rest.split_first() {
        coded.push(*first);
        rest = after;
        if *first == 0 {
            let n_more = after
                .iter()
                .take(254)
                .take_while(|byte| **byte == 0)
                .count();
            coded.push(1 + n_more as u8);
            rest = &after[n_more..];
        }
    }
    coded
}

fn count(bits: &[u64]) -> u32 {
    bits.iter().map(|word| word.count_ones()).sum()
}

fn has(bits: &[u64], at: usize) -> bool {
    bits[at / 64] >> (at % 64) & 1 != 0
}

fn passages(
    portals: &[Portal],
    planes: &PlaneTable,
    clusters: &[Option<usize>],
    n_clusters: usize,
) -> (Vec<Passage>, Vec<Vec<usize>>) {
    let mut passages = Vec::new();
    let mut exits = vec![Vec::new(); n_clusters];
    for portal in portals {
        let [Some(front), Some(back)] = portal.leaves.map(|leaf| clusters[leaf]) else {
            continue;
        };
        let plane = *planes.get(portal.plane);
        exits[back].push(passages.len());
        passages.push(Passage {
            to: front,
            plane,
            polygon: portal.polygon.clone(),
        });
        exits[front].push(passages.len());
        passages.push(Passage {
            to: back,
            plane: plane.flipped(),
            polygon: portal.polygon.reversed(),
        });
    }
    (passages, exits)
}

/// What each passage may show: all that is reached through passages with a part in front of it that look away.
fn first_guess(passages: &[Passage], exits: &[Vec<usize>], n_clusters: usize) -> Vec<Vec<u64>> {
    let leads_on = |a: &Passage, b: &Passage| {
        b.polygon
            .corners
            .iter()
            .any(|p| a.plane.distance(*p) > EPSILON)
            && a.polygon
                .corners
                .iter()
                .any(|p| b.plane.distance(*p) < -EPSILON)
    };
    passages
        .iter()
        .map(|a| {
            let mut bits = vec![0_u64; n_clusters.div_ceil(64)];
            let mut open = vec![a.to];
            while let Some(cluster) = open.pop() {
                if has(&bits, cluster) {
                    continue;
                }
                bits[cluster / 64] |= 1 << (cluster % 64);
                let onward = exits[cluster].iter().map(|exit| &passages[*exit]);
                open.extend(onward.filter(|b| leads_on(a, b)).map(|b| b.to));
            }
            bits
        })
        .collect()
}

fn flow_from(
    first: usize,
    passages: &[Passage],
    exits: &[Vec<usize>],
    might: &[Vec<u64>],
    n_clusters: usize,
) -> Vec<u64> {
    let mut flow = Flow {
        passages,
        exits,
        might,
        first,
        seen: vec![0; n_clusters.div_ceil(64)],
    };
    let passage = &passages[first];
    flow.follow(&Way {
        source: &passage.polygon,
        pass: None,
        plane: &passage.plane,
        might: &might[first],
        cluster: passage.to,
    });
    flow.seen
}

impl Flow<'_> {
    fn follow(&mut self, way: &Way<'_>) {
        self.seen[way.cluster / 64] |= 1 << (way.cluster % 64);
        let (passages, exits) = (self.passages, self.exits);
        for exit in &exits[way.cluster] {
            let next = &passages[*exit];
            if !has(way.might, next.to) {
                continue;
            }
            let might: Vec<u64> = way
                .might
                .iter()
                .zip(&self.might[*exit])
                .map(|(a, b)| a & b)
                .collect();
            let is_news = might
                .iter()
                .zip(&self.seen)
                .any(|(might, seen)| might & !seen != 0);
            if !is_news && has(&self.seen, next.to) {
                continue;
            }
            let turns_back = dot(next.plane.normal, way.plane.normal) < -0.99999
                && (next.plane.dist + way.plane.dist).abs() < EPSILON;
            if turns_back {
                continue;
            }
            let Some((source, pass)) = self.narrowed(way, next) else {
                continue;
            };
            self.follow(&Way {
                source: &source,
                pass: Some(&pass),
                plane: &next.plane,
                might: &might,
                cluster: next.to,
            });
        }
    }

    /// What is left of the first and of the next portal; `None` if no line passes both and all between.
    fn narrowed(&self, way: &Way<'_>, next: &Passage) -> Option<(Polygon, Polygon)> {
        let first = &self.passages[self.first];
        let pass = in_front(&next.polygon, &first.plane)?;
        let source = in_front(way.source, &next.plane.flipped())?;
        let Some(before) = way.pass else {
            return Some((source, pass));
        };
        let pass = between(&source, before, pass, false)?;
        let pass = between(before, &source, pass, true)?;
        Some((source, pass))
    }
}

fn in_front(polygon: &Polygon, plane: &Plane) -> Option<Polygon> {
    match polygon.split_with(plane, EPSILON) {
        Split::Front => Some(polygon.clone()),
        Split::Back | Split::On => None,
        Split::Both(front, _) => Some(front),
    }
}

/// The part of `target` that lines through `source` and `pass` may reach: each plane through an edge of `source` and
/// a corner of `pass` that has all of the one behind and all of the other in front cuts off what is behind it.
/// `is_flipped` says that `source` and `pass` have changed places.
fn between(source: &Polygon, pass: &Polygon, target: Polygon, is_flipped: bool) -> Option<Polygon> {
    let mut target = target;
    let n = source.corners.len();
    for i in 0..n {
        let next = (i + 1) % n;
        let (a, b) = (source.corners[i], source.corners[next]);
        for corner in &pass.corners {
            let Some(plane) = separator(source, (i, next), a, b, *corner) else {
                continue;
            };
            let Some(plane) = facing_pass(plane, pass, *corner) else {
                continue;
            };
            let plane = if is_flipped { plane.flipped() } else { plane };
            target = in_front(&target, &plane)?;
        }
    }
    Some(target)
}

/// The plane through an edge of `source` and a corner, with `source` behind it.
fn separator(
    source: &Polygon,
    edge: (usize, usize),
    a: Vec3,
    b: Vec3,
    corner: Vec3,
) -> Option<Plane> {
    let normal = cross(sub(b, a), sub(corner, a));
    let length = length(normal);
    if length < EPSILON {
        return None;
    }
    let plane = Plane::through(normal, corner);
    let others = source
        .corners
        .iter()
        .enumerate()
        .filter(|(k, _)| *k != edge.0 && *k != edge.1);
    for (_, point) in others {
        let distance = plane.distance(*point);
        if distance < -EPSILON {
            return Some(plane);
        }
        if distance > EPSILON {
            return Some(plane.flipped());
        }
    }
    // The corner lies in the plane of `source`.
    None
}

/// The plane if all of `pass` is in front of it, and some of it well.
fn facing_pass(plane: Plane, pass: &Polygon, through: Vec3) -> Option<Plane> {
    let mut is_front = false;
    for point in &pass.corners {
        if *point == through {
            continue;
        }
        let distance = plane.distance(*point);
        if distance < -EPSILON {
            return None;
        }
        is_front |= distance > EPSILON;
    }
    is_front.then_some(plane)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_zeros_are_counted_in_bytes() {
        assert_eq!(run_lengths(&[1, 0, 0, 5, 0]), [1, 0, 2, 5, 0, 1]);
        assert_eq!(run_lengths(&[0; 300]), [0, 255, 0, 45]);
    }
}
