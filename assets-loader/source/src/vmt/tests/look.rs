//! Texts of parameters against the typed values that the dossier's table gives them.

use super::super::look::detail_mode;
use super::super::values::{color, number, pair, transform, vector};
use super::super::*;
use ironlands_scene::DetailMode;

/// A material with every parameter of the table.
pub(super) const EVERYTHING: &str = r#"
"WorldVertexTransition"
{
    "$baseTexture" "Brick\Wall.vtf"  "$basetexture2" "materials/brick/two"  "$texture2" three
    $hdrbasetexture sky_hdr  $frame 2
    $basetexturetransform "center 0 0 scale 2 3 rotate 0 translate .5 0"
    $basetexturetransform2 "rotate 90"  $bumptransform "scale 4"
    $bumpmap bump  $normalmap other  $bumpmap2 bump2  $ssbump 1  $blendmodulatetexture blend
    $overbrightfactor 2.5  $depthblend 1  $depthblendscale 8
    $translucent 1  $alpha .5  $additive 1  $vertexalpha 1  $vertexcolor 1
    $alphatest 1  $alphatestreference .7  $nocull 1
    $color "[1 .5 .25]"  $color2 "{255 51 0}"
    $detail noise  $detailscale "[2 3]"  $detailblendfactor .6  $detailblendmode 7  $detailtint "[0 1 0]"
    $decal 1  $decalscale .1  $ignorez 1  $nofog 1  $nodecal 1
    $selfillum 1  $selfillummask glow  $selfillumtint "[1 0 0]"
    $envmap Maps\m\c1_2_3  $envmaptint "[.1 .2 .3]"  $envmapmask mask  $envmapcontrast .5
    $envmapsaturation .25  $fresnelreflection .75
    $phong 1  $phongexponent 20  $phongboost 3  $halflambert 1  $rimlight 1  $seamless_scale .01
    $phongexponenttexture narrow  $phongtint "[.5 1 1]"  $phongfresnelranges "[.1 .2 .3]"  $phongalbedotint 1
    $basemapalphaphongmask 1  $rimlightexponent 6  $rimlightboost .5  $rimmask 1  $lightwarptexture warp
    $texture2transform "scale 5"  $envmapmasktransform "scale 6"  $refracttint "[1 .5 0]" $refractamount .25
    $refracttinttexture Glass\stained.vtf  $bluramount 1
    $texture2_uvscale "[2 0]"  $texture2_lumstart .1  $texture2_blendend .75  $basetexture4 Brick/Four  $texture4_lumend .5
    $texture3_blendstart .25  $Iris eyes\iris
    $surfaceprop Metal  $surfaceprop2 DIRT  $no_draw 1
    %compilewater 1  %CompileNodraw 1  %compilesky 0  %tooltexture tool
    Proxies
    {
        AnimatedTexture { animatedtexturevar $bumpmap animatedtextureframenumvar $bumpframe animatedtextureframerate 30 }
        TextureScroll { textureScrollVar $bumptransform textureScrollRate .05 textureScrollAngle 45 }
        TextureScroll { texturescrollrate 2 }
        Sine { resultVar $alpha sinemin .2 sinemax .8 sineperiod 4 timeoffset 1 }
        WaterLOD { }
    }
}"#;

fn look(text: &str) -> Look {
    ResolvedVmt::from_vmt(&Vmt::read(text.as_bytes()).unwrap()).look(LightRange::Ldr)
}

