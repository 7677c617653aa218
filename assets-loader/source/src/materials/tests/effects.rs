//! Effects of materials: what of them comes from which parameter.

use ironlands_scene::{
    DetailMode, EnvironmentMap, EnvironmentMask, HighlightMask, PassEffects, UvTransform,
};

use super::*;
use crate::bsp::{CubemapSample, Map};

/// A cubemap of one pixel a side.
fn cubemap(shade: u8) -> Vec<u8> {
    let draft = Draft {
        width: 1,
        height: 1,
        format: ImageFormat::Rgba8888,
        flags: TextureFlags::CUBEMAP,
        mips: MipChain::Full,
        pictures: vec![[shade, shade, shade, 255].to_vec(); 6],
    };
    Vtf::draft(&draft).unwrap().write().unwrap()
}

fn with_cubemaps(materials: &[(&str, &str)]) -> GameFiles {
    let draft = Draft {
        width: 4,
        height: 4,
        format: ImageFormat::Rgba8888,
        flags: TextureFlags::empty(),
        mips: MipChain::Full,
        pictures: vec![vec![200; 4 * 4 * 4]],
    };
    let plain = Vtf::draft(&draft).unwrap().write().unwrap();
    let mut entries: Vec<(String, Vec<u8>)> = vec![
        ("materials/brick.vtf".to_owned(), plain.clone()),
        ("materials/brick_n.vtf".to_owned(), plain),
        ("materials/maps/m/c0_0_0.vtf".to_owned(), cubemap(90)),
        ("materials/maps/m/c100_0_0.vtf".to_owned(), cubemap(0)),
        (
            "materials/maps/m/cubemapdefault.vtf".to_owned(),
            cubemap(30),
        ),
        ("materials/maps/m/c100_0_0.hdr.vtf".to_owned(), cubemap(50)),
    ];
    for (name, text) in materials {
        entries.push((format!("materials/{name}.vmt"), text.as_bytes().to_vec()));
    }
    let entries: Vec<(&str, &[u8])> = entries
        .iter()
        .map(|(name, data)| (&**name, &**data))
        .collect();
    let pakfile = Pakfile::draft(&entries, Comment::None).unwrap();
    GameFiles::new(Some(pakfile), &[]).unwrap()
}

fn probes(files: &GameFiles) -> Probes {
    let places = [[0, 0, 0], [100, 0, 0]];
    let map = Map {
        cubemaps: places
            .map(|origin| CubemapSample {
                origin,
                ..CubemapSample::default()
            })
            .to_vec(),
        ..Map::default()
    };
    Probes::new(&map, files.pakfile())
}

/// Effects of the base pass, and names of textures.
fn effects(text: &str, change: impl FnOnce(&mut Surface)) -> (PassEffects, Vec<String>) {
    let files = with_cubemaps(&[("wall", text)]);
    let mut materials = Materials::new(&files, LightRange::Ldr).with_probes(probes(&files));
    let mut wall = surface("wall");
    change(&mut wall);
    materials.surface(wall).unwrap();
    let mut made = materials.finish();
    let names = made.textures.iter().map(|it| it.name.clone()).collect();
    let pass = made.materials.remove(0).passes.remove(0);
    let effects = pass.effects.map(|it| *it);
    (effects.expect("it has effects"), names)
}

fn on_model(surface: &mut Surface) {
    surface.is_model = true;
    surface.light = SurfaceLight::Ambient;
}

#[test]
fn a_plain_material_has_no_effects() {
    let text = r#"LightmappedGeneric { $basetexture brick $bumpmap brick_n $detail brick }"#;
    let (passes, _) = passes(text, |_| ());
    assert_eq!(passes[0].effects, None);
}

#[test]
fn a_reflection_has_all_that_its_parameters_say() {
    let text = r#"LightmappedGeneric { $basetexture brick $envmap maps/m/c0_0_0 $envmaptint "[1 .5 0]"
        $envmapmask brick_n $envmapcontrast .5 $envmapsaturation .25 $fresnelreflection .75
        $basetexturetransform "center 0 0 scale 2 2" $envmapmasktransform "center 0 0 scale 8 4" }"#;
    let (effects, names) = effects(text, |_| ());
    let name = |texture: TextureIdx| &*names[texture.0 as usize];
    let EnvironmentMap {
        texture,
        tint,
        mask: EnvironmentMask::Texture(mask, transform),
        contrast,
        saturation,
        head_on,
    } = effects.environment.unwrap()
    else {
        panic!("it has a mask");
    };
    assert_eq!((name(texture), name(mask)), ("maps/m/c0_0_0", "brick_n"));
    assert_eq!(tint, [1.0, 0.5, 0.0]);
    assert_eq!([contrast, saturation, head_on], [0.5, 0.25, 0.75]);
    // Coordinates of faces are those of the base texture.
    let expected = UvTransform::new([[4.0, 0.0, 0.0], [0.0, 2.0, 0.0]]);
    assert_eq!(transform, expected);
}

