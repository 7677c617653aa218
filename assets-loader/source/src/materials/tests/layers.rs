//! Layers of one material over another.

use ironlands_scene::{LayerEdge, LayerFade};

use super::*;

const TEXT: &str = r#"Lightmapped_4WayBlend {
    $basetexture brick  $bumpmap brick_n  $selfillum 1
    $basetexture2 moving  $texture2_uvscale "[2 3]"  $texture2_blendstart .5  $texture2_blendend .75
    $basetexture4 clamped  $texture4_lumstart .25  $texture4_lumend .5
}"#;

#[test]
fn layers_lie_over_the_first_by_weights_of_their_own() {
    let (passes, textures) = passes(TEXT, |it| it.fades = true);
    let [base, second, fourth, glow] = &passes[..] else {
        panic!("there is no third layer: {passes:?}");
    };
    let name = |pass: &Pass| &*textures[pass.texture.unwrap().0 as usize].name;
    assert_eq!(
        [base, second, fourth, glow].map(name),
        ["brick", "moving", "clamped", "brick"]
    );
    assert_eq!(
        (base.kind, base.fade, base.blend_texture),
        (PassKind::Base, None, None)
    );
    let fade = |channel, luminance, weight| LayerFade {
        channel,
        edge: Some(LayerEdge { luminance, weight }),
    };
    assert_eq!(second.fade, Some(fade(0, [0.0, 1.0], [0.5, 0.75])));
    assert_eq!(fourth.fade, Some(fade(2, [0.25, 0.5], [0.0, 1.0])));
    assert_eq!((second.cell.size, fourth.cell.size), ([2.0, 3.0], [1.0; 2]));
    for layer in [second, fourth] {
        assert_eq!(
            (layer.kind, layer.blend),
            (PassKind::Decal, Some(Blend::ALPHA))
        );
        assert!(!layer.depth_write && layer.effects.is_none());
        assert_eq!(
            (layer.lighting, &layer.lightmap),
            (base.lighting, &base.lightmap)
        );
    }
}

#[test]
fn without_stored_light_there_are_no_layers() {
    let (passes, _) = passes(TEXT, |it| {
        it.fades = true;
        it.light = SurfaceLight::FullBright;
    });
    assert!(passes.iter().all(|it| it.fade.is_none()));
}

#[test]
fn only_displacements_have_layers() {
    let (passes, _) = passes(TEXT, |_| {});
    assert!(passes.iter().all(|it| it.fade.is_none()));
}
