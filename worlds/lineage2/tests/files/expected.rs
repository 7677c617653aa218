//! The files and what is known of them: the rows of dossier sections 2.6, 3.3 and 9.

use ironlands_assets_lineage2::RegionStats;

/// One file with its row; regions that the dossier has no row of are read, written and converted all the same.
pub struct Expected {
    pub file: &'static str,
    pub row: Option<Row>,
    pub products: &'static [(Product, usize, u32)],
    /// Open SE, SW, NE, NW, and cells with all eight, of the layers of an `.l2d` that is derived.
    pub diagonals: Option<[usize; 5]>,
}

/// What a file is and holds.
pub struct Row {
    pub n_bytes: usize,
    pub crc32: u32,
    pub stats: RegionStats,
}

/// What is made of a file.
#[derive(Clone, Copy, Debug)]
pub enum Product {
    L2jMax,
    L2jMin,
    L2jAverage,
    L2d,
    Dat,
}

pub static EXPECTED: [Expected; 14] = [
    Expected {
        file: "16_13.l2j",
        row: Some(Row {
            n_bytes: 196_608,
            crc32: 0x001b_1736,
            stats: stats(
                [65_536, 0, 0, 0, 0],
                None,
                Some((-4657, -4657)),
                -305_201_152,
                0,
            ),
        }),
        products: &[],
        diagonals: None,
    },
    Expected {
        file: "17_25.l2j",
        row: Some(Row {
            n_bytes: 2_286_234,
            crc32: 0x3c02_6ecd,
            stats: stats(
                [51_293, 11_434, 2_809, 237_392, 4],
                Some((-4656, -1432)),
                Some((-4656, -2352)),
                -3_887_160_600,
                13_310_033,
            ),
        }),
        products: &[
            (Product::Dat, 2_634_150, 0xb32e_cdf6),
            (Product::L2d, 3_255_402, 0x1b20_1fc7),
        ],
        diagonals: None,
    },
    Expected {
        file: "18_14.l2j",
        row: Some(Row {
            n_bytes: 3_667_320,
            crc32: 0x8a8b_6b98,
            stats: stats(
                [44_848, 16_963, 3_725, 551_212, 12],
                Some((-4672, 3856)),
                Some((-4672, 3888)),
                -1_341_443_712,
                18_988_854,
            ),
        }),
        products: &[],
        diagonals: None,
    },
    Expected {
        file: "22_22.l2j",
        row: Some(Row {
            n_bytes: 3_189_688,
            crc32: 0xb6a8_3ce5,
            stats: stats(
                [54_560, 236, 10_740, 1_148_732, 12],
                Some((-4312, -1384)),
                Some((-4384, -552)),
                -4_041_775_768,
                16_326_252,
            ),
        }),
        products: &[
            (Product::Dat, 3_794_826, 0x593d_dde3),
            (Product::L2d, 4_353_524, 0x4493_1ccf),
        ],
        diagonals: Some([1_008_747, 1_009_938, 1_007_690, 1_007_697, 899_562]),
    },
    Expected {
        file: "17_25_conv.dat",
        row: Some(Row {
            n_bytes: 2_702_534,
            crc32: 0xba80_1ede,
            stats: stats(
                [51_036, 11_436, 3_064, 255_650, 4],
                Some((-4928, -1432)),
                Some((-4656, -2344)),
                -3_969_328_824,
                13_552_734,
            ),
        }),
        products: &[
            (Product::L2jMax, 2_338_812, 0x93d0_8252),
            (Product::L2jMin, 2_338_812, 0x01b7_6f24),
            (Product::L2jAverage, 2_338_812, 0x6b3e_034e),
            (Product::L2d, 3_326_366, 0x7376_8a88),
        ],
        diagonals: Some([846_210, 857_400, 859_054, 831_270, 769_968]),
    },
    Expected {
        file: "19_21_conv.dat",
        row: Some(Row {
            n_bytes: 3_698_380,
            crc32: 0xe17d_edd2,
            stats: stats(
                [43_188, 19_315, 3_033, 266_997, 5],
                Some((-3984, -784)),
                Some((-3984, -1424)),
                -5_094_494_496,
                21_206_670,
            ),
        }),
        products: &[
            (Product::L2jMax, 3_352_338, 0xa1c5_a45e),
            (Product::L2jMin, 3_352_338, 0xe604_15e9),
            (Product::L2jAverage, 3_352_338, 0xcb0c_492e),
            (Product::L2d, 4_855_495, 0x9257_16a6),
        ],
        diagonals: Some([1_338_168, 1_349_390, 1_344_383, 1_335_769, 1_229_764]),
    },
    Expected {
        file: "20_18_conv.dat",
        row: Some(Row {
            n_bytes: 3_986_816,
            crc32: 0xcf3f_7872,
            stats: stats(
                [42_099, 20_051, 3_386, 343_697, 4],
                Some((-4688, 7184)),
                Some((-4704, 2672)),
                -3_400_475_216,
                19_521_751,
            ),
        }),
        products: &[
            (Product::L2jMax, 3_620_360, 0x0933_087c),
            (Product::L2jMin, 3_620_360, 0xafde_7920),
            (Product::L2jAverage, 3_620_360, 0x09b5_7242),
            (Product::L2d, 5_247_321, 0x3275_a09e),
        ],
        diagonals: Some([1_000_239, 1_047_404, 1_130_924, 1_109_808, 808_715]),
    },
    unmeasured("16_11.l2j"),
    unmeasured("21_17.l2j"),
    unmeasured("24_14.l2j"),
    unmeasured("17_12_conv.dat"),
    unmeasured("21_17_conv.dat"),
    unmeasured("24_10_conv.dat"),
    unmeasured("26_12_conv.dat"),
];

const fn unmeasured(file: &'static str) -> Expected {
    Expected {
        file,
        row: None,
        products: &[],
        diagonals: None,
    }
}

const fn stats(
    [n_flat, n_complex, n_multilayer, n_layers, max_layers]: [u32; 5],
    heights: Option<(i16, i16)>,
    flat_words: Option<(i16, i16)>,
    sum_heights: i64,
    sum_nswe: u64,
) -> RegionStats {
    RegionStats {
        n_flat,
        n_complex,
        n_multilayer,
        n_layers,
        max_layers,
        heights,
        flat_words,
        sum_heights,
        sum_nswe,
    }
}
