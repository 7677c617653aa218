//! What emitters take from a recipe.

use ironlands_scene::{Burst, Curve, Emission, EmitterWindow, FramePlay, ParticleForm, Throw};

use super::ramp::{Ramp, ages};
use super::recipe::{Birth, Picture, Recipe, SHORTEST_LIFE_SECS, mean};

/// A time without end.
const FOREVER_SECS: f32 = 1.0e6;
/// Particles that nothing ends live this long.
const ENDLESS_LIFE_SECS: f32 = 1.0e5;
/// The slowest stream, in particles a second.
const SLOWEST: f32 = 1e-3;

impl Recipe {
    /// Makes lives as long as a sequence of frames, if they are.
    pub fn live_as_long_as(&mut self, n_frames: usize) {
        if let Some(per_sec) = self.life_frames_per_sec {
            self.life = [(n_frames as f32 / per_sec).max(SHORTEST_LIFE_SECS); 2];
        }
    }

    pub fn life_secs(&self) -> [f32; 2] {
        match self.dies {
            true => self.life,
            false => [ENDLESS_LIFE_SECS; 2],
        }
    }

    /// How particles are thrown; nowhere where nothing moves them.
    pub fn throw(&self) -> Throw {
        match self.moves {
            true => self.throw,
            false => Throw {
                sway: self.throw.sway,
                sways_per_sec: self.throw.sways_per_sec,
                ..Throw::default()
            },
        }
    }

    pub fn spin_rad_per_sec(&self) -> [f32; 2] {
        let spin = if self.spins { self.spin } else { [0.0; 2] };
        spin.map(|it| it + self.steady_spin)
    }

    /// Sides over the life, and by how much they differ from particle to particle.
    pub fn sizes(&self, form: ParticleForm) -> (Curve<2>, f32) {
        let side = 2.0 * mean(self.radius);
        let height = match form {
            // The way that it has come is its height.
            ParticleForm::Streak { .. } => 0.0,
            _ => side,
        };
        let ramps = &self.radius_ramps;
        let key = |age: f32| {
            let factor = product(ramps, age);
            (age, [side * factor, height * factor])
        };
        let keys: Vec<_> = ages(ramps).into_iter().map(key).collect();
        let [least, most] = self.radius;
        let spread = match side > 0.0 {
            true => ((most - least).abs() / side).min(1.0),
            false => 0.0,
        };
        (Curve::through(&keys), spread)
    }

    /// Colors over the life, and what they are multiplied by from particle to particle.
    pub fn colors(&self, overbright: f32) -> (Curve<4>, [[f32; 4]; 2]) {
        let [first, last] = self.colors;
        // A color that all share fades as it is; of others the mean does.
        let are_same = first == last;
        let (start, tints) = match are_same {
            true => (first, [[1.0; 3]; 2]),
            false => ([1.0; 3], self.colors),
        };
        let middle = between(first, last, 0.5);
        let fades = self.color_fades.iter().map(|(ramp, _)| ramp);
        let ages = ages(self.alpha_ramps.iter().chain(fades));
        let key = |age: f32| {
            let color = self.color_fades.iter().fold(start, |color, (ramp, to)| {
                let to = match are_same {
                    true => *to,
                    false => ratio(*to, middle),
                };
                between(color, to, ramp.at(age))
            });
            let [r, g, b] = color.map(|it| it * overbright);
            (age, [r, g, b, product(&self.alpha_ramps, age)])
        };
        let keys: Vec<_> = ages.into_iter().map(key).collect();
        let [alpha_first, alpha_last] = self.alpha;
        let [[r, g, b], [r_last, g_last, b_last]] = tints;
        let tints = [[r, g, b, alpha_first], [r_last, g_last, b_last, alpha_last]];
        (Curve::through(&keys), tints)
    }

