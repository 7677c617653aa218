//! From how far things are seen. Dossier section 9.2 has the fields; what they mean is said at each.

use ironlands_scene::{Affine, ViewRange};

use crate::bsp::game_lump::StaticProp;
use crate::entities::Entity;
use crate::studio_model::StudioModel;

/// Flag of a static prop: its fade distances are sizes on the screen.
const FADES_BY_SIZE: u32 = 0x20;
/// Width in pixels of the screen that such sizes are for, which is 90 degrees wide.
const SCREEN_WIDTH: f32 = 640.0;

/// Of a static prop: `fadeMinDist` and `fadeMaxDist`; or sizes in pixels, at the smaller of which it is gone.
pub fn of_static_prop(
    prop: &StaticProp,
    flags: u32,
    world_from_model: &Affine,
    studio: &StudioModel,
) -> ViewRange {
    let [from, to] = prop.fade_distances;
    if flags & FADES_BY_SIZE == 0 {
        return between(from, to);
    }
    let [min, max] = studio.hull;
    let size_sq = min.iter().zip(max).map(|(min, max)| (max - min).powi(2));
    let radius = 0.5 * size_sq.sum::<f32>().sqrt() * world_from_model.max_scale();
    // A ball is as wide as `SCREEN_WIDTH` where its radius is the distance.
    let distance = |pixels: f32| radius * SCREEN_WIDTH / pixels;
    let (small, large) = (from.min(to), from.max(to));
    match small > 0.0 {
        true => between(distance(large), distance(small)),
        false => ViewRange::ALL,
    }
}

/// Of an entity: `fademindist` and `fademaxdist`; of `func_lod` `DisappearDist`, or from `DisappearMinDist` to
/// `DisappearMaxDist`.
pub fn of_entity(entity: &Entity) -> ViewRange {
    let number = |key: &str| entity.number(key).unwrap_or(0.0);
    if &*entity.class() == "func_lod" {
        let at = number("DisappearDist");
        return match number("DisappearMaxDist") {
            to if to > 0.0 => between(number("DisappearMinDist"), to),
            _ => between(at, at),
        };
    }
    let from = entity.number("fademindist").unwrap_or(-1.0);
    between(from, number("fademaxdist"))
}

/// Gone at a distance, which is not above 0 for what is seen from everywhere. A beginning below 0 is one before the end;
/// the two may be the wrong way round. (Both from memory of the engine.)
pub fn between(from: f32, to: f32) -> ViewRange {
    if !from.is_finite() || !to.is_finite() || to <= 0.0 {
        return ViewRange::ALL;
    }
    let from = if from < 0.0 {
        (to + from).max(0.0)
    } else {
        from
    };
    ViewRange {
        far: [from.min(to), from.max(to)],
        ..ViewRange::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entities::{Entities, EntitySyntax};

    fn entity(text: &str) -> Entity {
        let entities = Entities::read(text.as_bytes(), EntitySyntax::Plain).unwrap();
        entities.entities[0].clone()
    }

    #[test]
    fn beginnings_below_0_count_from_the_end() {
        for (keys, far) in [
            (r#""fademaxdist" "900""#, [899.0, 900.0]),
            (
                r#""fademindist" "-200" "fademaxdist" "900""#,
                [700.0, 900.0],
            ),
            (r#""fademindist" "-2000" "fademaxdist" "900""#, [0.0, 900.0]),
            (r#""fademindist" "600" "fademaxdist" "900""#, [600.0, 900.0]),
            (r#""fademindist" "900" "fademaxdist" "600""#, [600.0, 900.0]),
            (
                r#""fademindist" "600" "fademaxdist" "0""#,
                [f32::INFINITY; 2],
            ),
            (r#""skin" "0""#, [f32::INFINITY; 2]),
        ] {
            let entity = entity(&format!(r#"{{ "classname" "prop_dynamic" {keys} }}"#));
            assert_eq!(of_entity(&entity).far, far, "{keys}");
        }
        let lod = |keys| entity(&format!(r#"{{ "classname" "func_lod" {keys} }}"#));
        let old = lod(r#""DisappearDist" "2000""#);
        assert_eq!(of_entity(&old).far, [2000.0; 2]);
        let new = lod(r#""DisappearMinDist" "1500" "DisappearMaxDist" "2000""#);
        assert_eq!(of_entity(&new).far, [1500.0, 2000.0]);
    }
}
