//! A file as INI text and back, without loss.
//!
//! ```text
//! [EscMenu]
//! Title="Escape"
//! Speed=0.5
//! NewGame[]=10, 20, 110, 40
//! Empty[int]=
//! @7 Credits=1
//! ```
//!
//! Integers have no point, floats always a point or an exponent, strings are quoted. `[]` makes an array, of one value
//! too; an empty one names its type. `@7` gives an order number where it is not the number of the line. Names that
//! would be misread are quoted. Lines that begin with `;` or `#` are comments. The text is UTF-8; another code page
//! than CP1251 stands in the first line.
//!
//! People may write strings without quotes as long as they are no numbers.

use super::super::quoted::{self, CodePage};
use super::{Reg, RegKey, RegSection, RegValue};
use ironlands_assets_core::bytes::{Finding, FormatError, Reader};

const CP866_LINE: &str = "; code page: cp866";

impl Reg {
    /// The file as text, and what the text cannot hold: places of blocks, and bytes of no block.
    pub fn to_ini(&self, page: CodePage) -> (String, Vec<Finding>) {
        let mut text = String::new();
        if page == CodePage::Cp866 {
            text.push_str(CP866_LINE);
            text.push('\n');
        }
        for (index, section) in self.sections.iter().enumerate() {
            if index > 0 {
                text.push('\n');
            }
            let order = order_mark(index, section.order);
            let name = name_text(&section.name, page);
            text.push_str(&format!("{order}[{name}]\n"));
            for (index, key) in section.keys.iter().enumerate() {
                let order = order_mark(index, key.order);
                let name = name_text(&key.name, page);
                let value = value_text(&key.value, page);
                text.push_str(&format!("{order}{name}{value}\n"));
            }
        }
        let problems = self.layout.iter().flat_map(|layout| layout.problems());
        let findings = problems.map(|problem| problem.into_finding().in_part("not in the text"));
        (text, findings.collect())
    }

    /// The file that a text describes, its blocks as the packer puts them.
    ///
    /// # Errors
    /// The line of the error, with its offset.
    pub fn from_ini(text: &[u8]) -> Result<Self, FormatError> {
        let n_bytes = text.len();
        let text = match std::str::from_utf8(text) {
            Ok(text) => text.strip_prefix('\u{FEFF}').unwrap_or(text),
            Err(error) => {
                let at = Reader::nested("ini", &[], error.valid_up_to() as u64);
                return Err(at.unexpected("text", "UTF-8", "other bytes"));
            }
        };
        let page = match text.lines().next() {
            Some(line) if line.trim() == CP866_LINE => CodePage::Cp866,
            _ => CodePage::Cp1251,
        };
        let mut reg = Self::default();
        let mut offset = n_bytes.saturating_sub(text.len()) as u64;
        for (index, line) in text.split_inclusive('\n').enumerate() {
            let read = reg.add_line(line.trim(), page);
            read.map_err(|problem| {
                let at = Reader::nested("ini", &[], offset);
                let number = index.saturating_add(1);
                at.unexpected(format!("line {number}"), problem.expected, problem.found)
            })?;
            offset = offset.saturating_add(line.len() as u64);
        }
        Ok(reg)
    }

    fn add_line(&mut self, line: &str, page: CodePage) -> Result<(), Misread> {
        if line.is_empty() || line.starts_with([';', '#']) {
            return Ok(());
        }
        let (order, line) = take_order(line)?;
        if let Some(rest) = line.strip_prefix('[') {
            let (name, rest) = take_name(rest, page, &[']'])?;
            if rest != "]" {
                return Err(misread("] and the end of the line", rest));
            }
            self.sections.push(RegSection {
                order: order_or(order, self.sections.len())?,
                name,
                keys: Vec::new(),
            });
            return Ok(());
        }
        let Some(section) = self.sections.last_mut() else {
            return Err(misread("a section in brackets before the first key", line));
        };
        let (name, rest) = take_name(line, page, &['=', '['])?;
        let (kind, value) = rest
            .split_once('=')
            .ok_or_else(|| misread("a name, = and a value", line))?;
        let value = value.trim();
        let value = match kind.trim() {
            "" => parse_single(value, page)?.value(),
            "[]" => parse_array(value, page)?,
            "[int]" if value.is_empty() => RegValue::Ints(Vec::new()),
            "[float]" if value.is_empty() => RegValue::Floats(Vec::new()),
            "[string]" if value.is_empty() => RegValue::Strings(Vec::new()),
            other => return Err(misread("[] before =, or the type of an empty array", other)),
        };
        section.keys.push(RegKey {
            order: order_or(order, section.keys.len())?,
            name,
            value,
        });
        Ok(())
    }
}

/// What a line was expected to hold.
struct Misread {
    expected: &'static str,
    found: String,
}

fn misread(expected: &'static str, found: impl ToString) -> Misread {
    Misread {
        expected,
        found: format!("\"{}\"", found.to_string().escape_debug()),
    }
}

fn order_mark(index: usize, order: i16) -> String {
    match usize::try_from(order) == Ok(index) {
        true => String::new(),
        false => format!("@{order} "),
    }
}

