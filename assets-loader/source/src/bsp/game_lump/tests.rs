use std::io::Write as _;

use lzma_rust2::{LzmaOptions, LzmaWriter};
use proptest::prelude::*;

use super::*;

use ironlands_assets_proof::{
    Change, Damage, Fact, RecordPlace, Truncations, hex, proof, set16, set32,
};

mod detail;
mod detail_lights;
mod props;

proof! {
    GameLump {
        facts: facts(),
        damage: damage(),
        // The last three bytes are padding after the last sub-lump.
        truncations: Truncations::RefusedBeyond(3),
        values: any_lump(),
        growth: 64,
        runs: 2_000,
        records: [RecordPlace::from_fields(0, [("sub-lump count", 4), ("sub-lump id", 4), ("sub-lump flags", 2), ("sub-lump version", 2), ("sub-lump offset", 4), ("sub-lump length", 4)])],
        damage_context: BASE,
        context: |_| BASE,
        also: use_lump,
    }
}

/// Lumps of LZMA streams.
mod packed {
    use super::*;

    proof! {
        GameLump {
            facts: packed_facts(),
            damage: damage(),
            truncations: Truncations::Refused,
            values: any_lump(),
            // The properties of a stream require up to 12 MiB of the decoder's tables, whatever its size.
            growth: 1 << 17,
            runs: 2_000,
            damage_context: BASE,
            context: |_| BASE,
            also: use_lump,
        }
    }
}

/// Where the lump of the facts stands in its file.
const BASE: u64 = 0x1000;
/// Length of the directory of two rows, behind which the sub-lumps stand.
const BODY: usize = 4 + 2 * 16;

/// Two sub-lumps typed from the document: five bytes of an unknown one and no detail props.
fn hand_typed_lump() -> Vec<u8> {
    hex("02 00 00 00 \
         74 6C 70 64  00 00  01 00  24 10 00 00  05 00 00 00 \
         70 72 70 64  00 00  04 00  29 10 00 00  0C 00 00 00 \
         0A 0B 0C 0D 0E \
         00 00 00 00 00 00 00 00 00 00 00 00 \
         00 00 00")
}

/// Records of 60 bytes: the 56 of all versions and the scale of fading.
fn hand_typed_props() -> Vec<u8> {
    let name = [&b"models/a.mdl"[..], &[0; 116]].concat();
    let record = hex("\
        00 00 80 3F 00 00 00 40 00 00 40 40  00 00 00 00 00 00 B4 42 00 00 00 00 \
        00 00  01 00  02 00  06 82  FF FF FF FF  00 00 C8 42 00 00 48 43 \
        00 00 80 3F 00 00 80 3F 00 00 80 3F  00 00 00 3F");
    [
        hex("01 00 00 00"),
        name,
        hex("03 00 00 00  07 00 08 00 09 00  01 00 00 00"),
        record,
    ]
    .concat()
}

const MODEL_COUNT: usize = 0;
const LEAF_COUNT: usize = 4 + 128;
const PROP_COUNT: usize = LEAF_COUNT + 4 + 6;
const PROP: usize = PROP_COUNT + 4;

fn hand_typed_prop() -> StaticProp {
    StaticProp {
        origin: [1.0, 2.0, 3.0],
        angles: [0.0, 90.0, 0.0],
        model: 0,
        first_leaf: 1,
        n_leaves: 2,
        solid: 6,
        byte_1f: 0x82,
        skin: -1,
        fade_distances: [100.0, 200.0],
        lighting_origin: [1.0; 3],
        forced_fade_scale: 0.5,
        ..StaticProp::default()
    }
}

/// At its place.
fn fact(name: &'static str, bytes: Vec<u8>) -> Fact<GameLump> {
    Fact::from_bytes(name, bytes).with_context(BASE)
}

fn facts() -> Vec<Fact<GameLump>> {
    vec![fact("two sub-lumps and padding", hand_typed_lump())]
}

fn packed_facts() -> Vec<Fact<GameLump>> {
    vec![fact("as repacking tools leave it", packed_lump())]
}

