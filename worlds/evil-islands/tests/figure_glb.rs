//! Figures of Evil Islands as glTF, taken apart by hand, and back.

#[path = "common/figure.rs"]
mod figure;
#[path = "../../../exchange/tests/common/glb.rs"]
mod glb;

use glam::{Quat, Vec3};
use ironlands_assets_evil_islands::adb::Adb;
use ironlands_assets_evil_islands::anm::Anm;
use ironlands_assets_evil_islands::complection::{STATE_NAMES, blend, trilinear, weights};
use ironlands_assets_evil_islands::fig::Fig;
use ironlands_assets_evil_islands::figure::{Figure, FigureAnimation, FigurePart};
use ironlands_world_evil_islands::exchange::{
    FigureSource, ImportedFigure, read_figure_glb, write_figure_glb,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use figure::{figure, mesh, texture};
use glb::Glb;

/// What is done to something sound.
type Change<T> = fn(&mut T);

const COMPLECTION: [f32; 3] = [0.25, 0.5, 0.75];

fn written(figure: &Figure) -> Vec<u8> {
    let texture = texture();
    let source = FigureSource {
        figure,
        primary: Some(&texture),
        secondary: None,
        complection: COMPLECTION,
    };
    write_figure_glb(&source).expect("a sound figure").bytes
}

fn read(file: &[u8]) -> ImportedFigure {
    read_figure_glb(file).expect("what was written is read")
}

/// Where a part stands from its parent.
fn offset(part: &FigurePart, complection: [f32; 3]) -> [f32; 3] {
    let bon = part.bon.as_ref().expect("a rest position");
    blend(&bon.offsets, complection).expect("eight states")
}

/// Bits of the position in each state, normal, texture coordinate.
type Corner = (Vec<[u32; 3]>, [f32; 3], [f32; 2]);

/// Everything that is drawn, corner by corner and state by state.
fn corners(fig: &Fig) -> Vec<Corner> {
    let corner = |index: &u16| {
        let component = fig.components[usize::from(*index)];
        let position = |state| {
            fig.state_position(state, component.position.into())
                .map(f32::to_bits)
        };
        (
            (0..fig.states.len()).map(position).collect(),
            fig.normal(component.normal.into()),
            fig.texcoords[usize::from(component.texcoord)],
        )
    };
    fig.indices.iter().map(corner).collect()
}

fn close(a: &[[f32; 4]], b: &[[f32; 4]]) -> bool {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    a.len() == b.len() && pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-6)
}

