"""Searches, proofs and evaluators."""

import os
import signal
import threading
import time
import unittest

import numpy

import banyan


def after(seconds, work):
    timer = threading.Timer(seconds, work)
    timer.start()
    return timer


def interrupt():
    os.kill(os.getpid(), signal.SIGINT)


class Searches(unittest.TestCase):
    def setUp(self):
        self.position = banyan.Game("connect-four:6x7").after("d d c")

    def test_a_review_has_the_loss_of_every_move(self):
        played = banyan.Game("connect-four:4x4").after("a b a b c b")
        seen = []
        review = played.review("uct", "playouts=200", players=["Ann", "Ben"], callback=seen.append)
        self.assertEqual(([move.move for move in review.moves], review.complete, review.plies), (played.moves, True, 6))
        self.assertEqual([len(so_far.moves) for so_far in seen], list(range(6)))
        self.assertTrue(all(move.loss >= 0 and -1 <= move.before.value <= 1 for move in review.moves))
        self.assertEqual([row["move"] for row in review.rows()], played.moves)
        picture = review.svg()
        self.assertTrue(picture.startswith("<svg") and "Ann - Ben" in picture and "<picture in SVG" in repr(picture))
        self.assertEqual(picture.count("<circle"), sum(move.mark is not None for move in review.moves))
        part = played.review("uct", "playouts=200", callback=lambda so_far: len(so_far.moves) < 2)
        self.assertEqual((len(part.moves), part.complete), (2, False))
        for mistake in (lambda: banyan.Game("connect-four").start().review(), lambda: played.review("random"), lambda: played.review(budget="1m/game")):
            with self.assertRaises(banyan.BanyanError):
                mistake()

    def test_the_same_seed_gives_the_same_visits(self):
        first, again = (self.position.analyse("mcgs", "playouts=3000", seed=4) for _ in range(2))
        self.assertEqual(first.rows(), again.rows())
        self.assertIn(first.best, self.position.legal_moves)
        self.assertGreaterEqual(first.playouts, 3000)
        self.assertEqual(len(first.moves), 7)
        self.assertTrue(all(-1 <= move.value <= 1 for move in first.moves if move.value is not None))

    def test_rows_become_a_table(self):
        table = self.position.analyse("uct", "playouts=500").table()
        self.assertEqual(list(table.columns), ["move", "visits", "value", "margin", "lower", "upper", "pv"])
        self.assertEqual(len(table), 7)

    def test_progress_is_reported_and_ends_the_search(self):
        seen = []
        found = self.position.analyse("mcgs", "700ms", callback=lambda analysis: seen.append(analysis.playouts))
        self.assertGreaterEqual(len(seen), 2)
        self.assertEqual(seen, sorted(seen))
        self.assertGreaterEqual(found.playouts, seen[-1])
        begun = time.monotonic()
        self.position.analyse("mcgs", "60s", callback=lambda analysis: False)
        self.assertLess(time.monotonic() - begun, 30)

    def test_a_callback_that_raises_ends_the_search(self):
        with self.assertRaises(ZeroDivisionError):
            self.position.analyse("mcgs", "60s", callback=lambda analysis: 1 / 0)

    def test_control_c_ends_a_search(self):
        timer = after(0.3, interrupt)
        with self.assertRaises(KeyboardInterrupt):
            self.position.analyse("mcgs", "60s")
        timer.join()
        timer = after(0.3, interrupt)
        with self.assertRaises(KeyboardInterrupt):
            banyan.Game("dots-and-boxes:5x5").start().solve("60s")
        timer.join()
        self.assertIsNotNone(self.position.analyse("greedy").best, "the interpreter works on")

    def test_other_threads_run_during_a_search(self):
        counted = []
        counting = threading.Thread(target=lambda: [counted.append(time.sleep(0.01)) for _ in range(30)])
        counting.start()
        self.position.analyse("uct", "500ms")
        self.assertGreater(len(counted), 5)
        counting.join()

    def test_positions_are_solved(self):
        solved = banyan.Game("dots-and-boxes:2x2").start().solve()
        self.assertEqual((solved.margin, solved.lower, solved.upper), (2, 2, 2))
        self.assertEqual({move.margin for move in solved.moves if move.move in solved.best}, {2})
        self.assertEqual(len(solved.table()), len(solved.moves))
        self.assertIn(solved.pv[0], solved.best)

    def test_in_connect_four_the_value_alone_is_solved_unless_all_is_asked_for(self):
        position = banyan.Game("connect-four:4x5").start()
        value, every = position.solve(), position.solve(prove="all")
        self.assertEqual((value.margin, every.margin), (0, 0))
        self.assertNotIn(None, [move.margin for move in every.moves])
        self.assertEqual(len(value.pv), 20)

    def test_the_book_of_a_solution_is_named_and_can_be_turned_off(self):
        position = banyan.Game("connect-four").after("4 4 4 4 4 2")
        solved = position.solve(prove="winner", budget="nodes=1000")
        self.assertEqual(solved.book, "book of outcomes after 8 moves")
        self.assertGreater(solved.lower, 0)
        without = position.solve(prove="winner", budget="nodes=1000", book="off")
        self.assertEqual((without.book, without.margin), (None, None))

    def test_a_finished_game_has_its_result(self):
        over = banyan.Game("connect-four:6x7").after("a b a b a b a")
        analysis = over.analyse()
        self.assertEqual((analysis.best, analysis.value), (None, -1.0))

    def test_mistakes_have_one_line(self):
        for mistake in [
            lambda: self.position.analyse("nobody"),
            lambda: self.position.analyse("mcgs", "sometime"),
            lambda: self.position.analyse("mcgs:nothing=1"),
            lambda: self.position.solve("depth=3"),
            lambda: self.position.solve(threads=0),
            lambda: self.position.solve(book="missing.book"),
            lambda: self.position.solve(prove="everything"),
        ]:
            with self.assertRaises(banyan.BanyanError) as caught:
                mistake()
            self.assertNotIn("\n", str(caught.exception))


