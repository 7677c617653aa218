//! Small pictures that stand on the ground near the eye: grass, reeds, litter.
//!
//! Unlike particles they never move from their place, and there are far too many of them to look at each one in each
//! frame: they come in patches, which are culled as a whole.

use std::ops::Range;

use crate::{Aabb, LightStyle, SpriteFrame, ViewRange};

/// Most sprites that a scene can have.
pub const MAX_FOLIAGE_SPRITES: usize = 1 << 20;

/// All small pictures of a scene that stand on its ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Foliage {
    /// Pictures that sprites show; sprites name them by index.
    pub frames: Vec<SpriteFrame>,
    /// All sprites, patch after patch.
    pub sprites: Vec<FoliageSprite>,
    /// What is culled as a whole.
    pub patches: Vec<FoliagePatch>,
    /// Light that changes with time; sprites name ranges of it.
    pub styled_lights: Vec<StyledLight>,
    /// Distances from the eye between which sprites are seen.
    pub range: ViewRange,
    /// Full cycles of the sway per second, at least 0.
    pub sways_per_sec: f32,
}

/// Sprites that stand close to each other.
#[derive(Debug, Clone, PartialEq)]
pub struct FoliagePatch {
    /// Around all that its sprites can cover.
    pub bounds: Aabb,
    /// Range of [`Foliage::sprites`].
    pub sprites: Range<u32>,
    /// Cells of `Scene::visibility` that it reaches into; empty = it may be seen from everywhere.
    pub cells: Vec<u32>,
}

/// A rectangle that shows a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct FoliageSprite {
    /// Its place in the world.
    pub position: [f32; 3],
    /// From its place to its left lower corner, in its own plane: right and up.
    pub min: [f32; 2],
    /// To its right upper corner.
    pub max: [f32; 2],
    /// How its plane lies.
    pub facing: SpriteFacing,
    /// Index into [`Foliage::frames`].
    pub frame: u32,
    /// Light that falls on it, linear, 1 = fully lit.
    pub light: [f32; 3],
    /// Range of [`Foliage::styled_lights`], which is added.
    pub styled_lights: Range<u32>,
    /// How far its upper edge sways to each side at most, world units; at least 0. Its lower edge stays.
    pub sway: f32,
}

/// How the plane of a sprite lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpriteFacing {
    /// As it stands; unit vectors. It is seen from both sides.
    Fixed {
        /// Toward its right edge.
        right: [f32; 3],
        /// Toward its upper edge.
        up: [f32; 3],
    },
    /// Toward the eye.
    Eye,
    /// Toward the eye as far as it can without leaning.
    Upright,
}

/// Light that changes with time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StyledLight {
    /// Linear, 1 = fully lit.
    pub color: [f32; 3],
    /// Index into `Scene::light_styles` of what it is multiplied by.
    pub style: u16,
}

/// A sprite at a moment, in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StandingSprite {
    /// Its middle.
    pub center: [f32; 3],
    /// From there to the right edge.
    pub half_x: [f32; 3],
    /// And to the upper edge; not at a right angle to the other while the sprite sways.
    pub half_y: [f32; 3],
    /// Linear light on it.
    pub light: [f32; 3],
    /// How much of it is seen, above 0 and up to 1.
    pub alpha: f32,
    /// Index into [`Foliage::frames`].
    pub frame: u32,
}

impl Default for Foliage {
    /// None, to be seen from everywhere.
    fn default() -> Self {
        Self {
            frames: Vec::new(),
            sprites: Vec::new(),
            patches: Vec::new(),
            styled_lights: Vec::new(),
            range: ViewRange::ALL,
            sways_per_sec: 0.0,
        }
    }
}

impl FoliageSprite {
    /// A box around all that it can cover, however it is turned.
    pub fn bounds(&self) -> Aabb {
        let across = self.min[0].abs().max(self.max[0].abs());
        let along = self.min[1].abs().max(self.max[1].abs());
        let reach = across.hypot(along) + self.sway;
        Aabb {
            min: self.position.map(|it| it - reach),
            max: self.position.map(|it| it + reach),
        }
    }

