//! Schedules, games, openings and the driver; and the statistics of results.

mod adaptive_rating;
mod runner;
mod stats_coverage;
mod stats_golden;
mod stats_laws;
mod stats_ratings;
mod tuning;