#[test]
fn the_directory_agrees_with_the_facts() {
    let lump = GameLump::read(&hand_typed_lump(), BASE).unwrap();
    let reported: Vec<_> = lump
        .sub_lumps()
        .iter()
        .map(|s| (s.id(), s.version()))
        .collect();
    assert_eq!(
        reported,
        [(SubLumpId(*b"dplt"), 1), (SubLumpId::DETAIL_PROPS, 4)]
    );
    assert_eq!(lump.sub_lumps()[0].stored(), [10, 11, 12, 13, 14]);
    assert_eq!(lump.detail_props(), Ok(Some(DetailProps::default())));
    assert_eq!(lump.static_props(20), Ok(None));
}

#[test]
fn offsets_move_with_the_lump() {
    let lump = GameLump::read(&hand_typed_lump(), BASE).unwrap();
    let mut moved = hand_typed_lump();
    set32(&mut moved, 12, 0x0002_0024);
    set32(&mut moved, 28, 0x0002_0029);
    assert_eq!(lump.write(0x2_0000), Ok(moved.clone()));
    assert_eq!(GameLump::read(&moved, 0x2_0000), Ok(lump.clone()));
    let error = lump.write(0x7FFF_FFF0).unwrap_err();
    assert_eq!(error.field, "sub-lump offset");
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 7] = [
        (|d| set32(d, 0, 4), "sub-lump count", BASE),
        (|d| set32(d, 0, u32::MAX), "sub-lump count", BASE),
        (|d| set32(d, 16, u32::MAX), "sub-lump length", BASE + 16),
        (|d| set32(d, 16, 100), "sub-lump offset", BASE + 12),
        (|d| set32(d, 12, 0x1023), "sub-lump offset", BASE + 12),
        (|d| set32(d, 12, 0x0FFF), "sub-lump offset", BASE + 12),
        (|d| set32(d, 28, 0x1028), "sub-lump offset", BASE + 28),
    ];
    Damage::from_changes(&hand_typed_lump(), changes)
}

/// A stream as section 1.4 has it, by the encoder of the library.
fn packed(content: &[u8]) -> Vec<u8> {
    let options = LzmaOptions::with_preset(6);
    let mut writer = LzmaWriter::new_no_header(Vec::new(), &options, false).unwrap();
    writer.write_all(content).unwrap();
    let properties = writer.props();
    let stream = writer.finish().unwrap();
    let word = |n: usize| (n as u32).to_le_bytes();
    [
        &b"LZMA"[..],
        &word(content.len()),
        &word(stream.len()),
        &[properties],
        &options.dict_size.to_le_bytes(),
        &stream,
    ]
    .concat()
}

/// A compressed lump as repacking tools leave it: a row without length marks the end of the last stream.
fn packed_lump() -> Vec<u8> {
    let (props, details) = (packed(&hand_typed_props()), packed(&[0; 12]));
    let first = BASE as usize + 4 + 3 * 16;
    let row = |id: &[u8; 4], flags: u16, version: u16, offset: usize, len: usize| {
        let words = [(offset as u32).to_le_bytes(), (len as u32).to_le_bytes()].concat();
        [
            &id[..],
            &flags.to_le_bytes(),
            &version.to_le_bytes(),
            &words,
        ]
        .concat()
    };
    let second = first + props.len();
    [
        3_u32.to_le_bytes().to_vec(),
        row(b"prps", 1, 5, first, hand_typed_props().len()),
        row(b"prpd", 1, 4, second, 12),
        row(&[0; 4], 0, 0, second + details.len(), 0),
        props,
        details,
    ]
    .concat()
}

#[test]
fn compressed_sub_lumps_are_unpacked_and_kept() {
    let bytes = packed_lump();
    let lump = GameLump::read(&bytes, BASE).unwrap();
    assert!(lump.sub_lumps()[0].is_compressed());
    let props = lump.static_props(19).unwrap().unwrap();
    assert_eq!(props.props, [hand_typed_prop()]);
    assert_eq!(lump.detail_props(), Ok(Some(DetailProps::default())));
}

