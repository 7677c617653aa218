//! Panes: surfaces that bend, color and blur what is behind them, and each other.
//!
//! What is expected is computed from pictures without the panes, pixel by pixel.

use image::RgbaImage;
use ironlands_renderer::{Camera, FrameState, FrameStats, Style};
use ironlands_scene::{
    Aabb, Affine, Blend, BlendFactor, Lighting, MaterialIdx, Pass, PassKind, Refraction, Scene,
    TextureIdx, ViewRange,
};

use crate::models::{add_instance, add_model, at, plate_of};
use crate::stage::*;

/// A wall of these colors, each a quarter of the picture wide.
const COLUMNS: [[u8; 4]; 4] = [
    [200, 100, 0, 255],
    [0, 100, 200, 255],
    [80, 200, 40, 255],
    [240, 240, 240, 255],
];
pub const COLUMN_PX: i32 = SIZE[0] as i32 / 4;
/// Quarter of the picture's width: a bend that moves what is seen by a column.
pub const ONE_COLUMN: f32 = 0.25;
pub const ROW: u32 = CENTER[1];

/// A pane: its place ahead, its left and right end in pixels, and what it makes of what is behind.
#[derive(Clone, Copy)]
struct Pane {
    x: f32,
    px: [i32; 2],
    bend: f32,
    tint: [f32; 3],
}

impl Pane {
    /// What it shows of a row of which `behind` is what is behind it.
    fn seen(&self, behind: impl Fn(i32) -> [f32; 3], px: i32) -> [f32; 3] {
        if px < self.px[0] || px >= self.px[1] {
            return behind(px);
        }
        let moved_px = (self.bend * SIZE[0] as f32).round() as i32;
        let color = behind((px + moved_px).clamp(0, SIZE[0] as i32 - 1));
        std::array::from_fn(|i| color[i] * self.tint[i])
    }
}

fn column(px: i32) -> [f32; 3] {
    let [r, g, b, _] = COLUMNS[(px / COLUMN_PX) as usize];
    [r, g, b].map(f32::from)
}

/// The corners of a rectangle across the line of sight, as high as the picture, between two columns of pixels.
fn upright(x: f32, px: [i32; 2]) -> [[f32; 3]; 4] {
    let half = x * (Camera::default().horizontal_fov_rad * 0.5).tan();
    let [left, right] = px.map(|px| half * (1.0 - px as f32 / CENTER[0] as f32));
    [
        [x, left, -half],
        [x, right, -half],
        [x, right, half],
        [x, left, half],
    ]
}

fn columns() -> Scene {
    let mut scene = empty();
    for (index, color) in (0..).zip(COLUMNS) {
        let pass = unlit(&mut scene, color);
        let wall = material(&mut scene, vec![pass]);
        let px = [index * COLUMN_PX, (index + 1) * COLUMN_PX];
        add_quad(&mut scene, upright(20.0, px), [-1.0, 0.0, 0.0], wall);
    }
    scene
}

/// Normals that all lean to the right.
fn leaning(scene: &mut Scene) -> TextureIdx {
    texture(scene, [1, 1], vec![255, 128, 128, 255])
}

pub fn bending(scene: &mut Scene, bend: f32, [r, g, b]: [f32; 3]) -> Pass {
    Pass {
        kind: PassKind::Refracting,
        refraction: Some(Refraction {
            normals: leaning(scene),
            bend,
            tint: None,
            blur_px: 0,
        }),
        diffuse: [r, g, b, 1.0],
        lighting: Lighting::Unlit,
        blend: Some(Blend::MODULATE),
        depth_write: false,
        ..Pass::default()
    }
}

/// A pane of one material over a rectangle.
pub fn add_pane(scene: &mut Scene, corners: [[f32; 3]; 4], pass: Pass) -> MaterialIdx {
    let glass = material(scene, vec![pass]);
    add_quad(scene, corners, [-1.0, 0.0, 0.0], glass);
    glass
}

fn with_panes(panes: &[Pane]) -> Scene {
    let mut scene = columns();
    for pane in panes {
        let pass = bending(&mut scene, pane.bend, pane.tint);
        add_pane(&mut scene, upright(pane.x, pane.px), pass);
    }
    scene
}

fn states() -> [FrameState; 2] {
    [Style::Faithful, Style::Enhanced].map(|style| FrameState { style, ..state() })
}

