//! Debug layers of what a mission says: classes of the ground, paths, ore deposits, and who owns what.

use ironlands_scene::{LegendEntry, Overlay, OverlayVertex};

use super::drape::Drape;
use super::overlays::{colors_in_turn, lifted, named};
use crate::level::ParkanLevel;
use crate::mission::{ClanType, Mission};
use ironlands_assets_core::text::decode_cp1251;

/// Heights of the poles at ore deposits and at objects, world units.
const ORE_HEIGHT: f32 = 20.0;
const OWNER_HEIGHT: f32 = 12.0;
/// Half the sides of the diamonds at the ends of poles.
const DIAMOND: f32 = 1.5;
/// Alpha of ground in the color of its class.
const CLASS_ALPHA: u8 = 110;
const ORE_COLOR: [u8; 3] = [255, 200, 40];
/// Names of classes of surfaces, by class.
const CLASSES: [(&str, [u8; 3]); 11] = [
    ("snow", [240, 244, 255]),
    ("stone", [150, 140, 130]),
    ("grass", [80, 200, 60]),
    ("class 3", [200, 150, 255]),
    ("ice", [130, 220, 255]),
    ("metal", [110, 120, 160]),
    ("leaves", [30, 120, 40]),
    ("water", [40, 90, 230]),
    ("teleport", [255, 60, 220]),
    ("animal", [255, 140, 90]),
    ("shield", [255, 255, 90]),
];

/// All layers; those of a mission only if there is one.
pub(super) fn overlays(level: &ParkanLevel) -> Vec<Overlay> {
    let mission = level.mission.as_ref().map(|it| {
        let mission = &it.mission;
        let drape = Drape::new(level.ground());
        [
            mission_paths(mission, &drape),
            ore_deposits(mission),
            owners(mission),
        ]
    });
    let of_mission = mission.into_iter().flatten();
    [ground_classes(level)]
        .into_iter()
        .chain(of_mission)
        .collect()
}

/// The finest ground in the colors of the classes of its first materials.
fn ground_classes(level: &ParkanLevel) -> Overlay {
    let land = level.ground();
    let class_of = |row: u8| {
        let material = level.terrain_rows.surfaces.get(&row)?;
        let material = level.materials.materials.get(*material)?;
        CLASSES.get(usize::from(material.mat0.class))
    };
    let faces = land.lod0_face_indices();
    let faces = faces.filter_map(|idx| land.faces.get(idx));
    let colored = faces.filter_map(|face| Some((face, class_of(face.first_material)?)));
    let corners = colored.flat_map(|(face, (_, [r, g, b]))| {
        let color = [*r, *g, *b, CLASS_ALPHA];
        let corners = face.vertices.map(|idx| {
            let position = land.positions.get(usize::from(idx)).copied();
            lifted(position.unwrap_or_default(), color)
        });
        let is_finite = corners
            .iter()
            .flat_map(|it| it.position)
            .all(f32::is_finite);
        is_finite.then_some(corners)
    });
    let overlay = Overlay {
        triangles: corners.flatten().collect(),
        ..named("ground classes")
    };
    overlay.with_legend(CLASSES.map(|(name, color)| LegendEntry::new(color, name)))
}

/// The outlines of the areas that paths are.
fn mission_paths(mission: &Mission, drape: &Drape) -> Overlay {
    let n_points = mission.paths.iter().map(|path| path.points.len()).sum();
    let mut draping = drape.layer(n_points);
    let mut overlay = named("mission paths");
    let mut legend = Vec::new();
    for (path, color) in mission.paths.iter().zip(colors_in_turn()) {
        let [r, g, b] = color;
        let next = path.points.iter().skip(1).chain(path.points.first());
        let sides = path.points.iter().zip(next);
        let sides = sides.filter(|(from, to)| from.iter().chain(*to).all(|it| it.is_finite()));
        for (from, to) in sides {
            let pieces = draping.line([*from, *to]).into_iter().flatten();
            let points = pieces.map(|position| lifted(position, [r, g, b, 255]));
            overlay.lines.extend(points);
        }
        add_name(&mut legend, color, &path.id.to_string());
    }
    let entry = |(color, ids): ([u8; 3], String)| LegendEntry::new(color, format!("path {ids}"));
    overlay.with_legend(legend.into_iter().map(entry))
}

/// A pole at each.
fn ore_deposits(mission: &Mission) -> Overlay {
    let mut overlay = named("ore deposits");
    for extra in &mission.extras {
        add_pole(&mut overlay, extra.position, ORE_HEIGHT, ORE_COLOR);
    }
    overlay.with_legend([LegendEntry::new(ORE_COLOR, "ore deposit")])
}

