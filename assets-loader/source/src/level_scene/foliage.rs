//! Detail props that are sprites: grass and reeds. Dossier section 9.3.
//!
//! What the dossier does not say is from Valve's developer wiki ("Detail props"): sway in shares of 5 units; the angle of
//! triangles in degrees; their size from 0 (closed) to 1 (all three through the middle); gone at 1200 units. That the
//! last 400 of these fade is the engine's default, from memory.
#![expect(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "three axes, and sprites and lights of lists in memory"
)]

use std::collections::BTreeMap;
use std::ops::Range;

use ironlands_scene::{
    Aabb, Foliage, FoliagePatch, FoliageSprite, MAX_FOLIAGE_SPRITES, SpriteFacing, SpriteFrame,
    StyledLight, ViewRange,
};

use super::FORMAT;
use super::cells::Cells;
use super::placement::world_from_model;
use crate::bsp::game_lump::{DetailObject, DetailSprite};
use crate::bsp::is_place;
use crate::level::{Detail, SourceLevel};
use crate::lightmap::linear_light;
use crate::materials::Materials;
use ironlands_assets_core::bytes::{Finding, Severity};

/// From where detail props are seen.
pub const DETAIL_RANGE: ViewRange = ViewRange {
    near: [0.0; 2],
    far: [800.0, 1200.0],
};
/// The material of maps that name none.
const DEFAULT_MATERIAL: &str = "detail/detailsprites";
/// How far the upper edge of what sways most is off its place.
const MAX_SWAY: f32 = 5.0;
const SWAYS_PER_SEC: f32 = 0.25;
/// Side of the squares whose sprites are culled together.
const PATCH_SIDE: f32 = 256.0;
/// From the middle of a triangle to its sides, for sides of length 1.
const INRADIUS: f32 = 0.288_675_13;
/// Far more than the brightest light of a map.
const BRIGHTEST: f32 = 65_504.0;

/// All detail props of a map that are sprites; `None` if it has none that can be drawn.
pub fn foliage(
    level: &SourceLevel,
    n_styles: usize,
    cells: &Cells<'_>,
    materials: &mut Materials<'_>,
    findings: &mut Vec<Finding>,
) -> Option<Foliage> {
    let objects = level.detail.props.objects.iter();
    let mut objects = objects
        .filter(|it| it.kind != DetailObject::MODEL)
        .peekable();
    objects.peek()?;
    let world = level.entities.entities.first();
    let material = world.and_then(|world| world.get("detailmaterial"));
    let material = material.as_deref().unwrap_or(DEFAULT_MATERIAL);
    let Some(texture) = materials
        .sprite(material)
        .and_then(|it| it.frames.first().copied())
    else {
        let message =
            format!("the material of detail sprites, {material}, is missing: there are none");
        findings.push(Finding::new(Severity::Warning, FORMAT, message));
        return None;
    };
    let frame = |sprite: &DetailSprite| {
        let corner = |uv: [f32; 2]| uv.map(|it| if it > 0.0 { it.min(1.0) } else { 0.0 });
        SpriteFrame {
            min: corner(sprite.upper_left_uv),
            max: corner(sprite.lower_right_uv),
            ..SpriteFrame::whole(texture)
        }
    };
    let mut grower = Grower {
        detail: &level.detail,
        is_full_bright: level.is_full_bright(),
        n_styles,
        styled_lights: Vec::new(),
        by_patch: BTreeMap::new(),
        n_sprites: 0,
        n_lost: 0,
    };
    for object in objects {
        grower.add(object, cells.of_leaves_of_prop(&[object.leaf.into()]));
    }
    if grower.n_lost > 0 {
        let message = format!(
            "{} detail sprites are left out: they are of no known kind, have no picture, stand outside of any map, or \
             are too many",
            grower.n_lost
        );
        findings.push(Finding::new(Severity::Warning, FORMAT, message));
    }
    let mut foliage = Foliage {
        frames: level.detail.props.sprites.iter().map(frame).collect(),
        range: DETAIL_RANGE,
        sways_per_sec: SWAYS_PER_SEC,
        ..Foliage::default()
    };
    grower.finish(&mut foliage);
    (!foliage.sprites.is_empty()).then_some(foliage)
}

/// The scale of a detail prop; old compilers left 0.
pub fn detail_scale(object: &DetailObject) -> f32 {
    match object.scale > 0.0 {
        true => object.scale,
        false => 1.0,
    }
}

/// Sprites so far, by the cells that see them and the square that they stand in.
struct Grower<'a> {
    detail: &'a Detail,
    is_full_bright: bool,
    n_styles: usize,
    styled_lights: Vec<StyledLight>,
    by_patch: BTreeMap<(Vec<u32>, [i32; 2]), Vec<FoliageSprite>>,
    n_sprites: usize,
    n_lost: usize,
}

