//! Whether text is an expression: numbers and names between operators, in parentheses that match.

/// Operators between two operands.
const BINARY: &[u8] = b"+-*/^&|";
/// Operators before an operand. Letters before a parenthesis are functions.
const UNARY: &[u8] = b"!-+";

/// What is wrong with an expression.
pub(super) fn problem_in(expression: &[u8]) -> Option<&'static str> {
    let mut rest = expression;
    let mut n_open = 0usize;
    let mut needs_operand = true;
    loop {
        rest = rest.trim_ascii_start();
        let Some((byte, behind)) = rest.split_first() else {
            break;
        };
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(*byte, b'.' | b'_');
        let n_word = rest.iter().take_while(|byte| is_word(byte)).count();
        rest = match *byte {
            b'(' if needs_operand => {
                n_open = n_open.saturating_add(1);
                behind
            }
            b')' if !needs_operand => {
                n_open = match n_open.checked_sub(1) {
                    Some(left) => left,
                    None => return Some("a parenthesis is closed that is not open"),
                };
                behind
            }
            unary if needs_operand && UNARY.contains(&unary) => behind,
            binary if !needs_operand && BINARY.contains(&binary) => {
                needs_operand = true;
                behind
            }
            _ if needs_operand && n_word > 0 => {
                let behind = rest.get(n_word..).unwrap_or_default();
                // A function takes what is in the parentheses behind it.
                needs_operand = behind.trim_ascii_start().first() == Some(&b'(');
                behind
            }
            _ if needs_operand => return Some("an operand is missing"),
            _ => return Some("an operator is missing"),
        };
    }
    match (needs_operand, n_open) {
        (true, _) => Some("an operand is missing"),
        (false, 0) => None,
        (false, _) => Some("a parenthesis is not closed"),
    }
}
