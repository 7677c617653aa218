use super::*;
use crate::mat0::TrackKey;
use crate::material_table::TextureKind;
use crate::test_level::{material, track};
use crate::texm::{MipChain, TexmFormat};

/// attr1 of a material that blends by its alpha, that adds, that multiplies, and that multiplies twice.
const ALPHA: u32 = 1 << 2;
const ADD: u32 = 2 << 2;
const MULTIPLY: u32 = 3 << 2;
const MODULATE_2X: u32 = 4 << 2;

fn texture(name: &str, kind: TextureKind, format: TexmFormat) -> TableTexture {
    let texm = Texm::from_rgba8(format, 8, 8, &[0x80; 256], MipChain::Full).unwrap();
    TableTexture {
        name: name.to_owned(),
        kind,
        texm: Some(texm),
    }
}

/// One material with a texture for each of its phases; texture 0 is opaque, 1 has an alpha, 2 is a lightmap.
fn table(mat0: Mat0, attr1: u32, textures: &[Option<usize>]) -> MaterialTable {
    MaterialTable {
        materials: vec![TableMaterial {
            name: "IT".to_owned(),
            attr1,
            mat0: mat0.into(),
            textures: textures.into(),
        }],
        textures: vec![
            texture("OPAQUE.0", TextureKind::Surface, TexmFormat::Rgb565),
            texture("ALPHA.0", TextureKind::Surface, TexmFormat::Argb4444),
            texture("LIGHT", TextureKind::Lightmap, TexmFormat::Rgb565),
        ],
    }
}

/// Phases that differ in red, and one track of (phase, end).
fn animated(n_phases: u8, head: u32, keys: &[(u16, u16)]) -> Mat0 {
    let mut mat0 = material("");
    let phase = mat0.phases[0];
    let diffuse = |red| [red, 255, 255, 255];
    mat0.phases = (0..n_phases)
        .map(|red| Phase {
            diffuse: diffuse(red),
            ..phase
        })
        .collect();
    mat0.tracks = vec![track(head, keys)];
    mat0
}

fn pass_of(mat0: Mat0) -> Pass {
    let table = table(mat0, 0, &[]);
    lit_pass(&table, &table.materials[0], Light::Lit)
}

fn surface(table: &MaterialTable, look: BatchLook) -> Pass {
    model_material(table, 0, look).passes.swap_remove(0)
}

#[test]
fn blend_modes_are_those_of_the_archive_entry() {
    use BlendFactor::{DestinationColor, InverseSourceAlpha, One, SourceAlpha, SourceColor, Zero};
    for (attr1, expected) in [
        (0, None),
        (2, None),
        (ALPHA, Some((SourceAlpha, InverseSourceAlpha))),
        (ALPHA | 1, Some((SourceAlpha, InverseSourceAlpha))),
        (ADD, Some((SourceAlpha, One))),
        (MULTIPLY, Some((Zero, SourceColor))),
        (MODULATE_2X, Some((DestinationColor, SourceColor))),
        (5 << 2, None),
    ] {
        let table = table(material(""), attr1, &[Some(1)]);
        let pass = surface(&table, BatchLook::default());
        let factors = pass.blend.map(|it| (it.source, it.destination));
        assert_eq!(factors, expected, "{attr1:#x}");
        let kind = match expected {
            None => PassKind::Base,
            Some(_) => PassKind::SoftEdged,
        };
        assert_eq!((pass.kind, pass.depth_write), (kind, true), "{attr1:#x}");
    }
}

#[test]
fn alphas_from_1_on_pass_the_alpha_test_of_what_blends() {
    let alpha_test = |attr1| {
        let table = table(material(""), attr1, &[Some(1)]);
        surface(&table, BatchLook::default()).alpha_test
    };
    assert_eq!(alpha_test(0), None);
    for attr1 in [ALPHA, ADD, MULTIPLY, MODULATE_2X] {
        let threshold = alpha_test(attr1).unwrap();
        let passes = |alpha: u8| f32::from(alpha) / 255.0 >= threshold;
        assert_eq!([0, 1, 0xFF].map(passes), [false, true, true]);
    }
}

#[test]
fn what_is_seen_through_hides_nothing() {
    let see_through = BatchLook {
        is_see_through: true,
        ..BatchLook::default()
    };
    let mut glass = material("");
    glass.phases.push(glass.phases[0]);
    glass.phases[1].ambient[3] = 99;
    // Material, attr1, batch; kind and whether it hides.
    use PassKind::{Base, SoftEdged, Translucent};
    for (mat0, attr1, look, expected) in [
        (material(""), 0, BatchLook::default(), (Base, true)),
        (material(""), 0, see_through, (Translucent, false)),
        (material(""), ALPHA, BatchLook::default(), (SoftEdged, true)),
        (material(""), ALPHA, see_through, (Translucent, false)),
        (
            glass.clone(),
            ALPHA,
            BatchLook::default(),
            (Translucent, false),
        ),
        (glass.clone(), 0, BatchLook::default(), (Base, true)),
    ] {
        let table = table(mat0, attr1, &[Some(0)]);
        let pass = surface(&table, look);
        assert_eq!((pass.kind, pass.depth_write), expected, "{attr1} {look:?}");
    }
}