impl Grower<'_> {
    fn add(&mut self, object: &DetailObject, cells: Vec<u32>) {
        let dictionary = &self.detail.props.sprites;
        let picture = dictionary.get(usize::from(object.detail_model));
        let shapes = picture.and_then(|picture| shapes(object, picture));
        let n_after = self.n_sprites + shapes.as_ref().map_or(0, Vec::len);
        let Some(shapes) = shapes.filter(|_| n_after <= MAX_FOLIAGE_SPRITES) else {
            self.n_lost += 1;
            return;
        };
        self.n_sprites = n_after;
        let (light, styled_lights) = self.light_of(object);
        let [x, y, _] = object.origin.map(|it| (it / PATCH_SIDE).floor() as i32);
        let patch = self.by_patch.entry((cells, [x, y])).or_default();
        patch.extend(shapes.into_iter().map(|shape| FoliageSprite {
            light,
            styled_lights: styled_lights.clone(),
            ..shape
        }));
    }

    /// What falls on a prop all the time, and what changes.
    fn light_of(&mut self, object: &DetailObject) -> ([f32; 3], Range<u32>) {
        if self.is_full_bright {
            return ([1.0; 3], 0..0);
        }
        let first = object.first_light_style as usize;
        let end = first.saturating_add(object.n_light_styles.into());
        let stored = self.detail.lights.get(first..end).unwrap_or_default();
        // As many as a byte counts for each prop.
        let n_before = self.styled_lights.len() as u32;
        for light in stored {
            if usize::from(light.style) < self.n_styles {
                self.styled_lights.push(StyledLight {
                    color: stored_light(light.lighting),
                    style: light.style.into(),
                });
            }
        }
        let styled = n_before..self.styled_lights.len() as u32;
        (stored_light(object.lighting), styled)
    }

    fn finish(self, foliage: &mut Foliage) {
        foliage.styled_lights = self.styled_lights;
        for ((cells, _), sprites) in self.by_patch {
            let boxes = sprites.iter().map(FoliageSprite::bounds);
            let corners: Vec<_> = boxes.flat_map(|it| [it.min, it.max]).collect();
            let Some(bounds) = Aabb::around(&corners) else {
                continue;
            };
            // At most `MAX_FOLIAGE_SPRITES`.
            let first = foliage.sprites.len() as u32;
            foliage.sprites.extend(sprites);
            foliage.patches.push(FoliagePatch {
                bounds,
                sprites: first..foliage.sprites.len() as u32,
                cells,
            });
        }
    }
}

fn stored_light(stored: [u8; 4]) -> [f32; 3] {
    linear_light(stored).map(|it| it.min(BRIGHTEST))
}

/// The rectangles of a prop, without light; `None` if it is of no known kind or stands nowhere.
fn shapes(object: &DetailObject, picture: &DetailSprite) -> Option<Vec<FoliageSprite>> {
    let scale = detail_scale(object);
    let corners = [picture.upper_left, picture.lower_right].map(|it| it.map(|side| side * scale));
    let [[left, top], [right, bottom]] = corners;
    let sizes = [left, top, right, bottom];
    if !is_place(object.origin) || !sizes.into_iter().all(|it| is_place([it; 3])) {
        return None;
    }
    let [forward, left_of, up] = axes(object.angles);
    let right_of = left_of.map(|it| -it);
    let shape = |position, facing| FoliageSprite {
        position,
        min: [left, bottom],
        max: [right, top],
        facing,
        frame: object.detail_model.into(),
        light: [0.0; 3],
        styled_lights: 0..0,
        sway: MAX_SWAY * f32::from(object.sway) / 255.0,
    };
    let fixed = |right| SpriteFacing::Fixed { right, up };
    let facing = match object.orientation {
        DetailObject::FACES_VIEWER => SpriteFacing::Eye,
        DetailObject::FACES_VIEWER_UPRIGHT => SpriteFacing::Upright,
        _ => fixed(right_of),
    };
    match object.kind {
        DetailObject::SPRITE => Some(vec![shape(object.origin, facing)]),
        DetailObject::CROSS => Some(
            [right_of, forward]
                .map(|right| shape(object.origin, fixed(right)))
                .into(),
        ),
        DetailObject::TRIANGLE => {
            let share = 1.0 - f32::from(object.shape_size) / 255.0;
            let distance = (right - left).abs() * INRADIUS * share;
            let (sin, cos) = f32::from(object.shape_angle).to_radians().sin_cos();
            let side = |turn: f32| {
                let (turn_sin, turn_cos) = turn.to_radians().sin_cos();
                let out = combined([(forward, turn_cos), (left_of, turn_sin)]);
                let right = combined([(right_of, -turn_cos), (forward, -turn_sin)]);
                let facing = SpriteFacing::Fixed {
                    right,
                    up: combined([(up, cos), (out, sin)]),
                };
                shape(combined([(object.origin, 1.0), (out, distance)]), facing)
            };
            Some([0.0, 120.0, 240.0].map(side).into())
        }
        _ => None,
    }
}