/// The middle row is as expected, but for a pixel beside each edge.
#[track_caller]
fn assert_row(picture: &RgbaImage, expected: impl Fn(i32) -> [f32; 3]) {
    let n_compared = (1..SIZE[0] as i32 - 1).filter(|px| {
        let [before, here, after] = [px - 1, *px, px + 1].map(&expected);
        let is_plain = before == here && here == after;
        if is_plain {
            let color = here.map(|it| it.round() as u8);
            assert_pixel(picture, [*px as u32, ROW], color, 2);
        }
        is_plain
    });
    assert!(n_compared.count() > 40, "most of the row is compared");
}

/// A pixel of a picture, colored.
pub fn tinted(picture: &RgbaImage, [x, y]: [u32; 2], tint: [f32; 3]) -> [u8; 3] {
    let pixel = picture.get_pixel(x, y).0;
    std::array::from_fn(|i| (f32::from(pixel[i]) * tint[i]).round() as u8)
}

pub fn draw(scene: &Scene, state: &FrameState, n_samples: u32) -> (RgbaImage, FrameStats) {
    let drawn = shoot_with(scene, state, n_samples, None);
    if let Ok(folder) = std::env::var("REFRACTING_PICTURES") {
        let thread = std::thread::current();
        let name = thread.name().unwrap_or_default().replace("::", "_");
        let path = format!("{folder}/{name}_{n_samples}.png");
        drawn.0.save(path).expect("a folder for pictures");
    }
    drawn
}

const FAR: Pane = Pane {
    x: 15.0,
    px: [9, 63],
    bend: ONE_COLUMN,
    tint: [1.0, 0.5, 1.0],
};
const NEAR: Pane = Pane {
    x: 10.0,
    px: [24, 72],
    bend: -ONE_COLUMN,
    tint: [0.5, 1.0, 1.0],
};

#[test]
fn a_pane_shows_what_is_behind_it_tinted_and_moved() {
    for state in states() {
        for bend in [0.0, ONE_COLUMN, -ONE_COLUMN] {
            let pane = Pane { bend, ..FAR };
            let (picture, stats) = draw(&with_panes(&[pane]), &state, 1);
            assert_row(&picture, |px| pane.seen(column, px));
            assert_eq!(stats.picture_copies, 1);
        }
    }
}

#[test]
fn a_near_pane_shows_a_far_one() {
    for state in states() {
        for n_samples in [1, 4] {
            for order in [[FAR, NEAR], [NEAR, FAR]] {
                let (picture, stats) = draw(&with_panes(&order), &state, n_samples);
                assert_row(&picture, |px| {
                    NEAR.seen(|behind| FAR.seen(column, behind), px)
                });
                assert_eq!(stats.picture_copies, 2);
            }
        }
    }
}

#[test]
fn panes_of_one_batch_are_seen_through_each_other() {
    let mut scene = with_panes(&[
        FAR,
        Pane {
            tint: FAR.tint,
            bend: FAR.bend,
            ..NEAR
        },
    ]);
    let far = scene.meshes.pop().expect("two panes");
    let near = scene.meshes.last_mut().expect("two panes");
    near.positions.extend(far.positions);
    near.normals.extend(far.normals);
    for (set, other) in near.uv_sets.iter_mut().zip(far.uv_sets) {
        set.extend(other);
    }
    near.indices
        .extend(far.indices.iter().map(|index| index + 4));
    near.batches[0].n_indices += 6;
    let mut corners = near.positions.iter();
    let bounds = Aabb::around(&mut corners).expect("corners");
    near.clusters[0].bounds = bounds;
    let (picture, stats) = draw(&scene, &state(), 1);
    let near = Pane {
        tint: FAR.tint,
        bend: FAR.bend,
        ..NEAR
    };
    assert_row(&picture, |px| {
        near.seen(|behind| FAR.seen(column, behind), px)
    });
    assert_eq!(stats.picture_copies, 2);
}

