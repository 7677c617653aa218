use super::*;
use crate::bsp::game_lump::{ModelName, StaticProp};
use crate::bsp::{Brush, BrushSide, DispMultiBlend, Leaf, Model, Overlay, Plane, Texdata, Texinfo};
use crate::entities::{Entity, EntitySyntax};

/// A box brush from -8 -8 0 to 8 8 16 with a bevel, in one leaf of each of two models.
fn sample() -> Map {
    let faces = [
        ([1.0, 0.0, 0.0], 8.0),
        ([-1.0, 0.0, 0.0], 8.0),
        ([0.0, 1.0, 0.0], 8.0),
        ([0.0, -1.0, 0.0], 8.0),
        ([0.0, 0.0, 1.0], 16.0),
        ([0.0, 0.0, -1.0], 0.0),
        ([0.6, 0.8, 0.0], 4.0),
    ];
    let plane = |(normal, dist)| Plane {
        normal,
        dist,
        kind: 0,
    };
    let sides = (0..7).map(|plane| BrushSide {
        plane,
        bevel: u8::from(plane == 6),
        ..BrushSide::default()
    });
    let brush = |contents| Brush {
        first_side: 0,
        n_sides: 7,
        contents,
    };
    let leaf = |first_leaf_brush, n_leaf_brushes| Leaf {
        first_leaf_brush,
        n_leaf_brushes,
        ..Leaf::default()
    };
    Map {
        planes: faces.map(plane).to_vec(),
        brushes: vec![brush(1), brush(Contents::DETAIL.bits()), brush(1)],
        brush_sides: sides.collect(),
        leaves: vec![leaf(0, 2), leaf(2, 1)],
        leaf_brushes: vec![0, 1, 2],
        models: [-1, -2]
            .map(|head_node| Model {
                head_node,
                ..Model::default()
            })
            .to_vec(),
        texinfos: vec![Texinfo {
            texture_vecs: [[4.0, 0.0, 0.0, 3.0], [0.0, -2.0, 0.0, 5.0]],
            lightmap_vecs: [[0.0625, 0.0, 0.0, 0.0], [0.0, 0.0625, 0.0, 0.0]],
            flags: 0,
            texdata: 0,
        }],
        texdata: vec![Texdata::default()],
        texture_name_offsets: vec![0],
        texture_names: b"maps/m/BRICK/A_1_-2_3\0".to_vec(),
        ..Map::default()
    }
}

fn sample_entities() -> Entities {
    let mut world = Entity::new("worldspawn");
    world.push("world_mins", "-8 -8 -8");
    world.push("mapversion", "12");
    let mut door = Entity::new("func_door");
    door.push("hammerid", "77");
    door.push("model", "*1");
    door.push("origin", "100 0 0");
    door.push("OnOpen", "lamp\x1BTurnOn\x1B\x1B0\x1B-1");
    door.push("OnOpen", "text\x1BSay\x1Ba,b\x1B0\x1B-1");
    let mut entities = Entities::new(EntitySyntax::Plain);
    entities.entities = vec![world, door];
    entities
}

fn decompiled() -> Vmf {
    let (vmf, findings) = to_vmf(&sample(), &sample_entities(), &StaticProps::default());
    assert_eq!(findings, []);
    vmf
}

#[test]
fn quotes_and_nuls_are_replaced_and_the_text_is_written() {
    let mut map = sample();
    map.texture_names = b"BRICK/\"A\"\0".to_vec();
    map.overlays = vec![Overlay {
        texinfo: 0,
        ..Overlay::default()
    }];
    let props = StaticProps {
        models: vec![ModelName::new("models/\"a\".mdl").unwrap()],
        props: vec![StaticProp::default()],
        ..StaticProps::default()
    };
    let mut entities = sample_entities();
    entities.entities[1].push("mess\0age", "a\0b");
    let (vmf, findings) = to_vmf(&map, &entities, &props);
    let reported = findings
        .iter()
        .filter(|it| it.message.starts_with("quotes in"));
    assert_eq!(reported.count(), 2, "once for each name: {findings:?}");
    let text = vmf.write().unwrap();
    assert_eq!(
        Vmf::read(&text).map(|it| it.entities.len()),
        Ok(vmf.entities.len())
    );
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("\"BRICK/'A'\"") && text.contains("\"models/'a'.mdl\""));
}

#[test]
fn a_box_is_its_six_sides() {
    let polygons = side_polygons(&sample(), 0);
    let sides: Vec<_> = polygons.iter().map(|polygon| polygon.side).collect();
    assert_eq!(sides, [0, 1, 2, 3, 4, 5], "the bevel cuts nothing off");
    for polygon in &polygons {
        assert_eq!(polygon.points.len(), 4);
        for [x, y, z] in &polygon.points {
            assert!((x.abs() - 8.0).abs() < 1e-6 && (y.abs() - 8.0).abs() < 1e-6);
            assert!(z.abs() < 1e-6 || (z - 16.0).abs() < 1e-6);
        }
    }
    assert!(side_polygons(&sample(), 9).is_empty());
}

