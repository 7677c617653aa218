//! Animation tables: number of links, frame count and number of keys, then links, keys and the map.
#![no_main]

use ironlands_assets_parkan::msh_animation::{MshAnimation, TrackLink, TrackSet};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((&[n_links, n_frames, n_keys], rest)) = data.split_first_chunk() else {
        return;
    };
    let Some((links, rest)) = rest.split_at_checked(usize::from(n_links) * 4) else {
        return;
    };
    let Some((keys, map)) = rest.split_at_checked(usize::from(n_keys) * 24) else {
        return;
    };
    let word = |bytes: &[u8], at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let links = links.chunks_exact(4).map(|bytes| TrackLink {
        map_start: word(bytes, 0),
        fallback: word(bytes, 2),
    });
    let links: Vec<TrackLink> = links.collect();
    let Ok(animation) = MshAnimation::read(keys, map, n_frames.into()) else {
        return;
    };
    assert_eq!(animation.write().unwrap(), [keys, map]);
    animation.tracks(&links);
    animation.check(&links);
    if let Ok(set) = TrackSet::from_tables(&animation, &links) {
        let (tables, links_again) = set.to_tables().expect("canonical tables go round");
        assert_eq!(tables.write().unwrap(), [keys, map]);
        assert_eq!(links_again, links);
    }
});
