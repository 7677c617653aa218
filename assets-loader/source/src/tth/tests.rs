use ironlands_assets_proof::{
    Change, Damage, Fact, RecordPlace, Truncations, folder_with, hex, proof, set32,
};
use proptest::prelude::*;

use super::*;
use ironlands_assets_core::format::ConversionOptions;
use ironlands_assets_core::report::{Depth, Scope};

proof! {
    Tth {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_tth(),
        growth: 64,
        runs: 2_000,
        records: [
            RecordPlace::from_fields(0, [("magic", 4), ("version", 2), ("mip count", 1), ("inline mip count", 1), ("vtf length", 4)]),
            RecordPlace::new::<TthPlace>(12, ()),
        ],
    }
}

/// Offset of the VTF in `hand_typed`: after the header, two mips and the end.
const VTF: usize = 12 + 3 * 8;

/// A texture of 2 x 1 pixels with two mips in BGR888, the smaller of which is here. Version 7.1 has 64 bytes of header:
/// 63 of fields, and one more.
fn hand_typed() -> Vec<u8> {
    hex("54 54 48 00 01 00 02 01 43 00 00 00 \
         40 00 00 00 00 00 00 00 \
         43 00 00 00 00 00 00 00 \
         49 00 00 00 11 00 00 00 \
         56 54 46 00 07 00 00 00 01 00 00 00 40 00 00 00 \
         02 00 01 00 00 00 00 00 01 00 00 00 00 00 00 00 \
         00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 \
         00 00 80 3F 03 00 00 00 02 FF FF FF FF 00 00 00 \
         10 20 30")
}

/// The larger mip, in a block that is not packed. Of its six bytes the sum is 1 + 0x150 = 0x151, and the sum of all sums
/// 6 + 6 * 0x10 + 5 * 0x20 + 4 * 0x30 + 3 * 0x40 + 2 * 0x50 + 0x60 = 0x386.
fn hand_typed_rest() -> Vec<u8> {
    hex("78 01 01 06 00 F9 FF 10 20 30 40 50 60 03 86 01 51")
}

/// The smallest texture, all of which is here: one pixel.
fn whole() -> Vec<u8> {
    let mut file = hand_typed();
    file[6] = 1;
    file.drain(20..28);
    set32(&mut file, 20, 0x43);
    set32(&mut file, 24, 0);
    let vtf = VTF - 8;
    file[vtf + 16] = 1;
    file[vtf + 56] = 1;
    file
}

fn facts() -> Vec<Fact<Tth>> {
    vec![
        Fact::from_bytes("two mips", hand_typed()),
        Fact::from_bytes("all in one file", whole()),
    ]
}

fn damage() -> Vec<Damage> {
    let changes: [Change; 7] = [
        (|f| f[3] = 1, "magic", 0),
        (|f| f[4] = 2, "version", 4),
        (|f| set32(f, 8, 0x44), "vtf", VTF as u64),
        (|f| set32(f, 28, 0x42), "vtf offset", 28),
        (|f| f[6] = 1, "vtf magic", 28),
        (|f| f[VTF] = 0, "vtf magic", VTF as u64),
        (|f| f.push(0xCD), "after the vtf", VTF as u64 + 0x43),
    ];
    Damage::from_changes(&hand_typed(), changes)
}

fn any_tth() -> impl Strategy<Value = Tth> {
    let places = proptest::collection::vec(any::<(u32, u32)>(), 0..5);
    (places, any::<(u8, u32)>(), any::<Vec<u8>>()).prop_map(|(places, (n, ttz), bytes)| {
        let place = |(vtf_offset, ttz_offset)| TthPlace {
            vtf_offset,
            ttz_offset,
        };
        Tth {
            n_inline_mips: n,
            mips: places.into_iter().map(place).collect(),
            end: place((1_000_000, ttz)),
            beginning: [&vtf::MAGIC[..], &bytes].concat(),
            trailer: Vec::new(),
        }
    })
}

/// Pixels of a mip as red, green and blue.
fn pixels(texture: &Vtf, mip: u32) -> Vec<[u8; 3]> {
    let pixels = texture.decode_rgba8(mip, 0, 0).unwrap();
    let pixels = pixels.as_chunks::<4>().0.iter();
    pixels.map(|[r, g, b, _]| [*r, *g, *b]).collect()
}

