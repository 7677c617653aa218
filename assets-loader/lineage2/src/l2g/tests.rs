use proptest::prelude::*;

use super::*;
use crate::N_BLOCKS;
use crate::test_regions::{id, mixed};
use ironlands_assets_proof::{assert_survives_mutations, hex};

const KEY: u32 = 0x1234_5678;

#[test]
fn keys_agree_with_the_facts() {
    // Section 2.5.
    let plain = hex("00 90 EF 01");
    let hidden = hex("22 90 7F EE");
    assert_eq!(hide(KEY, &plain), hidden);
    assert_eq!(show(KEY, &hidden), plain);
    assert_eq!(hide(PLAIN_KEY, &plain), plain);
    assert_eq!(show(PLAIN_KEY, &plain), plain);
}

#[test]
fn reader_and_writer_agree_with_the_facts() {
    let file = L2g::from_region(&Region::flat(id(), -4208), FlatRule::Max, KEY);
    let bytes = file.write().unwrap();
    // The height ends in EF, which hides the type byte of the next block.
    assert_eq!(bytes[..10], hex("12 34 56 78 22 90 7F EF 90 7F"));
    assert_eq!(bytes.len(), 4 + 3 * N_BLOCKS);
    assert_eq!(L2g::read(id(), &bytes).unwrap(), file);
}

#[test]
fn a_wrong_key_is_distinguished() {
    let mut bytes = L2g::from_region(&mixed(5), FlatRule::Max, KEY)
        .write()
        .unwrap();
    let file = L2g::read(id(), &bytes).unwrap();
    assert_eq!(file.write().unwrap(), bytes);
    assert_eq!(file.check().len(), file.l2j.check().len());
    bytes[0] ^= 0x40;
    let error = L2g::read(id(), &bytes).unwrap_err();
    assert_eq!((&*error.field, error.offset), ("first block type", 4));
    assert!(error.to_string().contains(".l2s"), "{error}");
}

#[test]
fn damage_is_named_in_bytes_of_the_file() {
    let mut bytes = L2g::from_region(&Region::flat(id(), 0), FlatRule::Max, L2g::PLAIN)
        .write()
        .unwrap();
    bytes[4 + 3] = 9;
    let error = L2g::read(id(), &bytes).unwrap_err();
    assert_eq!((&*error.field, error.offset), ("block 0, 1, block type", 7));
}

#[test]
fn some_truncations_are_refused() {
    let bytes = L2g::from_region(&mixed(5), FlatRule::Max, KEY)
        .write()
        .unwrap();
    for len in [0, 3, 4, 5, 1000, bytes.len() - 1] {
        assert!(L2g::read(id(), &bytes[..len]).is_err(), "{len}");
    }
}

proptest! {
    #[test]
    fn any_bytes_survive_any_key(key in any::<u32>(), plain in any::<Vec<u8>>()) {
        prop_assert_eq!(show(key, &hide(key, &plain)), plain);
    }
}

#[test]
fn damage_never_panics() {
    let whole = L2g::from_region(&mixed(31), FlatRule::Max, KEY)
        .write()
        .unwrap();
    assert_survives_mutations(&whole, 20, 16, |data| {
        let file = L2g::read(id(), data)?;
        assert_eq!(file.write().as_deref(), Ok(data));
        Ok(())
    });
}
