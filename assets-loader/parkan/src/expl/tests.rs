use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof};

proof! {
    Expl {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_explosion(),
        growth: 16,
        runs: 1_000,
        records: [RecordPlace::new::<ExplosionHead>(0, ())],
        also: |explosion, _| drop(explosion.summary()),
    }
}

fn nothing() -> ObjectRef {
    ObjectRef::new("", "").unwrap()
}

/// A blast with an effect of its own on water.
fn blast() -> Expl {
    let mut effects = [nothing(); N_EFFECTS];
    effects[0] = ObjectRef::new("effects.rlb", "bang").unwrap();
    effects[8] = ObjectRef::new("effects.rlb", "splash").unwrap();
    Expl {
        head: ExplosionHead {
            kind: 3,
            damage: 50.0,
            radius: 8.0,
            unknown_0c: [1.0; 2],
            placement: 7,
        },
        effects,
    }
}

pub(crate) fn bytes() -> Vec<u8> {
    let mut bytes = vec![3, 0, 0, 0, 0, 0, 0x48, 0x42, 0, 0, 0, 0x41];
    bytes.extend([0, 0, 0x80, 0x3F, 0, 0, 0x80, 0x3F, 7, 0, 0, 0]);
    bytes.resize(792, 0);
    for (slot, name) in [(0, "bang"), (8, "splash")] {
        let at = 24 + 64 * slot;
        bytes[at..at + 11].copy_from_slice(b"effects.rlb");
        bytes[at + 32..at + 32 + name.len()].copy_from_slice(name.as_bytes());
    }
    bytes
}

fn facts() -> Vec<Fact<Expl>> {
    vec![Fact::new("a blast", blast(), bytes())]
}

fn damage() -> Vec<Damage> {
    Damage::from_changes(
        &bytes(),
        [
            (|it| it.truncate(22), "placement", 20),
            (|it| it.truncate(700), "resource", 24 + 64 * 10 + 32),
            (|it| it.push(0), "after the last effect", 792),
        ],
    )
}

#[test]
fn a_surface_has_its_own_effect_or_the_usual_one() {
    let name = |class| blast().effect_on(class).map(|it| it.resource().to_vec());
    assert_eq!(name(7), Some(b"splash".to_vec()));
    assert_eq!(name(2), Some(b"bang".to_vec()));
    let mut silent = blast();
    silent.effects[0] = nothing();
    assert_eq!(silent.effect_on(2), None);
    assert_eq!(blast().summary(), "kind 3, damage 50 within 8, 2 effects");
}

#[test]
fn what_no_known_explosion_has_is_found() {
    assert_eq!(blast().check(), []);
    let mut bad = blast();
    bad.head.kind = 4;
    bad.head.radius = f32::NAN;
    let offsets: Vec<_> = bad.check().iter().map(|it| it.offset).collect();
    assert_eq!(offsets, [Some(0), Some(4)]);
}

prop_compose! {
    fn any_explosion()(
        words in any::<[i32; 2]>(),
        numbers in any::<[f32; 4]>(),
        names in prop::collection::vec(any::<[[u8; 32]; 2]>(), N_EFFECTS),
    ) -> Expl {
        let [damage, radius, a, b] = numbers;
        let object_ref = |[archive_field, resource_field]: [[u8; 32]; 2]| ObjectRef { archive_field, resource_field };
        let effects: Vec<ObjectRef> = names.into_iter().map(object_ref).collect();
        Expl {
            head: ExplosionHead { kind: words[0], damage, radius, unknown_0c: [a, b], placement: words[1] },
            effects: effects.try_into().unwrap(),
        }
    }
}