#[test]
fn masks_by_alpha_and_the_normals_of_reflections_come_along() {
    let text = r#"LightmappedGeneric { $basetexture brick $bumpmap brick_n $envmap maps/m/c0_0_0
        $normalmapalphaenvmapmask 1 $bumptransform "center 0 0 scale 3" }"#;
    let (effects, names) = effects(text, |_| ());
    let normals = effects.normal_map.unwrap().texture;
    assert_eq!(names[normals.0 as usize], "brick_n");
    assert_eq!(effects.normal_transform.rows[0], [3.0, 0.0, 0.0]);
    let environment = effects.environment.unwrap();
    assert_eq!(environment.mask, EnvironmentMask::NormalAlpha);
}

#[test]
fn what_takes_the_nearest_cubemap_mirrors_what_was_taken_there_or_the_default() {
    let text = r#"VertexLitGeneric { $basetexture brick $envmap env_cubemap }"#;
    let files = with_cubemaps(&[("wall", text), ("plain", "LightmappedGeneric { }")]);
    for (range, x, shade) in [
        (LightRange::Ldr, 10.0, Some("maps/m/c0_0_0")),
        // The other one is black.
        (LightRange::Ldr, 90.0, Some("maps/m/cubemapdefault")),
        (LightRange::Hdr, 90.0, Some("maps/m/c100_0_0.hdr")),
    ] {
        let mut materials = Materials::new(&files, range).with_probes(probes(&files));
        assert_eq!(materials.probe_at("plain", [x, 0.0, 0.0]), None);
        let mut wall = surface("wall");
        on_model(&mut wall);
        wall.probe = materials.probe_at("wall", [x, 0.0, 0.0]);
        materials.surface(wall).unwrap();
        let made = materials.finish();
        let pass = &made.materials[0].passes[0];
        let environment = pass.effects.as_ref().and_then(|it| it.environment.as_ref());
        let texture = environment.map(|it| &made.textures[it.texture.0 as usize]);
        assert_eq!(texture.map(|it| &*it.name), shade, "{range:?} {x}");
        assert_eq!(texture.map(|it| it.n_layers), Some(6));
    }
}

#[test]
fn cubemaps_that_were_never_taken_are_told_of_and_mirror_nothing() {
    let text = r#"LightmappedGeneric { $basetexture brick $envmap maps/m/c100_0_0 }"#;
    let files = with_cubemaps(&[("wall", text)]);
    let mut materials = Materials::new(&files, LightRange::Ldr);
    materials.surface(surface("wall")).unwrap();
    let made = materials.finish();
    assert_eq!(made.materials[0].passes[0].effects, None);
    let [finding] = &*made.findings else {
        panic!("{:?}", made.findings)
    };
    assert!(
        finding.message.starts_with("1 cubemaps are black"),
        "{finding:?}"
    );
}

#[test]
fn models_have_highlights_rims_and_warps() {
    let text = r#"VertexLitGeneric { $basetexture brick $bumpmap brick_n $phong 1 $phongexponenttexture brick
        $phongboost 2 $phongtint "[1 .5 1]" $phongfresnelranges "[.1 .2 .3]" $phongalbedotint 1 $rimlight 1
        $rimlightexponent 6 $rimlightboost 3 $rimmask 1 $lightwarptexture brick_n }"#;
    let (effects, names) = effects(text, on_model);
    let highlight = effects.highlight.unwrap();
    let name = |texture: TextureIdx| &*names[texture.0 as usize];
    assert_eq!(highlight.map.map(name), Some("brick"));
    assert_eq!(highlight.tint, [2.0, 1.0, 2.0]);
    assert_eq!(highlight.fresnel, [0.1, 0.2, 0.3]);
    assert_eq!(highlight.mask, HighlightMask::NormalAlpha);
    assert!(highlight.is_tinted_by_texture);
    let rim = highlight.rim.unwrap();
    assert_eq!((rim.exponent, rim.boost, rim.is_masked), (6.0, 3.0, true));
    assert!(effects.half_lambert, "highlights come with it");
    assert_eq!(effects.light_warp.map(name), Some("brick_n"));
    // Brushes have none of it.
    let (passes, _) = passes(text, |_| ());
    assert_eq!(passes[0].effects, None);
}

