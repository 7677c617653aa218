//! Reflections, normals and detail of passes, against the same computed here in 64 bits.

use glam::{DVec3, Vec2};
use image::RgbaImage;
use ironlands_renderer::Camera;
use ironlands_scene::{
    Addressing, DetailLayer, DetailMode, EnvironmentMap, EnvironmentMask, Lighting, NormalMap,
    Pass, PassEffects, Scene, SelfIllumination, Texture, TextureIdx, UvTransform,
};

use crate::baked::{BASE, display, light_texture, lightmapped_pass, linear, lit, wall_of};
use crate::stage::*;

/// Colors of the sides of a cube: +x, -x, +y, -y, +z, -z.
const SIDES: [[u8; 3]; 6] = [
    [200, 0, 0],
    [100, 40, 20],
    [0, 200, 0],
    [10, 90, 30],
    [0, 0, 200],
    [60, 30, 150],
];
const TOWARD_VIEWER: usize = 1;
const TO_THE_RIGHT: usize = 3;
const DOWN: usize = 5;
/// Half of full light in a lightmap.
const LIGHT: f32 = 0.5;

fn cube(scene: &mut Scene) -> TextureIdx {
    // So fine that little of a side takes color from the next.
    const SIDE: u32 = 32;
    let side = |[r, g, b]: &[u8; 3]| [*r, *g, *b, 255].repeat((SIDE * SIDE) as usize);
    let pixels = SIDES.iter().flat_map(side);
    scene.textures.push(Texture {
        name: "surroundings".to_owned(),
        width: SIDE,
        height: SIDE,
        n_layers: 6,
        mips: vec![pixels.collect()],
        ..Texture::default()
    });
    TextureIdx(scene.textures.len() as u32 - 1)
}

fn mirror(scene: &mut Scene) -> EnvironmentMap {
    EnvironmentMap {
        texture: cube(scene),
        tint: [1.0; 3],
        mask: EnvironmentMask::None,
        contrast: 0.0,
        saturation: 1.0,
        head_on: 1.0,
    }
}

/// A wall in half of full light with these effects.
fn wall(change: impl FnOnce(&mut Scene, &mut Pass, &mut PassEffects)) -> RgbaImage {
    let mut scene = empty();
    let mut pass = lightmapped_pass(&mut scene, &[0], &[[LIGHT; 3]]);
    let mut effects = PassEffects::default();
    change(&mut scene, &mut pass, &mut effects);
    pass.effects = Some(Box::new(effects));
    shoot(&wall_of(scene, vec![pass]), &state())
}

fn base() -> [f64; 3] {
    [0, 1, 2].map(|c| linear(BASE[c]))
}

/// What a wall in half of full light shows with something added.
fn with(added: [f64; 3]) -> [u8; 3] {
    [0, 1, 2].map(|c| display(base()[c] * f64::from(LIGHT) + added[c]))
}

fn side(index: usize) -> [f64; 3] {
    SIDES[index].map(linear)
}

/// Unit vector from a pixel's place to the eye.
pub fn to_eye([x, y]: [u32; 2]) -> DVec3 {
    let middle = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
    -(Camera::default().direction_through(middle, SIZE).as_dvec3()).normalize()
}

/// Where on a wall 10 ahead a pixel lies.
fn y_on_wall(pixel: [u32; 2]) -> f64 {
    let away = -to_eye(pixel);
    10.0 * away.y / away.x
}

#[test]
fn effects_that_do_nothing_leave_a_surface_as_it_is() {
    assert_pixel(&wall(|_, _, _| ()), CENTER, with([0.0; 3]), 1);
}

#[test]
fn a_wall_mirrors_what_is_behind_the_viewer() {
    let picture = wall(|scene, _, effects| effects.environment = Some(mirror(scene)));
    assert_pixel(&picture, CENTER, with(side(TOWARD_VIEWER)), 1);
}

