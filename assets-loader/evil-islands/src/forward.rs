//! The part of an `impl Format` that forwards to inherent functions, which callers reach without the trait.

/// Reader, writer and check of a [`Format`](ironlands_assets_core::format::Format): the inherent functions of the type.
/// Without arguments, only writer and check.
///
/// With `repairs: from_check`, `check` reports what the tolerant reader waived. With `repairs: none` nothing does, and a
/// report names the broken rule instead. The module's `Tolerance` says what can be waived.
macro_rules! forward_to_inherent {
    (repairs: from_check) => {
        forward_to_inherent!(@reader file => file.check());
    };
    (repairs: none) => {
        forward_to_inherent!(@reader file => Vec::new());
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

        forward_to_inherent!();
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