    /// Its axes as seen from the eye.
    fn axes(&self, eye: [f32; 3]) -> [[f32; 3]; 2] {
        let away = [0, 1, 2].map(|axis| self.position[axis] - eye[axis]);
        let level = away[0].hypot(away[1]);
        // Seen from right above or below, +x is ahead.
        let [ahead_x, ahead_y] = match level > 0.0 {
            true => [away[0] / level, away[1] / level],
            false => [1.0, 0.0],
        };
        let right = [ahead_y, -ahead_x, 0.0];
        match self.facing {
            SpriteFacing::Fixed { right, up } => [right, up],
            SpriteFacing::Upright => [right, [0.0, 0.0, 1.0]],
            SpriteFacing::Eye => {
                let distance = level.hypot(away[2]);
                let [sin, cos] = match distance > 0.0 {
                    true => [away[2] / distance, level / distance],
                    false => [0.0, 1.0],
                };
                [right, [-ahead_x * sin, -ahead_y * sin, cos]]
            }
        }
    }
}

impl Foliage {
    /// Hands out the sprites of a patch that are seen from a place at a time. `styles` are the light styles of the scene.
    pub fn for_each_standing(
        &self,
        patch: &FoliagePatch,
        eye: [f32; 3],
        time_secs: f32,
        styles: &[LightStyle],
        mut take: impl FnMut(&StandingSprite),
    ) {
        let sprites = patch.sprites.start as usize..patch.sprites.end as usize;
        for sprite in self.sprites.get(sprites).unwrap_or_default() {
            let away = [0, 1, 2].map(|axis: usize| sprite.position[axis] - eye[axis]);
            let distance = away.iter().map(|it| it * it).sum::<f32>().sqrt();
            let alpha = self.range.share_at(distance);
            if alpha > 0.0 {
                take(&StandingSprite {
                    alpha,
                    ..self.standing(sprite, eye, time_secs, styles)
                });
            }
        }
    }

    fn standing(
        &self,
        sprite: &FoliageSprite,
        eye: [f32; 3],
        time_secs: f32,
        styles: &[LightStyle],
    ) -> StandingSprite {
        let FoliageSprite {
            position, min, max, ..
        } = *sprite;
        let [right, up] = sprite.axes(eye);
        let [middle_x, middle_y] = [0, 1].map(|axis| 0.5 * (min[axis] + max[axis]));
        let [half_width, half_height] = [0, 1].map(|axis| 0.5 * (max[axis] - min[axis]));
        // Only the upper edge sways: the middle by half as much.
        let lean = self.lean(sprite, time_secs).map(|it| 0.5 * it);
        StandingSprite {
            center: [0, 1, 2]
                .map(|i| position[i] + right[i] * middle_x + up[i] * middle_y + lean[i]),
            half_x: right.map(|it| it * half_width),
            half_y: [0, 1, 2].map(|i| up[i] * half_height + lean[i]),
            light: self.light_on(sprite, time_secs, styles),
            alpha: 1.0,
            frame: sprite.frame,
        }
    }

    /// How far the upper edge is off its place. Neighbors sway nearly alike, as if the same wind blew over them.
    fn lean(&self, sprite: &FoliageSprite, time_secs: f32) -> [f32; 3] {
        if sprite.sway == 0.0 {
            return [0.0; 3];
        }
        let [x, y, _] = sprite.position;
        let turns = f64::from(time_secs) * f64::from(self.sways_per_sec);
        let turns = turns.rem_euclid(1.0) as f32 + WIND_TURNS_PER_UNIT * (x + 0.7 * y);
        let (sin, cos) = (turns * std::f32::consts::TAU).sin_cos();
        [sprite.sway * sin, 0.5 * sprite.sway * cos, 0.0]
    }

    fn light_on(&self, sprite: &FoliageSprite, time_secs: f32, styles: &[LightStyle]) -> [f32; 3] {
        let range = sprite.styled_lights.start as usize..sprite.styled_lights.end as usize;
        let styled = self.styled_lights.get(range).unwrap_or_default();
        styled.iter().fold(sprite.light, |sum, light| {
            let style = styles.get(usize::from(light.style));
            let factor = style.map_or(1.0, |style| style.at(time_secs));
            [0, 1, 2].map(|i| sum[i] + factor * light.color[i])
        })
    }
}

