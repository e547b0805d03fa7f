//! What there is to see in a plan, for the drawings in text and in SVG.

use crate::mask::Mask;
use crate::plan::{Action, Goal, Order, Plan, Step};
use crate::proof::{needed, symbols};
use crate::word::Word;

/// The first group that takes part, lanes counted from its first.
pub(crate) struct Picture {
    /// What each lane holds before the first step and after each.
    pub(crate) rows: Vec<Vec<Cell>>,
    /// The steps, and what each lane does.
    pub(crate) steps: Vec<(Step, Vec<Action>)>,
}

/// What one lane holds at one time.
pub(crate) struct Cell {
    /// What it has seen; `None` where nobody may use it. Sorted where order does not matter.
    pub(crate) word: Option<Word>,
    /// Whether the result depends on it.
    pub(crate) matters: bool,
}

impl Picture {
    pub(crate) fn of(plan: &Plan) -> Self {
        let group = plan.mask.groups(plan.width).next().unwrap_or(0);
        let base = group * plan.width.lanes();
        let lanes = base..base + plan.group_lanes();
        let sorted = matches!(
            plan.goal,
            Goal::Reduce {
                order: Order::AnyOrder | Order::Symmetric,
                ..
            }
        );
        let seen = |word: &Word| {
            let word: Word = word
                .letters()
                .iter()
                .map(|&lane| u32::from(lane) - base)
                .collect();
            if sorted { word.sorted() } else { word }
        };
        let rows = symbols(plan)
            .into_iter()
            .zip(needed(plan))
            .map(|(symbols, needed)| {
                let cell = |lane: u32| Cell {
                    word: symbols[lane as usize].as_ref().map(|symbol| seen(&symbol.word)),
                    matters: needed.contains(lane),
                };
                lanes.clone().map(cell).collect()
            });
        let steps = plan.steps.iter().map(|&step| {
            let actions = lanes.clone().map(|lane| from_base(plan.action(step, lane), base));
            (step, actions.collect())
        });
        Self {
            rows: rows.collect(),
            steps: steps.collect(),
        }
    }

    /// The cells that a step leaves behind, with their lanes.
    pub(crate) fn after(&self, step: usize) -> impl Iterator<Item = (u32, &Cell)> {
        (0..).zip(&self.rows[step + 1])
    }

    /// Who reads whom at a step, among the lanes that matter after it.
    pub(crate) fn reads(&self, step: usize) -> Vec<(u32, u32)> {
        let matters = self.after(step).filter(|(_, cell)| cell.matters);
        let reads = matters.filter_map(|(lane, _)| match self.steps[step].1[lane as usize] {
            Action::Combine { source, .. } | Action::Take { source } => Some((lane, source)),
            Action::Keep | Action::TakeIdentity | Action::Lose | Action::Collect { .. } => None,
        });
        reads.collect()
    }
}

const fn from_base(action: Action, base: u32) -> Action {
    match action {
        Action::Combine { source, on_left } => Action::Combine {
            source: source.wrapping_sub(base),
            on_left,
        },
        Action::Take { source } => Action::Take {
            source: source.wrapping_sub(base),
        },
        Action::Collect { from, in_order } => Action::Collect {
            from: Mask(from.0 >> base),
            in_order,
        },
        Action::Keep | Action::TakeIdentity | Action::Lose => action,
    }
}
