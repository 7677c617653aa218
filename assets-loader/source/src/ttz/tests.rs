use ironlands_assets_proof::{Change, Damage, Fact, Truncations, hex, proof};
use proptest::prelude::*;

use super::*;

proof! {
    Ttz {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_ttz(),
        // A byte of Deflate stands for up to 1032, which are counted and dropped.
        growth: 64,
        runs: 2_000,
        records: [],
    }
}

/// By RFC 1950 and 1951: a header, two blocks that are not packed, and the checksum. Of "abc" it is 0x024d0127.
pub(crate) fn hand_typed() -> Vec<u8> {
    hex("78 01 \
         00 01 00 FE FF 61 \
         01 02 00 FD FF 62 63 \
         02 4D 01 27")
}

fn facts() -> Vec<Fact<Ttz>> {
    let packed = Ttz::draft(&[&[7; 3000], b"and another one"]).unwrap().0;
    vec![
        Fact::from_bytes("blocks that are not packed", hand_typed()),
        Fact::from_bytes("two mips", packed.write().unwrap()),
    ]
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 7] = [
        (|f| f[0] = 0x79, "zlib header", 0),
        (|f| f[1] = 0x02, "zlib header", 0),
        // A dictionary, with the header's own checksum right.
        (|f| f[1] = 0x20, "zlib header", 0),
        (|f| f[5] = 0, "data", 2),
        (|f| f[8] = 0, "data", 2),
        (|f| f[16] = 0, "checksum", 15),
        (|f| f.push(0xCD), "after the checksum", 19),
    ];
    let mut rows = Damage::from_changes(&hand_typed(), changes);
    rows.push(Damage::new("cut", &hand_typed()[..13], "data", 2));
    rows
}

fn any_ttz() -> impl Strategy<Value = Ttz> {
    proptest::collection::vec(any::<Vec<u8>>(), 0..4).prop_map(|mips| {
        let mips: Vec<&[u8]> = mips.iter().map(Vec::as_slice).collect();
        Ttz::draft(&mips).unwrap().0
    })
}

#[test]
fn blocks_unpack_to_what_was_typed() {
    let ttz = Ttz::read(&hand_typed()).unwrap();
    assert_eq!(ttz.n_unpacked(), 3);
    assert_eq!(ttz.unpack(&Budget::default()).unwrap(), b"abc");
    assert_eq!(ttz.check(), []);
}

#[test]
fn a_mip_unpacks_without_those_after_it() {
    let mips: [&[u8]; 3] = [&[1; 64], &[2; 256], &[3; 1024]];
    let (ttz, places) = Ttz::draft(&mips).unwrap();
    assert_eq!(ttz.unpack(&Budget::default()).unwrap(), mips.concat());
    let data = ttz.write().unwrap();
    assert_eq!((places[0], places[3]), (0, data.len()));
    let mut state = Decompress::new(true);
    let mut buffer = [0; 2048];
    state
        .decompress(&data[..places[2]], &mut buffer, FlushDecompress::Sync)
        .unwrap();
    assert_eq!(state.total_out(), 64 + 256);
    assert_eq!(buffer[..320], mips[..2].concat());
}

#[test]
fn files_of_the_game_may_have_wrong_checksums_and_bytes_that_follow() {
    let mut data = hand_typed();
    data[16] ^= 1;
    data.extend([0xCD; 5]);
    for tolerance in [Tolerance::TRAILING_BYTES, Tolerance::WRONG_CHECKSUM] {
        assert!(Ttz::read_with(&data, tolerance).is_err());
    }
    let ttz = Ttz::read_with(&data, Tolerance::all()).unwrap();
    assert_eq!(ttz.unpack(&Budget::default()).unwrap(), b"abc");
    assert_eq!(ttz.write().unwrap(), data);
    assert_eq!(ttz.check().len(), 1);
}

#[test]
fn what_unpacks_to_too_much_is_refused() {
    // 120 MB of zeros; the budget of a file of this size is 96 MB.
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    for _ in 0..120 {
        encoder.write_all(&vec![0; 1 << 20]).unwrap();
    }
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < 200_000);
    let error = Ttz::read_with(&bomb, Tolerance::all()).unwrap_err();
    assert_eq!((&*error.field, error.offset), ("data", 2));
    // What was counted is not unpacked where something else has used the budget up.
    let (ttz, _) = Ttz::draft(&[&[0; 5000]]).unwrap();
    let budget = Budget::with_limit(4999, 0);
    assert_eq!(ttz.unpack(&budget).unwrap_err().field, "data");
}