#[test]
fn normals_turn_reflections_to_the_right_along_u_and_down_along_v() {
    // 45 degrees off: what is reflected comes from the side.
    for (normal, shown) in [
        ([218, 128, 218, 255], TO_THE_RIGHT),
        ([128, 218, 218, 255], DOWN),
    ] {
        let picture = wall(|scene, _, effects| {
            effects.normal_map = Some(NormalMap {
                texture: solid(scene, normal),
                is_self_shadowed: false,
            });
            effects.environment = Some(mirror(scene));
        });
        assert_pixel(&picture, CENTER, with(side(shown)), 1);
    }
}

#[test]
fn tint_contrast_and_saturation_change_a_reflection() {
    let (tint, contrast, saturation) = ([0.5, 1.0, 0.25], 0.6, 0.3);
    let picture = wall(|scene, _, effects| {
        effects.environment = Some(EnvironmentMap {
            tint,
            contrast,
            saturation,
            ..mirror(scene)
        });
    });
    let (contrast, saturation) = (f64::from(contrast), f64::from(saturation));
    let seen = side(TOWARD_VIEWER).map(|c| c + (c * c - c) * contrast);
    let gray = 0.299 * seen[0] + 0.587 * seen[1] + 0.114 * seen[2];
    let expected = [0, 1, 2].map(|c| (gray + (seen[c] - gray) * saturation) * f64::from(tint[c]));
    assert_pixel(&picture, CENTER, with(expected), 1);
}

#[test]
fn masks_say_where_a_surface_reflects() {
    let reflected = |factor: [f64; 3]| {
        let seen = side(TOWARD_VIEWER);
        with([0, 1, 2].map(|c| seen[c] * factor[c]))
    };
    let by_texture = wall(|scene, _, effects| {
        let mask = solid(scene, [255, 102, 0, 255]);
        effects.environment = Some(EnvironmentMap {
            mask: EnvironmentMask::Texture(mask, UvTransform::default()),
            ..mirror(scene)
        });
    });
    assert_pixel(&by_texture, CENTER, reflected([1.0, 0.4, 0.0]), 1);
    let by_normals = wall(|scene, _, effects| {
        effects.normal_map = Some(NormalMap {
            texture: solid(scene, [128, 128, 255, 51]),
            is_self_shadowed: false,
        });
        effects.environment = Some(EnvironmentMap {
            mask: EnvironmentMask::NormalAlpha,
            ..mirror(scene)
        });
    });
    assert_pixel(&by_normals, CENTER, reflected([0.2; 3]), 1);
    let by_base = wall(|scene, pass, effects| {
        let [r, g, b, _] = BASE;
        pass.texture = Some(solid(scene, [r, g, b, 51]));
        effects.environment = Some(EnvironmentMap {
            mask: EnvironmentMask::InverseBaseAlpha,
            ..mirror(scene)
        });
    });
    assert_pixel(&by_base, CENTER, reflected([0.8; 3]), 1);
}

#[test]
fn reflections_grow_toward_the_edge_of_a_surface() {
    let head_on = 0.1;
    // Tilted up by as much as keeps the same side in the mirror: away from it by about 37 degrees.
    let pixel = [CENTER[0], 3];
    let picture = wall(|scene, _, effects| {
        effects.environment = Some(EnvironmentMap {
            head_on: head_on as f32,
            ..mirror(scene)
        });
    });
    for place in [CENTER, pixel, [3, 24]] {
        let cosine = to_eye(place).dot(DVec3::new(-1.0, 0.0, 0.0));
        let factor = head_on + (1.0 - head_on) * (1.0 - cosine).powi(5);
        let expected = with(side(TOWARD_VIEWER).map(|c| c * factor));
        assert_pixel(&picture, place, expected, 1);
    }
}

