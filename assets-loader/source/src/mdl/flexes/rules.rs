//! Rules of flexes: postfix notation over the values of controllers and the weights of earlier flexes.

use super::{FlexController, FlexOperation, FlexRule, Flexes, OPERATION_SIZE, trapezoid};
use crate::studio_file::File;
use ironlands_assets_core::bytes::{FormatError, FormatErrorKind, Reader};

const CONSTANT: i32 = 1;
const CONTROLLER: i32 = 2;
const FLEX: i32 = 3;
const ADD: i32 = 4;
const SUBTRACT: i32 = 5;
const MULTIPLY: i32 = 6;
const DIVIDE: i32 = 7;
const NEGATE: i32 = 8;
const MAX: i32 = 13;
const MIN: i32 = 14;
/// What a controller from -1 to 1 has below 0, and above.
const LEFT: i32 = 15;
const RIGHT: i32 = 16;
/// A controller, by where another one is on a trapezoid.
const MANY_WAYS: i32 = 17;
/// The product of that many values.
const COMBINE: i32 = 18;
/// What that many values leave of the one below them.
const DOMINATE: i32 = 19;
const LOWER_EYELID: i32 = 20;
const UPPER_EYELID: i32 = 21;

/// Reads a rule; `counts` are those of flexes and controllers.
pub(super) fn read(
    file: &File<'_>,
    r: &mut Reader<'_>,
    at: usize,
    counts: [usize; 2],
) -> Result<FlexRule, FormatError> {
    let at_flex = r.clone();
    let flex = super::flex_number(&at_flex, r.i32("flex rule")?, counts[0])?;
    let at_count = r.clone();
    let count = r.i32("flex operations")?;
    let offset = r.i32("flex operations")?;
    let place = (at, offset);
    let operations = file.rows(
        &at_count,
        "flex operations",
        (count, OPERATION_SIZE),
        place,
        |r, _| operation(r, counts),
    )?;
    let rule = FlexRule { flex, operations };
    match rule.leaves_one_value() {
        true => Ok(rule),
        false => Err(at_count.unexpected("flex operations", "as many values as they take", "less")),
    }
}

fn operation(
    r: &mut Reader<'_>,
    [n_flexes, n_controllers]: [usize; 2],
) -> Result<FlexOperation, FormatError> {
    let at = r.clone();
    let code = r.i32("flex operation")?;
    let at_operand = r.clone();
    let operand = r.u32("flex operand")?;
    let below = match code {
        CONTROLLER | LEFT | RIGHT | MANY_WAYS | LOWER_EYELID | UPPER_EYELID => n_controllers,
        FLEX => n_flexes,
        CONSTANT..=NEGATE | MAX..=UPPER_EYELID => usize::MAX,
        _ => {
            let what = format!("flex operation {code}");
            return Err(at.error("flex operation", FormatErrorKind::Unsupported { what }));
        }
    };
    if operand as usize >= below {
        let expected = format!("a number below {below}");
        return Err(at_operand.unexpected("flex operand", expected, operand));
    }
    Ok(FlexOperation { code, operand })
}

impl FlexOperation {
    /// How many values it takes from the stack, and how many it leaves there.
    fn takes_and_leaves(self) -> [usize; 2] {
        match self.code {
            CONSTANT | CONTROLLER | FLEX | LEFT | RIGHT => [0, 1],
            NEGATE => [1, 1],
            MANY_WAYS => [5, 1],
            COMBINE => [self.operand as usize, 1],
            DOMINATE => [(self.operand as usize).saturating_add(1), 1],
            LOWER_EYELID | UPPER_EYELID => [3, 1],
            _ => [2, 1],
        }
    }
}

impl FlexRule {
    fn leaves_one_value(&self) -> bool {
        let depth = self.operations.iter().try_fold(0_usize, |depth, it| {
            let [takes, leaves] = it.takes_and_leaves();
            depth.checked_sub(takes)?.checked_add(leaves)
        });
        depth.is_some_and(|depth| depth > 0)
    }
}

