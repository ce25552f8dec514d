"""Games and positions."""

import pickle
import unittest

import numpy

import banyan


class Games(unittest.TestCase):
    def test_games_have_names(self):
        self.assertEqual(banyan.games(), ["connect-four", "reversi", "dots-and-boxes"])
        self.assertEqual(banyan.Game("connect-four:5x6").spec, "connect-four:5x6")
        self.assertEqual(banyan.Game("othello"), banyan.Game("reversi:8x8"))
        self.assertEqual(pickle.loads(pickle.dumps(banyan.Game("reversi:6x6"))), banyan.Game("reversi:6x6"))

    def test_moves_lead_to_other_positions(self):
        start = banyan.Game("connect-four:6x7").start()
        after = start.play("d", "d").play("c")
        self.assertEqual((start.moves, after.moves, after.ply, after.to_move), ([], ["4", "4", "3"], 3, 1))
        self.assertEqual(after.undo(3), start)
        self.assertEqual(after.undo(), start.play("d", "d"))
        self.assertEqual(after, banyan.Game("connect-four:6x7").after("d d c"))
        self.assertEqual({start: 1}[after.undo(3)], 1)
        self.assertNotEqual(start, after)

    def test_a_game_ends_with_its_margin(self):
        won = banyan.Game("connect-four:6x7").after("a b a b a b a")
        self.assertTrue(won.is_over)
        self.assertEqual(won.legal_moves, [])
        self.assertGreater(won.result, 0)
        self.assertIsNone(won.undo().result)

    def test_text_is_read_again(self):
        for spec, moves in [("reversi", "f5 d6 c3"), ("dots-and-boxes:3x3", ""), ("connect-four:10x11,hole=d3", "a b c")]:
            position = banyan.Game(spec).after(moves)
            again = banyan.Game(spec).position(position.text)
            self.assertEqual((again.text, again.legal_moves), (position.text, position.legal_moves))
            self.assertEqual(eval(repr(position), {"Game": banyan.Game}), position)

    def test_symmetries_are_equal_by_key(self):
        position = banyan.Game("reversi").after("f5 d6 c3")
        images = position.symmetries()
        self.assertEqual(images[0].text, position.text)
        self.assertEqual(len({image.text for image in images}), 8)
        self.assertEqual({image.key for image in images}, {position.key})

    def test_planes_are_seen_by_the_side_to_move(self):
        game = banyan.Game("connect-four:6x7")
        position = game.after("d d c")
        planes = position.planes()
        self.assertEqual((planes.dtype, list(planes.shape)), (numpy.float32, game.plane_shape))
        self.assertEqual(len(game.plane_names), planes.shape[0])
        # The stones of the side to move, the second, and of the other.
        self.assertEqual([planes[0].sum(), planes[1].sum()], [1.0, 2.0])
        self.assertEqual(planes[1, 5, 3], 1.0)
        self.assertEqual(len(position.legal_actions), len(position.legal_moves))
        self.assertTrue(all(0 <= action < game.n_actions for action in position.legal_actions))
        by_action = [position.play(action) for action in position.legal_actions]
        self.assertEqual(by_action, [position.play(move) for move in position.legal_moves])
        analysed = position.analyse("uct", "playouts=100").moves
        self.assertEqual({move.move: move.action for move in analysed}, dict(zip(position.legal_moves, position.legal_actions)))

    def test_boards_show_themselves(self):
        position = banyan.Game("dots-and-boxes:3x3").start()
        self.assertTrue(position._repr_svg_().startswith("<svg"))
        self.assertIn("<svg", position.svg(structure=True))

    def test_mistakes_have_one_line(self):
        start = banyan.Game("connect-four:6x7").start()
        over = banyan.Game("connect-four:6x7").after("a b a b a b a")
        mistakes = [
            lambda: banyan.Game("go"),
            lambda: banyan.Game("reversi:5x5"),
            lambda: start.play("z"),
            lambda: start.play(7),
            lambda: start.play(-1),
            lambda: start.play(True),
            lambda: start.play(3.0),
            lambda: start.play(2**70),
            lambda: over.play(0),
            lambda: over.play("a"),
            lambda: start.undo(),
            lambda: banyan.Game("reversi").position("nothing"),
        ]
        for mistake in mistakes:
            with self.assertRaises(banyan.BanyanError) as caught:
                mistake()
            self.assertNotIn("\n", str(caught.exception))
            self.assertIsInstance(caught.exception, ValueError)
        self.assertEqual(start.moves, [])
