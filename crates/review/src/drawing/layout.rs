//! The layout of a drawing: cards in rows, so that every line leads downwards.
//!
//! The steps are those of Sugiyama, Tagawa and Toda (1981): rows by the longest path from the root card; bends where a
//! line passes a row; an order within the rows with few crossings; positions as near as possible to the neighbours above
//! and below. Every item has its own column within its row and lines run only between rows, so nothing overlaps.

use super::scene::Link;

/// Width of a line where it passes a row.
const BEND_WIDTH: f64 = 16.0;
/// Gap between the columns of a row.
const GAP: f64 = 16.0;
/// Rounds of ordering and of placement; more have no effect in drawings of 40 cards.
const ROUNDS: usize = 12;

/// An item of a row: cards first, in their order, then bends.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) row: usize,
    /// Centre of its column.
    pub(super) x: f64,
    pub(super) width: f64,
}

/// The coordinates of a drawing.
#[derive(Debug)]
pub(super) struct Layout {
    /// `[n_cards + n_bends]`
    pub(super) items: Vec<Item>,
    /// `[links]`: the items each link passes, from its first card to its last.
    pub(super) routes: Vec<Vec<usize>>,
    /// `[rows]`: the items of each row from left to right.
    pub(super) rows: Vec<Vec<usize>>,
    /// Width of the widest row.
    pub(super) width: f64,
}

impl Layout {
    /// Places every card, given the widths of their columns: `[n_cards]`.
    pub(super) fn new(widths: &[f64], links: &[Link]) -> Layout {
        let ranks = ranks(widths.len(), links);
        let mut items: Vec<Item> =
            widths.iter().zip(&ranks).map(|(&width, &row)| Item { row, x: 0.0, width }).collect();
        let routes = links.iter().map(|link| route(link, &mut items)).collect();
        let n_rows = ranks.iter().map(|rank| rank + 1).max().unwrap_or(0);
        let mut layout = Layout { items, routes, rows: vec![Vec::new(); n_rows], width: 0.0 };
        let neighbours = layout.neighbours();
        layout.first_order(&neighbours);
        layout.uncross(&neighbours);
        layout.place(&neighbours);
        layout
    }

    fn neighbours(&self) -> Neighbours {
        let none = vec![Vec::new(); self.items.len()];
        let mut neighbours = Neighbours { above: none.clone(), below: none };
        for pair in self.routes.iter().flat_map(|route| route.windows(2)) {
            neighbours.below[pair[0]].push(pair[1]);
            neighbours.above[pair[1]].push(pair[0]);
        }
        neighbours
    }

    /// Fills the rows branch by branch, so that a search without transpositions has no crossings.
    fn first_order(&mut self, neighbours: &Neighbours) {
        let mut seen = vec![false; self.items.len()];
        let mut stack: Vec<usize> = (0..self.items.len()).rev().collect();
        while let Some(item) = stack.pop() {
            if !std::mem::replace(&mut seen[item], true) {
                self.rows[self.items[item].row].push(item);
                stack.extend(neighbours.below[item].iter().rev());
            }
        }
    }

    /// Moves every item alternately to the centre of its neighbours above and below, and keeps the best order found.
    fn uncross(&mut self, neighbours: &Neighbours) {
        let mut best = (self.crossings(neighbours), self.rows.clone());
        for round in 0..ROUNDS {
            let downwards = round % 2 == 0;
            for row in turns(self.rows.len(), downwards) {
                let place = self.places();
                let side = if downwards { &neighbours.above } else { &neighbours.below };
                let middle = |item: usize| mean(&side[item], |other| place[other] as f64).unwrap_or(place[item] as f64);
                self.rows[row].sort_by(|&a, &b| middle(a).total_cmp(&middle(b)));
            }
            let crossings = self.crossings(neighbours);
            if crossings < best.0 {
                best = (crossings, self.rows.clone());
            }
        }
        self.rows = best.1;
    }

    /// `[items]`: the index of each in its row.
    fn places(&self) -> Vec<usize> {
        let mut places = vec![0; self.items.len()];
        self.rows.iter().flat_map(|row| row.iter().enumerate()).for_each(|(place, &item)| places[item] = place);
        places
    }

