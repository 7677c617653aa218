//! Foliage: what sprites and patches name, and numbers that are drawn.

use super::{SceneError, broken, ensure, is_amount};
use crate::{Foliage, FoliageSprite, MAX_FOLIAGE_SPRITES, Scene, SpriteFacing};

impl Scene {
    pub(super) fn validate_foliage(&self) -> Result<(), SceneError> {
        let Some(foliage) = &self.foliage else {
            return Ok(());
        };
        let n_sprites = foliage.sprites.len();
        let fit = n_sprites <= MAX_FOLIAGE_SPRITES;
        ensure(fit, "foliage.sprites", n_sprites, "at most 2^20 sprites")?;
        self.check_frames(&foliage.frames)
            .map_err(|rule| broken("foliage.frames", 0, rule))?;
        ensure(foliage.range.rises(), "foliage", 0, "a range of view rises")?;
        let sways = is_amount(foliage.sways_per_sec);
        ensure(sways, "foliage", 0, "swaying is finite, at least 0")?;
        for (index, light) in foliage.styled_lights.iter().enumerate() {
            let exists = usize::from(light.style) < self.n_known_light_styles();
            let array = "foliage.styled_lights";
            ensure(exists, array, index, "a light names a missing style")?;
            let is_light = light.color.into_iter().all(is_amount);
            ensure(is_light, array, index, "light is finite, at least 0")?;
        }
        for (index, sprite) in foliage.sprites.iter().enumerate() {
            check_sprite(foliage, sprite).map_err(|rule| broken("foliage.sprites", index, rule))?;
        }
        for (index, patch) in foliage.patches.iter().enumerate() {
            let array = "foliage.patches";
            let inside =
                patch.sprites.start <= patch.sprites.end && patch.sprites.end as usize <= n_sprites;
            ensure(inside, array, index, "a patch names missing sprites")?;
            let exist = self.has_cells(&patch.cells);
            ensure(exist, array, index, "a patch names a missing cell")?;
        }
        Ok(())
    }
}

fn check_sprite(foliage: &Foliage, sprite: &FoliageSprite) -> Result<(), &'static str> {
    let FoliageSprite {
        position,
        min,
        max,
        facing,
        frame,
        light,
        styled_lights,
        sway,
    } = sprite;
    let mut numbers = position.iter().chain(min).chain(max);
    let is_turned = match facing {
        SpriteFacing::Fixed { right, up } => right.iter().chain(up).all(|it| it.is_finite()),
        SpriteFacing::Eye | SpriteFacing::Upright => true,
    };
    let is_light = light.iter().copied().all(is_amount) && is_amount(*sway);
    let are_there = styled_lights.start <= styled_lights.end
        && styled_lights.end as usize <= foliage.styled_lights.len();
    let rules = [
        (numbers.all(|it| it.is_finite()), "a place is finite"),
        (is_turned, "axes are finite"),
        (
            (*frame as usize) < foliage.frames.len(),
            "a sprite names a missing frame",
        ),
        (is_light, "light and sway are finite, at least 0"),
        (are_there, "a sprite names missing lights"),
    ];
    match rules.into_iter().find(|(holds, _)| !holds) {
        Some((_, rule)) => Err(rule),
        None => Ok(()),
    }
}
