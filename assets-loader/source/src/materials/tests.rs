mod effects;
mod eyes;
mod layers;
mod two_files;

use ironlands_scene::{Blend, Cull, Lighting, PassKind, PixelFormat};

use super::*;
use crate::pakfile::{Comment, Pakfile};
use crate::vtf::{Draft, ImageFormat, MipChain, TextureFlags, Vtf};

/// The game's files that the tests draw on: 4 x 4 textures, one of them of three frames, and materials.
fn files(materials: &[(&str, &str)]) -> GameFiles {
    let texture = |n_frames: usize, flags| {
        let draft = Draft {
            width: 4,
            height: 4,
            format: ImageFormat::Rgba8888,
            flags,
            mips: MipChain::Full,
            pictures: vec![vec![200; 4 * 4 * 4]; n_frames],
        };
        Vtf::draft(&draft).unwrap().write().unwrap()
    };
    let plain = texture(1, TextureFlags::empty());
    let moving = texture(3, TextureFlags::empty());
    let clamped = texture(1, TextureFlags::CLAMP_S | TextureFlags::CLAMP_T);
    let mut entries: Vec<(String, &[u8])> = vec![
        ("materials/brick.vtf".to_owned(), &plain),
        ("materials/brick_n.vtf".to_owned(), &plain),
        ("materials/moving.vtf".to_owned(), &moving),
        ("materials/clamped.vtf".to_owned(), &clamped),
    ];
    for (name, text) in materials {
        entries.push((format!("materials/{name}.vmt"), text.as_bytes()));
    }
    let entries: Vec<_> = entries
        .iter()
        .map(|(name, data)| (&**name, *data))
        .collect();
    let pakfile = Pakfile::draft(&entries, Comment::None).unwrap();
    GameFiles::new(Some(pakfile), &[]).unwrap()
}

fn surface(name: &str) -> Surface {
    Surface {
        name: name.to_owned(),
        light: SurfaceLight::Stored {
            page: TextureIdx(7),
            styles: vec![0, 3],
            has_directions: true,
        },
        tint: Tint::default(),
        fallback: [255, 0, 51],
        is_water: false,
        is_overlay: false,
        fades: false,
        is_model: false,
        is_seen_through: false,
        is_eye: false,
        probe: None,
    }
}

/// Encoding 1 to display space rounds.
fn near(a: [f32; 4], b: [f32; 4]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
}

/// The passes of one material of this text, and the textures.
fn passes(text: &str, change: impl FnOnce(&mut Surface)) -> (Vec<Pass>, Vec<Texture>) {
    let files = files(&[("wall", text)]);
    let mut materials = Materials::new(&files, LightRange::Ldr);
    let mut wall = surface("WALL");
    change(&mut wall);
    materials.surface(wall).unwrap();
    let mut made = materials.finish();
    assert_eq!(made.findings, []);
    assert_eq!(made.missing, MissingFiles::default());
    (made.materials.remove(0).passes, made.textures)
}

#[test]
fn a_wall_is_lit_by_what_was_stored_through_its_normal_map() {
    let text = r#"LightmappedGeneric { "$basetexture" "Brick" "$bumpmap" "brick_n" }"#;
    let (passes, textures) = passes(text, |_| ());
    let [pass] = &*passes else {
        panic!("{passes:?}")
    };
    assert_eq!(pass.kind, PassKind::Base);
    assert_eq!(pass.lighting, Lighting::Lightmap);
    assert_eq!((pass.blend, pass.cull), (None, Cull::Back));
    assert!(near(pass.diffuse, [1.0; 4]));
    let light = pass.lightmap.as_ref().unwrap();
    assert_eq!(
        (light.texture, &*light.styles),
        (TextureIdx(7), &[0, 3][..])
    );
    assert_eq!(light.layers_per_style(), 4);
    let name = |texture: TextureIdx| &*textures[texture.0 as usize].name;
    assert_eq!(name(light.normal_map.unwrap().texture), "brick_n");
    let base = &textures[pass.texture.unwrap().0 as usize];
    assert_eq!((&*base.name, base.format), ("brick", PixelFormat::Rgba8));
    let sizes: Vec<usize> = base.mips.iter().map(Vec::len).collect();
    assert_eq!(sizes, [64, 16, 4]);
}

