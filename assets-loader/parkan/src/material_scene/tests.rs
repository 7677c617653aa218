use BlendFactor::{InverseSourceAlpha, One, SourceAlpha};

use super::*;
use crate::mat0::AnimationKey;
use crate::material_table::TextureKind;
use crate::test_level::material;
use crate::texm::{MipChain, TexmFormat};

/// attr1 of a material of rendering type 1.
const SPECIAL: u32 = 1 << 2;

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

fn blended(source_blend: u8, destination_blend: u8) -> Mat0 {
    Mat0 {
        source_blend,
        destination_blend,
        ..material("")
    }
}

/// Phases that differ in red, and one animation of (phase, duration).
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
    let keys = keys.iter().map(|&(stage, duration_ms)| AnimationKey {
        stage,
        duration_ms,
        unknown_4: 0,
    });
    mat0.animations = vec![Animation {
        head,
        keys: keys.collect(),
    }];
    mat0
}

fn animated_pass(mat0: Mat0) -> Pass {
    let table = table(mat0, 0, &[]);
    lit_pass(&table.materials[0])
}

const ALPHA: Blend = Blend {
    source: SourceAlpha,
    destination: InverseSourceAlpha,
};

#[test]
fn surfaces_of_models_are_opaque_translucent_or_with_holes() {
    use PassKind::{Base, Lightmap, Translucent};
    let opaque = || blended(255, 255);
    // Blend codes, attr1, texture; passes, whether there is an alpha test.
    let rows = [
        (
            opaque(),
            0,
            0,
            vec![(Base, None), (Lightmap, Some(Blend::MODULATE))],
            false,
        ),
        (
            opaque(),
            0,
            1,
            vec![(Base, None), (Lightmap, Some(Blend::MODULATE))],
            false,
        ),
        (
            opaque(),
            SPECIAL,
            0,
            vec![(Base, None), (Lightmap, Some(Blend::MODULATE))],
            false,
        ),
        (opaque(), SPECIAL, 1, vec![(Base, None)], true),
        (
            opaque(),
            2 << 2,
            1,
            vec![(Base, None), (Lightmap, Some(Blend::MODULATE))],
            false,
        ),
        (blended(5, 6), 0, 0, vec![(Translucent, Some(ALPHA))], false),
        (
            blended(5, 6),
            SPECIAL,
            1,
            vec![(Translucent, Some(ALPHA))],
            false,
        ),
        (
            blended(2, 2),
            0,
            0,
            vec![(
                Translucent,
                Some(Blend {
                    source: One,
                    destination: One,
                }),
            )],
            false,
        ),
        // One and zero replace the color below; 14 is no code.
        (
            blended(2, 1),
            0,
            0,
            vec![(Base, None), (Lightmap, Some(Blend::MODULATE))],
            false,
        ),
        (
            blended(14, 6),
            0,
            0,
            vec![(Base, None), (Lightmap, Some(Blend::MODULATE))],
            false,
        ),
    ];
    for (mat0, attr1, texture, expected, has_alpha_test) in rows {
        let codes = [mat0.source_blend, mat0.destination_blend];
        let name = format!("codes {codes:?}, attr1 {attr1:#x}, texture {texture}");
        let table = table(mat0, attr1, &[Some(texture)]);
        let material = model_material(&table, 0, Some(2), Cull::None);
        let passes: Vec<_> = material
            .passes
            .iter()
            .map(|pass| (pass.kind, pass.blend))
            .collect();
        assert_eq!(passes, expected, "{name}");
        for pass in &material.passes {
            assert_eq!(pass.depth_write, pass.kind == Base, "{name}");
            assert_eq!(pass.cull, Cull::None, "{name}");
        }
        assert_eq!(
            material.passes[0].alpha_test.is_some(),
            has_alpha_test,
            "{name}"
        );
        assert_eq!(material.passes[0].texture, Some(TextureIdx(texture as u32)));
    }
}

#[test]
fn alphas_from_0x80_on_pass_the_alpha_test() {
    let table = table(material(""), SPECIAL, &[Some(1)]);
    let surface = &model_material(&table, 0, None, Cull::None).passes[0];
    let threshold = surface.alpha_test.unwrap();
    let passes = |alpha: u8| f32::from(alpha) / 255.0 >= threshold;
    assert_eq!(
        [0, 0x7F, 0x80, 0xFF].map(passes),
        [false, false, true, true]
    );
}

#[test]
fn a_lightmap_modulates_by_the_second_texture_coordinates() {
    let table = table(material(""), 0, &[Some(0)]);
    let lit = model_material(&table, 0, Some(2), Cull::Back);
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
    let without = model_material(&table, 0, None, Cull::Back);
    assert_eq!(without.name, "IT");
    assert_eq!(without.passes.iter().collect::<Vec<_>>(), [surface]);
}

#[test]
fn what_is_not_in_the_table_is_white() {
    let material = model_material(&MaterialTable::default(), 3, None, Cull::None);
    assert_eq!(material.passes, [Pass::default()]);
}