    /// How particles are born in a system that begins after a delay. One that is on when the level begins has been on long.
    pub fn emission(
        &self,
        birth: Birth,
        delay_secs: f32,
        starts_on: bool,
    ) -> (Emission, Option<EmitterWindow>) {
        let window = |start_secs: f32, duration_secs: f32| EmitterWindow {
            start_secs,
            duration_secs,
            period_secs: None,
        };
        let burst = |count: u32| {
            let count = count.clamp(1, self.max_particles);
            let at_secs = 0.0;
            Emission::Bursts(vec![Burst { at_secs, count }])
        };
        match birth {
            Birth::Burst { at_secs, count } => {
                (burst(count), Some(window(delay_secs + at_secs, 0.0)))
            }
            Birth::Count {
                from_secs,
                for_secs,
                count,
            } if self.dies => {
                let count = count.clamp(1, self.max_particles);
                let from_secs = delay_secs + from_secs;
                let is_there = starts_on && from_secs == 0.0 && for_secs.is_none();
                let secs = for_secs.unwrap_or(FOREVER_SECS);
                let window = (!is_there).then(|| window(from_secs, secs));
                (Emission::Steady { count }, window)
            }
            Birth::Count {
                from_secs, count, ..
            } => (burst(count), Some(window(delay_secs + from_secs, 0.0))),
            Birth::Stream {
                from_secs,
                for_secs,
                per_sec,
            } if self.dies => {
                let from_secs = delay_secs + from_secs;
                let [_, longest] = self.life;
                // A system that is full lets no more out.
                let per_sec = per_sec
                    .min(self.max_particles as f32 / longest)
                    .max(SLOWEST);
                let window = match for_secs {
                    None if starts_on && from_secs == 0.0 => None,
                    None => Some(window(from_secs, FOREVER_SECS)),
                    Some(secs) => Some(window(from_secs, secs)),
                };
                (Emission::Stream { per_sec }, window)
            }
            // As many as there can be, and then no more.
            Birth::Stream {
                from_secs,
                for_secs,
                per_sec,
            } => {
                let all = per_sec * for_secs.unwrap_or(FOREVER_SECS);
                (burst(all as u32), Some(window(delay_secs + from_secs, 0.0)))
            }
        }
    }
}

impl Birth {
    /// Whether nothing is born.
    pub fn is_none(&self) -> bool {
        match self {
            Self::Stream { per_sec, .. } => *per_sec <= 0.0,
            Self::Burst { count, .. } | Self::Count { count, .. } => *count == 0,
        }
    }

    /// One of as many equal parts; of what cannot be divided the first parts have one more.
    pub fn shared(self, part: u32, n_parts: u32) -> Self {
        let n_parts = n_parts.max(1);
        let of_count = |count: u32| {
            let rest = count.checked_rem(n_parts).unwrap_or(0);
            let whole = count.checked_div(n_parts).unwrap_or(0);
            whole.saturating_add(u32::from(part < rest))
        };
        match self {
            Self::Stream {
                from_secs,
                for_secs,
                per_sec,
            } => Self::Stream {
                from_secs,
                for_secs,
                per_sec: per_sec / n_parts as f32,
            },
            Self::Burst { at_secs, count } => Self::Burst {
                at_secs,
                count: of_count(count),
            },
            Self::Count {
                from_secs,
                for_secs,
                count,
            } => Self::Count {
                from_secs,
                for_secs,
                count: of_count(count),
            },
        }
    }
}

impl Picture {
    /// How the frames of a sequence are shown.
    pub fn play(&self, n_frames: usize) -> FramePlay {
        match self.fits_life {
            true => FramePlay::OverLife { turns: 1.0 },
            false => FramePlay::PerSecond {
                rate: match self.is_rate_of_frames {
                    true => self.rate,
                    false => self.rate * n_frames as f32,
                },
            },
        }
    }
}

fn product(ramps: &[Ramp], age: f32) -> f32 {
    ramps.iter().map(|ramp| ramp.at(age)).product()
}

fn between(from: [f32; 3], to: [f32; 3], share: f32) -> [f32; 3] {
    let [a, b, c] = from;
    let [x, y, z] = to;
    [(a, x), (b, y), (c, z)].map(|(from, to)| from + (to - from) * share)
}

/// What a color is multiplied by to become another; at most 4, since black becomes nothing else.
fn ratio([r, g, b]: [f32; 3], [of_r, of_g, of_b]: [f32; 3]) -> [f32; 3] {
    [(r, of_r), (g, of_g), (b, of_b)].map(|(to, of)| (to / of.max(1e-3)).min(4.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_birth_are_all_of_it() {
        let parts = |count: u32| {
            let burst = Birth::Burst {
                at_secs: 0.5,
                count,
            };
            [0, 1, 2].map(|part| match burst.shared(part, 3) {
                Birth::Burst { count, .. } => count,
                other => panic!("{other:?}"),
            })
        };
        assert_eq!(parts(7), [3, 2, 2]);
        assert_eq!(parts(1), [1, 0, 0]);
        let stream = Birth::Stream {
            from_secs: 0.0,
            for_secs: None,
            per_sec: 9.0,
        };
        assert!(matches!(stream.shared(2, 3), Birth::Stream { per_sec, .. } if per_sec == 3.0));
    }
}
