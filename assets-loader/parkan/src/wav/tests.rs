use proptest::prelude::*;

use super::*;
use ironlands_assets_proof::{Damage, Fact, RecordPlace, Truncations, proof, set16, set32};

proof! {
    Wav {
        facts: facts(),
        damage: damage(),
        truncations: Truncations::Refused,
        values: any_wav(),
        growth: 16,
        runs: 2_000,
        records: [RecordPlace::new::<Coding>(20, ())],
    }
}

const MONO: Coding = Coding {
    tag: Coding::PCM,
    channels: 1,
    rate: 22_050,
    bytes_per_sec: 44_100,
    block_size: 2,
    bits: 16,
};

/// Three samples of 16 bits.
fn plain() -> Wav {
    Wav::new(MONO, Vec::new(), vec![0x00, 0x00, 0xFF, 0x7F, 0x00, 0x80])
}

fn plain_bytes() -> Vec<u8> {
    let coding = [1, 0, 1, 0, 0x22, 0x56, 0, 0, 0x44, 0xAC, 0, 0, 2, 0, 16, 0];
    [
        b"RIFF\x2A\0\0\0WAVEfmt \x10\0\0\0",
        &coding[..],
        b"data\x06\0\0\0\0\0\xFF\x7F\0\x80",
    ]
    .concat()
}

/// Chunks around samples of 8 bits, whose number is odd.
fn among_chunks() -> Wav {
    let chunk = |id: &[u8; 4], data: &[u8], padding| Chunk {
        id: *id,
        data: data.to_vec(),
        padding,
    };
    Wav {
        coding: Coding {
            bits: 8,
            block_size: 1,
            bytes_per_sec: 22_050,
            ..MONO
        },
        coding_extra: vec![0, 0],
        chunks: vec![
            chunk(b"fact", &[3, 0, 0, 0], None),
            chunk(b"data", &[0x80, 0xFF, 0], Some(7)),
            chunk(b"LIST", b"x", None),
        ],
        tail: Vec::new(),
    }
}

fn among_chunks_bytes() -> Vec<u8> {
    let coding = [1, 0, 1, 0, 0x22, 0x56, 0, 0, 0x22, 0x56, 0, 0, 1, 0, 8, 0];
    [
        b"RIFF\x3F\0\0\0WAVEfmt \x12\0\0\0",
        &coding[..],
        b"\0\0fact\x04\0\0\0\x03\0\0\0data\x03\0\0\0\x80\xFF\0\x07LIST\x01\0\0\0x",
    ]
    .concat()
}

fn facts() -> Vec<Fact<Wav>> {
    vec![
        Fact::new("three samples", plain(), plain_bytes()),
        Fact::new("among chunks", among_chunks(), among_chunks_bytes()),
    ]
}

fn damage() -> Vec<Damage> {
    Damage::from_changes(
        &plain_bytes(),
        [
            (|it| it[0] = b'X', "magic", 0),
            (|it| set32(it, 4, 0x2B), "file size", 4),
            (|it| it.push(0), "after the last chunk", 50),
            (|it| it[8] = b'w', "kind", 8),
            (|it| it[12] = b'F', "first chunk", 12),
            (|it| set32(it, 16, 100), "size of the coding", 16),
            (|it| set32(it, 16, 15), "bits per sample", 34),
            (|it| set32(it, 40, 7), "size of a chunk", 40),
            (|it| it[36] = b'D', "chunks of samples", 50),
        ],
    )
}

#[test]
fn what_no_known_file_has_is_found_at_its_field() {
    assert_eq!(plain().check(), []);
    assert_eq!(plain().summary(), "PCM of 16 bits, 22050 Hz, mono, 0.00 s");
    type Change = fn(&mut [u8]);
    let rows: [(Change, Severity, u64); 5] = [
        (|it| set16(it, 20, 85), Severity::Warning, 20),
        (|it| set16(it, 22, 0), Severity::Warning, 22),
        (|it| set32(it, 24, 44_100), Severity::Note, 24),
        (|it| set16(it, 32, 3), Severity::Warning, 32),
        (|it| set16(it, 32, 4), Severity::Warning, 32),
    ];
    for (change, severity, offset) in rows {
        let mut bytes = plain_bytes();
        change(&mut bytes);
        let findings = Wav::read(&bytes).unwrap().check();
        let found = findings.first().map(|it| (it.severity, it.offset));
        assert_eq!(found, Some((severity, Some(offset))), "{findings:?}");
    }
    let mut cut = plain();
    cut.chunks[0].data.truncate(4);
    cut.chunks[0].data.push(0);
    assert_eq!(cut.check().len(), 1);
}

#[test]
fn bytes_after_the_end_are_kept_on_request() {
    let bytes = [&plain_bytes()[..], b"more"].concat();
    let wav = Wav::read_with(&bytes, Tolerance::TRAILING_BYTES).unwrap();
    assert_eq!(wav.tail, b"more");
    assert_eq!(wav.write(), Ok(bytes));
}

#[test]
fn what_could_not_be_read_is_not_written() {
    type Change = fn(&mut Wav);
    let rows: [(Change, &str); 5] = [
        (|it| it.coding_extra.push(0), "size of the coding"),
        (|it| it.chunks[1].padding = None, "padding"),
        (|it| it.chunks[0].padding = Some(0), "padding"),
        (|it| it.chunks[0].id = *b"data", "chunks of samples"),
        (|it| it.chunks.clear(), "chunks of samples"),
    ];
    for (change, field) in rows {
        let mut wav = among_chunks();
        change(&mut wav);
        assert_eq!(wav.write().unwrap_err().field, field);
    }
}

prop_compose! {
    fn any_chunk(id: [u8; 4])(
        data in prop::collection::vec(any::<u8>(), 0..9),
        padding in any::<u8>(),
    ) -> Chunk {
        let padding = (data.len() % 2 == 1).then_some(padding);
        Chunk { id, data, padding }
    }
}

prop_compose! {
    fn any_wav()(
        words in any::<[u16; 4]>(),
        longs in any::<[u32; 2]>(),
        extra in prop::collection::vec(any::<[u8; 2]>(), 0..4),
        before in prop::collection::vec(any_chunk(*b"fact"), 0..2),
        samples in any_chunk(*b"data"),
        after in prop::collection::vec(any_chunk(*b"cue "), 0..2),
    ) -> Wav {
        let [tag, channels, block_size, bits] = words;
        let [rate, bytes_per_sec] = longs;
        Wav {
            coding: Coding { tag, channels, rate, bytes_per_sec, block_size, bits },
            coding_extra: extra.into_flattened(),
            chunks: [before, vec![samples], after].concat(),
            tail: Vec::new(),
        }
    }
}