#[test]
fn details_that_a_pass_of_its_own_cannot_draw_are_effects() {
    for (text, mode, factor) in [
        ("$detailblendmode 1", DetailMode::Additive, 1.0),
        ("$detailblendfactor .5", DetailMode::Mod2x, 0.5),
        (
            "$detailblendmode 8 $translucent 1",
            DetailMode::Multiply,
            1.0,
        ),
        ("$envmap maps/m/c0_0_0", DetailMode::Mod2x, 1.0),
    ] {
        let text = format!("LightmappedGeneric {{ $basetexture brick $detail brick_n {text} }}");
        let (effects, _) = effects(&text, |_| ());
        let detail = effects.detail.unwrap();
        assert_eq!((detail.mode, detail.factor), (mode, factor), "{text}");
        assert_eq!(detail.transform.rows[0][0], 4.0);
        let files = with_cubemaps(&[("wall", &text)]);
        let mut materials = Materials::new(&files, LightRange::Ldr);
        assert_eq!(materials.detail("wall"), None, "{text}");
    }
}

#[test]
fn two_textures_multiply_and_each_moves_by_itself() {
    let text = r#"UnlitTwoTexture { $basetexture brick $texture2 brick_n $texture2transform "center 0 0 scale 2"
        Proxies { TextureScroll { texturescrollvar $texture2transform texturescrollrate .5 texturescrollangle 0 } } }"#;
    let (effects, _) = effects(text, |_| ());
    let detail = effects.detail.unwrap();
    assert_eq!((detail.mode, detail.factor), (DetailMode::Multiply, 1.0));
    assert_eq!(detail.transform.rows[1], [0.0, 2.0, 0.0]);
    assert_eq!(detail.transform.scroll_per_sec, [0.5, 0.0]);
}

#[test]
fn what_refracts_tints_what_is_behind_and_mirrors_over_it() {
    let text = r#"Refract { $normalmap brick_n $refracttint "[1 .25 0]" $envmap maps/m/c0_0_0 }"#;
    let files = with_cubemaps(&[("wall", text)]);
    let mut materials = Materials::new(&files, LightRange::Ldr);
    materials.surface(surface("wall")).unwrap();
    let made = materials.finish();
    let [behind, mirror] = &*made.materials[0].passes else {
        panic!("{:?}", made.materials[0].passes)
    };
    assert_eq!(behind.blend, Some(Blend::MODULATE));
    assert_eq!(behind.kind, PassKind::Translucent);
    assert!((behind.diffuse[1] - display_from_linear(0.25)).abs() < 1e-6);
    assert_eq!(behind.effects, None);
    assert_eq!(mirror.diffuse[..3], [0.0; 3]);
    assert!(mirror.effects.as_ref().unwrap().environment.is_some());
}

#[test]
fn what_refracts_on_faces_bends_what_is_behind_by_its_normals() {
    let text = r#"Refract { $normalmap brick_n $refracttint "[1 .25 0]" $refractamount .2 }"#;
    let (bent, textures) = passes(text, |_| ());
    let [bent] = &bent[..] else {
        panic!("{bent:?}")
    };
    assert_eq!(bent.kind, PassKind::Refracting);
    let refraction = bent.refraction.unwrap();
    assert_eq!(refraction.bend, 0.2);
    let normals = &textures[refraction.normals.0 as usize];
    assert_eq!(normals.name, "brick_n");
    assert!((bent.diffuse[1] - display_from_linear(0.25)).abs() < 1e-6);
    assert_eq!((refraction.tint, refraction.blur_px), (None, 0));
    // Models, what lies on faces, and what neither bends nor blurs only tint it.
    let kind = |text: &str, change: fn(&mut Surface)| passes(text, change).0[0].kind;
    assert_eq!(kind(text, on_model), PassKind::Translucent);
    assert_eq!(kind(text, |it| it.is_overlay = true), PassKind::Translucent);
    let straight = "Refract { $normalmap brick_n }";
    assert_eq!(kind(straight, |_| ()), PassKind::Translucent);
    let blurred = "Refract { $normalmap brick_n $bluramount 1 }";
    assert_eq!(kind(blurred, |_| ()), PassKind::Refracting);
    let without_normals = "Refract { $refractamount .2 }";
    assert_eq!(kind(without_normals, |_| ()), PassKind::Translucent);
}