    fn crossings(&self, neighbours: &Neighbours) -> usize {
        let place = self.places();
        let crossed = |row: &Vec<usize>| {
            let lines: Vec<(usize, usize)> = row
                .iter()
                .flat_map(|&item| neighbours.below[item].iter().map(move |&other| (item, other)))
                .map(|(item, other)| (place[item], place[other]))
                .collect();
            let pairs = lines.iter().enumerate().flat_map(|(i, &a)| lines[i + 1..].iter().map(move |&b| (a, b)));
            pairs.filter(|(a, b)| a.0.cmp(&b.0) as i8 * a.1.cmp(&b.1) as i8 == -1).count()
        };
        self.rows.iter().map(crossed).sum()
    }

    /// Moves the items of every row towards their neighbours, without changing their order. The last round goes upwards, so
    /// that parents are centred over their children.
    fn place(&mut self, neighbours: &Neighbours) {
        let packed = |row: &Vec<usize>| row.iter().map(|&item| self.items[item].width + GAP).sum::<f64>() - GAP;
        self.width = self.rows.iter().map(packed).fold(0.0, f64::max);
        let middle = self.width / 2.0;
        (0..self.rows.len()).for_each(|row| self.settle(row, |_, _| Some(middle)));
        for round in 0..ROUNDS {
            let downwards = round % 2 == 0;
            for row in turns(self.rows.len(), downwards) {
                self.settle(row, |items, item| {
                    let (above, below) = (&neighbours.above[item], &neighbours.below[item]);
                    let middle = |others: &[usize]| mean(others, |other| items[other].x);
                    match (middle(above), middle(below)) {
                        (above, below) if downwards => above.or(below),
                        (above, below) => below.or(above),
                    }
                });
            }
        }
    }

    /// Places one row inside the drawing and minimises the squared distances of its items from their `wanted` positions.
    fn settle(&mut self, row: usize, wanted: impl Fn(&[Item], usize) -> Option<f64>) {
        // Positions minus the width of the items to the left form a non-decreasing sequence: an isotonic regression, solved by
        // pooling adjacent violators (Ayer et al. 1955). Clamping its solution to the limits gives the bounded solution.
        let mut room = 0.0;
        let mut pools: Vec<(f64, f64)> = Vec::new();
        let mut rooms = Vec::new();
        for (i, &item) in self.rows[row].iter().enumerate() {
            let left = i.checked_sub(1).map(|left| &self.items[self.rows[row][left]]);
            room += left.map_or(0.0, |left| (left.width + self.items[item].width) / 2.0 + GAP);
            rooms.push(room);
            let mut pool = (wanted(&self.items, item).unwrap_or(self.items[item].x) - room, 1.0);
            while let Some(&(place, weight)) = pools.last().filter(|last| last.0 >= pool.0) {
                pool = ((place * weight + pool.0 * pool.1) / (weight + pool.1), weight + pool.1);
                pools.pop();
            }
            pools.push(pool);
        }
        let half = |item: Option<&usize>| item.map_or(0.0, |&item| self.items[item].width / 2.0);
        let (first, last) = (half(self.rows[row].first()), self.width - room - half(self.rows[row].last()));
        let places = pools.iter().flat_map(|&(place, n)| std::iter::repeat_n(place, n as usize));
        for ((&item, room), place) in self.rows[row].iter().zip(rooms).zip(places) {
            self.items[item].x = place.min(last).max(first) + room;
        }
    }
}

/// `[items]` each: the targets and sources of their lines.
struct Neighbours {
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
}