#[test]
fn every_parameter_of_the_table_is_read() {
    let name = |name: &str| Some(name.to_owned());
    let expected = Look {
        shader: Shader::WorldVertexTransition,
        base_texture: name("brick/wall"),
        base_texture_2: name("brick/two"),
        layers: [
            Layer {
                texture: name("brick/two"),
                scale: [2.0, 1.0],
                luminance: [0.1, 1.0],
                weight: [0.0, 0.75],
            },
            Layer {
                texture: None,
                scale: [1.0; 2],
                luminance: [0.0, 1.0],
                weight: [0.25, 1.0],
            },
            Layer {
                texture: name("brick/four"),
                scale: [1.0; 2],
                luminance: [0.0, 0.5],
                weight: [0.0, 1.0],
            },
        ],
        texture_2: name("three"),
        texture_2_transform: Transform([[5.0, 0.0, -2.0], [0.0, 5.0, -2.0]]),
        iris: name("eyes/iris"),
        hdr_base_texture: name("sky_hdr"),
        frame: 2,
        base_transform: Transform([[2.0, 0.0, 0.5], [0.0, 3.0, 0.0]]),
        base_transform_2: Transform::new([0.5; 2], [1.0; 2], 90.0, [0.0; 2]),
        bump_transform: Transform([[4.0, 0.0, -1.5], [0.0, 4.0, -1.5]]),
        bump_map: name("bump"),
        bump_map_2: name("bump2"),
        refract_tint: [1.0, 0.5, 0.0],
        refract_amount: 0.25,
        refract_tint_texture: name("glass/stained"),
        blur_amount: 1,
        ssbump: true,
        blend_modulate_texture: name("blend"),
        blending: Blending {
            translucent: true,
            additive: true,
            overbright: 2.5,
            depth_blend: Some(8.0),
            alpha: 0.5,
            vertex_alpha: true,
            vertex_color: true,
        },
        alpha_test: Some(0.7),
        two_sided: true,
        color: [1.0, 0.5, 0.25],
        color_2: [1.0, 0.2, 0.0],
        detail: Some(Detail {
            texture: "noise".to_owned(),
            scale: [2.0, 3.0],
            transform: Transform::IDENTITY,
            factor: 0.6,
            mode: DetailMode::TwoPattern,
            tint: [0.0, 1.0, 0.0],
        }),
        decal: true,
        decal_scale: 0.1,
        ignore_depth: true,
        no_fog: true,
        no_decal: true,
        self_illum: Some(SelfIllum {
            mask: name("glow"),
            tint: [1.0, 0.0, 0.0],
        }),
        envmap: Some(Envmap {
            source: EnvmapSource::Texture("maps/m/c1_2_3".to_owned()),
            tint: [0.1, 0.2, 0.3],
            mask: EnvmapMask::Texture("mask".to_owned()),
            mask_transform: Transform([[6.0, 0.0, -2.5], [0.0, 6.0, -2.5]]),
            contrast: 0.5,
            saturation: 0.25,
            fresnel: 0.75,
        }),
        phong: Some(Phong {
            exponent: Some(20.0),
            exponent_texture: name("narrow"),
            boost: 3.0,
            tint: [0.5, 1.0, 1.0],
            fresnel: [0.1, 0.2, 0.3],
            albedo_tint: true,
            masked_by_base: true,
            rim: Some(RimLight {
                exponent: 6.0,
                boost: 0.5,
                is_masked: true,
            }),
        }),
        half_lambert: true,
        light_warp: name("warp"),
        seamless_scale: Some(0.01),
        surface_prop: name("metal"),
        surface_prop_2: name("dirt"),
        water: None,
        no_draw: true,
        compile_flags: vec!["%compilenodraw".to_owned(), "%compilewater".to_owned()],
        proxies: vec![
            Proxy::AnimatedTexture {
                texture: "$bumpmap".to_owned(),
                frame: "$bumpframe".to_owned(),
                frames_per_second: 30.0,
            },
            Proxy::TextureScroll {
                transform: "$bumptransform".to_owned(),
                rate: 0.05,
                angle_deg: 45.0,
            },
            Proxy::TextureScroll {
                transform: "$basetexturetransform".to_owned(),
                rate: 2.0,
                angle_deg: 0.0,
            },
            Proxy::Sine {
                result: "$alpha".to_owned(),
                min: 0.2,
                max: 0.8,
                period_secs: 4.0,
                offset_secs: 1.0,
            },
            Proxy::Other(Entry::block("WaterLOD", vec![])),
        ],
        variables: [("$alpha".to_owned(), vec![0.5])].into(),
    };
    assert_eq!(look(EVERYTHING), expected);
}

