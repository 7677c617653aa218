//! What the demo's levels promise beyond the format: retail scale, closed ground, areals that stand on it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ironlands_assets_parkan::fxid::{self, Emits, Fxid};
use ironlands_assets_parkan::land_map::LandMap;
use ironlands_assets_parkan::land_msh::{Face, LandMsh};
use ironlands_assets_parkan::level::{BASE_NAME, MissionChoice, ParkanLevel};
use ironlands_assets_parkan::mat0::Mat0;
use ironlands_assets_parkan::nres::NRes;
use ironlands_assets_parkan::texm::{Texm, TexmFormat};
use ironlands_assets_parkan::wear::{self, Wear};

const WATER: u32 = 0x0002_0000;

fn read(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../DATA")
        .join(path);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn land(level: &str) -> LandMsh {
    LandMsh::read(&read(&format!("MAPS/{level}/Land.msh"))).unwrap()
}

fn areals(level: &str) -> LandMap {
    LandMap::read(&read(&format!("MAPS/{level}/Land.map"))).unwrap()
}

#[test]
fn levels_open_whole_and_pass_all_checks() {
    for level in ["Map01", "Map02"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../DATA/MAPS")
            .join(level);
        let level =
            ParkanLevel::open(&folder, BASE_NAME, 1.0, &MissionChoice::First, None).unwrap();
        assert_eq!(level.findings, [], "nothing is missing");
        assert_eq!(level.check(), []);
    }
}

#[test]
fn files_pass_their_own_checks() {
    for level in ["Map01", "Map02"] {
        assert_eq!(land(level).check(), [], "{level}: Land.msh");
        assert_eq!(areals(level).check(), [], "{level}: Land.map");
    }
    for library in ["Material.lib", "Textures.lib", "LightMap.lib"] {
        assert_eq!(NRes::read(&read(library)).unwrap().check(), [], "{library}");
    }
}

#[test]
fn map01_has_the_size_of_a_retail_level() {
    let land = land("Map01");
    assert_eq!(land.header.corners[7][..2], [1190.6976, 1190.6976]);
    let (low, high) = (land.header.corners[0][2], land.header.corners[7][2]);
    assert!(
        (0.0..1.0).contains(&low) && (94.0..95.0).contains(&high),
        "z from {low} to {high}"
    );
    assert_eq!(
        (land.cells_x, land.nodes.len(), land.slots.len()),
        (16, 256, 512)
    );
    assert!(
        (5_000..=11_000).contains(&land.positions.len()),
        "{} vertices",
        land.positions.len()
    );
    let n_fine: usize = land.slots[..256]
        .iter()
        .map(|slot| usize::from(slot.tri_count))
        .sum();
    assert!((4_700..=5_300).contains(&n_fine), "{n_fine} fine faces");
    let n_areals = areals("Map01").areals.len();
    assert!((300..=900).contains(&n_areals), "{n_areals} areals");
}

#[test]
fn map02_goes_to_the_limit_of_the_format() {
    let land = land("Map02");
    assert!(
        land.positions.len() >= 40_000,
        "{} vertices",
        land.positions.len()
    );
    assert!(land.faces.len() >= 65_000, "{} faces", land.faces.len());
}

/// Ends of an edge as places, so that doubled vertices are one.
fn edge_places(land: &LandMsh, face: &Face, edge: usize) -> [[u32; 3]; 2] {
    let place = |k: usize| land.positions[usize::from(face.vertices[k % 3])].map(f32::to_bits);
    let (p, q) = (place(edge), place(edge + 1));
    [p.min(q), p.max(q)]
}

#[test]
fn fine_ground_has_no_holes_and_faces_up() {
    for level in ["Map01", "Map02"] {
        let land = land(level);
        let size = land.header.corners[7][0];
        let n_fine: usize = land.slots[..land.nodes.len()]
            .iter()
            .map(|slot| usize::from(slot.tri_count))
            .sum();
        let mut sides: BTreeMap<_, u32> = BTreeMap::new();
        for face in land.faces[..n_fine]
            .iter()
            .filter(|face| face.flags.bits() & WATER == 0)
        {
            assert!(face.normal[2] > 0, "{level}");
            for edge in 0..3 {
                *sides.entry(edge_places(&land, face, edge)).or_default() += 1;
            }
        }
        for ([p, q], n_faces) in sides {
            let (p, q) = (p.map(f32::from_bits), q.map(f32::from_bits));
            let on_border = (0..2).any(|k| p[k] == q[k] && (p[k] == 0.0 || p[k] == size));
            assert_eq!(
                n_faces,
                if on_border { 1 } else { 2 },
                "{level}: edge {p:?} {q:?}"
            );
        }
    }
}

#[test]
fn neighbors_lie_across_the_edges_that_they_are_said_to_share() {
    for level in ["Map01", "Map02"] {
        let land = land(level);
        for face in &land.faces {
            for (edge, (neighbor, class)) in face
                .neighbors
                .into_iter()
                .zip(face.edge_classes())
                .enumerate()
            {
                if neighbor == 0xFFFF {
                    assert_eq!(class, 3, "{level}");
                } else {
                    let other = &land.faces[usize::from(neighbor)];
                    let (ours, theirs) = (
                        edge_places(&land, face, edge),
                        edge_places(&land, other, class.into()),
                    );
                    assert_eq!(ours, theirs, "{level}");
                }
            }
        }
    }
}

#[test]
fn second_materials_blend_into_what_lies_beside_them() {
    for level in ["Map01", "Map02"] {
        let land = land(level);
        let borders = land.material_borders();
        assert!(
            borders.n_first > 500 && borders.n_second > 500,
            "{level}: {borders:?}"
        );
        assert_eq!(borders.n_other, 0, "{level}");
        // Vertices of no face with two materials have weight 1, the others all there is from 0 to 1.
        let mut is_blended = vec![false; land.positions.len()];
        for face in land.faces.iter().filter(|face| face.second().is_some()) {
            for vertex in face.vertices {
                is_blended[usize::from(vertex)] = true;
            }
        }
        let weights = land.second_weights.as_ref().unwrap();
        let plain = weights
            .iter()
            .zip(&is_blended)
            .filter(|(_, is_blended)| !**is_blended);
        assert!(plain.clone().all(|(weight, _)| *weight == 1.0), "{level}");
        let n_between = weights.iter().filter(|it| **it > 0.0 && **it < 1.0).count();
        assert!(n_between > 0, "{level}");
    }
}

#[test]
fn faces_have_the_flags_of_retail_levels() {
    for level in ["Map01", "Map02"] {
        let land = land(level);
        for face in &land.faces {
            let flags = face.flags.bits();
            assert!(
                [0x600, 0x604, 0x608, 0x2600, 0x2604].contains(&(flags & 0xFFFF)),
                "{level}: {flags:#x}"
            );
            let is_water = flags & WATER != 0;
            assert_eq!(flags & 8 != 0, is_water, "{level}: liquids have both");
        }
    }
}

#[test]
fn coarse_faces_use_vertices_of_fine_ones() {
    for level in ["Map01", "Map02"] {
        let land = land(level);
        let mut is_fine = vec![false; land.positions.len()];
        for face in land.lod0_face_indices().map(|idx| &land.faces[idx]) {
            for vertex in face.vertices {
                is_fine[usize::from(vertex)] = true;
            }
        }
        assert!(is_fine.iter().all(|it| *it), "{level}");
    }
}

#[test]
fn water_is_flat_reaches_the_border_and_has_ground_below() {
    let land = land("Map01");
    let level = land.water_level();
    assert_eq!(level, 12.0);
    let wet = land
        .faces
        .iter()
        .filter(|face| face.flags.bits() & WATER != 0);
    let points: Vec<[f32; 3]> = wet
        .flat_map(|f| f.vertices)
        .map(|i| land.positions[usize::from(i)])
        .collect();
    assert!(points.iter().all(|p| p[2] == level));
    assert!(
        points.iter().any(|p| p[1] == 0.0),
        "reaches the southern border"
    );
    let deepest = land.positions.iter().map(|p| p[2]).fold(f32::MAX, f32::min);
    assert!(deepest < level - 5.0, "a modeled sea floor");
}

#[test]
fn areals_stand_on_the_ground_and_hold_their_anchors() {
    for level in ["Map01", "Map02"] {
        let (land, map) = (land(level), areals(level));
        let mut ground: BTreeMap<[u32; 2], f32> = BTreeMap::new();
        for face in land
            .faces
            .iter()
            .filter(|face| face.flags.bits() & WATER == 0)
        {
            for p in face.vertices.map(|i| land.positions[usize::from(i)]) {
                ground.insert([p[0].to_bits(), p[1].to_bits()], p[2]);
            }
        }
        let mut n_on_vertices = 0;
        for (id, areal) in map.areals.iter().enumerate() {
            for vertex in &areal.vertices {
                if let Some(z) = ground.get(&[vertex[0].to_bits(), vertex[1].to_bits()]) {
                    assert_eq!(*z, vertex[2], "{level}: areal {id}");
                    n_on_vertices += 1;
                }
            }
            for (k, p) in areal.vertices.iter().enumerate() {
                let q = areal.vertices[(k + 1) % areal.vertices.len()];
                let (dx, dy) = (f64::from(q[0] - p[0]), f64::from(q[1] - p[1]));
                let side = |r: [f32; 3]| dx * f64::from(r[1] - p[1]) - dy * f64::from(r[0] - p[0]);
                assert!(side(areal.anchor) > 0.0, "{level}: anchor of areal {id}");
                // Points on straight edges are off by the rounding of f32 coordinates.
                assert!(
                    areal.vertices.iter().all(|r| side(*r) > -0.05),
                    "{level}: areal {id} is convex"
                );
            }
        }
        assert!(
            n_on_vertices > map.areals.len(),
            "{level}: {n_on_vertices} vertices compared"
        );
    }
}

/// Rows of the material tables in all archives of models.
fn materials_of_models() -> Vec<Vec<u8>> {
    const ARCHIVES: [&str; 5] = ["bases", "turrets", "guns", "fortif", "static"];
    let mut names = Vec::new();
    for archive in ARCHIVES {
        for entry in NRes::read(&read(&format!("{archive}.rlb")))
            .unwrap()
            .entries
        {
            if entry.type_id == wear::TYPE_ID {
                let rows = Wear::read(&entry.data).unwrap().materials;
                names.extend(rows.into_iter().map(|row| row.name));
            }
        }
    }
    names
}

/// Materials of effects, and those of the missions' skies.
fn materials_of_effects_and_skies() -> Vec<Vec<u8>> {
    let effects = NRes::read(&read(fxid::ARCHIVE)).unwrap();
    let effects = effects.entries.iter();
    let effects = effects.map(|entry| Fxid::read(&entry.data).unwrap());
    let blocks = effects.flat_map(|effect| effect.blocks);
    let mut names: Vec<Vec<u8>> = blocks
        .filter(|block| !matches!(block.emits, Emits::Sound(_)))
        .filter_map(|block| Some(block.emits.resource()?.resource().to_vec()))
        .filter(|name| !name.is_empty())
        .collect();
    for mission in ["single.01", "single.02"] {
        let sky = Wear::read(&read(&format!("MISSIONS/{mission}/sky.wea"))).unwrap();
        names.extend(sky.materials.into_iter().map(|row| row.name));
    }
    names
}

#[test]
fn every_material_and_texture_is_there_and_used() {
    let (materials, textures) = (
        NRes::read(&read("Material.lib")).unwrap(),
        NRes::read(&read("Textures.lib")).unwrap(),
    );
    let mut wanted: Vec<Vec<u8>> = Vec::new();
    for level in ["Map01", "Map02"] {
        for table in ["Land1.wea", "Land2.wea"] {
            let wear = Wear::read(&read(&format!("MAPS/{level}/{table}"))).unwrap();
            wanted.extend(wear.materials.into_iter().map(|row| row.name));
        }
        let n_rows = |table: &str| {
            Wear::read(&read(&format!("MAPS/{level}/{table}")))
                .unwrap()
                .materials
                .len()
        };
        let n_surfaces = n_rows("Land1.wea");
        assert_eq!(
            n_surfaces,
            n_rows("Land2.wea"),
            "a microtexture for each row"
        );
        for face in land(level).faces {
            // No face names the foundations' row.
            assert!(
                (1..n_surfaces).contains(&face.first_material.into()),
                "{level}"
            );
            let second = face.second().map(usize::from);
            assert!(
                second.is_none_or(|row| (1..n_surfaces).contains(&row)),
                "{level}"
            );
        }
    }
    wanted.extend(materials_of_models());
    wanted.extend(materials_of_effects_and_skies());
    wanted.sort();
    wanted.dedup();
    assert_eq!(materials.entries.len(), wanted.len(), "no unused material");
    let mut shown = Vec::new();
    for name in wanted {
        let entry = &materials.entries[materials.find(&name).unwrap()];
        let material = Mat0::read(&entry.data, entry.attr2).unwrap();
        assert_eq!((entry.attr2, material.check().len()), (6, 0));
        shown.extend(
            material
                .phases
                .iter()
                .map(|phase| phase.texture_name().to_vec()),
        );
    }
    shown.sort();
    shown.dedup();
    assert_eq!(textures.entries.len(), shown.len(), "no unused texture");
    for name in shown {
        let index = textures.find(&name).unwrap();
        let texture = Texm::read(&textures.entries[index].data).unwrap();
        assert_eq!(texture.check(), [], "{}", String::from_utf8_lossy(&name));
        assert!(
            name.iter()
                .position(|b| *b == b'.')
                .is_some_and(|dot| dot <= 16)
        );
    }
}

#[test]
fn libraries_use_the_formats_that_a_renderer_must_know() {
    let textures = NRes::read(&read("Textures.lib")).unwrap();
    let texture =
        |name: &[u8]| Texm::read(&textures.entries[textures.find(name).unwrap()].data).unwrap();
    assert_eq!(texture(b"GRASS.0").format, TexmFormat::Rgb565);
    assert_eq!(texture(b"WATER00.0").format, TexmFormat::Indexed8);
    assert_eq!(texture(b"DEFAULT.0").format, TexmFormat::Rgb888);
    assert_eq!(texture(b"DEFAULT.0").page.map(|page| page.len()), Some(4));
    let materials = NRes::read(&read("Material.lib")).unwrap();
    let entry = &materials.entries[materials.find(b"WATER").unwrap()];
    let water = Mat0::read(&entry.data, 6).unwrap();
    assert_eq!(
        (entry.attr1, water.class),
        (1 << 2, 7),
        "it blends by its alpha"
    );
    assert!(water.tracks[0].keys.len() > 1 && water.phases[0].ambient[3] < 100);
    let entry = &materials.entries[materials.find(b"GRASS").unwrap()];
    let grass = Mat0::read(&entry.data, 6).unwrap();
    let microtexture = &grass.phases[usize::from(grass.microtexture_phase())];
    assert_eq!(
        (grass.tracks.len(), microtexture.texture_name()),
        (2, &b"GRASSM.0"[..])
    );
    let gray = texture(b"GRASSM.0").to_rgba8(0).unwrap();
    let (pixels, _) = gray.as_chunks::<4>();
    assert!(
        pixels
            .iter()
            .all(|[r, g, b, _]| r.abs_diff(*g).max(g.abs_diff(*b)) <= 1)
    );
    let mean = pixels.iter().map(|[r, ..]| f64::from(*r)).sum::<f64>() / pixels.len() as f64;
    assert!(
        (mean - 128.0).abs() < 2.0,
        "middle gray changes nothing: {mean}"
    );
    for entry in &NRes::read(&read("LightMap.lib")).unwrap().entries {
        let map = Texm::read(&entry.data).unwrap();
        assert_eq!(
            (map.flags5, map.mips.len(), map.format),
            (0x0080_0000, 1, TexmFormat::Rgb565)
        );
    }
}
