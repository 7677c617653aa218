//! `#[derive(Record)]`: size, reader, writer and field table of a record, from one declaration.
//!
//! ```ignore
//! #[derive(Record)]
//! #[record(layout = Width)]
//! struct Node {
//!     #[field("node plane")]
//!     plane: i32,
//!     #[field("node mins", sized)]
//!     mins: [i32; 3],
//!     #[field("node padding", if = matches!(layout, Width::Narrow))]
//!     padding: [u8; 2],
//! }
//! ```
//!
//! Fields are stored in the order of their declaration, without gaps. The name is what errors call the field. A field
//! with `#[field]` alone has the name under which its record is read as a field of another; so has that of a newtype.
//! `sized` says that the size of the field depends on the layout, `sized = layout.width()` that it depends on a part of
//! it. `check = path` names a function that may refuse a value that was read:
//! `fn(at: &Reader, name: &'static str, value: &T) -> Result<(), FormatError>`, where `at` is the start of the field.
//! `if`, which stands last, says which layouts have the field: others do not write it, and read what `default = ...`
//! says or else the default of its type. Without `#[record(layout = ...)]` a record has one layout, `()`, and a
//! constant `SIZE`.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Field, Ident, LitStr, Member, Meta, Token, Type, parse_quote};

/// See the documentation of the crate.
#[proc_macro_derive(Record, attributes(record, field))]
pub fn derive_record(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = syn::parse_macro_input!(input as DeriveInput);
    expand(&input)
        .unwrap_or_else(|error| error.to_compile_error())
        .into()
}

/// What `#[field(...)]` says.
#[derive(Default)]
struct FieldOptions {
    /// `None` if it has the name under which the record is read.
    name: Option<LitStr>,
    /// The layout of the field; `None` if its size does not depend on one.
    layout: Option<TokenStream>,
    /// What is read in layouts without the field; `None` for the default of its type.
    default: Option<TokenStream>,
    /// The function that may refuse a value.
    check: Option<TokenStream>,
    condition: Option<TokenStream>,
}

impl Parse for FieldOptions {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut options = Self {
            name: Some(input.parse()?),
            ..Self::default()
        };
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            if input.parse::<Option<Token![if]>>()?.is_some() {
                input.parse::<Token![=]>()?;
                options.condition = Some(input.parse()?);
                continue;
            }
            let word: Ident = input.parse()?;
            let value = match input.parse::<Option<Token![=]>>()? {
                Some(_) => Some(value_of(input)?),
                None => None,
            };
            if word == "sized" {
                options.layout = Some(value.unwrap_or_else(|| quote!(layout)));
            } else if word == "default" && value.is_some() {
                options.default = value;
            } else if word == "check" && value.is_some() {
                options.check = value;
            } else {
                let expected = "expected `sized`, `default = ...`, `check = ...` or `if = ...`";
                return Err(Error::new(word.span(), expected));
            }
        }
        Ok(options)
    }
}

/// The tokens before the next comma.
fn value_of(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut value = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        value.extend([input.parse::<TokenTree>()?]);
    }
    Ok(value)
}

struct FieldCode {
    size: TokenStream,
    place: TokenStream,
    read: TokenStream,
    write: TokenStream,
}

fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.span(), "a record is a struct"));
    };
    let fields = data.fields.members().zip(&data.fields);
    let layout = layout_of(input)?;
    let is_fixed = layout.is_none();
    let layout = layout.unwrap_or_else(|| parse_quote!(()));
    let codes = fields
        .map(|(member, field)| code_of(&member, field))
        .collect::<syn::Result<Vec<_>>>()?;
    let name = &input.ident;
    let [sizes, places, reads, writes] = [
        codes.iter().map(|it| &it.size).collect::<Vec<_>>(),
        codes.iter().map(|it| &it.place).collect(),
        codes.iter().map(|it| &it.read).collect(),
        codes.iter().map(|it| &it.write).collect(),
    ];
    let types = data.fields.iter().map(|field| &field.ty);
    let record_name = name.to_string().to_lowercase();
    let fixed = is_fixed.then(|| {
        quote! {
            impl #name {
                /// Bytes of the record.
                pub const SIZE: usize = 0 #(+ <#types as ::ironlands_assets_core::record::FixedSize>::SIZE)*;
            }

            #[automatically_derived]
            impl ::ironlands_assets_core::record::FixedSize for #name {
                const SIZE: usize = Self::SIZE;
            }
        }
    });
    Ok(quote! {
        #fixed

        #[automatically_derived]
        impl ::ironlands_assets_core::record::Record for #name {
            type Layout = #layout;

            fn size(layout: #layout) -> usize {
                [#(#sizes),*].into_iter().sum()
            }

            fn fields(layout: #layout) -> ::std::vec::Vec<::ironlands_assets_core::record::FieldPlace> {
                ::ironlands_assets_core::record::places([#(#places),*])
            }

            fn read(
                r: &mut ::ironlands_assets_core::bytes::Reader<'_>,
                layout: #layout,
            ) -> ::std::result::Result<Self, ::ironlands_assets_core::bytes::FormatError> {
                ::ironlands_assets_core::record::Field::read(r, #record_name, layout)
            }

            fn write(
                &self,
                w: &mut ::ironlands_assets_core::bytes::Writer,
                layout: #layout,
            ) -> ::std::result::Result<(), ::ironlands_assets_core::bytes::FormatError> {
                ::ironlands_assets_core::record::Field::write(self, w, #record_name, layout)
            }
        }

        #[automatically_derived]
        impl ::ironlands_assets_core::record::Field<#layout> for #name {
            fn size(layout: #layout) -> usize {
                <Self as ::ironlands_assets_core::record::Record>::size(layout)
            }

            fn read(
                r: &mut ::ironlands_assets_core::bytes::Reader<'_>,
                name: &'static str,
                layout: #layout,
            ) -> ::std::result::Result<Self, ::ironlands_assets_core::bytes::FormatError> {
                ::std::result::Result::Ok(Self { #(#reads),* })
            }

            fn write(
                &self,
                w: &mut ::ironlands_assets_core::bytes::Writer,
                name: &'static str,
                layout: #layout,
            ) -> ::std::result::Result<(), ::ironlands_assets_core::bytes::FormatError> {
                #(#writes)*
                ::std::result::Result::Ok(())
            }
        }
    })
}

/// The type of `#[record(layout = ...)]`.
fn layout_of(input: &DeriveInput) -> syn::Result<Option<Type>> {
    let mut layout = None;
    for attribute in input.attrs.iter().filter(|it| it.path().is_ident("record")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("layout") {
                return Err(meta.error("expected `layout = Type`"));
            }
            layout = Some(meta.value()?.parse()?);
            Ok(())
        })?;
    }
    Ok(layout)
}

fn code_of(member: &Member, field: &Field) -> syn::Result<FieldCode> {
    let mut attributes = field.attrs.iter().filter(|it| it.path().is_ident("field"));
    let Some(attribute) = attributes.next() else {
        return Err(Error::new(
            field.span(),
            "a field of a record has `#[field(\"name\")]` or `#[field]`",
        ));
    };
    let FieldOptions {
        name,
        layout,
        default,
        check,
        condition,
    } = match &attribute.meta {
        Meta::Path(_) => FieldOptions::default(),
        _ => attribute.parse_args()?,
    };
    let ty = &field.ty;
    let place_name = name
        .as_ref()
        .map_or_else(|| member.to_token_stream().to_string(), |name| name.value());
    let name = name.map_or_else(|| quote!(name), ToTokens::into_token_stream);
    let (field_layout, value) = match layout {
        Some(layout) => (quote!(_), layout),
        None => (quote!(()), quote!(())),
    };
    let codec = quote!(<#ty as ::ironlands_assets_core::record::Field<#field_layout>>);
    let when = |yes: TokenStream, no: TokenStream| match &condition {
        Some(condition) => quote!(if #condition { #yes } else { #no }),
        None => yes,
    };
    let size = when(quote!(#codec::size(#value)), quote!(0));
    Ok(FieldCode {
        place: quote!((#place_name, #size)),
        size,
        read: {
            let mut read = quote!(#codec::read(r, #name, #value)?);
            if let Some(check) = check {
                read = quote!({
                    let at = r.clone();
                    let value = #read;
                    #check(&at, #name, &value)?;
                    value
                });
            }
            let absent = quote!(::std::default::Default::default());
            let read = when(read, default.unwrap_or(absent));
            quote!(#member: #read)
        },
        write: when(
            quote!(#codec::write(&self.#member, w, #name, #value)?;),
            quote!(),
        ),
    })
}