#[test]
fn what_refracts_is_blurred_by_whole_pixels() {
    for (text, blur_px) in [
        ("1", 1),
        ("2", 2),
        ("2.9", 2),
        ("0.9", 0),
        ("7", 2),
        ("-1", 0),
    ] {
        let text = format!("Refract {{ $normalmap brick_n $refractamount .2 $bluramount {text} }}");
        let (found, _) = passes(&text, |_| ());
        assert_eq!(found[0].refraction.unwrap().blur_px, blur_px, "{text}");
    }
}

#[test]
fn a_tint_texture_multiplies_what_is_behind_twice_in_linear_light() {
    let text = |amount: &str| {
        format!(
            r#"Refract {{ $normalmap brick_n $refracttint "[1 .25 0]" $refracttinttexture clamped
            $refractamount {amount} $bumptransform "center 0 0 scale 2 3" }}"#
        )
    };
    let gain = display_from_linear(2.0);
    let quarter = display_from_linear(0.25);
    let (bent, textures) = passes(&text(".2"), |_| ());
    let tint = bent[0].refraction.unwrap().tint.unwrap();
    assert_eq!(textures[tint.0 as usize].name, "clamped");
    assert!(near(bent[0].diffuse, [gain, quarter * gain, 0.0, 1.0]));
    assert_eq!(bent[0].cell.size, [2.0, 3.0]);
    let (straight, textures) = passes(&text("0"), |_| ());
    let texture = straight[0].texture.unwrap();
    assert_eq!(textures[texture.0 as usize].name, "clamped");
    // Twice as much is more than fully lit.
    assert_eq!(straight[0].blend, Some(Blend::MODULATE_2X));
    assert!(near(
        straight[0].diffuse,
        [gain / 2.0, quarter * gain / 2.0, 0.0, 1.0]
    ));
    assert_eq!(straight[0].cell.size, [2.0, 3.0]);
}

#[test]
fn glass_whose_material_is_missing_is_seen_through() {
    let files = with_cubemaps(&[]);
    let mut materials = Materials::new(&files, LightRange::Ldr);
    let glass = Surface {
        is_seen_through: true,
        ..surface("nowhere")
    };
    materials.surface(glass).unwrap();
    let made = materials.finish();
    let pass = &made.materials[0].passes[0];
    assert_eq!(
        (pass.kind, pass.blend),
        (PassKind::Translucent, Some(Blend::ALPHA))
    );
    assert_eq!(pass.diffuse[3], 0.5);
}

#[test]
fn textures_of_models_are_laid_as_their_material_says() {
    let text = r#"VertexLitGeneric { $basetexture brick $basetexturetransform "center 0 0 scale 2 3 translate .5 0" }"#;
    let (of_model, _) = passes(text, on_model);
    assert_eq!(of_model[0].cell.size, [2.0, 3.0]);
    assert_eq!(of_model[0].cell.min, [0.5, 0.0]);
    let (of_face, _) = passes(text, |_| ());
    assert_eq!(of_face[0].cell, ironlands_scene::TextureCell::default());
}

/// The base pass of a material.
fn moving(parameters: &str, proxies: &str) -> Pass {
    let text =
        format!("UnlitGeneric {{ $basetexture brick {parameters} Proxies {{ {proxies} }} }}");
    passes(&text, |_| ()).0.remove(0)
}

#[test]
fn a_sine_fades_a_surface_in_and_out() {
    let sine = "Sine { resultVar $alpha sinemin .2 sinemax .8 sineperiod 4 timeoffset 0 }";
    let pass = moving("", sine);
    assert_eq!(pass.kind, PassKind::Translucent);
    let animation = pass.animation.unwrap();
    assert_eq!(animation.phases.len(), 80, "four seconds");
    for (time_ms, alpha) in [(0, 0.5), (1000, 0.8), (2000, 0.5), (3000, 0.2), (5000, 0.8)] {
        let found = animation.at(time_ms).diffuse[3];
        assert!((found - alpha).abs() < 1e-3, "{time_ms}: {found}");
    }
}

