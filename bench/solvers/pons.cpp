// Solves the positions of a file with Pascal Pons' solver, score only: `pons FILE each|once`, as connect_four_scores.rs in bench/peers does.

#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "Solver.hpp"

using GameSolver::Connect4::Position;
using GameSolver::Connect4::Solver;

struct Line {
  Position position;
  int score;
};

static double cpu_seconds() {
  timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int n_arguments, char **arguments) {
  if (n_arguments != 3) return 2;
  const bool clears = std::string(arguments[2]) == "each";
  std::vector<Line> lines;
  std::ifstream file(arguments[1]);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string moves;
    Line read;
    if (!(words >> moves >> read.score)) continue;
    read.position.play(moves);
    lines.push_back(read);
  }
  Solver solver;
  solver.reset();
  double seconds = 0;
  unsigned long long nodes = 0;
  int wrong = 0;
  if (clears) {
    for (const Line &line : lines) {
      solver.reset();
      const double start = cpu_seconds();
      const int found = solver.solve(line.position);
      seconds += cpu_seconds() - start;
      nodes += solver.getNodeCount();
      wrong += found != line.score;
    }
  } else {
    const double start = cpu_seconds();
    for (const Line &line : lines) wrong += solver.solve(line.position) != line.score;
    seconds = cpu_seconds() - start;
    nodes = solver.getNodeCount();
  }
  std::cout << seconds << ' ' << nodes << ' ' << wrong << '\n';
}