#[test]
fn the_picture_is_copied_no_more_often_than_panes_show_each_other() {
    let left = Pane {
        px: [2, 20],
        bend: 0.0,
        ..FAR
    };
    let right = Pane {
        px: [40, 60],
        bend: 0.0,
        ..NEAR
    };
    let copies = |panes: &[Pane]| draw(&with_panes(panes), &state(), 1).1.picture_copies;
    assert_eq!(copies(&[]), 0);
    assert_eq!(copies(&[left, right]), 1);
    assert_eq!(
        copies(&[
            left,
            Pane {
                px: left.px,
                ..right
            }
        ]),
        2
    );
    let many: Vec<_> = (0..6)
        .map(|i| Pane {
            x: 8.0 + i as f32,
            ..FAR
        })
        .collect();
    assert_eq!(copies(&many), 3);
    let behind_the_eye = Pane { x: -5.0, ..FAR };
    assert_eq!(copies(&[behind_the_eye]), 0);
}

#[test]
fn what_is_in_front_of_a_pane_is_not_seen_through_it() {
    for state in states() {
        let mut scene = with_panes(&[FAR]);
        let pass = unlit(&mut scene, [255, 255, 255, 255]);
        let near = material(&mut scene, vec![pass]);
        // The second quarter would show what is in the third.
        add_quad(&mut scene, upright(5.0, [36, 72]), [-1.0, 0.0, 0.0], near);
        let expected = |px: i32| match px {
            36.. => [255.0; 3],
            18.. => std::array::from_fn(|i| column(px)[i] * FAR.tint[i]),
            _ => FAR.seen(column, px),
        };
        assert_row(&draw(&scene, &state, 1).0, expected);
    }
}

#[test]
fn what_is_seen_through_is_bent_by_nearer_panes_alone() {
    let mut scene = with_panes(&[FAR, NEAR]);
    let mut add = |x: f32, color: [u8; 4]| {
        let pass = Pass {
            kind: PassKind::Translucent,
            blend: Some(Blend::MODULATE),
            depth_write: false,
            ..unlit(&mut scene, color)
        };
        let glass = material(&mut scene, vec![pass]);
        // Its middle is on the line of sight, as those of the panes nearly are.
        add_quad(&mut scene, upright(x, [30, 42]), [-1.0, 0.0, 0.0], glass);
    };
    for (x, color) in [
        (18.0, [255, 255, 51, 255]),
        (13.0, [51, 255, 255, 255]),
        (7.0, [255, 51, 255, 255]),
    ] {
        add(x, color);
    }
    let strip = |color: [f32; 3], tint: [f32; 3], px: i32| match px {
        30..42 => std::array::from_fn(|i| color[i] * tint[i]),
        _ => color,
    };
    let behind_all = |px| strip(column(px), [1.0, 1.0, 0.2], px);
    let between = |px| strip(FAR.seen(behind_all, px), [0.2, 1.0, 1.0], px);
    let before_all = |px| strip(NEAR.seen(between, px), [1.0, 0.2, 1.0], px);
    for n_samples in [1, 4] {
        assert_row(&draw(&scene, &state(), n_samples).0, before_all);
    }
}

#[test]
fn what_is_laid_over_a_pane_is_seen_through_a_nearer_one() {
    let mut scene = with_panes(&[]);
    let bent = bending(&mut scene, FAR.bend, FAR.tint);
    let over = Pass {
        kind: PassKind::Translucent,
        blend: Some(Blend {
            source: BlendFactor::One,
            destination: BlendFactor::One,
        }),
        depth_write: false,
        ..unlit(&mut scene, [10, 40, 0, 255])
    };
    let glass = material(&mut scene, vec![bent, over]);
    add_quad(&mut scene, upright(FAR.x, FAR.px), [-1.0, 0.0, 0.0], glass);
    let pass = bending(&mut scene, NEAR.bend, NEAR.tint);
    add_pane(&mut scene, upright(NEAR.x, NEAR.px), pass);
    let far = |px: i32| {
        let [r, g, b] = FAR.seen(column, px);
        match px {
            9..63 => [(r + 10.0).min(255.0), g + 40.0, b],
            _ => [r, g, b],
        }
    };
    assert_row(&draw(&scene, &state(), 1).0, |px| NEAR.seen(far, px));
}

#[test]
fn a_tint_texture_multiplies_what_is_behind() {
    let mut scene = columns();
    let tint = texture(&mut scene, [2, 1], vec![255, 51, 0, 255, 0, 255, 102, 255]);
    let mut pass = bending(&mut scene, 0.0, [1.0, 0.5, 1.0]);
    pass.refraction = pass.refraction.map(|it| Refraction {
        tint: Some(tint),
        ..it
    });
    // More than all of it, as far as a picture goes.
    pass.diffuse[2] = 2.0;
    add_pane(&mut scene, upright(10.0, [0, 72]), pass);
    for state in states() {
        let (picture, _) = draw(&scene, &state, 1);
        assert_pixel(&picture, [5, ROW], [200, 10, 0], 1);
        let [_, g, b] = column(66).map(|it| it as u8);
        assert_pixel(
            &picture,
            [66, ROW],
            [0, g / 2, (f32::from(b) * 0.8) as u8],
            1,
        );
    }
}