#[test]
fn of_two_sides_on_one_plane_the_first_is_the_side() {
    let mut map = sample();
    map.brush_sides[6] = map.brush_sides[2];
    let sides: Vec<_> = side_polygons(&map, 0).iter().map(|p| p.side).collect();
    assert_eq!(sides, [0, 1, 2, 3, 4, 5]);
}

#[test]
fn plane_points_turn_outward() {
    let vmf = decompiled();
    let side = &vmf.world.solids[0].sides[4];
    let [a, b, c] = side.plane.map(glam::DVec3::from);
    assert_eq!((a - b).cross(c - b).normalize(), glam::DVec3::Z);
    assert_eq!([a.z, b.z, c.z], [16.0; 3]);
}

#[test]
fn brushes_go_where_they_belong() {
    let vmf = decompiled();
    assert_eq!(vmf.world.solids.len(), 1);
    let classes: Vec<_> = vmf.entities.iter().map(VmfEntity::class).collect();
    assert_eq!(classes, ["func_detail", "func_door"]);
    assert_eq!(vmf.world.get("world_mins"), None);
    assert_eq!(vmf.world.get("mapversion"), Some("12"));
    let door = &vmf.entities[1];
    assert_eq!(
        (door.id, door.get("model"), door.solids.len()),
        (Some(77), None, 1)
    );
    assert_eq!(door.solids[0].sides[0].plane[0][0], 108.0);
    let outputs = &door.connections.as_ref().unwrap().outputs;
    assert_eq!(outputs[0].1, "lamp,TurnOn,,0,-1");
    assert_eq!(
        outputs[1].1, "text\x1BSay\x1Ba,b\x1B0\x1B-1",
        "a comma would split it"
    );
}

#[test]
fn texture_axes_are_counted_from_the_origin_of_the_world() {
    let vmf = decompiled();
    let side = &vmf.entities[1].solids[0].sides[4];
    assert_eq!(side.material, "BRICK/A");
    assert_eq!(
        (side.u_axis.axis, side.u_axis.scale),
        ([1.0, 0.0, 0.0], 0.25)
    );
    // Four texels a unit, 100 units to the side.
    assert_eq!(side.u_axis.shift, 3.0 - 400.0);
    assert_eq!(
        (side.v_axis.axis, side.v_axis.scale),
        ([0.0, -1.0, 0.0], 0.5)
    );
    assert_eq!((side.v_axis.shift, side.lightmap_scale), (5.0, Some(16.0)));
    // The axes see the side at +X from its edge, so it gets the usual ones.
    let edge = &vmf.entities[1].solids[0].sides[0];
    assert_eq!(
        (edge.u_axis.axis, edge.v_axis.axis),
        ([0.0, 1.0, 0.0], [0.0, 0.0, -1.0])
    );
}

#[test]
fn names_lose_what_compilers_add() {
    let rows = [
        ("BRICK/A", "BRICK/A", None),
        ("maps/m/brick/a_1_-2_3", "brick/a", Some([1, -2, 3])),
        ("MAPS\\m\\brick/a_wvt_patch", "brick/a", None),
        ("maps/m/water/w_depth_49", "water/w", None),
        (
            "maps/m/maps/m/brick/a_wvt_patch_10_20_30",
            "brick/a",
            Some([10, 20, 30]),
        ),
        ("brick/a_1_2_3", "brick/a_1_2_3", None),
        ("maps/m", "maps/m", None),
        ("maps/m/a_1_2", "a_1_2", None),
        ("maps/m/_1_2_3", "_1_2_3", None),
        ("maps/m/é_wvt_patch", "é", None),
    ];
    for (name, original, place) in rows {
        assert_eq!(original_material(name), (original, place), "{name}");
    }
}

#[test]
fn props_and_cubemaps_become_entities() {
    let mut map = sample();
    map.cubemaps.push(crate::bsp::CubemapSample {
        origin: [1, -2, 3],
        size: 5,
        ..Default::default()
    });
    map.overlays.push(Overlay {
        id: 4,
        ..Overlay::default()
    });
    let props = StaticProps {
        models: vec![ModelName::new("models/a.mdl").unwrap()],
        props: vec![StaticProp {
            origin: [1.0, 2.5, 0.1],
            byte_1f: 0x13,
            fade_distances: [10.0, 20.0],
            lighting_origin: [7.0, 8.0, 9.0],
            ..StaticProp::default()
        }],
        ..StaticProps::default()
    };
    let (vmf, findings) = to_vmf(&map, &sample_entities(), &props);
    assert_eq!(
        findings.len(),
        1,
        "the overlay lies on no side: {findings:?}"
    );
    let of = |class: &str| {
        vmf.entities
            .iter()
            .find(|entity| entity.class() == class)
            .unwrap()
    };
    let prop = of("prop_static");
    assert_eq!(prop.get("model"), Some("models/a.mdl"));
    assert_eq!(prop.get("origin"), Some("1 2.5 0.1"));
    assert_eq!(
        (prop.get("fademindist"), prop.get("disableshadows")),
        (Some("10"), Some("1"))
    );
    assert_eq!(
        prop.get("lightingorigin"),
        of("info_lighting").get("targetname")
    );
    let cubemap = of("env_cubemap");
    assert_eq!(
        (cubemap.get("origin"), cubemap.get("cubemapsize")),
        (Some("1 -2 3"), Some("5"))
    );
    // 6 sides of each of three brushes.
    assert_eq!(cubemap.get("sides").unwrap().split(' ').count(), 18);
    assert_eq!(of("info_overlay").get("uv3"), Some("0 0 0"));
}

