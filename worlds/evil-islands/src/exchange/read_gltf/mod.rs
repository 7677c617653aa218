//! glTF 2.0 as a figure of Evil Islands: what [`write_figure_glb`](super::write_figure_glb) wrote, changed or not.
//!
//! The figure hangs on a node whose `extras` have `ei_figure`; below it the axes are those of the figure, and each
//! node is a part. Extreme states are morph targets by their names. Geometry that nothing has touched comes back bit
//! for bit, turns but for rounding. Parts stand unturned at rest, for files have no place for a turn there.

mod mesh;
#[expect(
    clippy::arithmetic_side_effects,
    reason = "rotations of f64, which do not overflow"
)]
mod motion;

use std::collections::{HashMap, HashSet};

use gltf_json::scene::Node;
use ironlands_assets_core::text::encode_cp1251;
use ironlands_assets_evil_islands::bon::Bon;
use ironlands_assets_evil_islands::complection::{N_STATES, blend};
use ironlands_assets_evil_islands::figure::{Figure, FigurePart};
use ironlands_exchange::read_gltf::{Document, at_most, fetch_nothing, unexpected, unsupported};
use ironlands_exchange::{ExchangeFinding, Findings, ImportError, from_extras};

use self::mesh::MovedPoints;
use super::extras::{FigureExtras, PartExtras};

/// Far more than any figure has.
const MAX_PARTS: usize = 4096;
/// Farther from standing still than the rounding of f32 brings a node, for meters and for parts of a turn.
const ROUNDING: f32 = 1e-5;

/// A figure, and what the file holds that a figure does not.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportedFigure {
    /// The figure. It has no table of animations.
    pub figure: Figure,
    /// Dexterity, strength, height of the state that the file shows.
    pub complection: [f32; 3],
    /// What was left out or changed.
    pub findings: Vec<ExchangeFinding>,
}

/// Reads a figure from binary glTF that names no other files, or from a `.gltf` with all its data inside.
///
/// # Errors
/// A file that breaks a rule of glTF 2.0 that matters, no node with `ei_figure`, parts of one name, parts that are
/// turned or scaled at rest, and more than a figure can hold.
pub fn read_figure_glb(data: &[u8]) -> Result<ImportedFigure, ImportError> {
    let mut findings = Findings::default();
    let document = Document::read(data, &mut fetch_nothing, &mut findings)?;
    let (top, extras) = find_top(&document)?;
    let mut import = Import {
        document: &document,
        complection: extras.ei_complection,
        figure: Figure {
            name: extras.ei_figure,
            ..Figure::default()
        },
        moved: Vec::new(),
        part_of_node: HashMap::new(),
        findings,
    };
    import.add_parts(top)?;
    import.figure.animations = motion::read(&mut import)?;
    Ok(ImportedFigure {
        figure: import.figure,
        complection: import.complection,
        findings: import.findings.into_list(),
    })
}

/// A figure while it grows.
struct Import<'a> {
    document: &'a Document<'a>,
    complection: [f32; 3],
    figure: Figure,
    /// How far the frames of animations move the points of each part.
    moved: Vec<MovedPoints>,
    part_of_node: HashMap<usize, usize>,
    findings: Findings,
}

fn find_top<'a>(document: &'a Document<'_>) -> Result<(&'a Node, FigureExtras), ImportError> {
    let mut nodes = document.root.nodes.iter();
    let marked = nodes.find_map(|node| {
        let extras: FigureExtras = from_extras(&node.extras)?;
        Some((node, extras))
    });
    marked.ok_or_else(|| unexpected("nodes", "one with `ei_figure` in its extras", "none"))
}

