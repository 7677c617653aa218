//! Everything that an external validator or a level author wants to know (dossier sections 5.7 and 14.2).
//!
//! Errors are rules that the original relies on, warnings are recommended rules, notes are worth a look. Offsets
//! are those of the file that [`LandMap::write`] would write, which for an untouched map is the file that was
//! read.

use super::codec::AREAL_MAP;
use super::links::{POLY_COUNT, broken_links, located_areals};
use super::outline::{outline_area, outline_contains};
use super::{Areal, CellPackError, EdgeLink, FORMAT, LandMap, PackedCells};
use crate::chunk::Chunk;
use crate::nres::{self, NRes};
use ironlands_assets_core::bytes::{Finding, FormatError, Severity};
use ironlands_assets_core::findings::Findings;

/// How far a normal's length may be from 1.
const NORMAL_SLACK: f64 = 1e-3;

/// Share of the outline's area from which an `area_metric` counts as different; of the known records 18 do.
const AREA_SLACK: f64 = 0.05;

/// Bytes of an areal's fields.
const RESERVED_0C: usize = 12;
const AREA_METRIC: usize = 16;
const NORMAL: usize = 20;
const RESERVED_24: usize = 36;
const RESERVED_2C: usize = 44;
const VERTEX_COUNT: usize = 48;

impl LandMap {
    /// All recommended rules of the dossier that this map breaks; of each rule the first few records.
    pub fn check(&self) -> Vec<Finding> {
        let mut findings = Findings::new(FORMAT);
        match Checker::new(self) {
            Ok(checker) => checker.run(&mut findings),
            Err(error) => findings.error(error, "nothing else can be checked"),
        }
        findings.into_list()
    }
}

/// An areal map, and the file that would be written of it.
struct Checker<'a> {
    map: &'a LandMap,
    file_len: usize,
    container: NRes,
    /// Offset of the payload in that file.
    payload: u64,
}

impl<'a> Checker<'a> {
    fn new(map: &'a LandMap) -> Result<Self, FormatError> {
        let file = map.filled_container()?.write()?;
        let container = NRes::read_with(&file, nres::Tolerance::all())?;
        let chunk = Chunk::find(FORMAT, file.len(), &container, AREAL_MAP)?;
        let payload = chunk.entry.offset();
        Ok(Self {
            map,
            file_len: file.len(),
            container,
            payload,
        })
    }

    fn run(&self, findings: &mut Findings) {
        findings.extend(self.container.check());
        let n_entries = self.container.entries.len();
        let more = (n_entries > 1).then(|| {
            let message = format!("the archive has {n_entries} entries, one is expected");
            (None, message)
        });
        findings.rule(Severity::Error, more);
        findings.rule(
            Severity::Error,
            broken_links(self.map).map(|broken| {
                let offset = broken.offset(self.file_len, &self.container);
                (offset, broken.sentence())
            }),
        );
        self.check_numbers(findings);
        self.check_outlines(findings);
        self.check_links(findings);
        self.check_unknown_fields(findings);
        self.check_grid(findings);
    }

    /// Numbers that are no numbers, and normals that are not of unit length.
    fn check_numbers(&self, findings: &mut Findings) {
        self.rule(findings, Severity::Error, VERTEX_COUNT, |idx, areal| {
            let points = areal.vertices.iter().chain([&areal.anchor]);
            let is_finite = points.flatten().all(|c| c.is_finite());
            (!is_finite).then(|| format!("areal {idx} has a vertex or anchor that is not finite"))
        });
        self.rule(findings, Severity::Error, NORMAL, |idx, areal| {
            let squares = areal.normal.map(|c| f64::from(c) * f64::from(c));
            let length = squares.iter().sum::<f64>().sqrt();
            // Not `>`: a NaN is no unit length either.
            let is_unit = (length - 1.0).abs() <= NORMAL_SLACK;
            (!is_unit).then(|| format!("areal {idx} has a normal of length {length}"))
        });
    }

    fn check_outlines(&self, findings: &mut Findings) {
        self.rule(findings, Severity::Warning, VERTEX_COUNT, |idx, areal| {
            let n_vertices = areal.vertices.len();
            (n_vertices < 3).then(|| format!("areal {idx} has {n_vertices} vertices"))
        });
        self.rule(findings, Severity::Warning, 0, |idx, areal| {
            let [x, y, _] = areal.anchor;
            let is_inside = outline_contains(&areal.vertices, [x, y]);
            (!is_inside)
                .then(|| format!("areal {idx} has its anchor ({x}, {y}) outside its outline"))
        });
        self.rule(findings, Severity::Note, AREA_METRIC, |idx, areal| {
            let area = outline_area(&areal.vertices);
            let stored = f64::from(areal.area_metric);
            let is_near = (stored - area).abs() <= AREA_SLACK * area;
            (!is_near).then(|| {
                format!("areal {idx} has area_metric {stored}, its outline has an area of {area}")
            })
        });
    }