class Evaluators(unittest.TestCase):
    def setUp(self):
        self.game = banyan.Game("reversi")
        self.start = self.game.start()

    def analyse(self, evaluator, playouts=2000):
        return self.start.analyse("mcgs:batch=64", f"playouts={playouts}", evaluator=evaluator)

    def test_no_preset_mixes_other_values_into_those_of_the_evaluator(self):
        for player in ["mcgs", "mcgs:implicit=0", "mcgs:implicit=0.3", "mcgs:eval=uniform"]:
            found = self.start.analyse(player, "playouts=50", evaluator=lambda planes: numpy.zeros(len(planes)))
            self.assertIn(found.best, self.start.legal_moves)

    def test_values_drive_the_search(self):
        sizes = []

        def own_discs(planes):
            sizes.append(len(planes))
            self.assertEqual(planes.shape[1:], tuple(self.game.plane_shape))
            return (planes[:, 0].sum((1, 2)) - planes[:, 1].sum((1, 2))) / 64

        found = self.analyse(own_discs)
        self.assertIn(found.best, self.start.legal_moves)
        self.assertGreater(max(sizes), 32)

    def test_priors_draw_visits(self):
        wanted = self.start.legal_actions[2]

        def one_move(planes):
            priors = numpy.full((len(planes), self.game.n_actions), 0.001)
            priors[:, wanted] = 1
            return numpy.zeros(len(planes)), priors

        found = self.analyse(one_move, playouts=300)
        most = max(found.moves, key=lambda move: move.visits)
        self.assertEqual(most.move, self.start.legal_moves[2])

    def test_lists_are_arrays_too(self):
        self.assertIsNotNone(self.analyse(lambda planes: [0.0] * len(planes), 100).best)

    def test_wrong_answers_are_refused(self):
        def late(planes, calls=[]):
            calls.append(1)
            return numpy.zeros(len(planes) if len(calls) < 4 else 1)

        for wrong, text in [
            (lambda planes: 1.0, "shape []: expected"),
            (lambda planes: numpy.zeros((len(planes), 1)), "expected [1]"),
            (lambda planes: numpy.full(len(planes), numpy.nan), "NaN: expected finite"),
            (lambda planes: "many", "expected an array of numbers"),
            (lambda planes: (numpy.zeros(len(planes)), numpy.ones((len(planes), 3))), "priors of the evaluator"),
            (late, "shape [1]"),
        ]:
            with self.assertRaises(banyan.BanyanError) as caught:
                self.analyse(wrong)
            self.assertIn(text, str(caught.exception))
        with self.assertRaises(KeyError):
            self.analyse(lambda planes: {}["nothing"])

    def test_a_player_without_leaves_is_refused(self):
        with self.assertRaises(banyan.BanyanError):
            self.start.analyse("pvs", "depth=2", evaluator=lambda planes: numpy.zeros(len(planes)))