#[test]
fn calculations_follow_each_other_through_variables() {
    let cases = [
        ("Add { srcVar1 $a srcVar2 $b resultVar $x }", 0.7),
        ("Subtract { srcVar1 $b srcVar2 $a resultVar $x }", 0.3),
        ("Multiply { srcVar1 $a srcVar2 $b resultVar $x }", 0.1),
        ("Divide { srcVar1 $a srcVar2 $b resultVar $x }", 0.4),
        ("Equals { srcVar1 $b resultVar $x }", 0.5),
        ("Abs { srcVar1 $minus resultVar $x }", 0.75),
        ("Frac { srcVar1 $much resultVar $x }", 0.25),
        ("Int { srcVar1 $much resultVar $x }", 1.0),
        ("Clamp { srcVar1 $much min .1 max $b resultVar $x }", 0.5),
        (
            "WrapMinMax { srcVar1 $much minVal 0 maxVal .5 resultVar $x }",
            0.25,
        ),
        (
            "SelectFirstIfNonZero { srcVar1 $none srcVar2 $a resultVar $x }",
            0.2,
        ),
        (
            "LessOrEqual { srcVar1 $a srcVar2 $b lessEqualVar $b greaterVar $a resultVar $x }",
            0.5,
        ),
        (
            "Exponential { srcVar1 $none offset 0 scale .5 minVal 0 maxVal 1 resultVar $x }",
            0.5,
        ),
    ];
    for (proxy, expected) in cases {
        // Without something that moves nothing is computed at all.
        let moves = "LinearRamp { rate 0.001 resultVar $ramp } \
            Add { srcVar1 $x srcVar2 $ramp resultVar $alpha }";
        let pass = moving(
            "$a .2 $b .5 $minus -.75 $much 1.25 $none 0 $x 0",
            &format!("{proxy} {moves}"),
        );
        let first = match &pass.animation {
            Some(animation) => animation.at(0).diffuse[3],
            None => pass.diffuse[3],
        };
        assert!((first - expected).abs() < 1e-5, "{proxy}: {first}");
    }
}

#[test]
fn one_channel_of_a_color_may_change_and_noise_stays_in_its_range() {
    let pass = moving(
        "",
        "Sine { resultVar $color[1] sinemin 0 sinemax 1 sineperiod 2 }",
    );
    let animation = pass.animation.unwrap();
    let [r, g, b, _] = animation.at(1500).diffuse;
    assert!(r > 0.999 && g < 0.01 && b > 0.999, "{r} {g} {b}");
    for noise in [
        "UniformNoise { minVal .25 maxVal .5 resultVar $alpha }",
        "GaussianNoise { mean .4 halfWidth .1 minVal .25 maxVal .5 resultVar $alpha }",
    ] {
        let animation = moving("", noise).animation.unwrap();
        let alphas = animation.phases.iter().map(|it| it.diffuse[3]);
        let distinct: std::collections::BTreeSet<u32> = alphas.clone().map(f32::to_bits).collect();
        assert!(
            alphas.clone().all(|it| (0.25..=0.5).contains(&it)),
            "{noise}"
        );
        assert!(distinct.len() > 50, "{noise}: {}", distinct.len());
    }
}

#[test]
fn a_transform_that_a_ramp_moves_scrolls() {
    let proxies = "LinearRamp { rate .5 initialValue 0 resultVar $t } \
        Equals { srcVar1 $t resultVar $move[1] } \
        TextureTransform { translateVar $move resultVar $basetexturetransform }";
    let pass = moving("$t 0 $move \"[0 0]\"", proxies);
    let [u, v] = pass.uv_scroll_per_sec;
    assert!(u.abs() < 1e-4 && (v - 0.5).abs() < 1e-3, "{u} {v}");
    assert_eq!(pass.animation, None);
    let swings = "Sine { resultVar $s sinemin 1 sinemax 3 sineperiod 2 } \
        TextureTransform { scaleVar $s resultVar $basetexturetransform }";
    let animation = moving("$s 1", swings).animation.unwrap();
    assert!((animation.at(500).cell.size[0] - 3.0).abs() < 0.01);
    // What entities and players would decide stays as it is.
    let pass = moving("$alpha .5", "PlayerProximity { scale .1 resultVar $alpha }");
    assert_eq!((pass.animation, pass.diffuse[3]), (None, 0.5));
}
