//! The proof kit of a format: what every reader and writer has to show, as code.
//!
//! In: files whose values are known, and damaged ones. Out: tests, by [`proof!`](crate::proof).

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ironlands_assets_core::format::Format;

use crate::{Rng, mutate, peak_of};

/// A valid file and what it holds.
pub struct Fact<F: Format> {
    /// What it shows.
    pub name: &'static str,
    /// What the reader needs beside the bytes.
    pub context: F::Context,
    /// What it holds; `None` where only its bytes are compared.
    pub value: Option<F>,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl<F: Format> Fact<F> {
    /// A file of a format whose reader needs nothing but bytes, or the usual context.
    pub fn new(name: &'static str, value: F, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            value: Some(value),
            ..Self::of_bytes(name, bytes)
        }
    }

    /// A file that is read and written without a look at its value.
    pub fn of_bytes(name: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            name,
            context: F::Context::default(),
            value: None,
            bytes: bytes.into(),
        }
    }

    /// The same file, read with another context.
    #[must_use]
    pub fn with_context(self, context: F::Context) -> Self {
        Self { context, ..self }
    }
}

/// A broken file, and where the strict reader finds the fault.
#[derive(Debug, Clone)]
pub struct Damage {
    /// What is broken.
    pub name: &'static str,
    /// The file.
    pub bytes: Vec<u8>,
    /// The field in the error.
    pub field: &'static str,
    /// The offset in the error.
    pub offset: u64,
}

impl Damage {
    /// A broken file.
    pub fn new(
        name: &'static str,
        bytes: impl Into<Vec<u8>>,
        field: &'static str,
        offset: u64,
    ) -> Self {
        Self {
            name,
            bytes: bytes.into(),
            field,
            offset,
        }
    }

    /// Copies of a valid file, each with a change and the field and offset of what the change breaks. They are called
    /// by the field.
    pub fn of_changes<const N: usize>(good: &[u8], changes: [Change; N]) -> Vec<Self> {
        let rows = changes.into_iter().map(|(change, field, offset)| {
            let mut bytes = good.to_vec();
            change(&mut bytes);
            Self::new(field, bytes, field, offset)
        });
        rows.collect()
    }
}

/// What is changed in a file, and the field and offset that an error names then.
pub type Change = (fn(&mut Vec<u8>), &'static str, u64);

/// What becomes of files whose end is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Truncations {
    /// All are refused.
    Refused,
    /// Those that miss more than so many bytes are refused: the last are padding, or the end of the last line.
    RefusedBeyond(usize),
    /// Some are valid files: the format has no end of its own.
    Valid,
}

/// Asserts that files hold what they are known to hold, and are written as they were.
///
/// # Panics
/// If one does not.
pub fn prove_facts<F: Format + Debug + PartialEq>(facts: &[Fact<F>]) {
    assert!(!facts.is_empty(), "{} has no facts", F::NAME);
    for fact in facts {
        let (name, bytes) = (fact.name, &fact.bytes);
        let read = F::read(bytes, &fact.context).unwrap_or_else(|error| panic!("{name}: {error}"));
        if let Some(value) = &fact.value {
            assert_eq!(&read, value, "{name}: read");
            assert!(value.write().as_ref() == Ok(bytes), "{name}: written");
        }
        assert!(read.write().as_ref() == Ok(bytes), "{name}: written back");
    }
}

/// Asserts that broken files are refused at the broken field.
///
/// # Panics
/// If one is not.
pub fn prove_damage<F: Format>(context: &F::Context, damage: &[Damage]) {
    assert!(!damage.is_empty(), "{} has no damage", F::NAME);
    for row in damage {
        let name = row.name;
        let Err(error) = F::read(&row.bytes, context) else {
            panic!("{name}: accepted");
        };
        let (field, offset) = (&*error.field, error.offset);
        assert_eq!((field, offset), (row.field, row.offset), "{name}: {error}");
    }
}

/// Asserts that beginnings of files are refused, and read without a panic where they are not.
///
/// # Panics
/// If one is not.
pub fn prove_truncations<F: Format>(facts: &[Fact<F>], truncations: Truncations) {
    for fact in facts {
        let n_bytes = fact.bytes.len();
        // Of long files the beginnings and ends of sixteen-byte rows, and all of the first and last bytes.
        let is_tried = |len: &usize| {
            n_bytes < 4096 || *len < 512 || *len + 512 > n_bytes || len.is_multiple_of(61)
        };
        for len in (0..n_bytes).filter(is_tried) {
            let is_accepted = F::read(&fact.bytes[..len], &fact.context).is_ok();
            let may_be = match truncations {
                Truncations::Refused => false,
                Truncations::RefusedBeyond(n_lost) => n_bytes - len <= n_lost,
                Truncations::Valid => true,
            };
            let name = fact.name;
            assert!(
                !is_accepted || may_be,
                "{name}: the first {len} of {n_bytes} bytes are accepted"
            );
            let _ = F::read_tolerant(&fact.bytes[..len], &fact.context);
        }
    }
}