impl Import<'_> {
    /// The parts below a node, parents before children.
    fn add_parts(&mut self, top: &Node) -> Result<(), ImportError> {
        let document = self.document;
        let mut seen = HashSet::new();
        let mut names = HashSet::new();
        let children = |node: &Node| -> Vec<usize> {
            let children = node.children.iter().flatten().rev();
            children.map(|child| child.value()).collect()
        };
        let mut waiting: Vec<_> = children(top).into_iter().map(|node| (node, None)).collect();
        while let Some((index, parent)) = waiting.pop() {
            let place = format!("nodes[{index}]");
            let node = document.root.nodes.get(index);
            let node = node.ok_or_else(|| unexpected(&place, "a node", "none"))?;
            if !seen.insert(index) {
                return Err(unexpected(&place, "a node with one parent", "another"));
            }
            at_most("parts", seen.len(), MAX_PARTS, &place)?;
            let part = self.part(node, parent, &place)?;
            if !names.insert(part.name.to_ascii_lowercase()) {
                let found = format!("another {}", part.name);
                return Err(unexpected(&place, "a name of its own", found));
            }
            let number = self.figure.parts.len();
            self.part_of_node.insert(index, number);
            self.figure.parts.push(part);
            let number = u32::try_from(number).ok();
            waiting.extend(children(node).into_iter().map(|child| (child, number)));
        }
        Ok(())
    }

    fn part(
        &mut self,
        node: &Node,
        parent: Option<u32>,
        place: &str,
    ) -> Result<FigurePart, ImportError> {
        let name = node.name.clone().unwrap_or_default();
        if name.is_empty() || encode_cp1251(&name).is_none() {
            let found = format!("\"{name}\"");
            return Err(unexpected(place, "a name in characters of CP1251", found));
        }
        let translation = rest(node, place)?;
        let (fig, moved) = match node.mesh {
            None => (None, MovedPoints::default()),
            Some(mesh) => {
                let (fig, moved) = mesh::read(self.document, mesh, &mut self.findings)?;
                (Some(fig), moved)
            }
        };
        self.moved.push(moved);
        Ok(FigurePart {
            name,
            parent,
            fig,
            bon: self.offsets(node, translation, place)?,
        })
    }

    /// The rest position in all states: as it was, shifted by as much as the node has been.
    fn offsets(
        &self,
        node: &Node,
        translation: [f32; 3],
        place: &str,
    ) -> Result<Option<Bon>, ImportError> {
        let extras: Option<PartExtras> = from_extras(&node.extras);
        let Some(PartExtras { mut ei_offsets }) = extras else {
            return Ok(Some(Bon {
                offsets: vec![translation; N_STATES],
                tail: Vec::new(),
            }));
        };
        let is_finite = ei_offsets.as_flattened().iter().all(|v| v.is_finite());
        if !matches!(ei_offsets.len(), 0 | 1 | N_STATES) || !is_finite {
            let found = format!("{ei_offsets:?}");
            return Err(unexpected(place, "no, one or eight offsets", found));
        }
        let stood = blend(&ei_offsets, self.complection).unwrap_or_default();
        let shifted: [f32; 3] = {
            let [[ax, ay, az], [bx, by, bz]] = [stood, translation];
            [bx - ax, by - ay, bz - az]
        };
        let is_moved = shifted.iter().any(|v| v.abs() > ROUNDING);
        if ei_offsets.is_empty() {
            ei_offsets = if is_moved {
                vec![[0.0; 3]; N_STATES]
            } else {
                Vec::new()
            };
        }
        for offset in ei_offsets.iter_mut().filter(|_| is_moved) {
            for (value, shift) in offset.iter_mut().zip(shifted) {
                *value += shift;
            }
        }
        let bon = Bon {
            offsets: ei_offsets,
            tail: Vec::new(),
        };
        Ok(Some(bon).filter(|bon| !bon.offsets.is_empty()))
    }
}

/// Where a node stands at rest, which must be all that it does.
fn rest(node: &Node, place: &str) -> Result<[f32; 3], ImportError> {
    let near = |found: &[f32], still: &[f32]| {
        let mut pairs = found.iter().zip(still);
        pairs.all(|(a, b)| (a - b).abs() <= ROUNDING)
    };
    let turned = || unsupported(place, "a part that is turned or scaled at rest");
    if let Some(matrix) = node.matrix {
        let [ax, ay, az, aw, bx, by, bz, bw, cx, cy, cz, cw, x, y, z, w] = matrix;
        let linear = [ax, ay, az, aw, bx, by, bz, bw, cx, cy, cz, cw, w];
        let still = [
            1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0,
        ];
        return match near(&linear, &still) && [x, y, z].iter().all(|v| v.is_finite()) {
            true => Ok([x, y, z]),
            false => Err(turned()),
        };
    }
    let [x, y, z, w] = node.rotation.unwrap_or_default().0;
    let scale = node.scale.unwrap_or([1.0; 3]);
    let translation = node.translation.unwrap_or_default();
    if !near(&[x, y, z, w.abs()], &[0.0, 0.0, 0.0, 1.0]) || !near(&scale, &[1.0; 3]) {
        return Err(turned());
    }
    match translation.iter().all(|v| v.is_finite()) {
        true => Ok(translation),
        false => Err(unexpected(place, "a finite transform", "another")),
    }
}