#[test]
fn named_lights_get_back_the_style_that_the_compiler_replaced() {
    // Class, name, style, defaultstyle -> style.
    let rows = [
        ("light", "lamp", "34", Some("10"), "10"),
        ("light_spot", "lamp", "33", None, "0"),
        ("light_dynamic", "lamp", "33", Some("4"), "33"),
        ("light", "", "4", Some("10"), "4"),
        ("light", "lamp", "4", Some("10"), "4"),
    ];
    let mut entities = sample_entities();
    for (class, name, style, default_style, _) in rows {
        let mut light = Entity::new(class);
        light.push("targetname", name);
        light.push("style", style);
        if let Some(default_style) = default_style {
            light.push("defaultstyle", default_style);
        }
        entities.entities.push(light);
    }
    let (vmf, findings) = to_vmf(&sample(), &entities, &StaticProps::default());
    assert_eq!(findings, []);
    let lights = vmf
        .entities
        .iter()
        .filter(|entity| entity.class().starts_with("light"));
    for (light, row) in lights.zip(rows) {
        assert_eq!(light.get("style"), Some(row.4), "{row:?}");
        let is_kept = row.2 == row.4;
        let expected = row.3.filter(|_| is_kept);
        assert_eq!(light.get("defaultstyle"), expected, "{row:?}");
    }
}

#[test]
fn overlays_keep_the_distances_at_which_they_fade() {
    let mut map = sample();
    map.overlays = vec![Overlay::default(); 4];
    // Lump 60 may be shorter than lump 45. What is above 0 is stored squared.
    map.overlay_fades = vec![[-1.0, 0.0], [90_000.0, 2_250_000.0], [1e30, f32::NAN]];
    let (vmf, _) = to_vmf(&map, &sample_entities(), &StaticProps::default());
    let overlays = vmf
        .entities
        .iter()
        .filter(|entity| entity.class() == "info_overlay");
    let fades = overlays.map(|entity| ["fademindist", "fademaxdist"].map(|key| entity.get(key)));
    assert_eq!(
        fades.collect::<Vec<_>>(),
        [
            [Some("-1"), Some("0")],
            [Some("300"), Some("1500")],
            [Some("1000000000000000"), None],
            [None, None],
        ]
    );
}

#[test]
fn a_brush_without_volume_is_found() {
    let mut map = sample();
    map.planes[4].dist = -1.0;
    let (vmf, findings) = to_vmf(&map, &sample_entities(), &StaticProps::default());
    assert_eq!(vmf.world.solids.len(), 0);
    // Three brushes, and the door that has no other.
    assert_eq!(findings.len(), 4, "{findings:?}");
}

#[test]
fn displacements_get_back_their_layers() {
    let mut map = crate::bsp::test_map::sample_map(21);
    map.disp_infos[0].min_tess = (0xC000_0000_u32 | 5).cast_signed();
    let layers = |index: usize| DispMultiBlend {
        blend: [1.0, index as f32, 0.0, 0.25],
        alpha: [0.5; 4],
        colors: [[0.0; 3], [1.0; 3], [0.1, 0.2, index as f32], [0.5; 3]],
    };
    map.disp_multi_blend = (0..25).map(layers).collect();
    let (vmf, _) = to_vmf(&map, &sample_entities(), &StaticProps::default());
    let text = vmf.write().unwrap();
    let again = Vmf::read(&text).unwrap();
    let sides = again.world.solids.iter().flat_map(|it| &it.sides);
    let grids: Vec<_> = sides.filter_map(|it| it.displacement.as_ref()).collect();
    let [grid] = grids[..] else {
        panic!("one displacement: {grids:?}");
    };
    assert_eq!(grid.flags, Some(5));
    let row = &grid.layer_weights.rows[1];
    assert_eq!(row[..8], [1.0, 5.0, 0.0, 0.25, 1.0, 6.0, 0.0, 0.25]);
    assert_eq!(grid.layer_alphas.rows[4], [0.5; 20]);
    assert_eq!(
        grid.layer_colors[2].rows[0][..6],
        [0.1, 0.2, 0.0, 0.1, 0.2, 1.0]
    );
    assert_eq!(grid.layer_colors[0].rows.len(), 5);
}
