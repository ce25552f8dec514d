//! The two presets of the engine of a report on Reversi. Their reward for corners is `corner_bonus` of the engine crate.

use banyan_catalog::GamePreset;

/// The settings that its text and its program have in common. Its exploration weight was found between 40 and 65 and is not named: 50
/// is a guess, and so is what it calls a near tie.
macro_rules! common {
    () => {
        "uct:c=50,reward=50+margin,order=listed,expand-at=1,lazy-expansion=0.5,lazy-mode=resample,\
         root-bias-depth=6,root-bias=1000,root-bias-until=0.41,near-tie=0.01,\
         square-weights=35/2/9/9/9/9/2/35/2/2/3/3/3/3/2/2/9/3/5/5/5/5/3/9/9/3/5/1/1/5/3/9/\
         9/3/5/1/1/5/3/9/9/3/5/5/5/5/3/9/2/2/3/3/3/3/2/2/35/2/9/9/9/9/2/35,\
         tie=first,final=max,early=never,reuse=none"
    };
}

/// The engine as the report describes it.
pub(crate) const AS_TEXT: GamePreset =
    GamePreset { name: "uct-reversi-report", variants: &[concat!(common!(), ",eval=corners,take-weight=35")] };

/// The engine as its program is written: the test for corners never fires, the bonus goes to leaves at any depth, playouts draw from the
/// list of the leaf, and the loop over the children returns the first one. (With that, what the program computes for the other side,
/// the least mean plus exploration, is never compared.)
pub(crate) const AS_CODED: GamePreset = GamePreset {
    name: "uct-reversi-report-as-coded",
    variants: &[concat!(common!(), ",eval=corners-stale,root-bias-at=leaves,select=first")],
};
