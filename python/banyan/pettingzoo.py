"""The games as environments of PettingZoo, for agents that take turns.

    >>> import banyan.pettingzoo
    >>> environment = banyan.pettingzoo.env("connect-four")

Needs the package `pettingzoo`, which `banyan` alone does not.
"""

from __future__ import annotations

from typing import Any, Dict, Optional, Union

import numpy

from ._banyan import BanyanError, Game, Position

try:
    from gymnasium import spaces  # type: ignore[import-not-found,unused-ignore]
    from pettingzoo import AECEnv  # type: ignore[import-untyped,import-not-found,unused-ignore]
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped,import-not-found,unused-ignore]
except ImportError as missing:
    raise ImportError(f"{missing.name}: not installed: expected PettingZoo and Gymnasium; run pip install pettingzoo") from missing


def env(game: Union[str, Game], render_mode: Optional[str] = None) -> Any:
    """An environment with the checks that PettingZoo's own board games have: who makes an illegal move loses."""
    environment = wrappers.TerminateIllegalWrapper(raw_env(game, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(environment))


class raw_env(AECEnv):  # type: ignore[misc,unused-ignore]
    """The environment alone, in which an illegal move raises `BanyanError`.

    ``player_0`` begins. An action is an output of the policy, as in `Position.legal_actions`. The observation of the agent whose turn it is
    has the planes of the position as ``[rows, columns, channels]``, seen by that agent, and the mask of its legal actions; those of the
    other agent, and of both after the end, are 0. At the end the winner gets 1 and the loser -1.
    """

    metadata = {"name": "banyan", "render_modes": ["ansi", "svg"], "is_parallelizable": False}

    def __init__(self, game: Union[str, Game], render_mode: Optional[str] = None) -> None:
        super().__init__()
        self.game = Game(game) if isinstance(game, str) else game
        shape = self.game.plane_shape
        if shape is None:
            raise BanyanError(f"{self.game.spec}: a game without planes: expected one with them; try a smaller board")
        if render_mode not in (None, "ansi", "svg"):
            raise BanyanError(f"{render_mode}: no such picture: expected ansi, a line of text, or svg; try svg")
        channels, rows, columns = shape
        n_actions = self.game.n_actions
        self._shape = (rows, columns, channels)
        self.render_mode = render_mode
        self.metadata = {**raw_env.metadata, "name": self.game.spec}
        self.possible_agents = ["player_0", "player_1"]
        self.action_spaces = {agent: spaces.Discrete(n_actions) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    # A channel of Dots and Boxes has the lead, which is below 0 for the side behind.
                    "observation": spaces.Box(-1.0, 1.0, self._shape, numpy.float32),
                    "action_mask": spaces.Box(0, 1, (n_actions,), numpy.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Begins a game. Nothing in it is drawn by chance, so that the seed changes nothing."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self._go_to(self.game.start())

    def step(self, action: Optional[int]) -> None:
        mover = self.agent_selection
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        if action not in self.position.legal_actions:
            raise BanyanError(f"{action}: not a legal action: expected one of {self.position.legal_actions}; see the action_mask")
        self._cumulative_rewards[mover] = 0
        self._go_to(self.position.play(int(action)))
        self._accumulate_rewards()

    def observe(self, agent: str) -> Dict[str, Any]:
        planes, mask = numpy.zeros(self._shape, numpy.float32), numpy.zeros(self.game.n_actions, numpy.int8)
        if agent == self.agent_selection and not self.position.is_over:
            planes = numpy.ascontiguousarray(self.position.planes().transpose(1, 2, 0))
            mask[self.position.legal_actions] = 1
        return {"observation": planes, "action_mask": mask}

    def render(self) -> Optional[str]:
        return {"ansi": self.position.text, "svg": self.position.svg()}.get(self.render_mode or "")

    def _go_to(self, position: Position) -> None:
        #: The position, to be analysed or shown.
        self.position = position
        self.agent_selection = self.possible_agents[position.to_move]
        if position.result is not None:
            first = (position.result > 0) - (position.result < 0)
            self.rewards = dict(zip(self.possible_agents, (first, -first)))
            self.terminations = dict.fromkeys(self.agents, True)
