use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{assert_survives_mutations, hex, set32};

/// Two solids of four bytes and of none, then text.
fn hand_typed() -> Vec<u8> {
    hex("10 00 00 00 00 00 00 00 02 00 00 00 78 56 34 12 \
         04 00 00 00 56 50 48 59 \
         00 00 00 00 \
         73 6F 6C 69 64 00")
}

fn value() -> Phy {
    Phy {
        unknown_04: 0,
        checksum: 0x1234_5678,
        solids: vec![b"VPHY".to_vec(), Vec::new()],
        text: b"solid\0".to_vec(),
    }
}

#[test]
fn reader_and_writer_agree_with_the_facts() {
    assert_eq!(Phy::read(&hand_typed()), Ok(value()));
    assert_eq!(value().write(), Ok(hand_typed()));
    assert_eq!(value().check(), []);
}

#[test]
fn damage_is_named_where_it_stands() {
    type Damage = (fn(&mut [u8]), &'static str, u64);
    let damages: [Damage; 4] = [
        (|f| set32(f, 0, 20), "header size", 0),
        (|f| set32(f, 8, u32::MAX), "solid count", 8),
        (|f| set32(f, 16, u32::MAX), "solid size", 16),
        (|f| set32(f, 24, 7), "solid size", 24),
    ];
    for (change, field, offset) in damages {
        let mut file = hand_typed();
        change(&mut file);
        let error = Phy::read(&file).unwrap_err();
        assert_eq!((&*error.field, error.offset), (field, offset), "{error}");
    }
}

#[test]
fn every_truncation_is_refused_or_found() {
    let whole = hand_typed();
    for len in 0..whole.len() {
        match Phy::read(&whole[..len]) {
            Err(_) => {}
            // Nothing says how long the text is; a file may have none.
            Ok(phy) => assert!(phy.text.is_empty() || phy.check().len() == 1, "{len}"),
        }
    }
}

proptest! {
    #[test]
    fn any_solids_survive_writing(
        unknown_04 in any::<u32>(),
        checksum in any::<u32>(),
        solids in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9), 0..4),
        text in prop::collection::vec(any::<u8>(), 0..9),
    ) {
        let phy = Phy { unknown_04, checksum, solids, text };
        prop_assert_eq!(Phy::read(&phy.write().unwrap()), Ok(phy));
    }
}

#[test]
fn damage_never_panics() {
    assert_survives_mutations(&hand_typed(), 2_000, 64, |data| {
        let phy = Phy::read(data)?;
        assert_eq!(phy.write().as_deref(), Ok(data));
        phy.check();
        Ok(())
    });
}
