//! Debug layers of the land: borders of sectors, the grid of tiles, kinds of ground.

use ironlands_scene::{LegendEntry, Overlay, OverlayVertex};

use crate::land::{Land, Layer, tile_triangles};
use crate::map_overlays::map_overlays;
use crate::mp;
use crate::sec::{SIDE, VERTICES_PER_SIDE};
use crate::zone::Zone;

/// Height above what they lie on, meters, so that the ground does not cut them.
const LIFT: f32 = 0.08;
const SECTOR_COLOR: [u8; 4] = [255, 255, 255, 255];
const TILE_COLOR: [u8; 4] = [255, 220, 60, 160];
const FILL_ALPHA: u8 = 110;
/// Colors of the kinds of ground, by number; like what they stand for.
const GROUND_COLORS: [[u8; 3]; 16] = [
    [70, 180, 60],
    [140, 100, 60],
    [150, 150, 150],
    [230, 210, 120],
    [110, 110, 120],
    [190, 200, 60],
    [50, 110, 255],
    [200, 140, 90],
    [255, 0, 255],
    [250, 250, 255],
    [150, 230, 255],
    [190, 180, 90],
    [200, 210, 240],
    [255, 80, 20],
    [90, 110, 50],
    [70, 70, 80],
];
/// Of numbers that are not known, and of tiles that have none.
const UNKNOWN_COLOR: [u8; 3] = [255, 0, 128];

/// All layers: those of the land, then those of the map.
pub(super) fn overlays(zone: &Zone) -> Vec<Overlay> {
    let land = zone.land();
    let of_land = [
        grid(
            ["sector borders", "edge of a sector"],
            &land,
            SIDE,
            SECTOR_COLOR,
        ),
        grid(["tile grid", "edge of a tile"], &land, 2, TILE_COLOR),
        ground_types(&land),
    ];
    let of_map = zone.mob.as_ref();
    let of_map = of_map.map(|mob| map_overlays(mob, &|x, y| land.height_at([x, y])));
    of_land
        .into_iter()
        .chain(of_map.into_iter().flatten())
        .collect()
}

/// The lines of vertices whose row or column is a multiple of `step`, as they lie on the ground.
fn grid([name, meaning]: [&str; 2], land: &Land<'_>, step: usize, color: [u8; 4]) -> Overlay {
    let mut lines = Vec::new();
    for sector in land.sectors() {
        let positions = land.positions(sector.place, &sector.sec.vertices[..]);
        let at = |row: usize, col: usize| lifted(positions[row * VERTICES_PER_SIDE + col], color);
        for line in (0..VERTICES_PER_SIDE).step_by(step) {
            for cell in 0..SIDE {
                lines.extend([at(line, cell), at(line, cell + 1)]);
                lines.extend([at(cell, line), at(cell + 1, line)]);
            }
        }
    }
    let [r, g, b, _] = color;
    let overlay = Overlay {
        name: name.to_owned(),
        lines,
        ..Overlay::default()
    };
    overlay.with_legend([LegendEntry::new([r, g, b], meaning)])
}

/// Every tile in the color of its kind of ground.
fn ground_types(land: &Land<'_>) -> Overlay {
    let mut triangles = Vec::new();
    for sector in land.sectors() {
        let positions = land.positions(sector.place, &sector.sec.vertices[..]);
        for tile in sector.tiles(Layer::Ground) {
            let ground_type = land.mp().ground_types.get(usize::from(tile.tile.number()));
            let color = ground_type.and_then(|it| GROUND_COLORS.get(usize::try_from(*it).ok()?));
            let [r, g, b] = *color.unwrap_or(&UNKNOWN_COLOR);
            let places = tile.vertices();
            let corners = tile_triangles().into_iter().flatten();
            triangles
                .extend(corners.map(|at| lifted(positions[places[at]], [r, g, b, FILL_ALPHA])));
        }
    }
    let overlay = Overlay {
        name: "ground types".to_owned(),
        triangles,
        ..Overlay::default()
    };
    let known = (0..).zip(GROUND_COLORS).filter_map(|(number, color)| {
        let name = mp::ground_type_name(number)?;
        Some(LegendEntry::new(color, name))
    });
    overlay.with_legend(known.chain([LegendEntry::new(UNKNOWN_COLOR, "of no known kind")]))
}

fn lifted([x, y, z]: [f32; 3], color: [u8; 4]) -> OverlayVertex {
    OverlayVertex {
        position: [x, y, z + LIFT],
        color,
    }
}
