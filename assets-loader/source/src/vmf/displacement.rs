//! The displacement on a side, row by row. Dossier sections 5.4 and 12.4.

use super::fields::{Fields, Kept, Known, numeric, pair, spaced};
use crate::key_values::Entry;
use ironlands_assets_core::bytes::FormatError;

/// Blocks of the colors of layers.
const LAYER_COLORS: [&str; 4] = [
    "multiblend_color_0",
    "multiblend_color_1",
    "multiblend_color_2",
    "multiblend_color_3",
];
/// Powers that there are.
const POWERS: std::ops::RangeInclusive<u32> = 2..=4;

/// A grid of `2^power + 1` vertices a side that displaces a side of four corners.
///
/// Tables are rows of the grid, each as long as there are vertices (or triangles) along it, or empty if the block is
/// not there.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VmfDisplacement {
    /// 2 to 4; a side has `2^power + 1` points.
    pub power: u32,
    /// The corner that row 0, column 0 stands at.
    pub start_position: [f64; 3],
    /// Flags of collision.
    pub flags: Option<u32>,
    /// How far all vertices are raised along the normal.
    pub elevation: Option<f64>,
    /// Whether it was subdivided.
    pub subdivided: Option<u32>,
    /// Directions, three numbers a vertex.
    pub normals: DisplacementRows,
    /// Distances along the directions.
    pub distances: DisplacementRows,
    /// Offsets before the distances, three numbers a vertex.
    pub offsets: DisplacementRows,
    /// Normals of subdivision, three numbers a vertex.
    pub offset_normals: DisplacementRows,
    /// Weights of the blend texture, 0 to 255.
    pub alphas: DisplacementRows,
    /// Weights of four layers, four numbers a vertex.
    pub layer_weights: DisplacementRows,
    /// Opacities of these, four numbers a vertex.
    pub layer_alphas: DisplacementRows,
    /// The color of each of these, three numbers a vertex.
    pub layer_colors: [DisplacementRows; 4],
    /// Tags of triangles (section 5.3), two for each cell.
    pub triangle_tags: DisplacementRows,
    /// Vertices that are kept.
    pub allowed_verts: Option<AllowedVerts>,
    /// All else.
    pub kept: Kept,
}

/// Which vertices of a displacement are kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AllowedVerts {
    /// A bit for each vertex, row by row; words of 32 bits, signed or not.
    pub words: [f64; 10],
    /// All else.
    pub kept: Kept,
}

/// A table of a displacement.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DisplacementRows {
    /// Row after row.
    pub rows: Vec<Vec<f64>>,
    /// All else.
    pub kept: Kept,
}

impl DisplacementRows {
    /// A table of these rows.
    pub fn new(rows: Vec<Vec<f64>>) -> Self {
        Self {
            rows,
            kept: Kept::default(),
        }
    }

    fn read(
        fields: &mut Fields,
        key: &str,
        n_rows: usize,
        n_numbers: usize,
    ) -> Result<Self, FormatError> {
        let Some(mut block) = fields.block(key)? else {
            return Ok(Self::default());
        };
        let rows = (0..n_rows).map(|row| {
            let key = format!("row{row}");
            let numbers = block.numbers(&key, n_numbers)?;
            block.need(&key, numbers)
        });
        Ok(Self {
            rows: rows.collect::<Result<_, _>>()?,
            kept: block.finish(),
        })
    }

    fn write(&self, key: &str) -> Option<Known> {
        let Self { rows, kept } = self;
        let row = |(index, row): (usize, &Vec<f64>)| numeric(format!("row{index}"), spaced(row));
        let rows: Vec<Known> = rows.iter().enumerate().map(row).collect();
        (!rows.is_empty()).then(|| Entry::block(key, kept.merge(rows)).into())
    }
}

impl VmfDisplacement {
    /// Vertices a row, and rows.
    pub fn side(&self) -> usize {
        (1_usize << self.power.min(*POWERS.end())).saturating_add(1)
    }

    pub(super) fn read(mut fields: Fields) -> Result<Self, FormatError> {
        let power = fields.number("power")?;
        let power: u32 = fields.need("power", power)?;
        if !POWERS.contains(&power) {
            return Err(fields.refuse("power", "2 to 4", power));
        }
        let start_position = fields.array("startposition")?;
        let side = (1_usize << power).saturating_add(1);
        let cells = 1_usize << power;
        let vectors = side.saturating_mul(3);
        let fours = side.saturating_mul(4);
        let mut colors: [DisplacementRows; 4] = Default::default();
        for (key, colors) in LAYER_COLORS.into_iter().zip(&mut colors) {
            *colors = DisplacementRows::read(&mut fields, key, side, vectors)?;
        }
        let allowed_verts = fields.block("allowed_verts")?;
        Ok(Self {
            power,
            start_position: fields.need("startposition", start_position)?,
            flags: fields.number("flags")?,
            elevation: fields.number("elevation")?,
            subdivided: fields.number("subdiv")?,
            normals: DisplacementRows::read(&mut fields, "normals", side, vectors)?,
            distances: DisplacementRows::read(&mut fields, "distances", side, side)?,
            offsets: DisplacementRows::read(&mut fields, "offsets", side, vectors)?,
            offset_normals: DisplacementRows::read(&mut fields, "offset_normals", side, vectors)?,
            alphas: DisplacementRows::read(&mut fields, "alphas", side, side)?,
            layer_weights: DisplacementRows::read(&mut fields, "multiblend", side, fours)?,
            layer_alphas: DisplacementRows::read(&mut fields, "alphablend", side, fours)?,
            layer_colors: colors,
            triangle_tags: DisplacementRows::read(
                &mut fields,
                "triangle_tags",
                cells,
                cells.saturating_mul(2),
            )?,
            allowed_verts: allowed_verts.map(AllowedVerts::read).transpose()?,
            kept: fields.finish(),
        })
    }

    pub(super) fn write(&self) -> Entry {
        let Self {
            power,
            start_position,
            flags,
            elevation,
            subdivided,
            normals,
            distances,
            offsets,
            offset_normals,
            alphas,
            layer_weights,
            layer_alphas,
            layer_colors,
            triangle_tags,
            allowed_verts,
            kept,
        } = self;
        let mut known = vec![numeric("power", power.to_string())];
        let start_position = format!("[{}]", spaced(start_position));
        known.push(numeric("startposition", start_position));
        known.extend(pair("flags", flags));
        known.extend(pair("elevation", elevation));
        known.extend(pair("subdiv", subdivided));
        known.extend(normals.write("normals"));
        known.extend(distances.write("distances"));
        known.extend(offsets.write("offsets"));
        known.extend(offset_normals.write("offset_normals"));
        known.extend(alphas.write("alphas"));
        known.extend(triangle_tags.write("triangle_tags"));
        known.extend(allowed_verts.as_ref().map(|verts| verts.write().into()));
        known.extend(layer_weights.write("multiblend"));
        known.extend(layer_alphas.write("alphablend"));
        for (key, colors) in LAYER_COLORS.into_iter().zip(layer_colors) {
            known.extend(colors.write(key));
        }
        Entry::block("dispinfo", kept.merge(known))
    }
}

impl AllowedVerts {
    fn read(mut fields: Fields) -> Result<Self, FormatError> {
        let words = fields.array("10")?;
        Ok(Self {
            words: fields.need("10", words)?,
            kept: fields.finish(),
        })
    }

    fn write(&self) -> Entry {
        let Self { words, kept } = self;
        let words = vec![numeric("10", spaced(words))];
        Entry::block("allowed_verts", kept.merge(words))
    }
}
