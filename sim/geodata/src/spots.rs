//! Positions for a character: near a point, on the ground.

use super::profile::Profile;
use super::straight_walk::StraightWalkEnd;
use super::world::{GeoPoint, Geodata, GeodataError};
use ironlands_sim_regions::REGION_SIZE;

/// How to look for a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpotOptions {
    /// How far from the middle, in points; more than a region's side counts as that.
    pub radius: i32,
    /// The step rule by which the position must be reachable.
    pub profile: Profile,
    /// Places that are tried at most.
    pub n_tries: u32,
}

impl Geodata {
    /// A place that one can walk straight to from `middle`, at most `radius` away: each point of the circle is as
    /// likely. After `n_tries` walks that do not arrive, the last valid point of the farthest of them.
    ///
    /// `seed` decides, and advances to the next number; the same seed gives the same place.
    ///
    /// # Errors
    /// If `middle` is outside of all regions or there is none.
    pub fn random_spot(
        &self,
        middle: GeoPoint,
        options: &SpotOptions,
        seed: &mut u64,
    ) -> Result<GeoPoint, GeodataError> {
        let start = GeoPoint {
            z: self.height(middle)?,
            ..middle
        };
        let radius = i64::from(options.radius.clamp(0, REGION_SIZE));
        let mut farthest = (0, start);
        for _ in 0..options.n_tries {
            let (x, y) = offset(radius, seed);
            let to = GeoPoint {
                x: start.x.saturating_add(x),
                y: start.y.saturating_add(y),
                ..start
            };
            let Ok(movement) = self.straight_walk(start, to, &options.profile) else {
                continue;
            };
            // The layer that is come to is as good as the one nearest to the middle.
            match movement.end {
                StraightWalkEnd::Reached | StraightWalkEnd::OtherLayer => return Ok(movement.point),
                StraightWalkEnd::Blocked(_) => {
                    let (dx, dy) = (movement.point.x - start.x, movement.point.y - start.y);
                    let distance = i64::from(dx).pow(2) + i64::from(dy).pow(2);
                    if distance > farthest.0 {
                        farthest = (distance, movement.point);
                    }
                }
            }
        }
        Ok(farthest.1)
    }

    /// The point on the ground that is nearest to a spawn in height; `None` if it is more than `reach` away, as where
    /// the spawn is meant to hang in the air or its region is another version.
    ///
    /// # Errors
    /// If the point is outside of all regions or there is none.
    pub fn snap_spawn(
        &self,
        spawn: GeoPoint,
        reach: i32,
    ) -> Result<Option<GeoPoint>, GeodataError> {
        let z = self.height(spawn)?;
        let is_near = z.abs_diff(spawn.z) <= reach.unsigned_abs();
        Ok(is_near.then_some(GeoPoint { z, ..spawn }))
    }

    /// Where a fall from a point ends: the highest ground at or below it, and how far that is. `None` where
    /// all ground is above.
    ///
    /// # Errors
    /// If the point is outside of all regions or there is none.
    pub fn fall(&self, from: GeoPoint) -> Result<Option<(GeoPoint, i32)>, GeodataError> {
        let ground = self.layer_at_or_below(from.cell()?, from.z)?;
        Ok(ground.map(|layer| {
            (
                GeoPoint { z: layer.z, ..from },
                from.z.saturating_sub(layer.z),
            )
        }))
    }
}

/// A point of a circle, each as likely.
fn offset(radius: i64, seed: &mut u64) -> (i32, i32) {
    let side = 2 * radius as u64 + 1;
    loop {
        let number = next(seed);
        let x = (number >> 32) % side;
        let y = (number & 0xFFFF_FFFF) % side;
        let (x, y) = (x as i64 - radius, y as i64 - radius);
        // The middle is always in it, and three of four others are.
        if x * x + y * y <= radius * radius {
            return (x as i32, y as i32);
        }
    }
}

/// SplitMix64.
fn next(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
