//! The proof kit of a format: what every reader and writer has to show, as code.
//!
//! In: files whose values are known, and damaged ones. Out: tests, by [`proof!`](crate::proof).

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice;

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_core::format::Format;
use ironlands_assets_core::record::{FieldPlace, Record, encode, places};

use crate::{Rng, Trace, mutate, peak_of};

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
            ..Self::from_bytes(name, bytes)
        }
    }

    /// A file that is read and written without a look at its value.
    pub fn from_bytes(name: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
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

/// A broken file, and where the strict reader reports the error.
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
    pub fn from_changes<const N: usize>(good: &[u8], changes: [Change; N]) -> Vec<Self> {
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
#[derive(Debug, Clone, Copy)]
pub enum Truncations {
    /// All are refused.
    Refused,
    /// Those that miss more than this many bytes are refused: the last are padding, or the end of the last line.
    RefusedBeyond(usize),
    /// Some are valid files: the format has no end of its own.
    Valid,
    /// Those are valid files of which this holds, and no others.
    ValidIf(fn(&[u8]) -> bool),
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

/// Asserts that broken files are refused at the broken field. Without a broken file, any bytes must be a file.
///
/// # Panics
/// If one is not.
pub fn prove_damage<F: Format>(context: &F::Context, damage: &[Damage]) {
    if damage.is_empty() {
        return prove_any_bytes::<F>(context);
    }
    let mut problems = Vec::new();
    for row in damage {
        let name = row.name;
        match F::read(&row.bytes, context) {
            Ok(_) => problems.push(format!("{name}: accepted")),
            Err(error) if (&*error.field, error.offset) == (row.field, row.offset) => {}
            Err(error) => problems.push(format!(
                "{name}: expected {} at {:#x}: {error}",
                row.field, row.offset
            )),
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Asserts that a format without rules takes noise, and writes it back.
fn prove_any_bytes<F: Format>(context: &F::Context) {
    for seed in 0..1000 {
        let mut rng = Rng::new(seed);
        let noise: Vec<u8> = (0..rng.below(200)).map(|_| rng.next_u64() as u8).collect();
        let written = F::read(&noise, context).and_then(|file| file.write());
        let is_same = written.as_ref() == Ok(&noise);
        assert!(is_same, "{} has rules, and no damage", F::NAME);
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
            let name = fact.name;
            let may_be = match truncations {
                Truncations::Refused => false,
                Truncations::RefusedBeyond(n_lost) => n_bytes - len <= n_lost,
                Truncations::Valid => true,
                Truncations::ValidIf(is_valid) => {
                    let is_valid = is_valid(&fact.bytes[..len]);
                    assert!(
                        is_accepted || !is_valid,
                        "{name}: the first {len} of {n_bytes} bytes are refused"
                    );
                    is_valid
                }
            };
            assert!(
                !is_accepted || may_be,
                "{name}: the first {len} of {n_bytes} bytes are accepted"
            );
            let _ = F::read_tolerant(&fact.bytes[..len], &fact.context);
        }
    }
}

/// Makes a damaged file right again where a reader would look no further, as in a checksum.
pub type Mend = fn(&[u8]) -> Vec<u8>;

/// Asserts what else holds of a value that was read from these bytes, strictly or tolerantly.
pub type Also<F> = fn(&F, &[u8]);

/// Asserts what else holds of any damaged bytes in a context.
pub type OfBytes<F> = fn(&[u8], &<F as Format>::Context);

/// What is done with mutations beyond reading, writing and checking them.
pub struct Mutations<F: Format> {
    /// Damaged copies of each fact.
    pub n_runs: u64,
    /// Most bytes taken at once for a byte of input, beside a mebibyte.
    pub max_growth: usize,
    /// Applied to the damaged copies first.
    pub mend: Option<Mend>,
    /// Of what can be read.
    pub also: Option<Also<F>>,
    /// Of all.
    pub of_bytes: Option<OfBytes<F>>,
}

/// Asserts of damaged copies of each file that they are refused, or written back as they are, without a panic and with
/// no more memory at once than is allowed. What the tolerant reader takes is checked.
///
/// # Panics
/// If one is not.
pub fn prove_mutations<F: Format>(facts: &[Fact<F>], mutations: &Mutations<F>) {
    for fact in facts {
        for run in 0..mutations.n_runs {
            let damaged = mutate(&fact.bytes, &mut Rng::new(run + 1));
            let what = format!("{}, mutation {run}", fact.name);
            prove_damaged(&what, &damaged, &fact.context, mutations);
        }
    }
}

/// Asserts of damaged bytes what [`prove_mutations`] does; returns the error of the strict reader, if any.
fn prove_damaged<F: Format>(
    what: &str,
    damaged: &[u8],
    context: &F::Context,
    mutations: &Mutations<F>,
) -> Option<FormatError> {
    let mended = mutations.mend.map(|mend| mend(damaged));
    let damaged = mended.as_deref().unwrap_or(damaged);
    let read = || {
        let read = F::read(damaged, context);
        if let Ok(file) = &read {
            let is_same = file.write().as_deref() == Ok(damaged);
            assert!(is_same, "{what}: written otherwise");
            mutations.also.inspect(|also| also(file, damaged));
        }
        if let Ok((file, _)) = F::read_tolerant(damaged, context) {
            file.check();
            mutations.also.inspect(|also| also(&file, damaged));
        }
        mutations
            .of_bytes
            .inspect(|of_bytes| of_bytes(damaged, context));
        read.err()
    };
    let (outcome, grown) = peak_of(|| catch_unwind(AssertUnwindSafe(read)));
    let refused = outcome.unwrap_or_else(|_| panic!("{what}: a panic"));
    let n_bytes = damaged.len();
    assert!(
        grown <= n_bytes * mutations.max_growth + (1 << 20),
        "{what}: {grown} bytes taken at once for {n_bytes} of input"
    );
    refused
}

/// A record at a known offset of the files.
#[derive(Debug, Clone)]
pub struct RecordPlace {
    /// Its offset in the file.
    pub offset: usize,
    /// Its fields; their offsets count from its start.
    pub fields: Vec<FieldPlace>,
    /// The lowest offset that an error may have: that of the record, unless its fields point to earlier bytes.
    pub refused_from: usize,
    /// Its bytes in the files that hold it; `None` if all files have such a record there.
    pub held: Option<Vec<u8>>,
}

impl RecordPlace {
    /// A record with the fields of its declaration.
    pub fn new<R: Record>(offset: usize, layout: R::Layout) -> Self {
        Self {
            offset,
            fields: R::fields(layout),
            refused_from: offset,
            held: None,
        }
    }

    /// A record of the files that hold there what this one holds.
    pub fn from_file<R: Record>(file: &[u8], offset: usize, layout: R::Layout) -> Self {
        let held = file[offset..][..R::size(layout)].to_vec();
        Self {
            held: Some(held),
            ..Self::new::<R>(offset, layout)
        }
    }

    /// The same of a value, at the first place with its bytes.
    ///
    /// # Panics
    /// If the file does not hold it.
    pub fn from_value<R: Record>(file: &[u8], value: &R, layout: R::Layout) -> Self {
        let held = encode("record", slice::from_ref(value), layout).expect("a value of a file");
        let offset = file.windows(held.len()).position(|it| it == held);
        Self::from_file::<R>(file, offset.expect("the file holds the record"), layout)
    }

    /// Fields of all files, by their names and sizes in a document.
    pub fn from_fields<const N: usize>(offset: usize, fields: [(&'static str, usize); N]) -> Self {
        Self {
            offset,
            fields: places(fields),
            refused_from: offset,
            held: None,
        }
    }

    /// What a codec walks, as the files that hold it have it at this offset.
    ///
    /// # Panics
    /// If this file does not.
    pub fn from_walk<T>(
        file: &[u8],
        offset: usize,
        walk: impl FnOnce(&mut Trace) -> Result<T, FormatError>,
    ) -> Self {
        let (fields, held) = Trace::of_walk(walk).expect("a value of a file");
        assert!(file[offset..].starts_with(&held), "not at {offset}");
        Self {
            offset,
            fields,
            refused_from: offset,
            held: Some(held),
        }
    }

    /// The same record, whose fields may point to bytes from this offset on.
    #[must_use]
    pub fn refused_from(self, refused_from: usize) -> Self {
        Self {
            refused_from,
            ..self
        }
    }
}

/// Sets each field of the records in turn to its limits and to the values next to its own, in every file that has the
/// record, and asserts what [`prove_mutations`] does; besides, that a refusal names a byte of the record or a later one.
///
/// # Panics
/// If that does not hold, or if no file has a record.
pub fn prove_records<F: Format>(
    facts: &[Fact<F>],
    records: &[RecordPlace],
    mutations: &Mutations<F>,
) {
    for record in records {
        let size = record.fields.iter().map(|field| field.size).sum::<usize>();
        let place = record.offset..record.offset + size;
        let has_it = |fact: &&Fact<F>| {
            let bytes = fact.bytes.get(place.clone());
            bytes.is_some_and(|bytes| record.held.as_ref().is_none_or(|held| held == bytes))
        };
        let facts = facts.iter().filter(has_it);
        assert!(facts.clone().count() > 0, "no file reaches {place:?}");
        let fields = record.fields.iter().filter(|field| field.size > 0);
        for (fact, field) in facts.flat_map(|fact| fields.clone().map(move |field| (fact, field))) {
            let start = record.offset + field.offset;
            for (change, value) in extremes(&fact.bytes[start..start + field.size]) {
                let mut damaged = fact.bytes.clone();
                damaged[start..start + field.size].copy_from_slice(&value);
                let what = format!("{}, {} {change}", fact.name, field.name);
                let refused = prove_damaged(&what, &damaged, &fact.context, mutations);
                let is_before = |error: &FormatError| error.offset < record.refused_from as u64;
                if let Some(error) = refused.filter(is_before) {
                    panic!("{what}: refused before the record at {place:?}: {error}");
                }
            }
        }
    }
}

/// The limits of a little-endian field, and the values next to the one that it holds.
fn extremes(held: &[u8]) -> [(&'static str, Vec<u8>); 6] {
    let with_top = |byte: u8, top: u8| {
        let mut value = vec![byte; held.len()];
        value[held.len() - 1] = top;
        value
    };
    let next = |step: fn(u8, u8) -> (u8, bool)| {
        let mut carries = true;
        let step = |byte: &u8| {
            let (stepped, overflows) = step(*byte, carries.into());
            carries = overflows;
            stepped
        };
        held.iter().map(step).collect()
    };
    [
        ("zero", with_top(0, 0)),
        ("with all bits set", with_top(0xFF, 0xFF)),
        ("at the largest signed value", with_top(0xFF, 0x7F)),
        ("at the smallest signed value", with_top(0, 0x80)),
        ("one more", next(u8::overflowing_add)),
        ("one less", next(u8::overflowing_sub)),
    ]
}

/// Asserts that a value is the same once it was written and read, and its bytes are. Floats that are no numbers differ
/// from themselves, but neither their text does nor their bytes.
///
/// # Panics
/// If it is not.
pub fn prove_value<F: Format + Debug + PartialEq>(value: &F, context: &F::Context) {
    let bytes = value.write().unwrap_or_else(|error| panic!("{error}"));
    let back = F::read(&bytes, context).unwrap_or_else(|error| panic!("{error}"));
    // Values may be large, and are shown by the caller.
    let is_same = &back == value || format!("{back:?}") == format!("{value:?}");
    assert!(is_same, "another value is read back");
    assert!(back.write() == Ok(bytes), "written otherwise");
}

/// Asserts that what the tolerant reader takes of any bytes is written back, too: all of them are kept.
///
/// # Panics
/// If it is not.
pub fn prove_tolerantly_read<F: Format>(data: &[u8], context: &F::Context) {
    if let Ok((file, _)) = F::read_tolerant(data, context) {
        let is_same = file.write().as_deref() == Ok(data);
        assert!(is_same, "read tolerantly: written otherwise");
    }
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
///         // And where needed, in this order:
///         records: [RecordPlace::new::<Header>(4, ())], // their fields get extreme values: see `prove_records`
///         damage_context: VERSION,      // the reader's context for `damage`, if not the default
///         context: |wear| (),           // the reader's context for one of `values`, if not the default
///         mend: with_true_size,         // repairs what keeps damage from the rest of the file: see `Mend`
///         also: |wear, bytes| (),       // what else holds of what is read of a mutation: see `Also`
///         of_bytes: |bytes, context| (), // what else holds of any mutation: see `OfBytes`
///     }
/// }
/// ```
#[macro_export]
macro_rules! proof {
    (@option) => { None };
    (@option $given:expr) => { Some($given) };
    ($format:ty {
        facts: $facts:expr,
        damage: $damage:expr,
        truncations: $truncations:expr,
        values: $values:expr,
        growth: $growth:expr,
        runs: $runs:expr
        $(, records: $records:expr)?
        $(, damage_context: $damage_context:expr)?
        $(, context: $context:expr)?
        $(, mend: $mend:expr)?
        $(, also: $also:expr)?
        $(, of_bytes: $of_bytes:expr)?
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
                let context: Option<_> = $crate::proof!(@option $($damage_context)?);
                $crate::prove_damage::<$format>(&context.unwrap_or_default(), &$damage);
            }

            #[test]
            fn truncated_files_are_refused() {
                $crate::prove_truncations::<$format>(&$facts, $truncations);
            }

            $crate::proptest::proptest! {
                #[test]
                fn any_value_survives_writing(value in $values) {
                    let context: Option<fn(&$format) -> _> = $crate::proof!(@option $($context)?);
                    let context = context.map(|context| context(&value));
                    $crate::prove_value::<$format>(&value, &context.unwrap_or_default());
                }
            }

            #[test]
            fn mutations_are_refused_or_written_back() {
                $crate::prove_mutations(&$facts, &mutations($runs));
            }

            #[test]
            #[ignore = "long: 50 times as many mutations"]
            fn mutations_are_refused_or_written_back_at_length() {
                $crate::prove_mutations(&$facts, &mutations(50 * $runs));
            }

            $(
                #[test]
                fn extreme_values_of_fields_are_refused_or_written_back() {
                    $crate::prove_records(&$facts, &$records, &mutations(0));
                }
            )?

            fn mutations(n_runs: u64) -> $crate::Mutations<$format> {
                $crate::Mutations {
                    n_runs,
                    max_growth: $growth,
                    mend: $crate::proof!(@option $($mend)?),
                    also: $crate::proof!(@option $($also)?),
                    of_bytes: $crate::proof!(@option $($of_bytes)?),
                }
            }
        }
    };
}

#[cfg(test)]
mod tests;