#[test]
fn the_mark_after_compressed_sub_lumps_moves_with_an_edit() {
    let mut lump = GameLump::read(&packed_lump(), BASE).unwrap();
    lump.set(SubLumpId::STATIC_PROPS, 5, hand_typed_props());
    let bytes = lump.write(0).unwrap();
    let mark = u32::from_le_bytes(bytes[44..48].try_into().unwrap());
    assert_eq!(mark as usize, bytes.len());
    let again = GameLump::read(&bytes, 0).unwrap();
    assert_eq!(again.static_props(19), lump.static_props(19));
    assert_eq!(again.detail_props(), Ok(Some(DetailProps::default())));
    assert!(!again.sub_lumps()[0].is_compressed());
}

#[test]
fn sub_lumps_are_replaced_in_place_and_added_at_the_end() {
    let mut lump = GameLump::read(&hand_typed_lump(), BASE).unwrap();
    lump.set(SubLumpId(*b"dplt"), 2, vec![1, 2]);
    let props = StaticProps::read(&hand_typed_props(), 5, 19).unwrap();
    lump.set_static_props(&props).unwrap();
    let again = GameLump::read(&lump.write(77).unwrap(), 77).unwrap();
    assert_eq!(again, lump);
    let reported: Vec<_> = again
        .sub_lumps()
        .iter()
        .map(|s| (s.id(), s.stored().len()))
        .collect();
    let props_len = hand_typed_props().len();
    let expected = [(SubLumpId(*b"dplt"), 2), (SubLumpId::DETAIL_PROPS, 12)];
    assert_eq!(reported[..2], expected);
    assert_eq!(reported[2], (SubLumpId::STATIC_PROPS, props_len));
    assert_eq!(again.static_props(19), Ok(Some(props)));
    let mut fresh = GameLump::default();
    fresh.set_detail_props(&DetailProps::default()).unwrap();
    assert_eq!(fresh.write(0).unwrap().len(), 4 + 16 + 12);
}

#[test]
fn sub_lumps_stand_in_any_order_with_gaps() {
    let mut bytes = hand_typed_lump();
    // The first of the directory comes last, with a byte before it.
    set32(&mut bytes, 12, 0x1024 + 13);
    set32(&mut bytes, 28, 0x1024);
    let body = [vec![0; 12], vec![0x77], hex("0A 0B 0C 0D 0E")].concat();
    bytes.splice(BODY.., body);
    let lump = GameLump::read(&bytes, BASE).unwrap();
    assert_eq!(lump.sub_lumps()[0].stored(), [10, 11, 12, 13, 14]);
    assert_eq!(lump.write(BASE), Ok(bytes));
}

#[test]
fn names_of_models_fit_their_field() {
    assert_eq!(ModelName::new(&"x".repeat(127)).unwrap().path().len(), 127);
    assert_eq!(ModelName::new(&"x".repeat(128)), None);
    assert_eq!(ModelName::new("a\0b"), None);
}

/// Sub-lumps of any bytes; the lump is read, so that it knows where it stands.
fn any_lump() -> impl Strategy<Value = GameLump> {
    let bytes = prop::collection::vec(any::<u8>(), 0..40);
    let sub_lump = (any::<[u8; 4]>(), any::<u16>(), bytes);
    prop::collection::vec(sub_lump, 0..5).prop_map(|sub_lumps| {
        let mut lump = GameLump::default();
        for (id, version, bytes) in sub_lumps {
            lump.set(SubLumpId(id), version, bytes);
        }
        GameLump::read(&lump.write(BASE).unwrap(), BASE).unwrap()
    })
}

/// All content is unpacked, and read as what it may be.
fn use_lump(lump: &GameLump, _: &[u8]) {
    for sub_lump in lump.sub_lumps() {
        let Ok(content) = sub_lump.content() else {
            return;
        };
        if let Ok(props) = StaticProps::read(&content, sub_lump.version(), 20) {
            assert_eq!(props.write().as_deref(), Ok(&content[..]));
        }
    }
}
