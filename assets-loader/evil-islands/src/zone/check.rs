//! Where the files of a zone contradict each other (dossier section 10.7).
#![cfg_attr(
    not(test),
    expect(
        clippy::arithmetic_side_effects,
        reason = "places of sectors and of their vertices, within a zone"
    )
)]

use super::{FORMAT, Zone};
use crate::land::{Land, Layer, PlacedSector};
use crate::sec::{SIDE, VERTICES_PER_SIDE, Vertex};
use ironlands_assets_core::bytes::{Finding, Severity};
use ironlands_assets_core::findings::Findings;

/// What was found while the zone was opened, and what its files say of each other.
pub(super) fn check(zone: &Zone) -> Vec<Finding> {
    let mut findings = Findings::new(FORMAT);
    findings.extend(zone.findings.iter().cloned());
    let land = zone.land();
    findings.rule(Severity::Error, unknown_atlases(&land));
    findings.rule(Severity::Error, unknown_materials(&land));
    findings.rule(Severity::Warning, open_borders(&land));
    findings.rule(Severity::Warning, other_sizes(zone));
    if let Some(mob) = &zone.mob {
        findings.extend(mob.check());
    }
    findings.into_list()
}

type Told = (Option<u64>, String);

/// Tiles of atlases that the header does not mention.
fn unknown_atlases<'a>(land: &Land<'a>) -> impl Iterator<Item = Told> + use<'a> {
    let n_textures = land.mp().n_textures;
    land.sectors().flat_map(move |sector| {
        let layers = [Layer::Ground, Layer::Liquid].into_iter();
        let tiles = layers.flat_map(|layer| sector.tiles(layer).map(move |it| (layer, it)));
        let unknown = tiles.filter(|(_, it)| u32::from(it.tile.texture()) >= n_textures);
        let reported = unknown.map(|(layer, tile)| {
            let what = match layer {
                Layer::Ground => "tile",
                Layer::Liquid => "liquid tile",
            };
            let message = format!(
                "{what} {} of sector {} is of atlas {}; there are {n_textures}",
                tile.place(),
                name_of(&sector),
                tile.tile.texture(),
            );
            (None, message)
        });
        reported.collect::<Vec<_>>()
    })
}

/// Liquids of materials that the header does not have.
fn unknown_materials<'a>(land: &Land<'a>) -> impl Iterator<Item = Told> + use<'a> {
    let n_materials = land.mp().materials.len();
    land.sectors().flat_map(move |sector| {
        let layer = sector.sec.liquid_layer();
        let materials = layer.into_iter().flat_map(|it| it.materials.iter());
        let unknown = (0..).zip(materials).filter(move |(_, material)| {
            usize::try_from(**material).is_ok_and(|it| it >= n_materials)
        });
        unknown.map(move |(tile, material): (u32, _)| {
            let message = format!(
                "liquid tile {tile} of sector {} is of material {material}; there are {n_materials}",
                name_of(&sector)
            );
            (None, message)
        })
    })
}

/// Borders that two sectors do not put at the same place.
fn open_borders<'a>(land: &Land<'a>) -> impl Iterator<Item = Told> + use<'a> {
    let land = *land;
    land.sectors().flat_map(move |sector| {
        let [x, y] = sector.place;
        let right = (land.sector([x + 1, y]), true);
        let above = (land.sector([x, y + 1]), false);
        [right, above]
            .into_iter()
            .filter_map(move |(other, is_right)| {
                let other = other?;
                let n_apart = n_apart(&sector.sec.vertices[..], &other.vertices[..], is_right);
                let side = if is_right { "x" } else { "y" };
                let message = format!(
                    "{n_apart} vertices of sector {} are elsewhere in its neighbor along {side}",
                    name_of(&sector)
                );
                (n_apart > 0).then_some((None, message))
            })
    })
}

/// Vertices of the last column of one sector that the first column of its neighbor has elsewhere; of rows if the
/// neighbor lies along y. Normals may differ: that shows as an edge in the light and leaves no crack.
fn n_apart(sector: &[Vertex], neighbor: &[Vertex], is_along_x: bool) -> usize {
    let places = (0..VERTICES_PER_SIDE).map(|at| match is_along_x {
        true => [at * VERTICES_PER_SIDE + SIDE, at * VERTICES_PER_SIDE],
        false => [SIDE * VERTICES_PER_SIDE + at, at],
    });
    let place_of = |vertex: &Vertex| (vertex.shift, vertex.altitude);
    let pairs = places.map(|[own, others]| (sector.get(own), neighbor.get(others)));
    pairs
        .filter(|(own, others)| own.map(place_of) != others.map(place_of))
        .count()
}

/// Atlases of another size than the header says.
fn other_sizes(zone: &Zone) -> impl Iterator<Item = Told> + '_ {
    let size = zone.mp.texture_size;
    let atlases = (0u32..).zip(&zone.atlases);
    let atlases = atlases.filter_map(|(number, atlas)| Some((number, atlas.as_ref()?)));
    let others = atlases.filter(move |(_, it)| it.width != size || it.height != size);
    others.map(move |(number, atlas)| {
        let message = format!(
            "atlas {number} has {} by {} pixels, the header says {size}",
            atlas.width, atlas.height
        );
        (None, message)
    })
}

fn name_of(sector: &PlacedSector<'_>) -> String {
    let [x, y] = sector.place;
    format!("{x} {y}")
}
