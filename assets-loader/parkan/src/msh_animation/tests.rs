//! Animation tables: facts, errors, tracks and their way back to tables.

use proptest::prelude::*;

use super::*;
use ironlands_assets_core::bytes::{FormatErrorKind, Severity};
use ironlands_assets_proof::{
    Damage, Fact, RecordPlace, Truncations, assert_refuses_every_truncation,
    assert_survives_mutations, proof,
};

proof! {
    MshAnimation {
        facts: facts(),
        damage: damage(),
        // The payloads have no end mark: the map may be cut between its words. Other cuts have a test of their own.
        truncations: Truncations::Valid,
        values: any_tables(),
        growth: 16,
        runs: 2_000,
        records: [RecordPlace::from_value(&KEY_BYTES, &two_keys().keys[1], ())],
        context: payloads_of,
    }
}

/// Two keys, typed from the document.
const KEY_BYTES: [u8; 48] = [
    0x00, 0x00, 0x80, 0x3F, 0x00, 0x00, 0x00, 0xC0, 0x00, 0x00, 0x40, 0x40, // 1, -2, 3
    0x00, 0x00, 0x00, 0x00, // time 0
    0x01, 0x80, 0x00, 0x80, 0xFF, 0xFF, 0xFF, 0x7F, // -32767, -32768, -1, 32767
    0x00, 0x00, 0x00, 0x3F, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80, // 0.5, 0, -0
    0x00, 0x00, 0xA0, 0x40, // time 5
    0x01, 0x00, 0x02, 0x00, 0x03, 0x00, 0x04, 0x00,
];

/// Six frames of the node that the two keys belong to.
const MAP_BYTES: [u8; 12] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0];

fn two_keys() -> MshAnimation {
    MshAnimation {
        keys: vec![
            AnimKey {
                position: [1.0, -2.0, 3.0],
                time: 0.0,
                rotation: [-32767, -32768, -1, 32767],
            },
            AnimKey {
                position: [0.5, 0.0, -0.0],
                time: 5.0,
                rotation: [1, 2, 3, 4],
            },
        ],
        map: vec![0, 0, 0, 0, 0, 1],
        frame_count: 6,
    }
}

fn key(time: f32) -> AnimKey {
    AnimKey {
        position: [time, 0.0, 0.0],
        time,
        rotation: [32767, 0, 0, 0],
    }
}

fn link(map_start: u16, fallback: u16) -> TrackLink {
    TrackLink {
        map_start,
        fallback,
    }
}

/// Ten nodes that stand, then the one of the worked examples (dossier section 8.6): keys 10 to 12.
fn worked_example() -> (MshAnimation, Vec<TrackLink>) {
    let mut keys = vec![key(0.0); 10];
    keys.extend([key(0.0), key(2.0), key(5.0)]);
    let mut links: Vec<TrackLink> = (0..10).map(|key| link(NONE, key)).collect();
    links.push(link(0, 12));
    let animation = MshAnimation {
        keys,
        map: vec![10, 10, 11, 11, 11, 12],
        frame_count: 6,
    };
    (animation, links)
}

fn payloads_of(animation: &MshAnimation) -> AnimationPayloads {
    AnimationPayloads {
        n_key_bytes: animation.keys.len() * AnimKey::SIZE,
        frame_count: animation.frame_count,
    }
}

/// Minus zero is among the bytes. A static model has neither payload.
fn facts() -> Vec<Fact<MshAnimation>> {
    let bytes = [&KEY_BYTES[..], &MAP_BYTES].concat();
    vec![
        Fact::new("two keys", two_keys(), bytes).with_context(payloads_of(&two_keys())),
        Fact::new("a static model", MshAnimation::default(), []),
    ]
}

/// Of the map alone; keys need a context that says where they end.
fn damage() -> Vec<Damage> {
    let cut = &MAP_BYTES[..11];
    vec![Damage::new("half a word", cut, "after the last record", 10)]
}

#[test]
fn part_records_are_refused_where_they_begin() {
    // What is cut: keys, words, and the place of the damage.
    let damages = [
        (47, 12, "type 8", 24),
        (25, 12, "type 8", 24),
        (48, 11, "type 19", 10),
    ];
    for (n_key_bytes, n_map_bytes, entry, offset) in damages {
        let read = MshAnimation::read(&KEY_BYTES[..n_key_bytes], &MAP_BYTES[..n_map_bytes], 6);
        let error = read.unwrap_err();
        assert_eq!(error.entry.as_deref(), Some(entry));
        assert_eq!(error.offset, offset);
        assert_eq!(error.field, "after the last record");
    }
}