#[test]
fn what_is_not_said_has_the_tables_default() {
    let plain = look("VertexLitGeneric { }");
    assert_eq!(plain.shader, Shader::VertexLitGeneric);
    assert_eq!(
        plain,
        Look {
            shader: Shader::VertexLitGeneric,
            ..Look::default()
        }
    );
    assert_eq!(plain.blending.alpha, 1.0);
    assert_eq!(plain.decal_scale, 0.25);
    assert_eq!([plain.color, plain.color_2], [[1.0; 3]; 2]);
    assert_eq!(plain.base_transform, Transform::IDENTITY);
    assert!(plain.base_texture.is_none() && plain.detail.is_none() && plain.alpha_test.is_none());
    assert!(plain.envmap.is_none() && plain.water.is_none() && plain.seamless_scale.is_none());
    let detailed = look("a { $detail b $alphatest 1 $envmap ENV_CUBEMAP $basealphaenvmapmask 1 }");
    let detail = detailed.detail.unwrap();
    assert_eq!(
        (detail.scale, detail.factor, detail.mode),
        ([4.0; 2], 1.0, DetailMode::Mod2x)
    );
    assert_eq!(detailed.alpha_test, Some(0.5));
    let envmap = detailed.envmap.unwrap();
    assert_eq!(
        (envmap.source, envmap.mask),
        (EnvmapSource::Nearest, EnvmapMask::BaseAlphaInverted)
    );
    let masked = look("a { $envmap b $normalmapalphaenvmapmask 1 }")
        .envmap
        .unwrap();
    assert_eq!(masked.mask, EnvmapMask::BumpAlpha);
}

#[test]
fn highlights_are_as_narrow_as_a_texture_says_unless_a_number_does() {
    let phong = |text: &str| look(text).phong.unwrap();
    assert_eq!(phong("a { $phong 1 }").exponent, Some(5.0));
    assert_eq!(
        phong("a { $phong 1 $phongexponenttexture b }").exponent,
        None
    );
    let both = phong("a { $phong 1 $phongexponenttexture b $phongexponent 9 }");
    assert_eq!(both.exponent, Some(9.0));
    assert_eq!(both.fresnel, [0.0, 0.5, 1.0]);
    assert_eq!(look("a { $rimlight 1 }").phong, None);
}

#[test]
fn a_transform_after_undoing_another_takes_its_coordinates() {
    let base = Transform::new([0.5; 2], [2.0, 3.0], 30.0, [0.25, 0.0]);
    let bump = Transform::new([0.0; 2], [4.0, 1.0], 90.0, [0.0, 0.125]);
    let relative = bump.after_undoing(&base);
    for uv in [[0.0, 0.0], [1.0, 0.0], [0.3, 0.7]] {
        let [found, expected] = [relative.apply(base.apply(uv)), bump.apply(uv)];
        let apart = (0..2).map(|i| (found[i] - expected[i]).abs());
        assert!(apart.fold(0.0, f32::max) < 1e-5, "{found:?} {expected:?}");
    }
    let flat = Transform([[0.0; 3]; 2]);
    assert_eq!(bump.after_undoing(&flat), bump);
}

#[test]
fn water_has_its_own() {
    let water = look(
        "Water { $abovewater 0 $bottommaterial Dev\\Below $fogcolor \"{82 180 217}\" $fogstart 1 $fogend 2 \
         $refracttint \"[0 1 0]\" $reflecttint \"[1 0 1]\" $refractamount 3 $reflectamount 4 $waterdepth 49 \
         $forcecheap 1 $normalmap Dev\\Ripples $cheapwaterstartdistance 5 $cheapwaterenddistance 6 }",
    )
    .water;
    let color = [82.0 / 255.0, 180.0 / 255.0, 217.0 / 255.0];
    let expected = Water {
        normal_map: Some("dev/ripples".to_owned()),
        above_water: false,
        bottom_material: Some("dev\\below".to_owned()),
        fog_color: color,
        fog_start: 1.0,
        fog_end: 2.0,
        refract_tint: [0.0, 1.0, 0.0],
        reflect_tint: [1.0, 0.0, 1.0],
        refract_amount: 3.0,
        reflect_amount: 4.0,
        depth: Some(49.0),
        force_cheap: true,
        cheap_start: 5.0,
        cheap_end: 6.0,
    };
    assert_eq!(water, Some(expected));
    assert_eq!(look("Water { }").water.unwrap().fog_color, color);
}

