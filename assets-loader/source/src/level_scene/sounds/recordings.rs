//! What recordings say about themselves.

use ironlands_assets_core::bytes::Reader;

/// Whether a WAV file has a place from which it is to be played again; `None` for what is none.
pub(super) fn has_loop(data: &[u8]) -> Option<bool> {
    let found = find_in_chunks(data, |id, chunk| {
        let n_loops = match id {
            b"cue " => chunk.first_chunk(),
            b"smpl" => chunk.get(28..).and_then(<[u8]>::first_chunk),
            _ => None,
        };
        n_loops.filter(|n| u32::from_le_bytes(**n) > 0).map(|_| ())
    });
    Some(found?.is_some())
}

/// How long a WAV file plays, in seconds; `None` for what is none.
pub(super) fn length_secs(data: &[u8]) -> Option<f32> {
    let mut bytes_per_sec = None;
    let found = find_in_chunks(data, |id, chunk| {
        if id == b"fmt " {
            let number = chunk.get(8..).and_then(<[u8]>::first_chunk);
            bytes_per_sec = number.map(|it| u32::from_le_bytes(*it));
        }
        (id == b"data").then_some(chunk.len())
    });
    let bytes_per_sec = bytes_per_sec.filter(|it| *it > 0)?;
    Some(found?? as f32 / bytes_per_sec as f32)
}

/// The first result for a chunk of a WAV file; the outer `None` for what is none.
fn find_in_chunks<T>(
    data: &[u8],
    mut find: impl FnMut(&[u8; 4], &[u8]) -> Option<T>,
) -> Option<Option<T>> {
    let mut r = Reader::new("wav", data);
    let is_wave = r.array::<4>("magic").ok()? == *b"RIFF";
    r.u32("length").ok()?;
    if !is_wave || r.array::<4>("form").ok()? != *b"WAVE" {
        return None;
    }
    while let (Ok(id), Ok(length)) = (r.array::<4>("chunk"), r.u32("chunk length")) {
        let length = length as usize;
        let chunk = r.bytes("chunk", length).ok()?;
        if let Some(found) = find(&id, chunk) {
            return Some(Some(found));
        }
        // Chunks begin at even places.
        if length % 2 == 1 && r.u8("padding").is_err() {
            break;
        }
    }
    Some(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut body = b"WAVE".to_vec();
        for (id, data) in chunks {
            body.extend(*id);
            body.extend((data.len() as u32).to_le_bytes());
            body.extend(*data);
            body.resize(body.len().next_multiple_of(2), 0);
        }
        let length = (body.len() as u32).to_le_bytes();
        [b"RIFF", &length[..], &body].concat()
    }

    #[test]
    fn recordings_loop_that_say_from_where() {
        let mut sampler = [0; 36];
        assert_eq!(has_loop(b"ID3"), None);
        assert_eq!(
            has_loop(&wave(&[(b"fmt ", &[0; 16]), (b"data", &[0; 3])])),
            Some(false)
        );
        assert_eq!(
            has_loop(&wave(&[(b"data", &[0; 3]), (b"cue ", &[1, 0, 0, 0])])),
            Some(true)
        );
        assert_eq!(
            has_loop(&wave(&[(b"cue ", &[0, 0, 0, 0]), (b"smpl", &sampler)])),
            Some(false)
        );
        sampler[28] = 1;
        assert_eq!(has_loop(&wave(&[(b"smpl", &sampler)])), Some(true));
        let whole = wave(&[(b"data", &[0; 3]), (b"cue ", &[1, 0, 0, 0])]);
        for end in 0..whole.len() {
            assert_ne!(has_loop(&whole[..end]), Some(true), "{end}");
        }
    }

    #[test]
    fn recordings_last_as_long_as_their_samples() {
        let mut format = [0; 16];
        format[8..12].copy_from_slice(&8000_u32.to_le_bytes());
        let samples = [0; 12_000];
        let whole = wave(&[(b"fmt ", &format), (b"data", &samples)]);
        assert_eq!(length_secs(&whole), Some(1.5));
        for end in 0..whole.len() {
            assert_eq!(length_secs(&whole[..end]), None, "{end}");
        }
        assert_eq!(length_secs(&wave(&[(b"data", &samples)])), None);
        let still = wave(&[(b"fmt ", &[0; 16]), (b"data", &samples)]);
        assert_eq!(length_secs(&still), None, "no bytes in a second");
    }
}