#[test]
fn what_is_missing_has_its_average_color_and_is_reported_once() {
    let files = files(&[("half", r#"LightmappedGeneric { "$basetexture" "gone" }"#)]);
    let mut materials = Materials::new(&files, LightRange::Ldr);
    let nowhere = materials.surface(surface("nowhere")).unwrap();
    assert_eq!(materials.surface(surface("nowhere")), Some(nowhere));
    materials.surface(surface("half")).unwrap();
    assert!(!materials.has_normal_map("nowhere"));
    let made = materials.finish();
    assert_eq!(made.textures, []);
    for material in &made.materials {
        assert!(near(material.passes[0].diffuse, [1.0, 0.0, 0.2, 1.0]));
        assert_eq!(material.passes[0].texture, None);
    }
    assert_eq!(made.findings, []);
    assert_eq!(
        reported(&made.missing),
        [
            "2 files of the game are missing: 1 material, 1 texture",
            "materials/nowhere.vmt is missing: the surface has the average color of its texture",
            "materials/gone.vtf is missing: its material goes without it",
        ]
    );
}

fn reported(missing: &MissingFiles) -> Vec<String> {
    let findings = missing.findings().into_iter();
    findings.map(|finding| finding.message).collect()
}

#[test]
fn unlit_surfaces_brighter_than_the_light_of_the_level_are_lamps() {
    let text = r#"UnlitGeneric { "$basetexture" "brick" }"#;
    let files = files(&[("wall", text)]);
    // Display space 188 is half of full light.
    for (light, brightest, glows) in [
        ([0.5, 0.2, 0.2], 189, true),
        ([0.5, 0.2, 0.2], 187, false),
        ([0.1, 0.1, 0.1], 100, true),
        ([3.0; 3], 254, false),
        ([3.0; 3], 255, true),
    ] {
        let mut materials = Materials::new(&files, LightRange::Ldr).in_light(light);
        let wall = Surface {
            fallback: [0, brightest, 0],
            ..surface("wall")
        };
        materials.surface(wall).unwrap();
        let made = materials.finish();
        let found = made.materials[0].passes[0].glows;
        assert_eq!(found, glows, "{brightest} in {light:?}");
    }
}

#[test]
fn missing_water_and_sky_are_distinguished_from_missing_surfaces() {
    let patch = r#"patch { include "materials/water/lake.vmt" insert { } }"#;
    let files = files(&[("maps/m/lake_depth_49", patch)]);
    let mut materials = Materials::new(&files, LightRange::Ldr);
    let mut water = surface("maps/m/lake_depth_49");
    water.is_water = true;
    // Half of the light in green.
    water.light = SurfaceLight::Even([255, 127, 255]);
    water.fallback = [51, 102, 0];
    materials.surface(water).unwrap();
    assert_eq!(materials.sky_picture("skybox/dayup"), None);
    let made = materials.finish();
    let pass = &made.materials[0].passes[0];
    let green = 0.4 * 127.0 / 255.0;
    assert!(
        near(pass.diffuse, [0.2, green, 0.0, 128.0 / 255.0]),
        "water without a material has its average color in the light of its place: {:?}",
        pass.diffuse
    );
    assert_eq!(
        reported(&made.missing)[0],
        "2 files of the game are missing: 1 water material, 1 sky material"
    );
}

#[test]
fn water_lies_in_the_light_of_its_place() {
    let text = r#"Water { $fogcolor "{ 51 102 0 }" }"#;
    let (passes, _) = passes(text, |it| it.light = SurfaceLight::Even([51, 255, 255]));
    assert!(near(passes[0].diffuse, [0.04, 0.4, 0.0, 128.0 / 255.0]));
}

#[test]
fn a_surface_without_texture_and_light_is_a_checker_in_its_average_color() {
    let files = files(&[]);
    let mut materials = Materials::new(&files, LightRange::Ldr);
    let mut bright = surface("nowhere");
    bright.light = SurfaceLight::FullBright;
    materials.surface(bright).unwrap();
    let made = materials.finish();
    let pass = &made.materials[0].passes[0];
    assert!(near(pass.diffuse, [1.0, 0.0, 0.2, 1.0]));
    let checker = &made.textures[pass.texture.unwrap().0 as usize];
    let pixels = checker.mips[0].as_chunks::<4>().0;
    let shades: std::collections::BTreeSet<_> = pixels.iter().collect();
    assert_eq!(shades.len(), 2);
}

#[test]
fn shaders_and_flags_decide_how_a_surface_covers() {
    let kind = |text: &str| {
        let (passes, _) = passes(text, |_| ());
        (passes[0].kind, passes[0].blend, passes[0].lighting)
    };
    let translucent = r#"LightmappedGeneric { $basetexture brick $translucent 1 }"#;
    let expected = (
        PassKind::Translucent,
        Some(Blend::ALPHA),
        Lighting::Lightmap,
    );
    assert_eq!(kind(translucent), expected);
    let unlit = r#"UnlitGeneric { $basetexture brick }"#;
    assert_eq!(kind(unlit), (PassKind::Base, None, Lighting::Unlit));
    let water = r#"Water { $fogcolor "{ 51 102 0 }" }"#;
    let expected = (PassKind::Water, Some(Blend::ALPHA), Lighting::Unlit);
    assert_eq!(kind(water), expected);

    let (passes, _) = passes(
        r#"LightmappedGeneric { $basetexture brick $alphatest 1 $nocull 1 }"#,
        |it| it.tint.alpha = 51,
    );
    assert_eq!(passes[0].alpha_test, Some(0.5));
    assert_eq!(passes[0].cull, Cull::None);
    assert_eq!(passes[0].kind, PassKind::Translucent);
    assert_eq!(passes[0].diffuse[3], 0.2);
}

#[test]
fn pictures_on_faces_are_laid_over_them() {
    let text = r#"LightmappedGeneric { $basetexture brick $translucent 1 }"#;
    let (passes, _) = passes(text, |it| it.is_overlay = true);
    assert_eq!(passes[0].kind, PassKind::Decal);
    assert_eq!(passes[0].blend, Some(Blend::ALPHA));
    assert!(!passes[0].depth_write);
}

#[test]
fn only_displacements_fade_to_the_blend_texture() {
    let text = r#"WorldVertexTransition { $basetexture brick $basetexture2 clamped }"#;
    let (flat, _) = passes(text, |_| ());
    assert_eq!(flat[0].blend_texture, None);
    let (grid, textures) = passes(text, |it| it.fades = true);
    let second = grid[0].blend_texture.unwrap();
    let second = &textures[second.texture.0 as usize];
    assert_eq!(second.addressing, ironlands_scene::Addressing::Clamp);
}

#[test]
fn proxies_move_textures() {
    let text = r#"UnlitGeneric { $basetexture moving Proxies {
        TextureScroll { texturescrollvar $basetexturetransform texturescrollrate 0.5 texturescrollangle 90 }
        AnimatedTexture { animatedtexturevar $basetexture animatedtextureframenumvar $frame
            animatedtextureframerate 4 } } }"#;
    let (passes, _) = passes(text, |_| ());
    let [u, v] = passes[0].uv_scroll_per_sec;
    assert!(u.abs() < 1e-6 && (v - 0.5).abs() < 1e-6, "{u} {v}");
    let animation = passes[0].animation.as_ref().unwrap();
    assert_eq!(animation.phases.len(), 3);
    assert!(animation.keys.iter().all(|key| key.duration_ms == 250));
    assert_eq!(animation.at(260).texture, animation.phases[1].texture);
}

#[test]
fn a_normal_map_is_the_waves_of_water() {
    let text = r#"Water { $normalmap moving $bumptransform "center 0 0 scale 2 4 rotate 0 translate .5 0" Proxies {
        TextureScroll { texturescrollvar $bumptransform texturescrollrate 0.25 texturescrollangle 0 }
        AnimatedTexture { animatedtexturevar $normalmap animatedtextureframenumvar $bumpframe
            animatedtextureframerate 30 } } }"#;
    let (passes, textures) = passes(text, |_| ());
    let water = &passes[0];
    assert!(water.liquid.unwrap().has_wave_texture);
    let texture = &textures[water.texture.unwrap().0 as usize];
    assert_eq!(texture.name, "moving");
    assert_eq!(water.cell.size, [2.0, 4.0]);
    assert_eq!(water.cell.min, [0.5, 0.0]);
    assert_eq!(water.uv_scroll_per_sec, [0.25, 0.0]);
    assert_eq!(water.animation.as_ref().unwrap().phases.len(), 3);

    let (passes, _) = self::passes("Water { }", |_| ());
    assert_eq!(passes[0].texture, None);
    assert!(!passes[0].liquid.unwrap().has_wave_texture);
}