#[test]
fn shaders_have_their_kinds() {
    let rows = [
        ("LIGHTMAPPEDGENERIC", Shader::LightmappedGeneric),
        ("LightmappedGeneric_DX8", Shader::LightmappedGeneric),
        ("WorldTwoTextureBlend", Shader::WorldTwoTextureBlend),
        ("Lightmapped_4WayBlend", Shader::MultiBlend),
        ("MultiBlend", Shader::MultiBlend),
        ("UnlitGeneric", Shader::UnlitGeneric),
        ("Cable", Shader::UnlitGeneric),
        ("UnlitTwoTexture", Shader::UnlitTwoTexture),
        ("Sky", Shader::Sky),
        ("Eyes", Shader::VertexLitGeneric),
        ("Water_DX60", Shader::Water),
        ("Refract", Shader::Refract),
        ("ShatteredGlass", Shader::Glass),
        ("DecalModulate", Shader::Modulate),
        ("Screenspace", Shader::Unknown("Screenspace".to_owned())),
    ];
    for (name, shader) in rows {
        assert_eq!(Shader::named(name), shader, "{name}");
    }
    let modes: Vec<DetailMode> = (0..12).map(detail_mode).collect();
    assert_eq!(modes[11], DetailMode::ShadesLight);
    assert!((1..12).all(|i| modes[i] != modes[i - 1]));
    assert_eq!(detail_mode(12), DetailMode::Mod2x);
}

#[test]
fn numbers_end_where_they_stop_being_one() {
    let rows = [
        ("1", 1.0),
        (" .5", 0.5),
        ("-2.5e1x", -25.0),
        ("1e", 1.0),
        ("+3.", 3.0),
        ("1,5", 1.0),
        ("", 0.0),
        ("x1", 0.0),
        ("nan", 0.0),
        ("inf", 0.0),
        ("1e99", 0.0),
        ("--1", 0.0),
    ];
    for (text, value) in rows {
        assert_eq!(number(text), value, "{text:?}");
    }
}

/// Only the opening bracket is reliable.
#[test]
fn vectors_are_recognized_by_their_opening_bracket() {
    let rows: [(&str, &[f32]); 7] = [
        ("[1 .5 2]", &[1.0, 0.5, 2.0]),
        ("[1 .5", &[1.0, 0.5]),
        ("[ 1  2 }", &[1.0, 2.0]),
        ("{255 0", &[1.0, 0.0]),
        ("1 2", &[1.0, 2.0]),
        ("[1,2]", &[1.0, 2.0]),
        ("", &[]),
    ];
    for (text, values) in rows {
        assert_eq!(vector(text), values, "{text:?}");
    }
    assert_eq!(
        [color("[1 2]"), color("3"), color("[4 5 6 7]")],
        [[0.0; 3], [3.0; 3], [4.0, 5.0, 6.0]]
    );
    assert_eq!(
        [pair("2"), pair("[2 3]"), pair("x")],
        [[2.0; 2], [2.0, 3.0], [0.0; 2]]
    );
}

/// The same by the document's formula, one step after the other.
#[test]
fn transforms_turn_about_their_center() {
    let by_steps = |[u, v]: [f32; 2]| {
        let (u, v) = ((u - 0.25) * 2.0, (v - 0.75) * 3.0);
        let (sin, cos) = 30f32.to_radians().sin_cos();
        let (u, v) = (cos * u - sin * v, sin * u + cos * v);
        [u + 0.25 + 0.1, v + 0.75 - 0.2]
    };
    let found = transform("center  .25 .75 SCALE 2 3 rotate 30 translate .1 -.2");
    for uv in [[0.0, 0.0], [1.0, 0.0], [0.3, 0.9], [-4.0, 7.0]] {
        for (found, expected) in found.apply(uv).into_iter().zip(by_steps(uv)) {
            assert!(
                (found - expected).abs() < 1e-5,
                "{uv:?}: {found} {expected}"
            );
        }
    }
    // A quarter turn about the middle takes +u to +v.
    let quarter = transform("center .5 .5 scale 1 1 rotate 90 translate 0 0").apply([1.0, 0.5]);
    assert!(
        (quarter[0] - 0.5).abs() < 1e-6 && (quarter[1] - 1.0).abs() < 1e-6,
        "{quarter:?}"
    );
    let matrix = transform("[1 2 0 3  4 5 0 6  0 0 1 0  0 0 0 1]");
    assert_eq!(matrix, Transform([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]));
    assert_eq!(transform("[1 2"), Transform::IDENTITY);
    assert_eq!(transform("scale translate"), Transform::IDENTITY);
    assert_eq!(transform(""), Transform::IDENTITY);
}