/// Puts another JSON into a file.
fn with_json(file: &[u8], change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let Glb { mut json, bin } = Glb::read(file);
    change(&mut json);
    let mut text = serde_json::to_vec(&json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let word = |value: usize| (value as u32).to_le_bytes();
    let mut out = [
        &b"glTF"[..],
        &word(2),
        &word(28 + text.len() + bin.len()),
        &word(text.len()),
        b"JSON",
    ]
    .concat();
    out.extend(text);
    out.extend(word(bin.len()));
    out.extend(b"BIN\0");
    out.extend(bin);
    out
}

#[test]
fn parts_are_nodes_at_their_rest_positions() {
    let figure = figure();
    let Glb { json, .. } = Glb::read(&written(&figure));
    let nodes = json["nodes"].as_array().unwrap();
    let names: Vec<_> = nodes
        .iter()
        .map(|node| node["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["unhuma", "hp", "bd", "hd.armor01", "bone"]);
    assert_eq!(nodes[0]["extras"]["ei_figure"], "unhuma");
    assert_eq!(nodes[0]["children"], json!([1]));
    assert_eq!(nodes[1]["children"], json!([2, 4]));
    assert_eq!(nodes[2]["children"], json!([3]));
    for (node, part) in nodes[1..].iter().zip(&figure.parts) {
        let expected = offset(part, COMPLECTION).map(f64::from);
        let found: Vec<f64> = serde_json::from_value(node["translation"].clone()).unwrap();
        for (a, b) in found.iter().zip(expected) {
            assert!((a - b).abs() < 1e-6, "{}", part.name);
        }
        assert_eq!(
            node["rotation"],
            Value::Null,
            "parts are not turned at rest"
        );
    }
}

/// Mixing the morph targets by the weights of the file is the game's own mix.
#[test]
fn weights_show_the_state_that_the_complection_requires() {
    let figure = figure();
    let glb = Glb::read(&written(&figure));
    let mesh = &glb.json["meshes"][0];
    let names = mesh["extras"]["targetNames"].as_array().unwrap();
    assert_eq!(names.len(), 7);
    assert!(names.iter().zip(&STATE_NAMES[1..]).all(|(a, b)| a == b));
    let rest: Vec<f32> = serde_json::from_value(mesh["weights"].clone()).unwrap();
    assert_eq!(rest, weights(COMPLECTION)[1..]);
    let primitive = &mesh["primitives"][0];
    let base = glb.floats::<3>(&primitive["attributes"]["POSITION"]);
    let fig = figure.parts[0].fig.as_ref().unwrap();
    for (vertex, component) in fig.components.iter().enumerate() {
        let point = usize::from(component.position);
        for (axis, start) in base[vertex].into_iter().enumerate() {
            let states: [f32; 8] =
                std::array::from_fn(|state| fig.state_position(state, point)[axis]);
            let mut mixed = start;
            for (weight, target) in rest.iter().zip(primitive["targets"].as_array().unwrap()) {
                mixed += weight * glb.floats::<3>(&target["POSITION"])[vertex][axis];
            }
            assert!((mixed - trilinear(&states, COMPLECTION)).abs() < 1e-5);
        }
    }
    assert_eq!(
        glb.json["meshes"][1]["weights"],
        Value::Null,
        "one state has no targets"
    );
    assert_eq!(glb.json["meshes"].as_array().unwrap().len(), 3);
}

#[test]
fn texture_rows_and_coordinates_stay_in_stored_order() {
    let glb = Glb::read(&written(&figure()));
    let picture = glb.picture(0).into_rgba8();
    assert_eq!(picture.into_raw(), texture().mips[0]);
    let uvs = glb.floats::<2>(&glb.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"]);
    assert_eq!(uvs[1], [0.2, 0.8]);
    let material = &glb.json["materials"][0];
    assert_eq!(
        (&material["name"], &material["alphaMode"]),
        (&json!("unhuma00 group 19"), &json!("OPAQUE"))
    );
}

#[test]
fn groups_decide_about_alpha_and_parts_about_the_texture() {
    let mut figure = figure();
    for (part, (group, number)) in figure.parts.iter_mut().zip([(18, 2), (25, 8), (22, 1)]) {
        let fig = part.fig.as_mut().unwrap();
        (fig.group, fig.texture) = (group, number);
    }
    let (first, mut second) = (texture(), texture());
    second.name = "second".to_owned();
    let source = FigureSource {
        figure: &figure,
        primary: Some(&first),
        secondary: Some(&second),
        complection: COMPLECTION,
    };
    let Glb { json, .. } = Glb::read(&write_figure_glb(&source).unwrap().bytes);
    let materials: Vec<_> = json["materials"].as_array().unwrap().iter().collect();
    let reported: Vec<_> = materials
        .iter()
        .map(|it| (it["name"].as_str().unwrap(), &it["alphaMode"]))
        .collect();
    let expected = [
        ("second group 18", &json!("MASK")),
        ("unhuma00 group 25", &json!("BLEND")),
        ("unhuma00 group 22", &json!("OPAQUE")),
    ];
    assert_eq!(reported, expected);
}

/// Root 90 degrees about z, child 90 about x: the child's own turn comes after, about the axes of the model (dossier
/// section 13.10).
#[test]
fn turns_about_the_model_become_turns_about_the_parent() {
    let mut figure = figure();
    let h = std::f32::consts::FRAC_1_SQRT_2;
    let anm = |q| Some(Anm::draft(vec![q], vec![[0.0; 3]], &[]).unwrap());
    figure.animations = vec![FigureAnimation {
        name: "u".to_owned(),
        parts: vec![anm([h, 0.0, 0.0, h]), anm([h, h, 0.0, 0.0]), None, None],
    }];
    let glb = Glb::read(&written(&figure));
    let animation = &glb.json["animations"][0];
    let local = |node: u32| -> Quat {
        let channels = animation["channels"].as_array().unwrap();
        let is_turn = |it: &&Value| it["target"] == json!({"node": node, "path": "rotation"});
        let sampler = channels.iter().find(is_turn).unwrap()["sampler"]
            .as_u64()
            .unwrap();
        let output = &animation["samplers"][sampler as usize]["output"];
        Quat::from_array(glb.floats::<4>(output)[0])
    };
    let model_from_child = local(1) * local(2);
    let shown = model_from_child * Vec3::Y;
    assert!((shown - Vec3::NEG_X).length() < 1e-6, "{shown}");
    let [w, x, y, z] = [0.5, 0.5, -0.5, 0.5];
    assert!(model_from_child.dot(Quat::from_xyzw(x, y, z, w)).abs() > 1.0 - 1e-6);
    // Where the child stands is turned by the parent alone.
    let place = local(1) * Vec3::Y;
    assert!((place - Vec3::NEG_X).length() < 1e-6, "{place}");
}

#[test]
fn frames_with_moving_vertices_are_targets_of_their_own() {
    let figure = figure();
    let glb = Glb::read(&written(&figure));
    let mesh = &glb.json["meshes"][2];
    let names = mesh["extras"]["targetNames"].as_array().unwrap();
    assert_eq!(names.len(), 7 + 4);
    assert_eq!(names[8], "cidle frame 1");
    let third = &mesh["primitives"][0]["targets"][10]["POSITION"];
    let moved = glb.floats::<3>(third);
    // Frame 3: points 0, 1, 2, 3, and the fifth vertex shows point 0 again.
    let expected = [0.0, 0.3, 0.6, 0.9, 0.0];
    for (found, z) in moved.iter().zip(expected) {
        assert!((found[2] - z).abs() < 1e-6);
    }
    let animation = &glb.json["animations"][0];
    let channels = animation["channels"].as_array().unwrap();
    let of_weights: Vec<_> = channels
        .iter()
        .filter(|it| it["target"]["path"] == "weights")
        .collect();
    assert_eq!(of_weights.len(), 1);
    let sampler = &animation["samplers"][of_weights[0]["sampler"].as_u64().unwrap() as usize];
    let keys = glb.floats::<1>(&sampler["output"]);
    assert_eq!(keys.len(), 4 * 11);
    for (frame, keys) in keys.chunks(11).enumerate() {
        assert_eq!(
            keys[..7],
            weights(COMPLECTION)[1..]
                .iter()
                .map(|w| [*w])
                .collect::<Vec<_>>()
        );
        let on: Vec<_> = keys[7..].iter().map(|[weight]| *weight).collect();
        assert_eq!(
            on.iter().position(|weight| *weight == 1.0),
            Some(frame),
            "{on:?}"
        );
        assert_eq!(on.iter().sum::<f32>(), 1.0);
    }
    let times = glb.floats::<1>(&sampler["input"]);
    assert_eq!(times[3], [3.0 / 15.0]);
}

#[test]
fn an_untouched_figure_comes_back() {
    let figure = figure();
    let ImportedFigure {
        figure: read,
        findings,
        ..
    } = read(&written(&figure));
    assert_eq!(findings, []);
    assert_eq!(read.name, figure.name);
    assert_eq!(read.parts.len(), figure.parts.len());
    for (found, part) in read.parts.iter().zip(&figure.parts) {
        assert_eq!((&found.name, found.parent), (&part.name, part.parent));
        assert_eq!(found.bon, part.bon, "{}", part.name);
        assert_eq!(found.fig, part.fig, "{}: bit for bit", part.name);
        let both = found.fig.as_ref().zip(part.fig.as_ref());
        assert!(both.is_none_or(|(a, b)| corners(a) == corners(b)));
    }
    let (found, animation) = (&read.animations[0], &figure.animations[0]);
    assert_eq!(found.name, "cidle");
    for (found, anm) in found.parts.iter().zip(&animation.parts) {
        let (Some(found), Some(anm)) = (found, anm) else {
            assert_eq!(found, anm);
            continue;
        };
        assert!(
            close(&found.rotations, &anm.rotations),
            "{:?}",
            found.rotations
        );
        assert_eq!(found.translations, anm.translations);
        assert_eq!((found.n_morphs, &found.morphs), (anm.n_morphs, &anm.morphs));
    }
    // And once more: what has been through the file stays as it is.
    let again = read_figure_glb(&written(&read)).unwrap().figure;
    assert_eq!(again.parts, read.parts);
    assert!(read.write_mod().is_ok() && read.write_anm().is_ok());
}

#[test]
fn a_part_without_a_name_gets_one() {
    let mut figure = figure();
    figure.parts[1].name.clear();
    let imported = read(&written(&figure));
    assert_eq!(imported.figure.parts[1].name, "unnamed");
}

#[test]
fn states_that_sums_cannot_reach_are_kept_beside_them() {
    let mut fig = mesh(8, 0.0);
    for state in &mut fig.states {
        state.positions[0] = [1000.0, 1000.0, 1000.0];
    }
    fig.states[3].positions[0] = [1.0e-9, -0.0, 3.3e-8];
    let mut figure = figure();
    figure.parts[0].fig = Some(fig.clone());
    let file = written(&figure);
    let attributes = &Glb::read(&file).json["meshes"][0]["primitives"][0]["attributes"];
    assert!(attributes["_EI_STATE_3"].is_u64(), "{attributes}");
    assert!(
        attributes["_EI_STATE_1"].is_null(),
        "a sum that is exact needs no more"
    );
    let found = read(&file).figure;
    assert_eq!(corners(found.parts[0].fig.as_ref().unwrap()), corners(&fig));
}

#[test]
fn a_moved_node_moves_all_states_and_an_edited_vertex_counts() {
    let figure = figure();
    let file = written(&figure);
    let moved = with_json(&file, |json| {
        let place = json["nodes"][2]["translation"].as_array_mut().unwrap();
        place[2] = json!(place[2].as_f64().unwrap() + 10.0);
    });
    let found = read(&moved).figure;
    let (before, after) = (
        &figure.parts[1].bon.as_ref().unwrap(),
        found.parts[1].bon.as_ref().unwrap(),
    );
    for (before, after) in before.offsets.iter().zip(&after.offsets) {
        assert!((after[2] - before[2] - 10.0).abs() < 1e-4);
        assert!((after[0] - before[0]).abs() < 1e-5);
    }
    assert_eq!(found.parts[0].bon, figure.parts[0].bon);
    let glb = Glb::read(&file);
    let target = &glb.json["meshes"][0]["primitives"][0]["targets"][2]["POSITION"];
    let size = glb.bytes(target, 12).len();
    let start = glb.bytes(target, 12).as_ptr() as usize - glb.bin.as_ptr() as usize;
    let mut edited = file.clone();
    let at = edited.len() - glb.bin.len() + start;
    edited[at..at + size].fill(0);
    let found = read(&edited).figure;
    let fig = found.parts[0].fig.as_ref().unwrap();
    let component = fig.components[2];
    let position = |state| fig.state_position(state, component.position.into());
    assert_eq!(position(3), position(0), "the state is the base now");
    assert_ne!(position(4), position(0));
}

#[test]
fn what_a_file_does_not_hold_is_reported() {
    let mut figure = figure();
    figure.adb = Some(Adb::default());
    figure.parts[1].fig.as_mut().unwrap().indices.clear();
    figure.parts[0].fig.as_mut().unwrap().normals[0] = [0.0, 0.0, 3.0, 1.0];
    figure.animations.push(FigureAnimation {
        name: "empty".to_owned(),
        parts: vec![None; 4],
    });
    if let Some(anm) = &mut figure.animations[0].parts[1] {
        anm.translations[0] = [1.0; 3];
    }
    let source = FigureSource {
        figure: &figure,
        primary: None,
        secondary: None,
        complection: [0.0; 3],
    };
    let glb = write_figure_glb(&source).unwrap();
    let reported: Vec<_> = glb
        .findings
        .iter()
        .map(|it| (it.place.as_str(), it.message.as_str()))
        .collect();
    let expected = [
        ("hp", "normals that are not of unit length are made so"),
        ("bd", "a mesh without triangles is left out"),
        (
            "cidle",
            "translations of parts other than the root, which nothing applies, are left out",
        ),
        ("empty", "an animation that moves nothing is left out"),
        ("adb", "the table of animations is left out"),
    ];
    assert_eq!(reported, expected);
}

#[test]
fn what_cannot_be_written_is_refused() {
    let rows: [(&str, Change<Figure>); 7] = [
        ("a vertex of hp is not finite", |it| {
            it.parts[0].fig.as_mut().unwrap().states[5].positions[1] = [f32::NAN; 3];
        }),
        ("a texture coordinate of hp is not finite", |it| {
            it.parts[0].fig.as_mut().unwrap().texcoords[1] = [f32::INFINITY; 2];
        }),
        ("the rest position of bd is not finite", |it| {
            it.parts[1].bon.as_mut().unwrap().offsets[7] = [f32::NAN; 3];
        }),
        ("a rotation of cidle is not finite", |it| {
            it.animations[0].parts[0].as_mut().unwrap().rotations[1] = [f32::NAN; 4];
        }),
        ("an offset of cidle is not finite", |it| {
            it.animations[0].parts[2].as_mut().unwrap().morphs[1] = [f32::NAN; 3];
        }),
        ("component 9 does not exist, there are 5", |it| {
            it.parts[0].fig.as_mut().unwrap().indices[0] = 9;
        }),
        ("parent 3 does not exist, there are 4", |it| {
            it.parts[1].parent = Some(3)
        }),
    ];
    for (message, change) in rows {
        let mut figure = figure();
        change(&mut figure);
        let source = FigureSource {
            figure: &figure,
            primary: None,
            secondary: None,
            complection: [0.0; 3],
        };
        let error = write_figure_glb(&source).unwrap_err().to_string();
        assert_eq!(error, message);
    }
}

#[test]
fn what_is_no_figure_is_refused_by_place() {
    let file = written(&figure());
    let rows: [(&str, &str, Change<Value>); 10] = [
        ("nodes", "ei_figure", |json| {
            json["nodes"][0]["extras"] = json!({})
        }),
        ("nodes[2]", "turned or scaled", |json| {
            json["nodes"][2]["scale"] = json!([1.0, 2.0, 1.0])
        }),
        ("nodes[2]", "turned or scaled", |json| {
            json["nodes"][2]["rotation"] = json!([0.0, 1.0, 0.0, 0.0]);
        }),
        ("nodes[1]", "one parent", |json| {
            json["nodes"][3]["children"] = json!([1])
        }),
        ("nodes[3]", "a name of its own", |json| {
            json["nodes"][3]["name"] = json!("BD")
        }),
        ("nodes[3]", "CP1251", |json| {
            json["nodes"][3]["name"] = json!("日")
        }),
        ("nodes[1]", "offsets", |json| {
            json["nodes"][1]["extras"]["ei_offsets"] = json!([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]);
        }),
        ("meshes[0].primitives[0]", "normals", |json| {
            let attributes = &mut json["meshes"][0]["primitives"][0]["attributes"];
            attributes.as_object_mut().unwrap().remove("NORMAL");
        }),
        ("meshes[0].primitives[0]", "elements", |json| {
            let uvs = json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"]
                .as_u64()
                .unwrap();
            json["accessors"][uvs as usize]["count"] = json!(4);
        }),
        ("animations[0].channels[4]", "weights for each", |json| {
            let sampler = json["animations"][0]["channels"][4]["sampler"]
                .as_u64()
                .unwrap();
            let output = json["animations"][0]["samplers"][sampler as usize]["output"]
                .as_u64()
                .unwrap();
            json["accessors"][output as usize]["count"] = json!(43);
        }),
    ];
    for (place, what, change) in rows {
        let error = read_figure_glb(&with_json(&file, change))
            .unwrap_err()
            .to_string();
        assert!(error.contains(what), "{error}, not {what}");
        assert!(error.contains(place), "{error}, not at {place}");
    }
}

#[test]
fn a_mesh_without_our_extras_becomes_a_part() {
    let file = with_json(&written(&figure()), |json| {
        json["meshes"][1].as_object_mut().unwrap().remove("extras");
        json["nodes"][2].as_object_mut().unwrap().remove("extras");
    });
    let ImportedFigure {
        figure, findings, ..
    } = read(&file);
    let part: &FigurePart = &figure.parts[1];
    let fig = part.fig.as_ref().unwrap();
    assert_eq!((fig.states.len(), fig.group, fig.texture), (8, 18, 1));
    assert_eq!(part.bon.as_ref().unwrap().offsets.len(), 8);
    assert_eq!(findings.len(), 1, "{findings:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Any finite states of any mesh come back bit for bit.
    #[test]
    fn any_states_survive(values in prop::collection::vec(-1e6f32..1e6, 96), exponents in prop::collection::vec(-30i32..6, 96)) {
        let mut fig = mesh(8, 0.0);
        for (state, points) in fig.states.iter_mut().enumerate() {
            for (point, position) in points.positions.iter_mut().enumerate() {
                for (axis, value) in position.iter_mut().enumerate() {
                    let at = state * 12 + point * 3 + axis;
                    *value = values[at] * 2f32.powi(exponents[at]);
                }
            }
        }
        let mut figure = figure();
        figure.parts[0].fig = Some(fig.clone());
        let found = read(&written(&figure)).figure;
        prop_assert_eq!(corners(found.parts[0].fig.as_ref().unwrap()), corners(&fig));
    }

    /// Damage is refused or read; nothing panics.
    #[test]
    fn damaged_files_never_panic(at in any::<prop::sample::Index>(), byte: u8) {
        let mut file = written(&figure());
        let at = at.index(file.len());
        file[at] = byte;
        if let Ok(found) = read_figure_glb(&file) {
            let _ = found.figure.write_mod();
        }
    }
}
