//! The memory cap of a process that plays several games.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use crate::banyan;

#[test]
fn later_games_take_no_more_memory_than_the_first() {
    let mut child = banyan(&["ugi"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the command starts");
    let (mut input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
    let mut lines = BufReader::new(output).lines().map(|line| line.expect("text"));
    writeln!(input, "setoption name Game value connect-four:12x12").expect("a reader");
    writeln!(input, "setoption name Player value mcgs:memory-mib=8").expect("a reader");
    let peak = || {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("Linux shows it");
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the peak");
        peak.trim_end_matches("kB").trim().parse::<u64>().expect("KiB")
    };
    writeln!(input, "isready").expect("a reader");
    assert!(lines.any(|line| line == "readyok"));
    let idle = peak();
    let mut peaks = Vec::new();
    for _ in 0..3 {
        writeln!(input, "uginewgame").expect("a reader");
        let mut moves = String::new();
        for _ in 0..5 {
            writeln!(input, "position startpos moves{moves}\ngo playouts 50000").expect("a reader");
            let best = lines.find_map(|line| line.strip_prefix("bestmove ").map(str::to_owned)).expect("a move");
            moves += &format!(" {best}");
        }
        peaks.push(peak());
    }
    writeln!(input, "quit").expect("a reader");
    child.wait().expect("it ends");
    assert!(peaks[2] < peaks[0] + (4 << 10), "KiB after each game: {peaks:?}");
    assert!(peaks[0] > idle + (6 << 10), "the cap was not reached from {idle} KiB: {peaks:?}");
    assert!(peaks[2] < idle + ((8 + 8) << 10), "more than the cap and a margin above {idle} KiB: {peaks:?}");
}