#[test]
fn every_truncation_of_a_record_is_refused() {
    // The chunks have no end mark: only whole records are a legal cut, here none.
    assert_refuses_every_truncation(&KEY_BYTES[..24], |data| {
        if data.is_empty() {
            return Err(MshAnimation::read(&[0], &[], 0).unwrap_err());
        }
        MshAnimation::read(data, &[], 0).map(drop)
    });
}

#[test]
fn rotations_are_divided_by_32767_and_w_comes_first_or_last() {
    let key = two_keys().keys[0];
    let step = 1.0_f32 / 32767.0;
    let (first, last) = ([-1.0, -32768.0 * step, -step], 1.0);
    let [a, b, c] = first;
    assert_eq!(key.rotation_wxyz(QuaternionOrder::Wxyz), [a, b, c, last]);
    assert_eq!(key.rotation_wxyz(QuaternionOrder::Xyzw), [last, a, b, c]);
    let packed = AnimKey::pack_rotation([1.0, -1.0, 0.5, -2.0]);
    assert_eq!(packed, [32767, -32767, 16384, -32767]);
    for order in [QuaternionOrder::Wxyz, QuaternionOrder::Xyzw] {
        let unmoved = AnimKey::in_place(order).rotation_wxyz(order);
        assert_eq!(unmoved, [1.0, 0.0, 0.0, 0.0]);
    }
    assert_eq!(AnimKey::pack_rotation([f32::NAN; 4]), [0; 4]);
}

#[test]
fn tracks_are_what_sampling_can_reach() {
    let (animation, links) = worked_example();
    let tracks = animation.tracks(&links);
    let track = |keys, fallback, map_start| {
        Some(Track {
            keys,
            fallback,
            map_start,
        })
    };
    assert_eq!(tracks[9], track(9..10, 9, None));
    assert_eq!(tracks[10], track(10..13, 12, Some(0)));
    assert_eq!(animation.map_of(links[10]), Some(&animation.map[..]));
    let odd = [
        (link(NONE, 12), track(12..13, 12, None)),
        (link(0, 13), None),
        (TrackLink::NONE, None),
        // The block leaves the map.
        (link(1, 12), track(12..13, 12, None)),
        // All words lie above the fallback key.
        (link(0, 3), track(3..4, 3, Some(0))),
    ];
    for (link, expected) in odd {
        assert_eq!(animation.tracks(&[link]), [expected], "{link:?}");
    }
}

#[test]
fn problems_name_node_and_rule() {
    let (mut animation, links) = worked_example();
    assert_eq!(animation.problems(&links), []);
    let rows = [
        (
            link(0, 13),
            TrackProblem::NoSuchFallback {
                fallback: 13,
                n_keys: 13,
            },
        ),
        (
            link(0, NONE),
            TrackProblem::NoSuchFallback {
                fallback: NONE,
                n_keys: 13,
            },
        ),
        (
            link(1, 12),
            TrackProblem::MapOutside {
                map_start: 1,
                frame_count: 6,
                n_words: 6,
            },
        ),
        (link(0, 10), TrackProblem::SingleKey { key: 10 }),
    ];
    for (link, problem) in rows {
        let found = animation.problems(&[self::link(NONE, 0), link]);
        assert_eq!(found, [(1, problem)]);
    }
    for time in [2.0, f32::NAN, -1.0] {
        animation.keys[12].time = time;
        let problem = TrackProblem::TimesDoNotIncrease { key: 12 };
        assert_eq!(animation.problems(&links), [(10, problem)], "{time}");
    }
    // The keys of another node may have any times.
    animation.keys[12].time = 5.0;
    animation.keys[9].time = 7.0;
    assert_eq!(animation.problems(&links), []);
}

#[test]
fn the_worked_example_follows_from_its_times() {
    let (animation, links) = worked_example();
    let set = TrackSet::from_tables(&animation, &links).unwrap();
    assert_eq!(set.tracks.len(), 11);
    assert_eq!(set.tracks[10].map, TrackMap::FromTimes);
    assert_eq!(set.tracks[10].words(6), Some(vec![0, 0, 1, 1, 1, 2]));
    assert_eq!(set.frame_count_of_times(), 6);
    assert_eq!(set.to_tables(), Ok((animation, links)));
}

#[test]
fn frames_outside_the_times_hold_the_last_key() {
    let track = NodeTrack {
        keys: vec![key(1.0), key(2.5), key(4.0)],
        map: TrackMap::FromTimes,
    };
    // Before the first time, from 1, still before 2.5, from 2.5, and from the last time on.
    assert_eq!(track.words(6), Some(vec![2, 0, 0, 1, 2, 2]));
}

#[test]
fn words_of_their_own_are_kept() {
    let (mut animation, links) = worked_example();
    animation.map = vec![10, 11, 11, 12, 65535, 11];
    let set = TrackSet::from_tables(&animation, &links).unwrap();
    let words = TrackMap::Words(vec![0, 1, 1, 2, 65525, 1]);
    assert_eq!(set.tracks[10].map, words);
    assert_eq!(set.to_tables(), Ok((animation, links)));
}