#[test]
fn alpha_is_multiplied_and_clamped() {
    let rows = [
        (0.5, 0.25),
        (4.0, 1.0),
        (-1.0, 0.0),
        (f32::NAN, 0.5),
        (f32::INFINITY, 0.5),
    ];
    for (alpha_multiplier, expected) in rows {
        let mut mat0 = material("");
        mat0.phases[0].diffuse = [255, 0, 51, 128];
        mat0.alpha_multiplier = alpha_multiplier;
        let [r, g, b, alpha] = animated_pass(mat0).diffuse;
        assert_eq!([r, g, b], [1.0, 0.0, 0.2]);
        // 128 of 255 is a bit more than a half.
        assert!(
            (alpha - expected).abs() < 0.01,
            "{alpha_multiplier}: {alpha}"
        );
    }
}

#[test]
fn the_first_animation_is_played() {
    let mut mat0 = animated(3, 1 | (0b1_1111 << 3), &[(2, 100), (0, 50)]);
    mat0.animations
        .push(animated(3, 0, &[(1, 7), (2, 7)]).animations.remove(0));
    let textures = [Some(0), None, Some(1)];
    let table = table(mat0, 0, &textures);
    let pass = lit_pass(&table.materials[0]);
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
fn modes_and_glides_are_those_of_the_head() {
    let pass_of = |head| animated_pass(animated(2, head, &[(0, 5), (1, 5)]));
    let modes = [
        PhaseMode::Loop,
        PhaseMode::PingPong,
        PhaseMode::Clamp,
        PhaseMode::Random,
    ];
    for (head, mode) in (0..).zip(modes) {
        let animation = pass_of(head).animation.unwrap();
        assert_eq!(
            (animation.mode, animation.glides),
            (mode, Glides::default())
        );
    }
    // Mask bits 2 and 4, specular light and ambient alpha, are not drawn.
    for (mask, [ambient, diffuse, emissive]) in [
        (0x01, [true, false, false]),
        (0x02, [false, true, false]),
        (0x04, [false; 3]),
        (0x08, [false, false, true]),
        (0x10, [false; 3]),
        (0x1B, [true; 3]),
    ] {
        let glides = pass_of(mask << 3).animation.unwrap().glides;
        let expected = Glides {
            diffuse,
            ambient,
            emissive,
        };
        assert_eq!(glides, expected, "{mask:#x}");
    }
    for head in 4..8 {
        let pass = pass_of(head);
        assert_eq!(
            (pass.animation, pass.diffuse[0]),
            (None, 0.0),
            "mode {head}"
        );
    }
}

#[test]
fn an_animation_that_shows_one_look_only_is_that_look() {
    let rows: [&[(u16, u16)]; 4] = [
        &[(1, 0)],
        &[(1, 500)],
        &[(1, 500), (1, 20)],
        // A cycle without length shows its first key.
        &[(1, 0), (0, 0)],
    ];
    for keys in rows {
        let pass = animated_pass(animated(2, 0, keys));
        assert_eq!(pass.animation, None, "{keys:?}");
        assert_eq!(pass.diffuse[0], 1.0 / 255.0, "{keys:?}");
    }
    let broken = [animated(2, 0, &[]), animated(2, 0, &[(1, 5), (2, 5)])];
    for mat0 in broken {
        let pass = animated_pass(mat0);
        assert_eq!((pass.animation, pass.diffuse[0]), (None, 0.0), "at rest");
    }
}

#[test]
fn layers_of_terrain_are_animated_but_not_detail_textures() {
    let table = table(animated(2, 0, &[(1, 5), (0, 5)]), 0, &[Some(0), Some(1)]);
    let material = &table.materials[0];
    let layers = [
        base_pass(Some(material)),
        decal_pass(material),
        water_pass(Some(material)),
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
    let detail = detail_pass(material);
    assert_eq!((detail.animation, detail.diffuse), (None, [1.0; 4]));
}

#[test]
fn emissive_is_at_most_one_whatever_its_intensity() {
    let mut mat0 = material("");
    mat0.phases[0].emissive = [255, 51, 0, 7];
    mat0.emissive_intensity = 10_000.0;
    assert_eq!(animated_pass(mat0).emissive, [1.0, 0.2, 0.0]);
}

#[test]
fn blend_codes_are_those_of_direct3d() {
    use BlendFactor::{
        DestinationAlpha, DestinationColor, InverseDestinationAlpha, InverseDestinationColor,
        InverseSourceColor, SourceAlphaSaturated, SourceColor, Zero,
    };
    let blend = |source, destination| {
        Some(Blend {
            source,
            destination,
        })
    };
    assert_eq!(blend_of(255, 255), None);
    assert_eq!(blend_of(5, 6), blend(SourceAlpha, InverseSourceAlpha));
    assert_eq!(blend_of(9, 3), blend(DestinationColor, SourceColor));
    assert_eq!(blend_of(12, 1), blend(SourceAlpha, InverseSourceAlpha));
    assert_eq!(blend_of(13, 255), blend(InverseSourceAlpha, SourceAlpha));
    assert_eq!(blend_of(255, 2), blend(One, One));
    assert_eq!(blend_of(2, 255), blend(One, Zero));
    assert_eq!(blend_of(0, 1), None);
    assert_eq!(blend_of(2, 14), None);
    let all = [
        Zero,
        One,
        SourceColor,
        InverseSourceColor,
        SourceAlpha,
        InverseSourceAlpha,
        DestinationAlpha,
        InverseDestinationAlpha,
        DestinationColor,
        InverseDestinationColor,
        SourceAlphaSaturated,
    ];
    for (code, factor) in (1..).zip(all) {
        assert_eq!(blend_of(code, 1), blend(factor, Zero), "{code}");
    }
}
