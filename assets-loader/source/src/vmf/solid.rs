//! Solids and their sides.

use super::displacement::VmfDisplacement;
use super::fields::{Fields, Kept, Known, exact, numeric, pair, spaced};
use crate::key_values::Entry;
use ironlands_assets_core::bytes::FormatError;

/// A convex brush.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Solid {
    /// Unique number in the map.
    pub id: Option<u32>,
    /// Sides; the solid is what lies behind all of their planes.
    pub sides: Vec<Side>,
    /// Color and groups in the editor.
    pub editor: Option<Editor>,
    /// All else.
    pub kept: Kept,
}

/// A side of a solid.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Side {
    /// Unique number among all sides of the map.
    pub id: Option<u32>,
    /// Three points: `(p0 - p1) x (p2 - p1)` points out of the solid.
    pub plane: [[f64; 3]; 3],
    /// Material, without `materials/` and extension.
    pub material: String,
    /// Direction of growing u.
    pub u_axis: TextureAxis,
    /// Direction of growing v.
    pub v_axis: TextureAxis,
    /// Turn of the texture in degrees; the axes have it already.
    pub rotation: Option<f64>,
    /// Units per luxel.
    pub lightmap_scale: Option<f64>,
    /// Bits of smoothing groups.
    pub smoothing_groups: Option<u32>,
    /// The displacement on it.
    pub displacement: Option<VmfDisplacement>,
    /// All else.
    pub kept: Kept,
}

/// How a texture lies along one direction: `texel = dot(axis, point) / scale + shift`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TextureAxis {
    /// Direction.
    pub axis: [f64; 3],
    /// In texels.
    pub shift: f64,
    /// Units per texel.
    pub scale: f64,
}

/// What only the editor needs.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Editor {
    /// Red, green, blue, 0 to 255.
    pub color: Option<[f64; 3]>,
    /// Pairs such as `visgroupid`, which may stand more than once.
    pub pairs: Vec<(String, String)>,
    /// All else.
    pub kept: Kept,
}

impl Solid {
    pub(super) fn read(mut fields: Fields) -> Result<Self, FormatError> {
        let id = fields.number("id")?;
        let sides = fields.blocks("side").into_iter().map(Side::read);
        Ok(Self {
            id,
            sides: sides.collect::<Result<_, _>>()?,
            editor: fields.block("editor")?.map(Editor::read).transpose()?,
            kept: fields.finish(),
        })
    }

    pub(super) fn write(&self) -> Entry {
        let Self {
            id,
            sides,
            editor,
            kept,
        } = self;
        let mut known = Vec::from_iter(pair("id", id));
        known.extend(sides.iter().map(|side| side.write().into()));
        known.extend(editor.as_ref().map(|editor| editor.write().into()));
        Entry::block("solid", kept.merge(known))
    }
}

impl Side {
    fn read(mut fields: Fields) -> Result<Self, FormatError> {
        let plane = fields.array::<9>("plane")?;
        let [ax, ay, az, bx, by, bz, cx, cy, cz] = fields.need("plane", plane)?;
        let material = fields.text("material");
        let material = fields.need("material", material)?;
        let displacement = fields.block("dispinfo")?;
        Ok(Self {
            id: fields.number("id")?,
            plane: [[ax, ay, az], [bx, by, bz], [cx, cy, cz]],
            material,
            u_axis: TextureAxis::read(&mut fields, "uaxis")?,
            v_axis: TextureAxis::read(&mut fields, "vaxis")?,
            rotation: fields.number("rotation")?,
            lightmap_scale: fields.number("lightmapscale")?,
            smoothing_groups: fields.number("smoothing_groups")?,
            displacement: displacement.map(VmfDisplacement::read).transpose()?,
            kept: fields.finish(),
        })
    }

    fn write(&self) -> Entry {
        let Self {
            id,
            plane,
            material,
            u_axis,
            v_axis,
            rotation,
            lightmap_scale,
            smoothing_groups,
            displacement,
            kept,
        } = self;
        let points = plane.map(|point| format!("({})", spaced(point)));
        let mut known = Vec::from_iter(pair("id", id));
        known.push(numeric("plane", points.join(" ")));
        known.push(Entry::text("material", material).into());
        known.push(u_axis.write("uaxis"));
        known.push(v_axis.write("vaxis"));
        known.extend(pair("rotation", rotation));
        known.extend(pair("lightmapscale", lightmap_scale));
        known.extend(pair("smoothing_groups", smoothing_groups));
        known.extend(displacement.as_ref().map(|grid| grid.write().into()));
        Entry::block("side", kept.merge(known))
    }
}

impl TextureAxis {
    fn read(fields: &mut Fields, key: &str) -> Result<Self, FormatError> {
        let numbers = fields.array::<5>(key)?;
        let [x, y, z, shift, scale] = fields.need(key, numbers)?;
        Ok(Self {
            axis: [x, y, z],
            shift,
            scale,
        })
    }

    fn write(&self, key: &str) -> Known {
        let Self {
            axis: [x, y, z],
            shift,
            scale,
        } = self;
        numeric(key, format!("[{x} {y} {z} {shift}] {scale}"))
    }
}

impl Editor {
    pub(super) fn read(mut fields: Fields) -> Result<Self, FormatError> {
        Ok(Self {
            color: fields.array("color")?,
            pairs: fields.all_texts(),
            kept: fields.finish(),
        })
    }

    pub(super) fn write(&self) -> Entry {
        let Self { color, pairs, kept } = self;
        let color = color.map(spaced);
        let mut known = Vec::from_iter(pair("color", &color));
        known.extend(pairs.iter().map(exact));
        Entry::block("editor", kept.merge(known))
    }
}