fn take_order(line: &str) -> Result<(Option<i16>, &str), Misread> {
    let Some(rest) = line.strip_prefix('@') else {
        return Ok((None, line));
    };
    let (number, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    match number.parse() {
        Ok(order) => Ok((Some(order), rest.trim_start())),
        Err(_) => Err(misread("an order number from -32768 to 32767", number)),
    }
}

fn order_or(order: Option<i16>, index: usize) -> Result<i16, Misread> {
    match order {
        Some(order) => Ok(order),
        // The count of 16 bits allows for more than an order number does.
        None => i16::try_from(index).map_err(|_| misread("an order number after @", index)),
    }
}

/// A name as it stands if it cannot be misread, in quotes else.
fn name_text(name: &[u8], page: CodePage) -> String {
    let is_safe = |text: &String| {
        let is_trimmed = text.trim() == text && !text.is_empty();
        is_trimmed && !text.contains(['=', '[', ']', '"']) && !text.starts_with(['@', ';', '#'])
    };
    let plain = quoted::plain(name, page).filter(is_safe);
    plain.unwrap_or_else(|| quoted::quote(name, page))
}

/// A name in quotes, or up to one of the marks; and what follows it.
fn take_name<'t>(
    text: &'t str,
    page: CodePage,
    marks: &[char],
) -> Result<(Vec<u8>, &'t str), Misread> {
    let text = text.trim_start();
    if text.starts_with('"') {
        let (name, rest) = quoted::unquote(text, page).map_err(|it| misread("a name", it))?;
        return Ok((name, rest.trim_start()));
    }
    let end = text.find(marks).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end).unwrap_or((text, ""));
    Ok((encode(name.trim(), page)?, rest))
}

fn encode(text: &str, page: CodePage) -> Result<Vec<u8>, Misread> {
    quoted::bytes_of(text, page).map_err(|it| misread("characters of the code page", it))
}

fn value_text(value: &RegValue, page: CodePage) -> String {
    let list = |kind: &str, items: Vec<String>| match items.is_empty() {
        true => format!("[{kind}]="),
        false => format!("[]={}", items.join(", ")),
    };
    match value {
        RegValue::Int(value) => format!("={value}"),
        RegValue::Float(value) => format!("={}", quoted::float(*value)),
        RegValue::String(value) => format!("={}", quoted::quote(value, page)),
        RegValue::Ints(values) => list("int", values.iter().map(i32::to_string).collect()),
        RegValue::Floats(values) => list(
            "float",
            values.iter().map(|it| quoted::float(*it)).collect(),
        ),
        RegValue::Strings(values) => {
            let items = values.iter().map(|it| quoted::quote(it, page));
            list("string", items.collect())
        }
    }
}

/// One value.
enum Single {
    Int(i32),
    Float(f32),
    String(Vec<u8>),
}

impl Single {
    fn value(self) -> RegValue {
        match self {
            Self::Int(value) => RegValue::Int(value),
            Self::Float(value) => RegValue::Float(value),
            Self::String(value) => RegValue::String(value),
        }
    }
}

fn parse_single(text: &str, page: CodePage) -> Result<Single, Misread> {
    if text.starts_with('"') {
        let (value, rest) = quoted::unquote(text, page).map_err(|it| misread("a string", it))?;
        return match rest.trim() {
            "" => Ok(Single::String(value)),
            rest => Err(misread("nothing after the string", rest)),
        };
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_integer = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    if is_integer {
        let value = text.parse().map(Single::Int);
        return value.map_err(|_| misread("an integer of 32 bits", text));
    }
    match quoted::parse_float(text) {
        Some(value) => Ok(Single::Float(value)),
        None => Ok(Single::String(encode(text, page)?)),
    }
}

/// Values of one type, with commas between them.
fn parse_array(text: &str, page: CodePage) -> Result<RegValue, Misread> {
    let mut items = Vec::new();
    let mut rest = text;
    loop {
        let end = item_end(rest, page)?;
        let (item, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        items.push(parse_single(item.trim(), page)?);
        match after.strip_prefix(',') {
            Some(more) => rest = more.trim_start(),
            None => break,
        }
    }
    let mut items = items.into_iter().peekable();
    let of_one_type = "values of one type";
    let text = || misread(of_one_type, text);
    Ok(match items.peek() {
        Some(Single::Int(_)) => {
            let ints = items.map(|it| match it {
                Single::Int(value) => Ok(value),
                _ => Err(text()),
            });
            RegValue::Ints(ints.collect::<Result<_, _>>()?)
        }
        Some(Single::Float(_)) => {
            let floats = items.map(|it| match it {
                Single::Float(value) => Ok(value),
                _ => Err(text()),
            });
            RegValue::Floats(floats.collect::<Result<_, _>>()?)
        }
        _ => {
            let strings = items.map(|it| match it {
                Single::String(value) => Ok(value),
                _ => Err(text()),
            });
            RegValue::Strings(strings.collect::<Result<_, _>>()?)
        }
    })
}

/// Where the comma after an item stands, or the end.
fn item_end(text: &str, page: CodePage) -> Result<usize, Misread> {
    let n_quoted = match text.starts_with('"') {
        true => {
            let (_, rest) = quoted::unquote(text, page).map_err(|it| misread("a string", it))?;
            text.len().saturating_sub(rest.len())
        }
        false => 0,
    };
    let rest = text.get(n_quoted..).unwrap_or_default();
    let comma = rest.find(',').unwrap_or(rest.len());
    Ok(n_quoted.saturating_add(comma))
}