/// How many cycles of the sway lie along a unit of the world.
const WIND_TURNS_PER_UNIT: f32 = 1.0 / 150.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn sprite(facing: SpriteFacing) -> FoliageSprite {
        FoliageSprite {
            position: [10.0, 0.0, 5.0],
            min: [-2.0, 0.0],
            max: [2.0, 8.0],
            facing,
            frame: 0,
            light: [0.5, 0.25, 0.0],
            styled_lights: 0..0,
            sway: 0.0,
        }
    }

    fn foliage(sprite: FoliageSprite) -> Foliage {
        Foliage {
            frames: vec![SpriteFrame::default()],
            patches: vec![FoliagePatch {
                bounds: sprite.bounds(),
                sprites: 0..1,
                cells: Vec::new(),
            }],
            sprites: vec![sprite],
            range: ViewRange {
                far: [20.0, 40.0],
                ..ViewRange::ALL
            },
            sways_per_sec: 0.5,
            ..Foliage::default()
        }
    }

    fn seen(foliage: &Foliage, eye: [f32; 3], time_secs: f32) -> Vec<StandingSprite> {
        let styles = [1.0, 3.0].map(|factor| LightStyle {
            factors: vec![factor],
            factors_per_sec: 10.0,
        });
        let mut seen = Vec::new();
        foliage.for_each_standing(&foliage.patches[0], eye, time_secs, &styles, |it| {
            seen.push(*it);
        });
        seen
    }

    #[track_caller]
    fn assert_near(found: [f32; 3], expected: [f32; 3]) {
        for (a, b) in found.iter().zip(&expected) {
            assert!((a - b).abs() < 1e-4, "{found:?}, not {expected:?}");
        }
    }

    #[test]
    fn upright_sprites_turn_to_the_eye_and_do_not_lean() {
        let foliage = foliage(sprite(SpriteFacing::Upright));
        // From -x and above: right is -y, up stays up.
        let [it] = seen(&foliage, [0.0, 0.0, 25.0], 0.0)[..] else {
            panic!("one sprite")
        };
        assert_near(it.center, [10.0, 0.0, 9.0]);
        assert_near(it.half_x, [0.0, -2.0, 0.0]);
        assert_near(it.half_y, [0.0, 0.0, 4.0]);
    }

    #[test]
    fn sprites_to_the_eye_lean_back_from_an_eye_above() {
        let foliage = foliage(sprite(SpriteFacing::Eye));
        let [it] = seen(&foliage, [0.0, 0.0, 15.0], 0.0)[..] else {
            panic!("one sprite")
        };
        // Seen from 45 degrees above, its upper edge is as far away as it is high.
        let part = 4.0 * 0.5f32.sqrt();
        assert_near(it.half_y, [part, 0.0, part]);
        assert_near(it.half_x, [0.0, -2.0, 0.0]);
        assert_near(it.center, [10.0 + part, 0.0, 5.0 + part]);
    }

    #[test]
    fn sprites_fade_out_with_the_distance() {
        let foliage = foliage(sprite(SpriteFacing::Upright));
        let alpha = |distance: f32| {
            let eye = [10.0 - distance, 0.0, 5.0];
            let seen = seen(&foliage, eye, 0.0);
            seen.first().map(|it| it.alpha)
        };
        assert_eq!(
            [19.0, 30.0, 35.0, 41.0].map(alpha),
            [Some(1.0), Some(0.5), Some(0.25), None]
        );
    }

    #[test]
    fn only_the_upper_edge_sways_and_no_farther_than_it_may() {
        let facing = SpriteFacing::Fixed {
            right: [1.0, 0.0, 0.0],
            up: [0.0, 0.0, 1.0],
        };
        let foliage = foliage(FoliageSprite {
            sway: 1.5,
            ..sprite(facing)
        });
        let mut farthest = 0f32;
        for step in 0..50 {
            let time_secs = step as f32 * 0.07;
            let [it] = seen(&foliage, [10.0, -9.0, 5.0], time_secs)[..] else {
                panic!("one sprite")
            };
            let edge = |sign: f32| [0, 1, 2].map(|i| it.center[i] + sign * it.half_y[i]);
            assert_near(edge(-1.0), [10.0, 0.0, 5.0]);
            let [x, y, z] = edge(1.0);
            assert!((z - 13.0).abs() < 1e-4);
            let off = (x - 10.0).hypot(y);
            assert!(off <= 1.5 + 1e-4, "{off}");
            farthest = farthest.max(off);
        }
        assert!(farthest > 1.4, "{farthest}");
    }

    #[test]
    fn styled_light_is_added_by_its_factor() {
        let mut foliage = foliage(FoliageSprite {
            styled_lights: 0..2,
            ..sprite(SpriteFacing::Upright)
        });
        foliage.styled_lights = vec![
            StyledLight {
                color: [0.0, 0.0, 1.0],
                style: 0,
            },
            StyledLight {
                color: [0.5, 0.0, 0.0],
                style: 1,
            },
        ];
        let [it] = seen(&foliage, [0.0, 0.0, 5.0], 0.0)[..] else {
            panic!("one sprite")
        };
        assert_eq!(it.light, [0.5 + 3.0 * 0.5, 0.25, 1.0]);
    }
}