#[test]
fn water_mirrors_as_much_of_each_color_as_it_says() {
    let text = "Water { $reflectamount 0.5 $reflecttint \"[1 .5 4]\" }";
    let (passes, _) = passes(text, |_| ());
    assert_eq!(passes[0].liquid.unwrap().reflectance, [0.5, 0.25, 1.0]);
    let (passes, _) = self::passes("Water { $reflectamount 2 }", |_| ());
    assert_eq!(passes[0].liquid.unwrap().reflectance, [1.0; 3]);
}

#[test]
fn alpha_may_glow() {
    let text = r#"LightmappedGeneric { $basetexture brick $selfillum 1 }"#;
    let (passes, _) = passes(text, |_| ());
    let [base, glow] = &*passes else {
        panic!("{passes:?}")
    };
    assert_eq!(base.blend, None);
    assert_eq!(
        (glow.kind, glow.lighting),
        (PassKind::Decal, Lighting::Unlit)
    );
    assert_eq!(glow.texture, base.texture);
}

#[test]
fn fine_structure_has_coordinates_of_its_own() {
    let text = r#"LightmappedGeneric { $basetexture brick $detail brick_n $detailscale 6 }"#;
    let files = files(&[("wall", text), ("bare", "LightmappedGeneric { }")]);
    let mut materials = Materials::new(&files, LightRange::Ldr);
    let (material, Transform(rows)) = materials.detail("wall").unwrap();
    assert_eq!(rows, [[6.0, 0.0, 0.0], [0.0, 6.0, 0.0]]);
    assert_eq!(materials.detail("bare"), None);
    let made = materials.finish();
    let pass = &made.materials[material.0 as usize].passes[0];
    assert_eq!(
        (pass.kind, pass.blend),
        (PassKind::Detail, Some(Blend::MODULATE_2X))
    );
}
