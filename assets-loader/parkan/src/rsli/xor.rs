//! The XOR stream over an RsLi table and over payloads (dossier section 3.2).

/// Two bytes of state; the same stream encrypts and decrypts.
#[derive(Debug, Clone)]
pub(super) struct KeyStream {
    lo: u8,
    hi: u8,
}

impl KeyStream {
    pub(super) fn new(key: u16) -> Self {
        let [lo, hi] = key.to_le_bytes();
        Self { lo, hi }
    }

    /// Encrypts or decrypts in place; a second call continues where the first one ended.
    pub(super) fn apply(&mut self, bytes: &mut [u8]) {
        for byte in bytes {
            self.lo = self.hi ^ (self.lo << 1);
            self.hi = self.lo ^ (self.hi >> 1);
            *byte ^= self.lo;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sixteen zero bytes encrypted, as printed in dossier section 3.2.
    const VECTORS: [(u16, u128); 5] = [
        (0x0000, 0x0000_0000_0000_0000_0000_0000_0000_0000),
        (0x0001, 0x0206_0b1e_2667_bcfd_4590_bd89_e25e_aff8),
        (0x1234, 0x7a87_b08f_e656_b7d4_2127_5be7_0164_9f8a),
        (0xABBA, 0xdf34_1913_256e_a0de_2d3f_7393_8fc5_2232),
        (0xFFFF, 0x017c_bbec_79db_79ec_3b3c_61af_c705_4afe),
    ];

    #[test]
    fn key_streams_match_the_document() {
        for (key, expected) in VECTORS {
            let mut bytes = [0; 16];
            KeyStream::new(key).apply(&mut bytes);
            assert_eq!(bytes, expected.to_be_bytes(), "key {key:#06x}");
        }
    }

    #[test]
    fn a_stream_in_pieces_is_the_same_stream() {
        let mut whole = *b"a table of entries";
        let mut pieces = whole;
        KeyStream::new(0x1234).apply(&mut whole);
        let mut stream = KeyStream::new(0x1234);
        let (front, back) = pieces.split_at_mut(7);
        stream.apply(front);
        stream.apply(back);
        assert_eq!(pieces, whole);
        KeyStream::new(0x1234).apply(&mut whole);
        assert_eq!(&whole, b"a table of entries");
    }
}