/// Asserts of each of `n_runs` damaged copies of each file that it is refused, or written back as it is, without a panic
/// and with no more memory at once than `max_growth` times the input plus a mebibyte. What the tolerant reader takes is
/// checked.
///
/// # Panics
/// If one is not.
pub fn prove_mutations<F: Format>(facts: &[Fact<F>], n_runs: u64, max_growth: usize) {
    prove_mutations_in_use(facts, n_runs, max_growth, |_, _| {});
}

/// As [`prove_mutations`]; what the tolerant reader takes is also used, with the bytes that it was read from.
///
/// # Panics
/// If one is not, or the use panics.
pub fn prove_mutations_in_use<F: Format>(
    facts: &[Fact<F>],
    n_runs: u64,
    max_growth: usize,
    used: impl Fn(F, &[u8]),
) {
    for fact in facts {
        for run in 0..n_runs {
            let damaged = mutate(&fact.bytes, &mut Rng::new(run + 1));
            let name = fact.name;
            let read = || {
                if let Ok(file) = F::read(&damaged, &fact.context) {
                    let is_same = file.write().as_ref() == Ok(&damaged);
                    assert!(is_same, "{name}, mutation {run}: written otherwise");
                }
                if let Ok((file, _)) = F::read_tolerant(&damaged, &fact.context) {
                    file.check();
                    used(file, &damaged);
                }
            };
            let (outcome, grown) = peak_of(|| catch_unwind(AssertUnwindSafe(read)));
            assert!(outcome.is_ok(), "{name}, mutation {run}: a panic");
            let n_bytes = damaged.len();
            assert!(
                grown <= n_bytes * max_growth + (1 << 20),
                "{name}, mutation {run}: {grown} bytes taken at once for {n_bytes} of input"
            );
        }
    }
}

/// Whether a value is the same once it was written and read, and its bytes are.
pub fn prove_value<F: Format + Debug + PartialEq>(value: &F, context: &F::Context) {
    let bytes = value.write().unwrap_or_else(|error| panic!("{error}"));
    let back = F::read(&bytes, context).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(&back, value);
    assert!(back.write() == Ok(bytes), "written otherwise");
}

/// The tests that every format has, as a module `proof`.
///
/// ```ignore
/// proof! {
///     Wear {
///         facts: facts(),               // Vec<Fact<Wear>>
///         damage: damage(),             // Vec<Damage>
///         truncations: Truncations::Refused,
///         values: any_wear(),           // a strategy of proptest
///         growth: 128,                  // most bytes taken at once for a byte of input
///         runs: 2_000,                  // mutations of each fact; 50 times as many in the long test
///     }
/// }
/// ```
///
/// Before `facts` may stand `context`, what damaged files and values are read with if not with the usual; after `runs`
/// may stand `used`, a function of a value and its bytes that mutations must not make panic either.
#[macro_export]
macro_rules! proof {
    (@or $default:expr) => {
        $default
    };
    (@or $default:expr, $given:expr) => {
        $given
    };
    ($format:ty {
        $(context: $context:expr,)?
        facts: $facts:expr,
        damage: $damage:expr,
        truncations: $truncations:expr,
        values: $values:expr,
        growth: $growth:expr,
        runs: $runs:expr
        $(, used: $used:expr)?
        $(,)?
    }) => {
        mod proof {
            #[allow(unused_imports, reason = "what the expressions need")]
            use super::*;
            use $crate::proptest::prelude::*;

            #[test]
            fn files_hold_what_is_known_of_them() {
                $crate::prove_facts::<$format>(&$facts);
            }

            #[test]
            fn damage_is_named_where_it_stands() {
                let context = $crate::proof!(@or Default::default() $(, $context)?);
                $crate::prove_damage::<$format>(&context, &$damage);
            }

            #[test]
            fn truncated_files_are_refused() {
                $crate::prove_truncations::<$format>(&$facts, $truncations);
            }

            $crate::proptest::proptest! {
                #[test]
                fn any_value_survives_writing(value in $values) {
                    let context = $crate::proof!(@or Default::default() $(, $context)?);
                    $crate::prove_value::<$format>(&value, &context);
                }
            }

            #[test]
            fn mutations_are_refused_or_written_back() {
                let used = $crate::proof!(@or |_, _: &[u8]| {} $(, $used)?);
                $crate::prove_mutations_in_use::<$format>(&$facts, $runs, $growth, used);
            }

            #[test]
            #[ignore = "long: 50 times as many mutations"]
            fn mutations_are_refused_or_written_back_at_length() {
                let used = $crate::proof!(@or |_, _: &[u8]| {} $(, $used)?);
                $crate::prove_mutations_in_use::<$format>(&$facts, 50 * $runs, $growth, used);
            }
        }
    };
}
