use ironlands_assets_core::bytes::Reader;

use super::*;

/// Bytes behind their sum.
#[derive(Debug, PartialEq)]
struct Summed(Vec<u8>);

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}

impl Format for Summed {
    type Context = ();

    const NAME: &'static str = "summed";
    const EXTENSIONS: &'static [&'static str] = &[];

    fn read(data: &[u8], (): &()) -> Result<Self, FormatError> {
        let mut r = Reader::new(Self::NAME, data);
        r.expect("sum", &[sum(data.get(1..).unwrap_or_default())])?;
        Ok(Self(r.rest().to_vec()))
    }

    fn write(&self) -> Result<Vec<u8>, FormatError> {
        Ok([&[sum(&self.0)], &*self.0].concat())
    }
}

fn mended(data: &[u8]) -> Vec<u8> {
    let rest = data.get(1..).unwrap_or_default();
    [&[sum(rest)], rest].concat()
}

#[test]
fn what_else_must_hold_is_asserted_of_mended_mutations() {
    let facts = [Fact::new("zeros", Summed(vec![0; 64]), [0; 65])];
    let mutations = |n_runs, mend: Mend| Mutations {
        n_runs,
        max_growth: 4,
        mend: Some(mend),
        also: Some(|value: &Summed, bytes: &[u8]| {
            assert_eq!(value.0, bytes[1..]);
            assert_eq!(value.0, [0; 64], "damage gets through");
        }),
        of_bytes: None,
    };
    prove_mutations(&facts, &mutations(1, |_| vec![0; 65]));
    let mended = || prove_mutations(&facts, &mutations(20, mended));
    assert!(catch_unwind(AssertUnwindSafe(mended)).is_err());
}

/// The sum and the first byte of a [`Summed`].
#[derive(Record)]
struct Head {
    #[field("sum")]
    _sum: u8,
    #[field("first byte")]
    _first: u8,
}

#[test]
fn fields_are_set_to_extreme_values() {
    let facts = [Fact::new("zeros", Summed(vec![0; 64]), [0; 65])];
    let mutations = Mutations {
        n_runs: 0,
        max_growth: 4,
        mend: None,
        also: None,
        of_bytes: None,
    };
    prove_records(&facts, &[RecordPlace::new::<Head>(0, ())], &mutations);
    // The sum stands before what breaks it.
    let behind = || prove_records(&facts, &[RecordPlace::new::<Head>(1, ())], &mutations);
    assert!(catch_unwind(AssertUnwindSafe(behind)).is_err());
    let behind_its_sum = RecordPlace::new::<Head>(1, ()).refused_from(0);
    prove_records(&facts, &[behind_its_sum], &mutations);
    let beyond = || prove_records(&facts, &[RecordPlace::new::<Head>(64, ())], &mutations);
    assert!(catch_unwind(AssertUnwindSafe(beyond)).is_err());
}

#[test]
fn extreme_values_carry_into_the_next_byte() {
    let values = extremes(&[0xFF, 0x00]).map(|(_, value)| value);
    let expected = [
        [0, 0],
        [0xFF, 0xFF],
        [0xFF, 0x7F],
        [0, 0x80],
        [0, 1],
        [0xFE, 0],
    ];
    assert_eq!(values, expected.map(|value| value.to_vec()));
}