#[test]
fn masks_and_details_are_laid_by_their_own_transforms() {
    let halves = [[0, 0, 0, 255], [255, 255, 255, 255]].concat();
    // Left and right change places.
    let swapped = UvTransform::new([[-1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]);
    let picture = wall(|scene, _, effects| {
        let mask = texture(scene, [2, 1], halves);
        effects.environment = Some(EnvironmentMap {
            mask: EnvironmentMask::Texture(mask, swapped),
            ..mirror(scene)
        });
    });
    for x in [2, 20, 36, 50, 69] {
        let u = 1.0 - (0.5 - y_on_wall([x, CENTER[1]]) / 20.0);
        let share = ((u - 0.25) * 2.0).clamp(0.0, 1.0);
        let expected = with(side(TOWARD_VIEWER).map(|c| c * share));
        assert_pixel(&picture, [x, CENTER[1]], expected, 2);
    }
}

/// What a wall with a detail layer shows.
fn detailed(mode: DetailMode, factor: f32, alphas: [u8; 2]) -> RgbaImage {
    wall(|scene, pass, effects| {
        let [r, g, b, _] = BASE;
        pass.texture = Some(solid(scene, [r, g, b, alphas[0]]));
        let [r, g, b] = DETAIL;
        effects.detail = Some(DetailLayer {
            texture: solid(scene, [r, g, b, alphas[1]]),
            transform: UvTransform::default(),
            factor,
            tint: [1.0; 3],
            mode,
        });
    })
}

const DETAIL: [u8; 3] = [180, 90, 40];

#[test]
fn detail_layers_join_in_each_of_their_modes() {
    let stored = DETAIL.map(|c| f64::from(c) / 255.0);
    let colors = DETAIL.map(linear);
    let alphas = [102, 51];
    let [base_alpha, detail_alpha] = alphas.map(|a: u8| f64::from(a) / 255.0);
    let mix = |a: f64, b: f64, t: f64| a + (b - a) * t;
    for factor in [0.3f32, 0.75, 1.0] {
        let f = f64::from(factor);
        for mode in DetailMode::ALL {
            let expected = [0, 1, 2].map(|c| {
                let (base, lit) = (base()[c], f64::from(LIGHT));
                let is_low = f < 0.5;
                let slope = if is_low { 4.0 * f } else { 1.0 / f };
                let offset = if is_low { -0.5 * slope } else { 1.0 - slope };
                let linear = match mode {
                    DetailMode::Mod2x => base * mix(1.0, 2.0 * stored[c], f) * lit,
                    DetailMode::Additive => (base + f * colors[c]) * lit,
                    DetailMode::Over => mix(base, colors[c], f * detail_alpha) * lit,
                    DetailMode::Crossfade => mix(base, colors[c], f) * lit,
                    DetailMode::BaseOver => mix(base, colors[c], f * (1.0 - base_alpha)) * lit,
                    DetailMode::UnlitAdditive => base * lit + f * colors[c],
                    DetailMode::ThresholdAdditive => {
                        base * lit + (slope * colors[c] + offset).clamp(0.0, 1.0)
                    }
                    DetailMode::TwoPattern => {
                        let pattern = mix(stored[0], detail_alpha, base_alpha);
                        base * mix(1.0, 2.0 * pattern, f) * lit
                    }
                    DetailMode::Multiply => mix(base, base * colors[c], f) * lit,
                    DetailMode::MaskBase | DetailMode::SelfShadowed => base * lit,
                    DetailMode::ShadesLight => base * lit * 2.0 / 3.0 * stored.iter().sum::<f64>(),
                };
                display(linear)
            });
            let picture = detailed(mode, factor, alphas);
            let [x, y] = CENTER;
            let found = picture.get_pixel(x, y).0;
            let is_near = (0..3).all(|c| found[c].abs_diff(expected[c]) <= 1);
            assert!(is_near, "{mode:?} {factor}: {found:?}, not {expected:?}");
        }
    }
}

#[test]
fn what_glows_by_a_mask_or_its_alpha_is_not_lit() {
    let tint = [1.0, 0.5, 0.25];
    let glow = |mask: Option<[u8; 4]>, alpha: u8| {
        wall(|scene, pass, effects| {
            let [r, g, b, _] = BASE;
            pass.texture = Some(solid(scene, [r, g, b, alpha]));
            effects.self_illumination = Some(SelfIllumination {
                mask: mask.map(|it| solid(scene, it)),
                tint: tint.map(|it| it as f32),
            });
        })
    };
    let expected = |share: f64| {
        [0, 1, 2].map(|c| {
            let lit = f64::from(LIGHT);
            display(base()[c] * (lit + (tint[c] - lit) * share))
        })
    };
    assert_pixel(&glow(None, 51), CENTER, expected(0.2), 1);
    assert_pixel(&glow(Some([153; 4]), 255), CENTER, expected(0.6), 1);
}

#[test]
fn a_texture_may_lie_along_the_axes_of_the_world() {
    // On a wall across x it lies by y and z: a texel is 2.5 units wide.
    let halves: Vec<u8> = (0..8)
        .flat_map(|x| gray(if x < 4 { 0 } else { 255 }))
        .collect();
    let mut scene = empty();
    let texture = texture(&mut scene, [8, 1], halves);
    scene.textures[texture.0 as usize].addressing = Addressing::Repeat;
    let pass = Pass {
        texture: Some(texture),
        lighting: Lighting::Unlit,
        effects: Some(Box::new(PassEffects {
            world_scale: Some(1.0 / 20.0),
            ..PassEffects::default()
        })),
        ..Pass::default()
    };
    let picture = shoot(&wall_of(scene, vec![pass]), &state());
    let mut n_compared = 0;
    for x in 0..SIZE[0] {
        let u = (y_on_wall([x, CENTER[1]]) / 20.0).rem_euclid(1.0);
        let from_edge = (2.0 * u).fract().min(1.0 - (2.0 * u).fract());
        if from_edge > 0.2 {
            let shown = if u < 0.5 { [0; 3] } else { [255; 3] };
            assert_pixel(&picture, [x, CENTER[1]], shown, 1);
            n_compared += 1;
        }
    }
    assert!(n_compared > 20, "{n_compared}");
}

#[test]
fn blend_textures_may_be_laid_otherwise_than_the_first() {
    use ironlands_scene::BlendTexture;
    let halves = [[255, 0, 0, 255], [0, 0, 255, 255]].concat();
    let mut scene = empty();
    let pass = Pass {
        blend_texture: Some(BlendTexture {
            texture: texture(&mut scene, [2, 1], halves),
            transition: None,
        }),
        effects: Some(Box::new(PassEffects {
            blend_transform: UvTransform::new([[-1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]),
            ..PassEffects::default()
        })),
        ..unlit(&mut scene, gray(255))
    };
    let mut scene = wall_of(scene, vec![pass]);
    scene.meshes[0].colors = vec![[0.0, 0.0, 0.0, 1.0]; 4];
    let picture = shoot(&scene, &state());
    assert_pixel(&picture, [2, CENTER[1]], [0, 0, 255], 1);
    assert_pixel(&picture, [69, CENTER[1]], [255, 0, 0], 1);
}

#[test]
fn surroundings_of_linear_light_may_be_brighter_than_white() {
    let picture = wall(|scene, pass, effects| {
        pass.texture = Some(solid(scene, gray(0)));
        let layers = [
            [0.0; 3],
            [4.0, 0.25, 0.0],
            [0.0; 3],
            [0.0; 3],
            [0.0; 3],
            [0.0; 3],
        ];
        effects.environment = Some(EnvironmentMap {
            texture: light_texture(scene, &layers),
            tint: [0.125, 1.0, 1.0],
            ..mirror(scene)
        });
    });
    assert_pixel(&picture, CENTER, [display(0.5), display(0.25), 0], 1);
}

#[test]
fn without_stored_light_a_surface_with_effects_is_fully_lit() {
    let mut state = state();
    state.switches.lightmap = false;
    let mut scene = empty();
    let mut pass = lightmapped_pass(&mut scene, &[0], &[[0.1; 3]]);
    pass.effects = Some(Box::default());
    let picture = shoot(&wall_of(scene, vec![pass]), &state);
    assert_pixel(&picture, CENTER, lit(BASE, [1.0; 3]), 1);
}
