//! The demo's garden as a scene: what its entities and detail props become.

use std::path::Path;

use ironlands_scene::{CorrectionPlace, Scene, ViewRange};
use ironlands_world_source::{LightRange, SourceOptions, open_level};

fn garden(light: LightRange) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../DATA/SOURCE/garden.bsp");
    let options = SourceOptions {
        light: Some(light),
        ..SourceOptions::default()
    };
    let level = open_level(&path, &[], &options).expect("the garden opens");
    assert_eq!(level.scene.validate(), Ok(()));
    assert_eq!(level.findings, [], "all that it shows is with it");
    level.scene
}

#[test]
fn each_tuft_is_a_sprite_two_that_cross_or_three_in_a_triangle() {
    let scene = garden(LightRange::Ldr);
    let foliage = scene.foliage.as_ref().expect("grass");
    // Of 44 columns the first 15 are sprites, then 15 of crosses, and 14 of triangles; 14 rows of each.
    assert_eq!(foliage.sprites.len(), 14 * (15 + 15 * 2 + 14 * 3));
    assert_eq!(foliage.frames.len(), 4);
    assert_eq!(foliage.range.far, [800.0, 1200.0]);
    let n_patched: u32 = foliage
        .patches
        .iter()
        .map(|it| it.sprites.end - it.sprites.start)
        .sum();
    assert_eq!(n_patched as usize, foliage.sprites.len());
    // Those of one row have light that flickers.
    let n_flickering = foliage
        .sprites
        .iter()
        .filter(|it| !it.styled_lights.is_empty());
    assert_eq!(n_flickering.count(), 15 + 15 * 2 + 14 * 3);
    let pots = scene
        .instances
        .iter()
        .filter(|it| it.name.starts_with("detail "));
    let ranges: Vec<_> = pots.map(|it| it.range.far).collect();
    assert_eq!(ranges, [[800.0, 1200.0]; 3]);
}

#[test]
fn ropes_hang_between_their_posts_and_vases_are_gone_from_afar() {
    let scene = garden(LightRange::Ldr);
    let ropes = scene.instances.iter();
    let ropes = ropes.filter(|it| it.name.starts_with("rope_") || it.name == "move_rope");
    let lowest = ropes.map(|it| {
        let mesh = &scene.models[it.model.0 as usize].mesh;
        let heights = mesh
            .positions
            .iter()
            .map(|place| it.world_from_model.transform_point(*place)[2]);
        heights.fold(f32::INFINITY, f32::min)
    });
    let lowest: Vec<f32> = lowest.collect();
    // Straight, with a little slack, with much, and hanging down from 150 as far as the way was long.
    let [straight, little, much, cut] = lowest[..] else {
        panic!("four ropes: {lowest:?}");
    };
    // The lowest edge of a tube of six sides.
    let lowest_edge = 130.0 - 1.5 * 60f32.to_radians().sin();
    assert!((straight - lowest_edge).abs() < 0.01, "{straight}");
    assert!((80.0..110.0).contains(&little), "{little}");
    assert!((0.0..40.0).contains(&much), "{much}");
    assert!((cut - 58.2).abs() < 0.1, "{cut}");
    let vases = scene
        .instances
        .iter()
        .filter(|it| it.name.starts_with("prop_static"));
    let ranges: Vec<_> = vases.map(|it| it.range.far).collect();
    assert_eq!(ranges, [[400.0, 560.0]; 5]);
    let posts = scene
        .instances
        .iter()
        .filter(|it| it.range == ViewRange::ALL)
        .count();
    assert_eq!(posts, 4, "what has no range are the ropes");
}

#[test]
fn decals_lie_on_walls_and_ground() {
    let scene = garden(LightRange::Ldr);
    let decals = scene
        .meshes
        .iter()
        .find(|it| it.name == "overlays")
        .expect("decals");
    let lies = |axis: usize, at: f32| {
        let mut places = decals.positions.iter();
        places.any(|place| (place[axis] - at).abs() < 0.3)
    };
    assert!(lies(1, 639.8) && lies(2, 0.2) && lies(0, 0.2));
    // 48 units wide: 64 texels at 0.75.
    let on_wall = decals
        .positions
        .iter()
        .filter(|it| (it[1] - 639.8).abs() < 0.1 && it[2] > 40.0);
    let (low, high) = on_wall.fold((f32::MAX, f32::MIN), |(low, high), it| {
        (low.min(it[0]), high.max(it[0]))
    });
    assert!(
        (low - 168.0).abs() < 0.1 && (high - 216.0).abs() < 0.1,
        "{low} {high}"
    );
}

#[test]
fn exposure_is_for_light_of_high_range_and_corrections_for_all() {
    for light in [LightRange::Ldr, LightRange::Hdr] {
        let scene = garden(light);
        let bounds = scene.auto_exposure.map(|it| [it.min, it.max, it.bloom]);
        let expected = (light == LightRange::Hdr).then_some([0.4, 4.0, 0.6]);
        assert_eq!(bounds, expected);
        let [correction] = &scene.color_corrections[..] else {
            panic!("one correction");
        };
        let place = CorrectionPlace::Ball {
            center: [64.0; 3],
            full_within: 64.0,
            none_beyond: 192.0,
        };
        assert_eq!((correction.place, correction.weight), (place, 1.0));
        assert_eq!(scene.color_tables[0].side, 32);
    }
}
