//! Places on the screen that the mouse can click or point at.

use ratatui_core::layout::{Position, Rect};

use crate::action::Action;

/// A place with what a click and pointing do there.
struct Hit {
    area: Rect,
    click: Action,
    hover: Option<Action>,
}

/// The places of a screen; a later one lies above the earlier ones.
#[derive(Default)]
pub(crate) struct Hits(Vec<Hit>);

impl Hits {
    pub(crate) fn add(&mut self, area: Rect, click: Action) {
        self.0.push(Hit { area, click, hover: None });
    }

    pub(crate) fn add_hovered(&mut self, area: Rect, click: Action, hover: Action) {
        self.0.push(Hit { area, click, hover: Some(hover) });
    }

    /// The action of a click.
    pub(crate) fn click(&self, x: u16, y: u16) -> Option<&Action> {
        self.at(x, y).map(|hit| &hit.click)
    }

    /// The action of pointing.
    pub(crate) fn hover(&self, x: u16, y: u16) -> Option<&Action> {
        self.at(x, y)?.hover.as_ref()
    }

    fn at(&self, x: u16, y: u16) -> Option<&Hit> {
        self.0.iter().rev().find(|hit| hit.area.contains(Position { x, y }))
    }
}