    /// Links of polygons to edges that do not exist, and links that are not mutual.
    fn check_links(&self, findings: &mut Findings) {
        let outline = || self.links(|areal| (0, areal.edge_links.clone()));
        let polygons = self.links(|areal| {
            let links = areal.polygons.iter().flat_map(|polygon| polygon.links);
            (areal.edge_links.len(), links.collect())
        });
        findings.rule(
            Severity::Warning,
            polygons
                .filter(|(_, link)| {
                    let n_edges = self.map.linked_areal(link.link).map(|a| a.vertices.len());
                    let edge = usize::try_from(link.link.edge).ok();
                    n_edges.is_some_and(|n_edges| edge.is_none_or(|edge| edge >= n_edges))
                })
                .map(|(offset, link)| {
                    let EdgeLink { areal, edge } = link.link;
                    (
                        offset,
                        format!(
                            "polygon {link} names edge {edge} of areal {areal}, which has fewer"
                        ),
                    )
                }),
        );
        findings.rule(
            Severity::Note,
            outline()
                .filter(|(_, link)| !self.is_mutual(link))
                .map(|(offset, link)| {
                    let EdgeLink { areal, edge } = link.link;
                    (
                        offset,
                        format!(
                            "{link} leads to edge {edge} of areal {areal}, which does not lead back"
                        ),
                    )
                }),
        );
    }

    /// Whether the edge that a link names leads back to the edge that it belongs to.
    fn is_mutual(&self, link: &PlacedLink) -> bool {
        let Some(target) = self.map.linked_areal(link.link) else {
            return true;
        };
        let edge = usize::try_from(link.link.edge).ok();
        let back = edge.and_then(|edge| target.edge_links.get(edge));
        back.is_none_or(|back| {
            usize::try_from(back.areal) == Ok(link.areal_idx)
                && usize::try_from(back.edge) == Ok(link.link_idx)
        })
    }

    fn check_unknown_fields(&self, findings: &mut Findings) {
        self.rule(findings, Severity::Note, RESERVED_0C, |idx, areal| {
            let value = areal.reserved_0c;
            (value.to_bits() != 0).then(|| format!("areal {idx} has reserved_12 {value}"))
        });
        self.rule(findings, Severity::Note, RESERVED_24, |idx, areal| {
            let value = areal.reserved_24;
            (value != 0).then(|| format!("areal {idx} has reserved_36 {value:#x}"))
        });
        self.rule(findings, Severity::Note, RESERVED_2C, |idx, areal| {
            let value = areal.reserved_2c;
            (value != 0).then(|| format!("areal {idx} has reserved_44 {value:#x}"))
        });
        self.rule(findings, Severity::Note, POLY_COUNT, |idx, areal| {
            let count = areal.polygons.len();
            (count != 0)
                .then(|| format!("areal {idx} has {count} polygon blocks, known maps have none"))
        });
    }

    /// What the packed form of the cells can hold, and areals that no cell leads to.
    fn check_grid(&self, findings: &mut Findings) {
        let pool = match PackedCells::from_cells(&self.map.cells) {
            Err(error @ CellPackError::PoolTooLong { .. }) => Some((None, error.to_string())),
            // A long cell is listed with the broken rules.
            Err(CellPackError::CellTooLong { .. }) | Ok(_) => None,
        };
        findings.rule(Severity::Error, pool);
        let mut is_listed = vec![false; self.map.areals.len()];
        for id in self.map.cells.iter().flatten() {
            if let Some(is_listed) = is_listed.get_mut(usize::from(*id)) {
                *is_listed = true;
            }
        }
        self.rule(findings, Severity::Note, 0, |idx, _| {
            let is_listed = is_listed.get(idx) == Some(&true);
            (!is_listed).then(|| format!("areal {idx} is in no cell of the grid"))
        });
    }

    /// Adds what `broken` says of each areal, at byte `field` of its record.
    fn rule(
        &self,
        findings: &mut Findings,
        severity: Severity,
        field: usize,
        broken: impl Fn(usize, &Areal) -> Option<String>,
    ) {
        let sentences = located_areals(self.map).filter_map(|(offset, idx, areal)| {
            let sentence = broken(idx, areal)?;
            Some((self.at(offset.saturating_add(field)), sentence))
        });
        findings.rule(severity, sentences);
    }

    /// Some links of each areal, with their offsets in the file. `links` also names the first one's number.
    fn links(
        &self,
        links: impl Fn(&Areal) -> (usize, Vec<EdgeLink>),
    ) -> impl Iterator<Item = (Option<u64>, PlacedLink)> {
        located_areals(self.map).flat_map(move |(offset, areal_idx, areal)| {
            let (first, links) = links(areal);
            links.into_iter().enumerate().map(move |(link_idx, link)| {
                let byte = areal.link_offset(first.saturating_add(link_idx));
                let placed = PlacedLink {
                    areal_idx,
                    link_idx,
                    link,
                };
                (self.at(offset.saturating_add(byte)), placed)
            })
        })
    }

    fn at(&self, byte: usize) -> Option<u64> {
        Some(self.payload.saturating_add(byte as u64))
    }
}

/// A link and whose it is.
struct PlacedLink {
    areal_idx: usize,
    link_idx: usize,
    link: EdgeLink,
}

impl std::fmt::Display for PlacedLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "link {} of areal {}", self.link_idx, self.areal_idx)
    }
}
