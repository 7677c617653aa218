use super::*;
use crate::fxid::tests::smoking;
use crate::fxid::{Block, Channel, EffectFlags, Emits, Header, Ramp, Sprite};
use crate::nres::{Entry, NRes};
use crate::sample_level::library;
use crate::test_game::TestGame;

fn header(mode: u32, flags: EffectFlags) -> Header {
    Header {
        mode,
        duration_secs: 3.0,
        scale: [1.0; 3],
        flag_bits: flags.bits(),
        ..Header::default()
    }
}

fn open(header: Header) -> Result<EffectFile, VfsError> {
    let entry = |name, data: Vec<u8>| Entry::new(fxid_type(), 0, 0, 0, name, data).unwrap();
    let effects = [
        entry("Smoke", smoking(header).write().unwrap()),
        entry("broken", vec![1, 2, 3]),
    ];
    let game = TestGame::new(&[("effects.rlb", library(&effects))]);
    EffectFile::open(&game.root().join("effects.rlb/smoke"))
}

fn fxid_type() -> u32 {
    crate::fxid::TYPE_ID
}

#[test]
fn an_effect_is_seen_until_its_last_particle_is_gone() {
    // Four particles, a quarter of a second apart, live for a second.
    for (mode, flags, length) in [
        (2, EffectFlags::empty(), 4.0),
        (1, EffectFlags::empty(), 4.0),
        (1, EffectFlags::ENDS, 3.0),
        (14, EffectFlags::empty(), 4.0),
    ] {
        let effect = open(header(mode, flags)).unwrap();
        assert_eq!(effect.length_secs(), length, "{mode} {flags:?}");
        let scene = effect.to_scene(PixelOptions::default());
        assert_eq!(scene.validate(), Ok(()));
        assert_eq!((scene.emitters.len(), effect.drives().len()), (1, 1));
    }
}

#[test]
fn the_box_around_an_effect_holds_its_particles() {
    let effect = open(header(2, EffectFlags::empty())).unwrap();
    let bounds = effect.bounds();
    // Sprites of a unit that stay where they are born.
    assert_eq!((bounds.min, bounds.max), ([-0.5; 3], [0.5; 3]));
    assert_eq!(effect.effect.name, "smoke");
    assert!(
        effect
            .findings
            .iter()
            .any(|it| it.message.contains("Material.lib"))
    );
}

#[test]
fn what_is_no_effect_is_refused() {
    let game = TestGame::new(&[(
        "effects.rlb",
        NRes::from_entries(Vec::new()).write().unwrap(),
    )]);
    let missing = EffectFile::open(&game.root().join("effects.rlb/smoke"));
    assert!(
        matches!(missing, Err(VfsError::EntryMissing { .. })),
        "{missing:?}"
    );
}

fn explosion(effect: &str, radius: f32) -> Vec<u8> {
    let nothing = crate::registry::ObjectRef::new("", "").unwrap();
    let mut effects = [nothing; crate::expl::N_EFFECTS];
    effects[0] = crate::registry::ObjectRef::new("effects.rlb", effect).unwrap();
    let head = crate::expl::ExplosionHead {
        kind: 3,
        damage: 10.0,
        radius,
        ..crate::expl::ExplosionHead::default()
    };
    Expl { head, effects }.write().unwrap()
}

#[test]
fn an_explosion_is_its_usual_effect_as_large_as_it_reaches() {
    let flash = Sprite {
        mode: 0,
        phase: Ramp::default(),
        fade: Ramp {
            low: 1.0,
            high: 1.0,
            exponent: 1.0,
        },
        window: [0.0, 1.0],
        position: Channel::default(),
        direction: [[0.0; 3]; 2],
        size: Channel {
            low: [1.0; 3],
            high: [1.0; 3],
            exponent: [1.0; 3],
        },
        material: crate::registry::ObjectRef::new("Material.lib", "FLASH").unwrap(),
    };
    let flash = Fxid {
        header: header(2, EffectFlags::empty()),
        blocks: vec![Block::new(Emits::Sprite(flash))],
    };
    let flash = flash.write().unwrap();
    let effects = [Entry::new(fxid_type(), 0, 0, 0, "Smoke", flash).unwrap()];
    let entry = |name, data| Entry::new(crate::expl::TYPE_ID, 0, 0, 0, name, data).unwrap();
    let explosions = [
        entry("bang.exp", explosion("smoke", 6.0)),
        entry("lost.exp", explosion("nowhere", 6.0)),
        entry("still.exp", explosion("", 6.0)),
    ];
    let game = TestGame::new(&[
        ("effects.rlb", library(&effects)),
        ("static.rlb", library(&explosions)),
    ]);
    let open = |name: &str| EffectFile::open(&game.root().join("static.rlb").join(name));
    let bang = open("bang.exp").unwrap();
    let bounds = bang.bounds();
    assert_eq!((bounds.min, bounds.max), ([-3.0; 3], [3.0; 3]));
    assert_eq!(bang.to_scene(PixelOptions::default()).validate(), Ok(()));
    let messages = |file: &EffectFile| -> Vec<String> {
        let messages = file.findings.iter().map(|it| it.message.clone());
        messages.collect()
    };
    let expected = "kind 3, damage 10 within 6, 1 effects";
    assert!(messages(&bang).iter().any(|it| it == expected));
    assert!(matches!(
        open("lost.exp"),
        Err(VfsError::EntryMissing { .. })
    ));
    let still = open("still.exp").unwrap();
    assert!(messages(&still).iter().any(|it| it == "it has no effect"));
    assert_eq!(still.to_scene(PixelOptions::default()).validate(), Ok(()));
}