#[test]
fn a_lightmap_modulates_by_the_second_texture_coordinates() {
    let mut mat0 = material("");
    mat0.phases[0].diffuse = [255, 51, 0, 255];
    mat0.phases[0].ambient = [51, 0, 0, 100];
    let table = table(mat0, ADD, &[Some(0)]);
    let look = BatchLook {
        lightmap: Some(2),
        cull: Cull::Back,
        is_see_through: true,
    };
    let lit = model_material(&table, 0, look);
    assert_eq!(lit.name, "IT + LIGHT");
    let [surface, lightmap] = &lit.passes[..] else {
        panic!("{lit:#?}")
    };
    let expected = Pass {
        kind: PassKind::Lightmap,
        texture: Some(TextureIdx(2)),
        uv_set: 1,
        lighting: Lighting::Unlit,
        blend: Some(Blend::MODULATE),
        depth_write: false,
        cull: Cull::Back,
        ..Pass::default()
    };
    assert_eq!(*lightmap, expected);
    // texture * lightmap * (scene + diffuse), opaque, and no light.
    assert_eq!((surface.kind, surface.blend), (PassKind::Base, None));
    assert_eq!(surface.diffuse, [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(
        (surface.ambient, surface.emissive),
        ([1.0; 3], [1.0, 0.2, 0.0])
    );
}

#[test]
fn what_is_not_in_the_table_is_white() {
    let material = model_material(&MaterialTable::default(), 3, BatchLook::default());
    assert_eq!(material.passes, [Pass::default()]);
}

#[test]
fn colors_are_those_that_the_game_hands_to_its_device() {
    let mut mat0 = material("");
    mat0.phases[0].diffuse = [255, 0, 51, 128];
    mat0.phases[0].ambient = [51, 255, 0, 25];
    mat0.phases[0].emissive = [255; 4];
    let pass = pass_of(mat0);
    assert_eq!(
        pass.diffuse,
        [1.0, 0.0, 0.2, 0.25],
        "alpha is the ambient one"
    );
    assert_eq!(pass.emissive, [0.2, 1.0, 0.0], "light of its own");
    assert_eq!(pass.ambient, [1.0; 3], "all of the scene's color");
    for (percent, alpha) in [(0, 0.0), (100, 1.0), (255, 1.0)] {
        let mut mat0 = material("");
        mat0.phases[0].ambient[3] = percent;
        assert_eq!(pass_of(mat0).diffuse[3], alpha);
    }
}

#[test]
fn a_cell_is_a_rectangle_of_the_textures_page() {
    let mut mat0 = material("");
    mat0.phases = vec![mat0.phases[0]; 4];
    for (phase, cell) in mat0.phases.iter_mut().zip([-1, 0, 1, 2]) {
        phase.cell = cell;
    }
    let mut table = table(mat0, 0, &[Some(0), Some(0), Some(0), Some(0)]);
    let cell = |table: &MaterialTable, phase| {
        let look = pass_phase(table, &table.materials[0], phase, Light::Lit).unwrap();
        (look.cell.min, look.cell.size)
    };
    let whole = ([0.0; 2], [1.0; 2]);
    assert_eq!(cell(&table, 1), whole, "without a page");
    let rect = |[x, w, y, h]: [i16; 4]| PageRect { x, w, y, h };
    let page = vec![rect([0, 4, 0, 8]), rect([4, 2, 6, 2])];
    table.textures[0].texm.as_mut().unwrap().page = Some(page);
    assert_eq!(cell(&table, 0), whole, "-1");
    assert_eq!(cell(&table, 1), ([0.0, 0.0], [0.5, 1.0]));
    assert_eq!(cell(&table, 2), ([0.5, 0.75], [0.25, 0.25]));
    assert_eq!(cell(&table, 3), whole, "beyond the page");
}

#[test]
fn the_first_track_is_played() {
    let mut mat0 = animated(3, 1 | (0b1_1111 << 3), &[(2, 100), (0, 150)]);
    mat0.tracks.push(track(0, &[(1, 7), (2, 14)]));
    let textures = [Some(0), None, Some(1)];
    let table = table(mat0, 0, &textures);
    let pass = lit_pass(&table, &table.materials[0], Light::Lit);
    assert_eq!(pass.diffuse[0], 0.0, "at rest it is the first phase");
    let animation = pass.animation.unwrap();
    assert_eq!(animation.mode, PhaseMode::PingPong);
    let key = |phase, duration_ms| PhaseKey { phase, duration_ms };
    assert_eq!(animation.keys, [key(2, 100), key(0, 50)]);
    let looks = animation
        .phases
        .iter()
        .map(|phase| (phase.texture, phase.diffuse[0]));
    let texture = |idx| Some(TextureIdx(idx));
    assert_eq!(
        looks.collect::<Vec<_>>(),
        [
            (texture(0), 0.0),
            (None, 1.0 / 255.0),
            (texture(1), 2.0 / 255.0)
        ]
    );
    let first = animation.at(0);
    assert_eq!((first.texture, first.diffuse[0]), (texture(1), 2.0 / 255.0));
}

#[test]
fn the_dossiers_example_is_a_loop_of_200_ms() {
    // HLP_RAY_R: ambient color glides; phases 0, 1, 2 and 1 again.
    let mut mat0 = animated(3, 1 << 3, &[(0, 50), (1, 100), (2, 150), (1, 200)]);
    for (phase, red) in mat0.phases.iter_mut().zip([0, 51, 255]) {
        phase.ambient[0] = red;
    }
    let animation = pass_of(mat0).animation.unwrap();
    for (time_ms, red) in [
        (0, 0.0),
        (25, 0.1),
        (50, 0.2),
        (75, 0.6),
        (100, 1.0),
        (125, 0.6),
        (175, 0.1),
        (200, 0.0),
        (225, 0.1),
    ] {
        let found = animation.at(time_ms).emissive[0];
        assert!(
            (found - red).abs() < 1e-6,
            "{time_ms} ms: {found}, not {red}"
        );
    }
}

#[test]
fn modes_and_glides_are_those_of_the_head() {
    let pass_of_head = |head| pass_of(animated(2, head, &[(0, 5), (1, 10)]));
    let modes = [
        PhaseMode::Loop,
        PhaseMode::PingPong,
        PhaseMode::Clamp,
        PhaseMode::Random,
    ];
    for (head, mode) in (0..).zip(modes) {
        let animation = pass_of_head(head).animation.unwrap();
        assert_eq!(
            (animation.mode, animation.glides),
            (mode, Glides::default())
        );
    }
    // Mask bits 2 and 3, specular light and the emissive color, are not drawn.
    for (mask, [emissive, diffuse, alpha]) in [
        (0x01, [true, false, false]),
        (0x02, [false, true, false]),
        (0x0C, [false; 3]),
        (0x10, [false, false, true]),
        (0x13, [true; 3]),
    ] {
        let glides = pass_of_head(mask << 3).animation.unwrap().glides;
        let expected = Glides {
            diffuse,
            ambient: false,
            emissive,
            alpha,
        };
        assert_eq!(glides, expected, "{mask:#x}");
    }
    for head in 4..8 {
        let pass = pass_of_head(head);
        assert_eq!(
            (pass.animation, pass.diffuse[0]),
            (None, 0.0),
            "mode {head}"
        );
    }
}

#[test]
fn a_track_that_shows_one_look_only_is_that_look() {
    let rows: [&[(u16, u16)]; 4] = [
        &[(1, 0)],
        &[(1, 500)],
        &[(1, 500), (1, 520)],
        // A cycle without length shows its first key.
        &[(1, 0), (0, 0)],
    ];
    for keys in rows {
        let pass = pass_of(animated(2, 0, keys));
        assert_eq!(pass.animation, None, "{keys:?}");
        assert_eq!(pass.diffuse[0], 1.0 / 255.0, "{keys:?}");
    }
    let broken = [animated(2, 0, &[]), animated(2, 0, &[(1, 5), (2, 10)])];
    for mat0 in broken {
        let pass = pass_of(mat0);
        assert_eq!((pass.animation, pass.diffuse[0]), (None, 0.0), "at rest");
    }
}

#[test]
fn layers_of_terrain_are_animated_and_microtextures_are_where_their_track_begins() {
    let mut mat0 = animated(2, 0, &[(1, 5), (0, 10)]);
    let key = |phase| TrackKey {
        phase,
        end_ms: 5,
        unknown_4: 0,
    };
    mat0.tracks.push(Track {
        head: 0,
        keys: vec![key(1), key(0)],
    });
    let mut table = table(mat0, 0, &[Some(0), Some(1)]);
    let material = table.materials[0].clone();
    let layers = [
        base_pass(&table, Some(&material)),
        decal_pass(&table, &material),
        water_pass(&table, Some(&material)),
    ];
    for pass in layers {
        let animation = pass.animation.expect("it changes");
        assert_eq!(
            animation.at(0).texture,
            Some(TextureIdx(1)),
            "{:?}",
            pass.kind
        );
    }
    assert_eq!(microtexture(&table, &material), Some(TextureIdx(1)));
    table.textures[1].texm = None;
    assert_eq!(microtexture(&table, &material), None);
}