#[test]
fn tables_that_are_not_canonical_are_not_taken_apart() {
    // What is changed, and the entry, field and offset that the error names.
    type Change = fn(&mut MshAnimation, &mut Vec<TrackLink>);
    let damages: [(Change, &str, &str, u64); 6] = [
        (
            |_, links| links[3].fallback = 2,
            "type 8",
            "fallback",
            3 * 24,
        ),
        (
            |_, links| links[10].fallback = 13,
            "type 8",
            "fallback",
            10 * 24,
        ),
        (
            |_, links| links[10].map_start = 1,
            "type 19",
            "map start",
            0,
        ),
        (
            |animation, _| animation.map[2] = 9,
            "type 19",
            "map word",
            4,
        ),
        (
            |animation, _| animation.keys.push(key(0.0)),
            "type 8",
            "record count",
            13 * 24,
        ),
        (
            |animation, _| animation.map.push(12),
            "type 19",
            "record count",
            12,
        ),
    ];
    for (change, entry, field, offset) in damages {
        let (mut animation, mut links) = worked_example();
        change(&mut animation, &mut links);
        let error = TrackSet::from_tables(&animation, &links).unwrap_err();
        assert_eq!(error.entry.as_deref(), Some(entry));
        assert_eq!((&*error.field, error.offset), (field, offset));
    }
}

#[test]
fn sets_that_16_bits_cannot_hold_are_refused() {
    let standing = |n_keys| NodeTrack {
        keys: vec![key(0.0); n_keys],
        map: TrackMap::None,
    };
    let set = |tracks| TrackSet {
        frame_count: 2,
        tracks,
    };
    let empty = set(vec![standing(1), standing(0)]).to_tables().unwrap_err();
    assert_eq!(empty.field, "track");
    let most = set(vec![standing(65534), standing(1)]).to_tables();
    assert_eq!(most.unwrap().1[1].fallback, 65534);
    let too_many = set(vec![standing(65534), standing(2)]).to_tables();
    assert_eq!(
        too_many.unwrap_err().kind,
        FormatErrorKind::TooLargeToWrite {
            value: 65535,
            limit: 65534
        }
    );
    let short = NodeTrack {
        map: TrackMap::Words(vec![0]),
        ..standing(2)
    };
    assert_eq!(set(vec![short]).to_tables().unwrap_err().field, "map");
}

#[test]
fn check_is_silent_about_canonical_tables() {
    let (animation, links) = worked_example();
    assert_eq!(animation.check(&links), []);
    let still = MshAnimation {
        keys: vec![key(0.0)],
        map: vec![],
        frame_count: 1,
    };
    assert_eq!(still.check(&[link(NONE, 0)]), []);
    assert_eq!(MshAnimation::default().check(&[TrackLink::NONE]), []);
}

#[test]
fn check_reports_what_is_unlike_the_known_files() {
    type Change = fn(&mut MshAnimation, &mut Vec<TrackLink>);
    let rows: [(Change, &str); 8] = [
        (
            |animation, _| animation.frame_count = 0,
            "the frame count is 0",
        ),
        (
            |_, links| links[10].map_start = 1,
            "node 10 has 6 map words from 1 of 6 words",
        ),
        (
            |animation, _| animation.keys[10].time = 1.0,
            "node 10 has a track that does not begin at time 0",
        ),
        (
            |animation, _| animation.keys[11].time = 1.5,
            "node 10 has times that are not whole frames",
        ),
        (
            |animation, _| animation.map[2] = 10,
            "node 10 has map words that do not follow from its times",
        ),
        (
            |animation, _| animation.map[5] = 13,
            "node 10 has map words beyond its fallback key",
        ),
        (
            |animation, _| animation.keys[12].time = 7.0,
            "the frame count is 6, the keys end after 8 frames",
        ),
        (
            |_, links| links[0] = TrackLink::NONE,
            "node 0 has fallback key 65535 of 13 keys",
        ),
    ];
    for (change, message) in rows {
        let (mut animation, mut links) = worked_example();
        change(&mut animation, &mut links);
        let findings = animation.check(&links);
        let found = findings.iter().any(|finding| finding.message == message);
        assert!(found, "{message}: {findings:?}");
    }
}

/// Seed document, section 9: every node has a key that exists, and the times of every track increase.
#[test]
fn standing_nodes_obey_the_rules_of_tracks_too() {
    let (mut animation, mut links) = worked_example();
    animation.map.clear();
    links[10].map_start = NONE;
    animation.keys[11].time = 9.0;
    let problem = TrackProblem::TimesDoNotIncrease { key: 12 };
    assert_eq!(animation.problems(&links), [(10, problem)]);
    links[4] = TrackLink::NONE;
    let (fallback, n_keys) = (NONE, 13);
    let problem = TrackProblem::NoSuchFallback { fallback, n_keys };
    assert_eq!(animation.problems(&links), [(4, problem)]);
    let found = animation.check(&links);
    assert!(found.iter().any(|it| it.severity == Severity::Error));
    // A model that has no keys needs none.
    assert_eq!(MshAnimation::default().problems(&[TrackLink::NONE]), []);
}