/// A pole at each object that a clan owns, in the clan's color; what belongs to the environment belongs to no one.
fn owners(mission: &Mission) -> Overlay {
    let mut overlay = named("clans");
    let mut legend = Vec::new();
    let mut colors = Vec::new();
    for (clan, color) in mission.clans.iter().zip(colors_in_turn()) {
        let owns = clan.clan_type() != Some(ClanType::Environment);
        colors.push(owns.then_some(color));
        if owns {
            add_name(&mut legend, color, &decode_cp1251(&clan.name));
        }
    }
    for object in &mission.objects {
        let clan = usize::try_from(object.clan_idx).ok();
        if let Some(Some(color)) = clan.and_then(|index| colors.get(index)) {
            add_pole(&mut overlay, object.position, OWNER_HEIGHT, *color);
        }
    }
    let entry = |(color, names): ([u8; 3], String)| LegendEntry::new(color, names);
    overlay.with_legend(legend.into_iter().map(entry))
}

/// Names that share a color are one entry.
fn add_name(legend: &mut Vec<([u8; 3], String)>, color: [u8; 3], name: &str) {
    match legend.iter_mut().find(|(known, _)| *known == color) {
        Some((_, names)) => {
            names.push_str(", ");
            names.push_str(name);
        }
        None => legend.push((color, name.to_owned())),
    }
}

/// A line upward with a diamond at its end; none for a place that is nowhere.
fn add_pole(overlay: &mut Overlay, [x, y, z]: [f32; 3], height: f32, [r, g, b]: [u8; 3]) {
    let top = z + height;
    if ![x, y, top].iter().all(|it| it.is_finite()) {
        return;
    }
    let color = [r, g, b, 255];
    let point = |position| OverlayVertex { position, color };
    overlay.lines.extend([point([x, y, z]), point([x, y, top])]);
    let [below, above] = [top - DIAMOND, top + DIAMOND].map(|z| [x, y, z]);
    let around = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)];
    let around = around.map(|(dx, dy)| [x + DIAMOND * dx, y + DIAMOND * dy, top]);
    let next = around.iter().cycle().skip(1);
    for (from, to) in around.iter().zip(next) {
        for end in [above, below] {
            overlay.triangles.extend([*from, *to, end].map(point));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::overlays::LIFT;
    use super::*;
    use crate::mission::{Clan, Extra, NO_CLAN, Object, Path};
    use crate::test_level::land;

    fn mission() -> Mission {
        let object = |clan_idx, x| Object {
            clan_idx,
            position: [x, 4.0, 5.0],
            ..Object::default()
        };
        let clan = |name: &str, type_word| Clan {
            name: name.as_bytes().to_vec(),
            type_word,
            ..Clan::default()
        };
        Mission {
            paths: vec![Path {
                id: 7,
                points: vec![[1.0, 1.0, 5.0], [3.0, 1.0, 5.0], [3.0, 3.0, 5.0]],
            }],
            clans: vec![clan("ours", 1), clan("theirs", 2), clan("trees", 0)],
            objects: vec![
                object(1, 2.0),
                object(NO_CLAN, 3.0),
                object(1, 4.0),
                object(0, f32::NAN),
                object(2, 6.0),
            ],
            extras: vec![Extra {
                position: [6.0, 6.0, 5.0],
                unknown_0c: [0; 4],
            }],
            ..Mission::default()
        }
    }

    #[test]
    fn paths_are_closed_and_lie_on_the_ground() {
        let land = land(|_, _| 5.0);
        let overlay = mission_paths(&mission(), &Drape::new(&land));
        let length = |line: &[OverlayVertex]| {
            let [from, to] = [0, 1].map(|end| line[end].position);
            (to[0] - from[0]).hypot(to[1] - from[1])
        };
        let around: f32 = overlay.lines.chunks(2).map(length).sum();
        assert!((around - (4.0 + 8.0f32.sqrt())).abs() < 1e-4, "{around}");
        assert!(overlay.lines.iter().all(|it| it.position[2] == 5.0 + LIFT));
        assert_eq!(overlay.legend[0].text, "path 7");
    }

    #[test]
    fn poles_stand_at_ore_and_at_what_clans_own() {
        let overlay = ore_deposits(&mission());
        assert_eq!(overlay.lines[0].position, [6.0, 6.0, 5.0]);
        assert_eq!(overlay.lines[1].position, [6.0, 6.0, 5.0 + ORE_HEIGHT]);
        assert_eq!(overlay.triangles.len(), 8 * 3);
        let overlay = owners(&mission());
        let at: Vec<f32> = overlay.lines.iter().map(|it| it.position[0]).collect();
        assert_eq!(at, [2.0, 2.0, 4.0, 4.0], "what is owned and is somewhere");
        let names: Vec<_> = overlay.legend.iter().map(|it| &*it.text).collect();
        assert_eq!(names, ["theirs"], "only colors that are there");
    }
}
