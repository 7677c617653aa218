//! The bytes of a file, with the names of the fields that its reader took them for.

use egui::text::{LayoutJob, TextFormat};
use egui::{Color32, DragValue, FontId, ScrollArea, TextStyle, Ui};

use crate::assets::bytes::FieldSpan;
use crate::browser::Preview;
use crate::words::{tr, tr_with};

/// Bytes of a row.
const ROW: usize = 16;
/// Rows of a page: the bars of lists cannot be set to one of millions of rows.
const PAGE_ROWS: usize = 1 << 16;
/// Names beyond this many are not written behind a row.
const MAX_NAMES: usize = 4;
/// Fields take turns in these colors, so that neighbors differ.
const COLORS: [Color32; 3] = [
    Color32::from_rgb(140, 200, 255),
    Color32::from_rgb(255, 205, 130),
    Color32::from_rgb(165, 230, 165),
];
const UNNAMED: Color32 = Color32::from_gray(170);
const OFFSET: Color32 = Color32::from_gray(150);

/// Which part is shown.
#[derive(Debug, Default)]
pub struct BytesView {
    page: usize,
}

impl BytesView {
    /// Another file is looked at.
    pub fn forget(&mut self) {
        self.page = 0;
    }

    /// Lays it out.
    pub fn show(&mut self, ui: &mut Ui, preview: &Preview) {
        let n_rows = preview.data.len().div_ceil(ROW);
        let n_pages = n_rows.div_ceil(PAGE_ROWS).max(1);
        self.page = self.page.min(n_pages - 1);
        ui.horizontal(|ui| {
            ui.weak(format!(
                "{} bytes, {} named fields",
                preview.data.len(),
                preview.fields.len()
            ));
            if n_pages > 1 {
                ui.weak(tr("page"));
                ui.add(DragValue::new(&mut self.page).range(0..=n_pages - 1));
                ui.weak(tr_with("of {n}", &[("n", n_pages.into())]));
            }
        });
        let first = self.page * PAGE_ROWS;
        let n_rows = (n_rows - first).min(PAGE_ROWS);
        let font = TextStyle::Monospace.resolve(ui.style());
        let height = ui.text_style_height(&TextStyle::Monospace);
        ScrollArea::both()
            .auto_shrink(false)
            .show_rows(ui, height, n_rows, |ui, range| {
                for row in range {
                    let start = (first + row) * ROW;
                    let job = row_of(&preview.data, &preview.fields, start, &font);
                    let label = egui::Label::new(job).extend();
                    let response = ui.add(label);
                    if response.hovered() {
                        let text = values_of(&preview.data, &preview.fields, start);
                        if !text.is_empty() {
                            response.on_hover_text(text);
                        }
                    }
                }
            });
    }
}

/// The index of the field that a byte is in.
fn field_of(fields: &[FieldSpan], byte: usize) -> Option<usize> {
    let after = fields.partition_point(|field| field.bytes.start <= byte);
    let index = after.checked_sub(1)?;
    fields[index].bytes.contains(&byte).then_some(index)
}

/// Fields that begin in a row.
fn beginning_in(fields: &[FieldSpan], start: usize) -> &[FieldSpan] {
    let [first, end] =
        [start, start + ROW].map(|byte| fields.partition_point(|field| field.bytes.start < byte));
    &fields[first..end]
}

/// A row: offset, bytes, characters, and names of the fields that begin in it.
fn row_of(data: &[u8], fields: &[FieldSpan], start: usize, font: &FontId) -> LayoutJob {
    let mut job = LayoutJob::default();
    let mut add = |text: &str, color: Color32| {
        job.append(text, 0.0, TextFormat::simple(font.clone(), color));
    };
    add(&format!("{start:08x}  "), OFFSET);
    let bytes = &data[start..(start + ROW).min(data.len())];
    let color = |offset: usize| match field_of(fields, start + offset) {
        Some(index) => COLORS[index % COLORS.len()],
        None => UNNAMED,
    };
    for (offset, byte) in bytes.iter().enumerate() {
        let gap = if offset % 8 == 7 { "  " } else { " " };
        add(&format!("{byte:02x}{gap}"), color(offset));
    }
    let missing = ROW - bytes.len();
    add(&" ".repeat(missing * 3 + usize::from(missing > 0)), OFFSET);
    for (offset, byte) in bytes.iter().enumerate() {
        let is_shown = byte.is_ascii_graphic() || *byte == b' ';
        let text = if is_shown { char::from(*byte) } else { '.' };
        add(text.encode_utf8(&mut [0; 4]), color(offset));
    }
    add(&" ".repeat(missing), OFFSET);
    let beginning = beginning_in(fields, start);
    for field in beginning.iter().take(MAX_NAMES) {
        add(
            &format!("  {}", field.name),
            color(field.bytes.start - start),
        );
    }
    if beginning.len() > MAX_NAMES {
        add(&format!("  + {}", beginning.len() - MAX_NAMES), UNNAMED);
    }
    job
}

/// The fields that begin in a row, each with what its bytes are as numbers.
fn values_of(data: &[u8], fields: &[FieldSpan], start: usize) -> String {
    let lines = beginning_in(fields, start).iter().map(|field| {
        let bytes = &data[field.bytes.clone()];
        let value = match bytes {
            [byte] => byte.to_string(),
            [a, b] => u16::from_le_bytes([*a, *b]).to_string(),
            [a, b, c, d] => {
                let four = [*a, *b, *c, *d];
                let [int, real] = [
                    u32::from_le_bytes(four).to_string(),
                    f32::from_le_bytes(four).to_string(),
                ];
                format!("{int} or {real}")
            }
            _ => tr_with("{n} bytes", &[("n", bytes.len().into())]),
        };
        format!(
            "{:#x} {} ({}): {value}",
            field.bytes.start, field.name, field.format
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &'static str, bytes: std::ops::Range<usize>) -> FieldSpan {
        FieldSpan {
            format: "test",
            name,
            bytes,
        }
    }

    #[test]
    fn rows_name_the_fields_that_begin_in_them() {
        let data: Vec<u8> = (0..20).collect();
        let fields = [
            field("magic", 0..4),
            field("table", 8..18),
            field("end", 19..20),
        ];
        let font = FontId::monospace(12.0);
        let first = row_of(&data, &fields, 0, &font).text;
        assert!(first.starts_with("00000000  00 01 02"), "{first}");
        assert!(first.ends_with("................  magic  table"), "{first}");
        let second = row_of(&data, &fields, 16, &font).text;
        assert!(second.ends_with("  end"), "{second}");
        assert_eq!(field_of(&fields, 5), None);
        assert_eq!(field_of(&fields, 17), Some(1));
        let values = values_of(&data, &fields, 16);
        assert_eq!(values, "0x13 end (test): 19");
        assert_eq!(values_of(&data, &fields, 0).lines().count(), 2);
    }
}