#[test]
fn two_files_are_one_texture() {
    let tth = Tth::read(&hand_typed()).unwrap();
    assert_eq!((tth.n_inline_mips, tth.mips.len()), (1, 2));
    assert!(!tth.is_whole());
    assert_eq!(tth.check(), []);
    let vtf = tth.vtf(Some(&hand_typed_rest()), &Budget::default());
    let rest = [0x10, 0x20, 0x30, 0x40, 0x50, 0x60];
    assert_eq!(vtf.unwrap(), [&hand_typed()[VTF..], &rest].concat());
    let texture = tth.join(Some(&hand_typed_rest()), &Budget::default());
    let texture = texture.unwrap();
    assert_eq!((texture.width, texture.height, texture.n_mips), (2, 1, 2));
    assert_eq!(
        pixels(&texture, 0),
        [[0x30, 0x20, 0x10], [0x60, 0x50, 0x40]]
    );
    assert_eq!(pixels(&texture, 1), [[0x30, 0x20, 0x10]]);
}

#[test]
fn a_texture_that_is_whole_needs_no_rest() {
    let tth = Tth::read(&whole()).unwrap();
    assert!(tth.is_whole());
    assert_eq!(tth.check(), []);
    let texture = tth.join(None, &Budget::default()).unwrap();
    assert_eq!(pixels(&texture, 0), [[0x30, 0x20, 0x10]]);
    assert_eq!(tth.pictures().len(), 1);
    assert_eq!(tth.picture(0).unwrap(), [0x30, 0x20, 0x10, 255]);
    assert!(tth.picture(1).is_err());
}

#[test]
fn what_the_files_do_not_agree_on_is_refused() {
    let tth = Tth::read(&hand_typed()).unwrap();
    let join = |tth: &Tth, ttz: Option<&[u8]>| tth.join(ttz, &Budget::default());
    let error = join(&tth, None).unwrap_err();
    assert_eq!((&*error.field, error.offset), ("ttz", 28));
    let (longer, _) = Ttz::draft(&[&[0; 7]]).unwrap();
    let error = join(&tth, Some(&longer.write().unwrap())).unwrap_err();
    assert_eq!((error.format, &*error.field), ("ttz", "data"));
    let small = Budget::with_limit(5, 0);
    assert!(tth.join(Some(&hand_typed_rest()), &small).is_err());
    let broken = &hand_typed_rest()[..10];
    assert_eq!(join(&tth, Some(broken)).unwrap_err().format, "ttz");
}

#[test]
fn a_wrong_end_is_overlooked_where_the_pictures_are_there() {
    let mut tth = Tth::read(&hand_typed()).unwrap();
    tth.end.vtf_offset = 0x43;
    assert_eq!(tth.check().len(), 1);
    let texture = tth.join(Some(&hand_typed_rest()), &Budget::default());
    assert_eq!(pixels(&texture.unwrap(), 0).len(), 2);
}

#[test]
fn bytes_that_the_compiler_left_behind_are_kept() {
    let mut data = hand_typed();
    data.extend([0xCD; 9]);
    let tth = Tth::read_with(&data, Tolerance::all()).unwrap();
    assert_eq!(tth.trailer, [0xCD; 9]);
    assert_eq!(tth.write().unwrap(), data);
    assert!(
        tth.join(Some(&hand_typed_rest()), &Budget::default())
            .is_ok()
    );
}

fn report_on(files: &[(&str, &[u8])]) -> Report {
    let folder = folder_with(files);
    let path = folder.path().join("a.tth");
    let data = std::fs::read(&path).unwrap();
    let mut report = Report::new(&path, Scope::File, Tth::NAME);
    let input = Input {
        path: &path,
        data: &data,
        depth: Depth::Contents,
    };
    Tth::inspect(&input, &mut report).unwrap();
    report
}

#[test]
fn a_file_is_described_with_its_rest() {
    let report = report_on(&[("a.tth", &hand_typed()), ("A.TTZ", &hand_typed_rest())]);
    assert_eq!(report.findings, []);
    assert!(report.facts.contains(&("size", "2 x 1".to_owned())));
    let alone = report_on(&[("a.tth", &hand_typed())]);
    assert_eq!(alone.worst(), Some(Severity::Error));
    assert_eq!(report_on(&[("a.tth", &whole())]).findings, []);
}

#[test]
fn both_files_are_exported_as_a_vtf_and_as_a_picture() {
    let folder = folder_with(&[("a.tth", &hand_typed()), ("a.ttz", &hand_typed_rest())]);
    let options = ConversionOptions::default();
    for conversion in Tth::conversions() {
        let path = folder.path().join("a.tth");
        let request = ConversionRequest {
            file: &path,
            interchange: &folder.path().join("b").with_extension(conversion.extension),
            options: &options,
        };
        let exported = conversion.export.unwrap()(&hand_typed(), &request).unwrap();
        let [(path, data)] = &*exported.files else {
            panic!("{}: one file", conversion.extension);
        };
        assert_eq!(path, request.interchange);
        if conversion.extension == "vtf" {
            assert_eq!(Vtf::read(data).unwrap().n_mips, 2);
        }
    }
}
