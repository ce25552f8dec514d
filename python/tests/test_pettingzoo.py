"""Environments of PettingZoo."""

import contextlib
import io
import random
import unittest
import warnings

import numpy
from pettingzoo.test import api_test
from pettingzoo.utils.env_logger import EnvLogger

import banyan
import banyan.pettingzoo


class Environments(unittest.TestCase):
    def test_the_interface_is_that_of_pettingzoo(self):
        for spec in ["connect-four:6x7", "connect-four:10x11,hole=d3", "reversi:6x6", "dots-and-boxes:2x3"]:
            with self.subTest(spec), contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                # Its advice on names and dtypes of observations that are pictures.
                warnings.simplefilter("ignore")
                api_test(banyan.pettingzoo.env(spec), num_cycles=200)

    def test_games_are_those_of_the_package(self):
        choose = random.Random(5)
        for spec in ["connect-four:5x6", "reversi:6x6", "dots-and-boxes:2x2"]:
            environment = banyan.pettingzoo.env(spec)
            for _ in range(5):
                self.check_a_game(environment, choose)

    def check_a_game(self, environment, choose):
        environment.reset(seed=1)
        position = environment.unwrapped.game.start()
        while not position.is_over:
            agent = environment.agent_selection
            self.assertEqual(agent, f"player_{position.to_move}")
            observation, _, terminated, truncated, _ = environment.last()
            self.assertFalse(terminated or truncated)
            self.assertEqual(sorted(position.legal_actions), list(numpy.flatnonzero(observation["action_mask"])))
            self.assertTrue((observation["observation"].transpose(2, 0, 1) == position.planes()).all())
            self.assertTrue(environment.observation_space(agent).contains(observation))
            action = choose.choice(position.legal_actions)
            environment.step(action)
            position = position.play(action)
        self.assertEqual(environment.unwrapped.position, position)
        first = (position.result > 0) - (position.result < 0)
        self.assertEqual(environment.rewards, {"player_0": first, "player_1": -first})
        returns = {}
        for agent in environment.agent_iter():
            _, returns[agent], ended, _, _ = environment.last()
            self.assertTrue(ended)
            environment.step(None)
        self.assertEqual(returns, {"player_0": first, "player_1": -first})

    def test_who_moves_illegally_loses(self):
        environment = banyan.pettingzoo.env("reversi")
        environment.reset()
        EnvLogger.suppress_output()
        environment.step(0)
        self.assertEqual(environment.rewards, {"player_0": -1, "player_1": 0})
        self.assertTrue(all(environment.terminations.values()))

    def test_boards_are_rendered(self):
        for mode, begins in [("svg", "<svg"), ("ansi", "7/7/")]:
            environment = banyan.pettingzoo.env("connect-four", render_mode=mode)
            environment.reset()
            self.assertTrue(environment.render().startswith(begins))

    def test_mistakes_have_one_line(self):
        environment = banyan.pettingzoo.raw_env("reversi")
        environment.reset()
        for mistake in [
            lambda: banyan.pettingzoo.env("go"),
            lambda: banyan.pettingzoo.env("reversi", render_mode="human"),
            lambda: environment.step(0),
            lambda: environment.step(None),
        ]:
            with self.assertRaises(banyan.BanyanError) as caught:
                mistake()
            self.assertNotIn("\n", str(caught.exception))
