"""A small residual network in plain JAX: planes of a position to its expected result and a probability for each move."""

import os
import zipfile

# Set before JAX is imported: one thread, so that times do not depend on the number of cores.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import jax.numpy as jnp
import numpy

CHANNELS = 32
BLOCKS = 3
POLICY_CHANNELS = 8
VALUE_CHANNELS = 4
HIDDEN = 64


def initial(shape, n_actions, rng):
    """Random weights for planes of this shape, scaled as in He et al. 2015; every block begins as the identity."""
    planes, rows, columns = shape
    cells = rows * columns

    def random(*shape):
        return (rng.standard_normal(shape) * (2 / numpy.prod(shape[:-1])) ** 0.5).astype("float32")

    weights = {"in": random(3, 3, planes, CHANNELS), "in-bias": numpy.zeros(CHANNELS, "float32")}
    for block in range(BLOCKS):
        weights[f"{block}-first"] = random(3, 3, CHANNELS, CHANNELS)
        weights[f"{block}-second"] = numpy.zeros((3, 3, CHANNELS, CHANNELS), "float32")
        weights[f"{block}-first-bias"], weights[f"{block}-second-bias"] = numpy.zeros((2, CHANNELS), "float32")
    weights["policy-in"] = random(1, 1, CHANNELS, POLICY_CHANNELS)
    weights["policy"] = random(cells * POLICY_CHANNELS, n_actions) * 0.1
    weights["policy-bias"] = numpy.zeros(n_actions, "float32")
    weights["value-in"] = random(1, 1, CHANNELS, VALUE_CHANNELS)
    weights["value-hidden"] = random(cells * VALUE_CHANNELS, HIDDEN)
    weights["value-hidden-bias"] = numpy.zeros(HIDDEN, "float32")
    weights["value"] = random(HIDDEN, 1) * 0.1
    weights["value-bias"] = numpy.zeros(1, "float32")
    return weights


def convolution(x, weights):
    return jax.lax.conv_general_dilated(x, weights, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


def applied(weights, planes):
    """Values, `[n]`, -1 to 1 for the side to move, and logarithms of a policy, `[n, actions]`, of planes `[n, channels, rows, columns]`."""
    n = planes.shape[0]
    x = jax.nn.relu(convolution(jnp.transpose(planes, (0, 2, 3, 1)), weights["in"]) + weights["in-bias"])
    for block in range(BLOCKS):
        inner = jax.nn.relu(convolution(x, weights[f"{block}-first"]) + weights[f"{block}-first-bias"])
        x = jax.nn.relu(x + convolution(inner, weights[f"{block}-second"]) + weights[f"{block}-second-bias"])
    policy = jax.nn.relu(convolution(x, weights["policy-in"])).reshape(n, -1)
    value = jax.nn.relu(convolution(x, weights["value-in"])).reshape(n, -1)
    hidden = jax.nn.relu(value @ weights["value-hidden"] + weights["value-hidden-bias"])
    return jnp.tanh(hidden @ weights["value"] + weights["value-bias"])[:, 0], policy @ weights["policy"] + weights["policy-bias"]


def save(path, weights):
    """Half precision is enough, and halves the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        numpy.savez(file, **{name: numpy.asarray(array, "float16") for name, array in weights.items()})


def load(path, shape, n_actions):
    """The weights of a file; a `ValueError` with one line if they are not of this network for planes of this shape."""
    try:
        with numpy.load(path) as file:
            weights = {name: file[name].astype("float32") for name in file.files}
    except (AttributeError, OSError, ValueError, zipfile.BadZipFile):
        raise ValueError(f"{path}: not a file of arrays: expected one that train.py wrote; run train.py") from None
    expected = {name: array.shape for name, array in initial(shape, n_actions, numpy.random.default_rng(0)).items()}
    if {name: array.shape for name, array in weights.items()} != expected:
        raise ValueError(f"{path}: other arrays: expected those of this network and board; train with the same --game")
    return weights


class Evaluator:
    """The function that a search calls with planes. It counts positions."""

    def __init__(self, weights):
        def answer(planes):
            values, logits = applied(weights, planes)
            return values, jax.nn.softmax(logits)

        self.compiled = jax.jit(answer)
        self.n_positions = 0

    def prepare(self, shape, most):
        """Compiles for calls with up to so many positions, so that no search waits for it."""
        for power in range((most - 1).bit_length() + 1):
            self(numpy.zeros((1 << power, *shape), "float32"))
        self.n_positions = 0

    def __call__(self, planes):
        n = len(planes)
        self.n_positions += n
        # JAX compiles for each shape, so there are few: 1, 2, 4, 8 positions and so on.
        padded = numpy.zeros((1 << (n - 1).bit_length(), *planes.shape[1:]), "float32")
        padded[:n] = planes
        values, policy = self.compiled(padded)
        return numpy.asarray(values)[:n], numpy.asarray(policy)[:n]
