use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{
    assert_refuses_every_truncation, assert_survives_mutations, hex, set32,
};

fn hand_typed() -> Vec<u8> {
    let mut file = hex("49 44 41 47 30 00 00 00");
    file.extend([0; 68]);
    file.extend(hex("53 00 00 00 01 02 03"));
    file
}

fn value() -> Ani {
    Ani {
        version: 48,
        unknown_08: [0; 68],
        data: vec![1, 2, 3],
    }
}

#[test]
fn reader_and_writer_agree_with_the_facts() {
    assert_eq!(Ani::read(&hand_typed()), Ok(value()));
    assert_eq!(value().write(), Ok(hand_typed()));
}

#[test]
fn damage_is_named_where_it_stands() {
    type Damage = (fn(&mut [u8]), &'static str, u64);
    let damages: [Damage; 3] = [
        (|f| f[3] = b'P', "magic", 0),
        (|f| set32(f, 4, 43), "version", 4),
        (|f| set32(f, 76, 0x54), "file length", 76),
    ];
    for (change, field, offset) in damages {
        let mut file = hand_typed();
        change(&mut file);
        let error = Ani::read(&file).unwrap_err();
        assert_eq!((&*error.field, error.offset), (field, offset), "{error}");
    }
}

#[test]
fn every_truncation_is_refused() {
    assert_refuses_every_truncation(&hand_typed(), |data| Ani::read(data).map(drop));
}

proptest! {
    #[test]
    fn any_blocks_survive_writing(
        version in 44..=49_i32,
        data in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let ani = Ani { version, data, ..value() };
        prop_assert_eq!(Ani::read(&ani.write().unwrap()), Ok(ani));
    }
}

#[test]
fn damage_never_panics() {
    assert_survives_mutations(&hand_typed(), 2_000, 64, |data| {
        assert_eq!(Ani::read(data)?.write().as_deref(), Ok(data));
        Ok(())
    });
}