/// The length of the longest path to each card. In a cycle, which no game has, the count stops after `n_cards` rounds.
fn ranks(n_cards: usize, links: &[Link]) -> Vec<usize> {
    let mut ranks = vec![0; n_cards];
    for _ in 0..n_cards {
        let mut changed = false;
        for link in links {
            if ranks[link.to] <= ranks[link.from] {
                ranks[link.to] = ranks[link.from] + 1;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    ranks
}

/// The items a link passes; bends are added to them.
fn route(link: &Link, items: &mut Vec<Item>) -> Vec<usize> {
    let (from, to) = (items[link.from].row, items[link.to].row);
    let mut route = vec![link.from];
    for row in from + 1..to {
        route.push(items.len());
        items.push(Item { row, x: 0.0, width: BEND_WIDTH });
    }
    route.push(link.to);
    route
}

/// All rows, from the top or from the bottom.
fn turns(rows: usize, downwards: bool) -> impl Iterator<Item = usize> {
    (0..rows).map(move |row| if downwards { row } else { rows - 1 - row })
}

fn mean(of: &[usize], what: impl Fn(usize) -> f64) -> Option<f64> {
    let sum: f64 = of.iter().map(|&item| what(item)).sum();
    (!of.is_empty()).then(|| sum / of.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(n_cards: usize, pairs: &[(usize, usize)]) -> Layout {
        let link = |&(from, to)| Link { from, to, mover: 0, lines: Vec::new(), share: 1.0 };
        let links: Vec<Link> = pairs.iter().map(link).collect();
        Layout::new(&vec![50.0; n_cards], &links)
    }

    fn x(layout: &Layout, item: usize) -> f64 {
        layout.items[item].x
    }

    #[test]
    fn a_parent_stands_over_the_middle_of_its_children() {
        let layout = layout(6, &[(0, 1), (0, 2), (1, 3), (1, 4), (2, 5)]);
        assert_eq!(layout.rows, [vec![0], vec![1, 2], vec![3, 4, 5]]);
        let middle = (x(&layout, 3) + x(&layout, 4)) / 2.0;
        assert!((x(&layout, 1) - middle).abs() < 1.0, "{layout:?}");
        assert!(layout.items.iter().all(|item| item.x >= 25.0), "{layout:?}");
    }

    #[test]
    fn a_long_line_bends_around_the_cards_it_passes() {
        let layout = layout(4, &[(0, 1), (1, 2), (2, 3), (0, 3)]);
        assert_eq!(layout.routes[3], [0, 4, 5, 3]);
        assert_eq!(layout.items[5].row, 2);
        for row in &layout.rows {
            for pair in row.windows(2) {
                let (a, b) = (&layout.items[pair[0]], &layout.items[pair[1]]);
                assert!(b.x - a.x >= (a.width + b.width) / 2.0 + GAP - 1e-9, "{a:?} {b:?}");
            }
        }
    }

    /// Two parents whose only children would be in the wrong order initially.
    #[test]
    fn lines_are_uncrossed() {
        let layout = layout(6, &[(0, 1), (0, 2), (1, 3), (2, 4), (2, 3), (1, 5)]);
        assert_eq!(layout.crossings(&layout.neighbours()), 0, "{layout:?}");
    }

    /// No small step of any item may reduce the sum of squared distances.
    #[test]
    fn rows_settle_at_the_least_distance() {
        let wanted = [100.0, 90.0, 300.0, 250.0];
        let cost = |xs: &[f64]| -> f64 { xs.iter().zip(wanted).map(|(x, wanted)| (x - wanted) * (x - wanted)).sum() };
        for width in [500.0, 300.0, 4.0 * 50.0 + 3.0 * GAP] {
            let mut layout = layout(4, &[]);
            layout.width = width;
            layout.settle(0, |_, item| Some(wanted[item]));
            let found: Vec<f64> = layout.items.iter().map(|item| item.x).collect();
            let fits = |xs: &[f64]| {
                let apart = xs.windows(2).all(|pair| pair[1] - pair[0] >= 50.0 + GAP - 1e-9);
                apart && xs[0] >= 25.0 - 1e-9 && xs[3] <= width - 25.0 + 1e-9
            };
            assert!(fits(&found), "{found:?}");
            for i in 0..81 {
                let step = |k: u32| f64::from(i / 3_i32.pow(k) % 3 - 1) / 4.0;
                let moved: Vec<f64> = (0..4).map(|k| found[k] + step(k as u32)).collect();
                assert!(!fits(&moved) || cost(&moved) >= cost(&found) - 1e-9, "{moved:?} beats {found:?}");
            }
        }
    }

    #[test]
    fn a_cycle_ends() {
        assert_eq!(layout(2, &[(0, 1), (1, 0)]).rows.concat().len(), 2);
    }
}
