//! Exposure and color correction.

use super::{SceneError, ensure, is_amount};
use crate::{CorrectionPlace, MAX_TABLE_SIDE, Scene};

impl Scene {
    pub(super) fn validate_grading(&self) -> Result<(), SceneError> {
        if let Some(exposure) = &self.auto_exposure {
            let bounds = exposure.min.is_finite() && exposure.max.is_finite();
            let rise = bounds && 0.0 < exposure.min && exposure.min <= exposure.max;
            let shares = (0.0..=1.0).contains(&exposure.bright_share)
                && exposure.bright_target > 0.0
                && is_amount(exposure.bright_target)
                && is_amount(exposure.min_mean);
            let moves = is_amount(exposure.rate)
                && exposure.fall_factor.is_finite()
                && exposure.fall_factor >= 1.0
                && is_amount(exposure.bloom);
            let rule = "0 < min <= max, shares of a picture, and rates of at least 0, all finite";
            ensure(rise && shares && moves, "auto_exposure", 0, rule)?;
        }
        for (index, table) in self.color_tables.iter().enumerate() {
            let is_side = (2..=MAX_TABLE_SIDE).contains(&table.side);
            let is_whole = is_side && table.entries.len() == table.side.pow(3) as usize;
            let rule = "a cube of 2 to 64 entries along each axis";
            ensure(is_whole, "color_tables", index, rule)?;
        }
        for (index, correction) in self.color_corrections.iter().enumerate() {
            let ensure = |holds, rule| ensure(holds, "color_corrections", index, rule);
            let exists = (correction.table as usize) < self.color_tables.len();
            ensure(exists, "a correction names a missing table")?;
            let is_share = (0.0..=1.0).contains(&correction.weight);
            ensure(is_share, "0 <= weight <= 1")?;
            let is_place = match correction.place {
                CorrectionPlace::Everywhere => true,
                CorrectionPlace::Box(bounds) => (0..3).all(|i| bounds.min[i] <= bounds.max[i]),
                CorrectionPlace::Ball {
                    center,
                    full_within,
                    none_beyond,
                } => {
                    let is_range = is_amount(full_within) && full_within <= none_beyond;
                    center.iter().all(|it| it.is_finite()) && is_range && none_beyond.is_finite()
                }
            };
            ensure(is_place, "a place is finite, and its distances rise")?;
        }
        Ok(())
    }
}