#[test]
fn several_keys_need_a_map() {
    let (mut animation, mut links) = worked_example();
    animation.map.clear();
    links[10].map_start = NONE;
    let findings = animation.check(&links);
    assert_eq!(findings.len(), 1);
    assert_eq!(findings[0].severity, Severity::Warning);
    assert_eq!(findings[0].message, "node 10 has several keys and no map");
}

/// Four links, the frame count, and then both tables, of any bytes.
fn read_anything(data: &[u8]) -> Result<(), FormatError> {
    let mut r = Reader::new(FORMAT, data);
    let mut links = Vec::new();
    for _ in 0..4 {
        links.push(link(r.u16("map start")?, r.u16("fallback")?));
    }
    let frame_count = r.u32("frame count")?;
    let n_keys = r.count("key count", AnimKey::SIZE)?;
    let keys = r.bytes("keys", n_keys * AnimKey::SIZE)?;
    let animation = MshAnimation::read(keys, r.rest(), frame_count)?;
    animation.tracks(&links);
    animation.check(&links);
    let (again, links_again) = TrackSet::from_tables(&animation, &links)?.to_tables()?;
    // Bytes, because NaN is not equal to itself.
    assert_eq!(again.write(), animation.write());
    assert_eq!(links_again, links);
    Ok(())
}

fn survives_mutations(runs: u64) {
    let mut good = Vec::new();
    for word in [NONE, 0, 0, 2, NONE, 3, 3, 5] {
        good.extend(u16::to_le_bytes(word));
    }
    good.extend(3u32.to_le_bytes());
    good.extend(6u32.to_le_bytes());
    let times = [0.0, 0.0, 2.0, 0.0, 0.0, 1.0];
    let animation = MshAnimation {
        keys: times.map(key).to_vec(),
        map: vec![1, 1, 2, 4, 5, 5],
        frame_count: 3,
    };
    good.extend(animation.write().unwrap().concat());
    assert_eq!(read_anything(&good), Ok(()));
    assert_survives_mutations(&good, runs, 16, read_anything);
}

#[test]
fn random_damage_is_survived() {
    survives_mutations(2_000);
}

#[test]
#[ignore = "long: 100,000 mutations"]
fn much_random_damage_is_survived() {
    survives_mutations(100_000);
}

prop_compose! {
    fn any_key(time: f32)(
        position in prop::array::uniform3(-1e9f32..1e9),
        rotation: [i16; 4],
    ) -> AnimKey {
        AnimKey { position, time, rotation }
    }
}

/// A track in the shape of all known files: whole increasing times from 0 on.
fn any_track(frame_count: u32) -> impl Strategy<Value = NodeTrack> {
    let last = frame_count as usize - 1;
    prop::collection::btree_set(1..=last, 0..=last).prop_flat_map(move |times| {
        let times = std::iter::once(0).chain(times);
        let keys: Vec<_> = times.map(|time| any_key(time as f32)).collect();
        keys.prop_map(|keys| NodeTrack {
            map: match keys.len() {
                1 => TrackMap::None,
                _ => TrackMap::FromTimes,
            },
            keys,
        })
    })
}

prop_compose! {
    fn any_tables()(
        keys in prop::collection::vec((any_key(0.0), -1e9f32..1e9), 0..9),
        map: Vec<u16>,
        frame_count: u32,
    ) -> MshAnimation {
        let keys = keys.into_iter().map(|(key, time)| AnimKey { time, ..key });
        MshAnimation { keys: keys.collect(), map, frame_count }
    }
}

proptest! {
    #[test]
    fn canonical_tracks_go_round(tracks in prop::collection::vec(any_track(9), 1..6)) {
        let set = TrackSet { frame_count: 9, tracks };
        let (animation, links) = set.to_tables().unwrap();
        prop_assert_eq!(animation.problems(&links), []);
        prop_assert_eq!(TrackSet::from_tables(&animation, &links), Ok(set));
    }

    #[test]
    fn window_minima_are_those_of_a_search(
        words in prop::collection::vec(any::<u16>(), 0..50),
        len in 0usize..60,
    ) {
        let slow: Vec<u16> = match len {
            0 => Vec::new(),
            _ => words.windows(len).map(|window| *window.iter().min().unwrap()).collect(),
        };
        prop_assert_eq!(window_minima(&words, len), slow);
    }
}
