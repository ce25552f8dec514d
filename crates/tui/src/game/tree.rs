//! Variations: moves are added, never replaced.

/// A position in a tree of variations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId(usize);

struct Node {
    /// Empty at the root.
    mv: String,
    parent: Option<NodeId>,
    /// The first one is the main line.
    children: Vec<NodeId>,
    /// The child that was visited last.
    recent: Option<NodeId>,
}

/// A game as a tree of variations.
pub(crate) struct Tree(Vec<Node>);

impl Tree {
    pub(crate) fn new() -> Tree {
        Tree(vec![Node { mv: String::new(), parent: None, children: Vec::new(), recent: None }])
    }

    pub(crate) fn root(&self) -> NodeId {
        NodeId(0)
    }

    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.0[node.0].parent
    }

    pub(crate) fn children(&self, node: NodeId) -> &[NodeId] {
        &self.0[node.0].children
    }

    pub(crate) fn mv(&self, node: NodeId) -> &str {
        &self.0[node.0].mv
    }

    /// The child with this move, added after the others if there is none.
    pub(crate) fn add(&mut self, parent: NodeId, mv: &str) -> NodeId {
        let known = self.children(parent).iter().find(|&&child| self.mv(child) == mv);
        if let Some(&known) = known {
            return known;
        }
        let node = NodeId(self.0.len());
        self.0.push(Node { mv: mv.to_owned(), parent: Some(parent), children: Vec::new(), recent: None });
        self.0[parent.0].children.push(node);
        node
    }

    /// The end of a line of moves.
    pub(crate) fn add_line(&mut self, from: NodeId, moves: &[String]) -> NodeId {
        moves.iter().fold(from, |node, mv| self.add(node, mv))
    }

    /// Makes `node` the first of the alternatives at its place.
    pub(crate) fn prefer(&mut self, node: NodeId) {
        if let Some(parent) = self.parent(node) {
            let siblings = &mut self.0[parent.0].children;
            siblings.retain(|&one| one != node);
            siblings.insert(0, node);
        }
    }

    /// Notes that steps forward lead to `node`.
    pub(crate) fn visit(&mut self, node: NodeId) {
        for step in self.path_to(node) {
            if let Some(parent) = self.parent(step) {
                self.0[parent.0].recent = Some(step);
            }
        }
    }

    /// The nodes from the root to `node`, both included.
    pub(crate) fn path_to(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> = std::iter::successors(Some(node), |&node| self.parent(node)).collect();
        path.reverse();
        path
    }

    pub(crate) fn moves_to(&self, node: NodeId) -> Vec<String> {
        self.path_to(node)[1..].iter().map(|&step| self.mv(step).to_owned()).collect()
    }

    /// The child that a step forward selects.
    pub(crate) fn following(&self, node: NodeId) -> Option<NodeId> {
        let Node { recent, children, .. } = &self.0[node.0];
        recent.or_else(|| children.first().copied())
    }

    /// The line through `node`: from the root to it, continued by steps forward.
    pub(crate) fn line_through(&self, node: NodeId) -> Vec<NodeId> {
        let mut line = self.path_to(node);
        line.extend(std::iter::successors(self.following(node), |&node| self.following(node)));
        line
    }

    /// The last node on the path to `node` that lies on the main line.
    pub(crate) fn branch_point(&self, node: NodeId) -> NodeId {
        let is_main = |&&step: &&NodeId| match self.parent(step) {
            Some(parent) => self.children(parent).first() == Some(&step),
            None => true,
        };
        self.path_to(node).iter().take_while(is_main).last().copied().unwrap_or(self.root())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn another_move_is_a_variation_and_steps_follow_the_visited_one() {
        let mut tree = Tree::new();
        let main = tree.add_line(tree.root(), &moves("4 4 3"));
        let first = tree.parent(tree.parent(main).expect("two")).expect("one");
        let other = tree.add_line(first, &moves("5 2"));
        assert_eq!(tree.moves_to(other), moves("4 5 2"));
        assert_eq!(tree.branch_point(other), first);
        assert_eq!(tree.following(first), tree.parent(main));
        tree.visit(other);
        assert_eq!(tree.line_through(first).last(), Some(&other));
        tree.prefer(tree.parent(other).expect("a parent"));
        assert_eq!(tree.branch_point(other), other);
        assert_eq!(tree.add(first, "5"), tree.parent(other).expect("a parent"), "it is known");
    }
}
