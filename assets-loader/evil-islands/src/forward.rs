//! What an `impl Format` says only to forward to functions of the type, which callers reach without the trait.

/// Reader, writer and check of a [`Format`](ironlands_assets_core::format::Format) without context: the type's own, and
/// those of its module's `Tolerance`.
///
/// With `waived: checked` the check tells what the tolerant reader waived. With `waived: kept` it does not, and a report
/// names the broken rule instead.
macro_rules! own_functions {
    (waived: checked) => {
        own_functions!(@reader file => file.check());
    };
    (waived: kept) => {
        own_functions!(@reader file => Vec::new());
    };
    (@reader $file:ident => $findings:expr) => {
        fn read(data: &[u8], (): &()) -> Result<Self, ::ironlands_assets_core::bytes::FormatError> {
            Self::read(data)
        }

        fn read_tolerant(
            data: &[u8],
            (): &(),
        ) -> Result<
            (Self, Vec<::ironlands_assets_core::bytes::Finding>),
            ::ironlands_assets_core::bytes::FormatError,
        > {
            let $file = Self::read_with(data, Tolerance::all())?;
            let findings = $findings;
            Ok(($file, findings))
        }

        own_functions!();
    };
    () => {
        fn write(&self) -> Result<Vec<u8>, ::ironlands_assets_core::bytes::FormatError> {
            self.write()
        }

        fn check(&self) -> Vec<::ironlands_assets_core::bytes::Finding> {
            self.check()
        }
    };
}