/// Weights of all flexes; values that are missing are those at rest.
pub(super) fn weights(flexes: &Flexes, values: &[f32]) -> Vec<f32> {
    let mut weights = vec![0.0; flexes.names.len()];
    let mut all = flexes.values_at_rest();
    for (value, given) in all.iter_mut().zip(values) {
        *value = *given;
    }
    for rule in &flexes.rules {
        let inputs = Inputs {
            controllers: &flexes.controllers,
            values: &all,
            weights: &weights,
        };
        let weight = inputs.run(rule);
        if let Some(known) = weights.get_mut(rule.flex) {
            *known = weight;
        }
    }
    weights
}

/// What a rule computes from.
struct Inputs<'a> {
    controllers: &'a [FlexController],
    values: &'a [f32],
    weights: &'a [f32],
}

impl Inputs<'_> {
    fn run(&self, rule: &FlexRule) -> f32 {
        let mut stack: Vec<f32> = Vec::new();
        for operation in &rule.operations {
            let [takes, _] = operation.takes_and_leaves();
            let taken = stack.split_off(stack.len().saturating_sub(takes));
            stack.push(self.result(*operation, &taken));
        }
        stack.pop().unwrap_or(0.0)
    }

    fn result(&self, FlexOperation { code, operand }: FlexOperation, taken: &[f32]) -> f32 {
        let number = operand as usize;
        match (code, taken) {
            (CONSTANT, _) => f32::from_bits(operand),
            (CONTROLLER, _) => self.value(number),
            (FLEX, _) => self.weights.get(number).copied().unwrap_or(0.0),
            (ADD, [a, b]) => a + b,
            (SUBTRACT, [a, b]) => a - b,
            (MULTIPLY, [a, b]) => a * b,
            (DIVIDE, [a, b]) if *b > 1e-4 => a / b,
            (NEGATE, [a]) => -a,
            (MAX, [a, b]) => a.max(*b),
            (MIN, [a, b]) => a.min(*b),
            (LEFT, _) => (-self.value(number)).clamp(0.0, 1.0),
            (RIGHT, _) => self.value(number).clamp(0.0, 1.0),
            (MANY_WAYS, [begins, full, back, ends, by]) => {
                self.value(number) * trapezoid([*begins, *full, *back, *ends], self.value_at(*by))
            }
            (COMBINE, values) => values.iter().product(),
            (DOMINATE, [below, values @ ..]) => below * (1.0 - values.iter().product::<f32>()),
            (LOWER_EYELID, [up_down, _, closes]) => {
                let [open, looks_up] = [1.0 - self.share(number), self.direction_at(*up_down)];
                open * self.share_at(*closes) * (1.0 - looks_up.max(0.0))
            }
            (UPPER_EYELID, [up_down, _, closes]) => {
                let [closed, looks_up] = [self.share(number), self.direction_at(*up_down)];
                closed * self.share_at(*closes) * (1.0 + looks_up.min(0.0))
            }
            _ => 0.0,
        }
    }

    fn value(&self, controller: usize) -> f32 {
        self.values.get(controller).copied().unwrap_or(0.0)
    }

    /// The value of the controller that a value of the stack numbers; below 0 there is none.
    fn value_at(&self, number: f32) -> f32 {
        at(number).map_or(0.0, |controller| self.value(controller))
    }

    /// Where a controller is between its ends, 0 to 1.
    fn share(&self, controller: usize) -> f32 {
        let Some(range) = self.controllers.get(controller) else {
            return 0.0;
        };
        let share = (self.value(controller) - range.min) / (range.max - range.min);
        if share.is_finite() {
            share.clamp(0.0, 1.0)
        } else {
            0.0
        }
    }

    fn share_at(&self, number: f32) -> f32 {
        at(number).map_or(0.0, |controller| self.share(controller))
    }

    /// Where a controller is between its ends, -1 to 1; 0 where there is none.
    fn direction_at(&self, number: f32) -> f32 {
        at(number).map_or(0.0, |controller| 2.0 * self.share(controller) - 1.0)
    }
}

fn at(number: f32) -> Option<usize> {
    // The cast saturates.
    (number >= 0.0).then_some(number as usize)
}
