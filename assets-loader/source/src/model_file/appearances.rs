//! What a model can look like: its skins, and the choices of its body parts.

use ironlands_assets_core::bytes::{Finding, Severity};

use super::FORMAT;
use crate::level_scene::Appearance;
use crate::studio_model::StudioModel;

/// Most states that a model of a scene has.
const MAX_STATES: usize = 256;

/// All skins with all bodies, the first skin first; no more than a scene has states for, but always `wanted`.
pub fn of_model(
    studio: &StudioModel,
    wanted: Appearance,
    findings: &mut Vec<Finding>,
) -> Vec<Appearance> {
    let bodies = bodies(studio);
    let n_skins = i32::try_from(studio.skins.len()).unwrap_or(i32::MAX).max(1);
    let n_all = bodies.len().saturating_mul(n_skins as usize);
    let skins = (0..n_skins).flat_map(|skin| bodies.iter().map(move |body| (skin, *body)));
    let all = skins.map(|(skin, body)| Appearance { skin, body });
    let mut shown: Vec<Appearance> = all.take(MAX_STATES).collect();
    if n_all > shown.len() {
        let message = format!(
            "{}: {} of {n_all} skins and bodies can be chosen while it is shown; `--skin` and `--body` name the others",
            studio.name,
            shown.len()
        );
        findings.push(Finding::new(Severity::Note, FORMAT, message));
    }
    if state_of(studio, &shown, wanted).is_none() {
        shown.truncate(MAX_STATES.saturating_sub(1));
        shown.push(wanted);
    }
    shown
}

/// The state that looks as wanted.
pub fn state_of(studio: &StudioModel, all: &[Appearance], wanted: Appearance) -> Option<u8> {
    // A skin that is not there is the first one.
    let n_skins = i32::try_from(studio.skins.len()).unwrap_or(i32::MAX);
    let skin = Some(wanted.skin).filter(|skin| (0..n_skins).contains(skin));
    let choices = |body: u32| studio.body_parts.iter().map(move |part| part.choice(body));
    let mut looks = all.iter();
    let state = looks
        .position(|it| it.skin == skin.unwrap_or(0) && choices(it.body).eq(choices(wanted.body)));
    u8::try_from(state?).ok()
}

/// What each state is, in words, as in `skin 1, head: helmet`; none if there is only one.
pub fn names(studio: &StudioModel, all: &[Appearance]) -> Vec<String> {
    if all.len() < 2 {
        return Vec::new();
    }
    let name = |appearance: &Appearance| {
        let skin = format!("skin {}", appearance.skin);
        let skin = (studio.skins.len() > 1).then_some(skin);
        let parts = studio.body_parts.iter().filter_map(|part| {
            let choice = part.choice(appearance.body)?;
            let name = part.names.get(choice)?;
            // A choice without a name shows nothing.
            let name = if name.is_empty() { "none" } else { name };
            let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            (part.names.len() > 1).then(|| format!("{}: {name}", part.name))
        });
        let words: Vec<String> = skin.into_iter().chain(parts).collect();
        words.join(", ")
    };
    all.iter().map(name).collect()
}

/// The numbers that choose each combination of models of body parts.
fn bodies(studio: &StudioModel) -> Vec<u32> {
    let mut bodies = vec![0_u32];
    for part in &studio.body_parts {
        let choices = (0..part.names.len().max(1)).take(MAX_STATES);
        let all = choices.flat_map(|choice| {
            let step = u32::try_from(choice).unwrap_or(0).saturating_mul(part.base);
            bodies.iter().map(move |body| body.saturating_add(step))
        });
        bodies = all.take(MAX_STATES).collect();
    }
    bodies
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studio_model::BodyChoices;

    fn studio(n_skins: usize, parts: &[(u32, &[&str])]) -> StudioModel {
        let part = |(base, names): &(u32, &[&str])| BodyChoices {
            name: format!("part {base}"),
            base: *base,
            names: names.iter().map(|it| (*it).to_owned()).collect(),
        };
        StudioModel {
            skins: vec![vec![0]; n_skins],
            body_parts: parts.iter().map(part).collect(),
            ..StudioModel::default()
        }
    }

    #[test]
    fn every_skin_goes_with_every_body() {
        let studio = studio(
            2,
            &[
                (1, &["torso.smd"]),
                (1, &["hat", ""]),
                (2, &["a", "b", "c"]),
            ],
        );
        let mut findings = Vec::new();
        let wanted = Appearance { skin: 1, body: 3 };
        let all = of_model(&studio, wanted, &mut findings);
        assert_eq!(findings, []);
        assert_eq!(all.len(), 2 * 2 * 3);
        let looks: std::collections::BTreeSet<_> =
            all.iter().map(|it| (it.skin, it.body)).collect();
        assert_eq!(looks.len(), all.len(), "each once");
        let state = state_of(&studio, &all, wanted).unwrap();
        assert_eq!(all[usize::from(state)], wanted);
        let name = &names(&studio, &all)[usize::from(state)];
        assert_eq!(name, "skin 1, part 1: none, part 2: b");
        // A skin that is not there, and a body that begins again.
        let odd = Appearance {
            skin: 9,
            body: 6 + 1,
        };
        let state = state_of(&studio, &all, odd).unwrap();
        assert_eq!(all[usize::from(state)], Appearance { skin: 0, body: 1 });
    }

    #[test]
    fn what_is_wanted_is_among_those_that_fit() {
        let studio = studio(300, &[(1, &["a", "b"])]);
        let mut findings = Vec::new();
        let wanted = Appearance { skin: 290, body: 1 };
        let all = of_model(&studio, wanted, &mut findings);
        assert_eq!((all.len(), findings.len()), (256, 1));
        assert_eq!(state_of(&studio, &all, wanted), Some(255));
    }

    #[test]
    fn a_model_that_always_looks_the_same_has_no_names() {
        let studio = studio(1, &[(1, &["a"])]);
        let all = of_model(&studio, Appearance::default(), &mut Vec::new());
        assert_eq!(all, [Appearance::default()]);
        assert_eq!(names(&studio, &all), [""; 0]);
    }
}
