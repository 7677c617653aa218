//! Displacements (dossier sections 5.1 and 5.2).
#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used
    )
)]

use super::plain::only;
use super::{Place, Record, Width};
use crate::bsp::map::{CornerNeighbors, DispInfo, DispVert, SubNeighbor};
use ironlands_assets_core::bytes::{FormatError, Reader, Writer};

/// The three layouts of a displacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::bsp) enum DispForm {
    /// Version 17: 172 bytes, without triangles.
    V17,
    /// 176 bytes.
    Narrow,
    /// Version 25: 232 bytes.
    Wide,
}

impl DispForm {
    fn width(self) -> Width {
        match self {
            Self::Wide => Width::Wide,
            _ => Width::Narrow,
        }
    }
}

impl Record for DispInfo {
    type Form = DispForm;

    fn form(place: &Place<'_>) -> Option<DispForm> {
        match (place.file.version, Width::of(place)?) {
            (17, _) => Some(DispForm::V17),
            (_, Width::Narrow) => Some(DispForm::Narrow),
            (_, Width::Wide) => Some(DispForm::Wide),
        }
    }

    fn size(form: DispForm) -> usize {
        match form {
            DispForm::V17 => 172,
            DispForm::Narrow => 176,
            DispForm::Wide => 232,
        }
    }

    fn read(r: &mut Reader<'_>, form: DispForm) -> Result<Self, FormatError> {
        let width = form.width();
        let mut disp = Self {
            start_position: r.f32x3("displacement start")?,
            first_vert: r.i32("displacement first vertex")?,
            first_tri: match form {
                DispForm::V17 => 0,
                _ => r.i32("displacement first triangle")?,
            },
            power: r.i32("displacement power")?,
            min_tess: r.i32("displacement tesselation")?,
            smoothing_angle: r.f32("displacement smoothing")?,
            contents: r.i32("displacement contents")?,
            map_face: width.read_u32(r, "displacement face")?,
            ..Self::default()
        };
        if width == Width::Narrow {
            disp.unknown_26 = r.array("displacement padding")?;
        }
        disp.lightmap_alpha_start = r.i32("displacement alpha start")?;
        disp.lightmap_sample_position_start = r.i32("displacement sample start")?;
        for neighbor in disp.edge_neighbors.iter_mut().flatten() {
            *neighbor = read_sub_neighbor(r, width)?;
        }
        for corner in &mut disp.corner_neighbors {
            *corner = read_corner_neighbors(r, width)?;
        }
        for word in &mut disp.allowed_verts {
            *word = r.u32("displacement allowed vertices")?;
        }
        Ok(disp)
    }

    fn write(&self, w: &mut Writer, form: DispForm) -> Result<(), FormatError> {
        let Self {
            start_position,
            first_vert,
            first_tri,
            power,
            min_tess,
            smoothing_angle,
            contents,
            map_face,
            unknown_26,
            lightmap_alpha_start,
            lightmap_sample_position_start,
            edge_neighbors,
            corner_neighbors,
            allowed_verts,
        } = self;
        let width = form.width();
        w.f32x3(*start_position);
        w.i32(*first_vert);
        if form != DispForm::V17 {
            w.i32(*first_tri);
        }
        w.i32(*power);
        w.i32(*min_tess);
        w.f32(*smoothing_angle);
        w.i32(*contents);
        width.write_u32(w, "displacement face", *map_face)?;
        if width == Width::Narrow {
            w.bytes(unknown_26);
        }
        w.i32(*lightmap_alpha_start);
        w.i32(*lightmap_sample_position_start);
        for neighbor in edge_neighbors.iter().flatten() {
            write_sub_neighbor(neighbor, w, width)?;
        }
        for corner in corner_neighbors {
            write_corner_neighbors(corner, w, width)?;
        }
        for word in allowed_verts {
            w.u32(*word);
        }
        Ok(())
    }
}

fn read_sub_neighbor(r: &mut Reader<'_>, width: Width) -> Result<SubNeighbor, FormatError> {
    Ok(SubNeighbor {
        disp_info: width.read_u32(r, "displacement neighbour")?,
        orientation: r.u8("displacement neighbour orientation")?,
        span: r.u8("displacement neighbour span")?,
        neighbor_span: r.u8("displacement neighbour span")?,
        unknown_05: r.u8("displacement neighbour padding")?,
    })
}

fn write_sub_neighbor(
    neighbor: &SubNeighbor,
    w: &mut Writer,
    width: Width,
) -> Result<(), FormatError> {
    let SubNeighbor {
        disp_info,
        orientation,
        span,
        neighbor_span,
        unknown_05,
    } = *neighbor;
    width.write_u32(w, "displacement neighbour", disp_info)?;
    w.bytes(&[orientation, span, neighbor_span, unknown_05]);
    Ok(())
}

fn read_corner_neighbors(r: &mut Reader<'_>, width: Width) -> Result<CornerNeighbors, FormatError> {
    let mut corner = CornerNeighbors::default();
    for neighbor in &mut corner.neighbors {
        *neighbor = width.read_u32(r, "displacement corner neighbour")?;
    }
    corner.n_neighbors = r.u8("displacement corner neighbour count")?;
    for byte in corner.unknown_end.iter_mut().take(corner_padding(width)) {
        *byte = r.u8("displacement corner padding")?;
    }
    Ok(corner)
}

fn write_corner_neighbors(
    corner: &CornerNeighbors,
    w: &mut Writer,
    width: Width,
) -> Result<(), FormatError> {
    let CornerNeighbors {
        neighbors,
        n_neighbors,
        unknown_end,
    } = *corner;
    for neighbor in neighbors {
        width.write_u32(w, "displacement corner neighbour", neighbor)?;
    }
    w.u8(n_neighbors);
    for byte in unknown_end.iter().take(corner_padding(width)) {
        w.u8(*byte);
    }
    Ok(())
}

/// Bytes after the neighbours of a corner.
fn corner_padding(width: Width) -> usize {
    match width {
        Width::Narrow => 1,
        Width::Wide => 3,
    }
}

impl Record for DispVert {
    type Form = ();

    fn form(place: &Place<'_>) -> Option<()> {
        only(place)
    }

    fn size((): ()) -> usize {
        20
    }

    fn read(r: &mut Reader<'_>, (): ()) -> Result<Self, FormatError> {
        Ok(Self {
            vector: r.f32x3("displacement vector")?,
            dist: r.f32("displacement distance")?,
            alpha: r.f32("displacement alpha")?,
        })
    }

    fn write(&self, w: &mut Writer, (): ()) -> Result<(), FormatError> {
        let Self {
            vector,
            dist,
            alpha,
        } = *self;
        w.f32x3(vector);
        w.f32(dist);
        w.f32(alpha);
        Ok(())
    }
}