/// Ahead, left and up of what is turned.
fn axes(angles: [f32; 3]) -> [[f32; 3]; 3] {
    let turned = world_from_model([0.0; 3], angles, [1.0; 3]);
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| turned.transform_vector(axis))
}

fn combined([(a, share_a), (b, share_b)]: [([f32; 3], f32); 2]) -> [f32; 3] {
    [0, 1, 2].map(|axis: usize| a[axis] * share_a + b[axis] * share_b)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PICTURE: DetailSprite = DetailSprite {
        upper_left: [-3.0, 20.0],
        lower_right: [3.0, 0.0],
        upper_left_uv: [0.0, 0.0],
        lower_right_uv: [0.5, 0.25],
    };

    fn object(kind: u8) -> DetailObject {
        DetailObject {
            origin: [100.0, 0.0, 10.0],
            kind,
            scale: 2.0,
            ..DetailObject::default()
        }
    }

    /// Corners of a fixed sprite: left and right below, left and right above.
    fn corners(sprite: &FoliageSprite) -> [[f32; 3]; 4] {
        let SpriteFacing::Fixed { right, up } = sprite.facing else {
            panic!("it turns: {sprite:?}")
        };
        let [[x0, y0], [x1, y1]] = [sprite.min, sprite.max];
        [[x0, y0], [x1, y0], [x0, y1], [x1, y1]].map(|[x, y]| {
            let offset = combined([(right, x), (up, y)]);
            [0, 1, 2].map(|axis: usize| sprite.position[axis] + offset[axis])
        })
    }

    #[track_caller]
    fn assert_near(found: &[[f32; 3]], expected: &[[f32; 3]]) {
        let pairs = found.as_flattened().iter().zip(expected.as_flattened());
        let far = pairs.filter(|(a, b)| (**a - **b).abs() > 1e-3).count();
        assert_eq!(far, 0, "{found:?}, not {expected:?}");
    }

    #[test]
    fn sprites_stand_on_their_place_across_where_they_look() {
        let [sprite] = &shapes(&object(DetailObject::SPRITE), &PICTURE).unwrap()[..] else {
            panic!("one sprite");
        };
        // Looking along +x, right is -y; twice as large as the picture says.
        let expected = [
            [100.0, 6.0, 10.0],
            [100.0, -6.0, 10.0],
            [100.0, 6.0, 50.0],
            [100.0, -6.0, 50.0],
        ];
        assert_near(&corners(sprite), &expected);
    }

    #[test]
    fn crosses_are_two_sprites_at_a_right_angle() {
        let cross = shapes(&object(DetailObject::CROSS), &PICTURE).unwrap();
        let [a, b] = [&cross[0], &cross[1]].map(corners);
        assert_near(&[a[0], a[1]], &[[100.0, 6.0, 10.0], [100.0, -6.0, 10.0]]);
        assert_near(&[b[0], b[1]], &[[94.0, 0.0, 10.0], [106.0, 0.0, 10.0]]);
    }

    #[test]
    fn closed_triangles_touch_at_their_corners_and_lean_out() {
        let leaning = DetailObject {
            shape_angle: 30,
            ..object(DetailObject::TRIANGLE)
        };
        let sides = shapes(&leaning, &PICTURE).unwrap();
        let sides: Vec<_> = sides.iter().map(corners).collect();
        for side in 0..3 {
            // Seen from outside, the right corner of a side is the left one of the next counter-clockwise.
            let [this, next] = [&sides[side], &sides[(side + 1) % 3]];
            assert_near(&[this[1]], &[next[0]]);
            let [foot, top] = [this[0], this[2]];
            let out = (top[0] - foot[0]).hypot(top[1] - foot[1]);
            // Sine and cosine of 30 degrees of the height of 40.
            assert!((out - 20.0).abs() < 1e-3, "{out}");
            assert!((top[2] - foot[2] - 34.641).abs() < 1e-2);
        }
        let open = DetailObject {
            shape_size: 255,
            ..leaning
        };
        for sprite in shapes(&open, &PICTURE).unwrap() {
            assert_near(&[sprite.position], &[[100.0, 0.0, 10.0]]);
        }
    }

    #[test]
    fn orientations_turn_sprites_and_leave_shapes() {
        let turned = |kind, orientation| {
            let object = DetailObject {
                orientation,
                ..object(kind)
            };
            shapes(&object, &PICTURE).unwrap()[0].facing
        };
        assert_eq!(turned(1, 1), SpriteFacing::Eye);
        assert_eq!(turned(1, 2), SpriteFacing::Upright);
        assert!(matches!(turned(2, 2), SpriteFacing::Fixed { .. }));
    }

    #[test]
    fn unknown_kinds_and_places_beyond_any_map_are_none() {
        assert_eq!(shapes(&object(4), &PICTURE), None);
        let far = DetailObject {
            origin: [f32::NAN, 0.0, 0.0],
            ..object(1)
        };
        assert_eq!(shapes(&far, &PICTURE), None);
    }
}