#[test]
fn a_blurred_pane_shows_the_mean_of_pixels_around() {
    let plain = draw(&columns(), &state(), 1).0;
    let mean = |x: u32, y: u32, blur_px: u32| -> [u8; 3] {
        let [xs, ys] = [x, y].map(|at| at - blur_px..=at + blur_px);
        let pixels = ys.flat_map(|y| xs.clone().map(move |x| [x, y]));
        let n = (2 * blur_px + 1).pow(2) as f32;
        let sum = pixels.fold([0.0; 3], |sum: [f32; 3], [x, y]| {
            std::array::from_fn(|i| sum[i] + f32::from(plain.get_pixel(x, y).0[i]))
        });
        sum.map(|it| (it / n).round() as u8)
    };
    for blur_px in [1, 2] {
        let mut scene = columns();
        let mut pass = bending(&mut scene, 0.0, [1.0; 3]);
        pass.refraction = pass.refraction.map(|it| Refraction { blur_px, ..it });
        add_pane(&mut scene, upright(10.0, [-9, 81]), pass);
        let (picture, _) = draw(&scene, &state(), 1);
        for x in 2..SIZE[0] - 2 {
            assert_pixel(&picture, [x, ROW], mean(x, ROW, blur_px.into()), 1);
        }
    }
}

/// Where a pane of a model is drawn, and where it has moved to.
fn on_entity(range: ViewRange) -> Scene {
    let mut scene = columns();
    let pass = bending(&mut scene, FAR.bend, FAR.tint);
    let glass = material(&mut scene, vec![pass]);
    let mut model = plate_of(glass);
    model.mesh.batches[0].material = glass;
    let model = add_model(&mut scene, model);
    add_instance(&mut scene, model, at(4.0, 2.0, 0.0));
    scene.instances[0].range = range;
    scene
}

/// The pane of [`on_entity`] as a face of the level, at a place.
fn as_face([x, y, z]: [f32; 3]) -> Scene {
    let mut scene = columns();
    let pass = bending(&mut scene, FAR.bend, FAR.tint);
    let corners = [[1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];
    add_pane(
        &mut scene,
        corners.map(|[right, up]| [x, y + right, z + up]),
        pass,
    );
    scene
}

#[test]
fn a_pane_that_moves_bends_what_is_behind_where_it_is() {
    let scene = on_entity(ViewRange::ALL);
    let mut state = state();
    for place in [[4.0, 2.0, 0.0], [4.0, -1.0, 0.5], [3.0, 0.0, 0.0]] {
        let [x, y, z] = place;
        state.poses = vec![at(x, y, z)];
        let expected = draw(
            &as_face(place),
            &FrameState {
                poses: Vec::new(),
                ..state.clone()
            },
            1,
        );
        let found = draw(&scene, &state, 1);
        assert_eq!(found.0, expected.0, "{place:?}");
        assert_eq!(found.1.picture_copies, 1);
    }
    // At rest it is where its instance is.
    state.poses = Vec::new();
    let expected = draw(&as_face([4.0, 2.0, 0.0]), &state, 1).0;
    assert_eq!(draw(&scene, &state, 1).0, expected);
    // Mirrored, turned around and seen from its back, it is the same pane.
    state.poses = vec![Affine([
        [-1.0, 0.0, 0.0, 4.0],
        [0.0, 1.0, 0.0, 2.0],
        [0.0, 0.0, 1.0, 0.0],
    ])];
    assert_eq!(draw(&scene, &state, 1).0, expected);
}

#[test]
fn a_pane_that_fades_out_is_glass() {
    let plain = draw(&columns(), &state(), 1).0;
    let fading = ViewRange {
        far: [1.0, 100.0],
        ..ViewRange::ALL
    };
    let (picture, stats) = draw(&on_entity(fading), &state(), 1);
    assert_eq!(stats.picture_copies, 0);
    let here = [22, ROW];
    assert_pixel(&picture, here, tinted(&plain, here, FAR.tint), 1);
}
