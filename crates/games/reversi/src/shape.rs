//! The size of a Reversi board and the way of counting: the options of the game.

use banyan_core::TextError;

/// Counting of the empty squares of a finished game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Counting {
    /// For the winner, as in tournaments and endgame problems; a draw stays a draw.
    #[default]
    WinnerTakesEmpties,
    /// For neither side: only discs count.
    Discs,
}

/// Size of the board and way of counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    rows: u8,
    columns: u8,
    counting: Counting,
}

impl Default for Shape {
    /// 8x8, empty squares to the winner.
    fn default() -> Shape {
        Shape { rows: 8, columns: 8, counting: Counting::default() }
    }
}

impl Shape {
    /// Reads the options of a specification: empty, `10x10`, `6x8,count=discs`.
    ///
    /// # Errors
    /// A part that is neither a size nor a way of counting, or that occurs twice.
    pub fn parse(options: &str) -> Result<Shape, TextError> {
        let mut shape = Shape::default();
        if options.is_empty() {
            return Ok(shape);
        }
        for (i, part) in options.split(',').enumerate() {
            let earlier_count = options.split(',').take(i).any(|earlier| earlier.starts_with("count="));
            match part.strip_prefix("count=") {
                Some(_) if earlier_count => {
                    return Err(TextError::new(
                        format!("a second {part:?}"),
                        "expected one way of counting",
                        "leave one out",
                    ));
                }
                Some(counting) => shape.counting = parse_counting(counting)?,
                None if i == 0 => (shape.rows, shape.columns) = parse_size(part)?,
                None => {
                    let known = "expected count=winner-takes-empties or count=discs after the size";
                    return Err(TextError::new(format!("option {part:?}"), known, "try 8x8,count=discs"));
                }
            }
        }
        Ok(shape)
    }

    /// The options that [`parse`](Shape::parse) reads as this shape: the parts that differ from the default, with the
    /// size before a way of counting.
    pub fn options(&self) -> String {
        let size = format!("{}x{}", self.rows, self.columns);
        match self.counting {
            Counting::Discs => format!("{size},count=discs"),
            Counting::WinnerTakesEmpties if *self == Shape::default() => String::new(),
            Counting::WinnerTakesEmpties => size,
        }
    }

    /// Number of rows: 4, 6, 8 or 10.
    pub fn rows(&self) -> u32 {
        self.rows.into()
    }

    /// Number of columns: 4, 6, 8 or 10.
    pub fn columns(&self) -> u32 {
        self.columns.into()
    }

    /// Number of squares.
    pub fn squares(&self) -> u32 {
        self.rows() * self.columns()
    }

    /// The counting of a finished game.
    pub fn counting(&self) -> Counting {
        self.counting
    }

    /// Width of the narrowest word that holds the board: 64 or 128.
    pub fn word_bits(&self) -> u32 {
        if self.rows.max(self.columns) <= 8 { 64 } else { 128 }
    }
}

fn parse_counting(text: &str) -> Result<Counting, TextError> {
    match text {
        "winner-takes-empties" => Ok(Counting::WinnerTakesEmpties),
        "discs" => Ok(Counting::Discs),
        _ => Err(TextError::new(
            format!("count={text}"),
            "expected winner-takes-empties or discs",
            "write count=winner-takes-empties or count=discs",
        )),
    }
}

fn parse_size(text: &str) -> Result<(u8, u8), TextError> {
    let usual = "try 8x8 or 10x10".to_owned();
    let is_number = |side: &str| !side.is_empty() && side.bytes().all(|byte| byte.is_ascii_digit());
    let Some((rows, columns)) = text.split_once('x').filter(|(rows, columns)| is_number(rows) && is_number(columns))
    else {
        let remedy = if ["4", "6", "8", "10"].contains(&text) { format!("try {text}x{text}") } else { usual };
        return Err(TextError::new(format!("size {text:?}"), "expected rows x columns such as 8x8", remedy));
    };
    match (rows.parse(), columns.parse()) {
        (Ok(rows @ (4 | 6 | 8 | 10)), Ok(columns @ (4 | 6 | 8 | 10))) => Ok((rows, columns)),
        _ => Err(TextError::new(format!("size {text}"), "expected 4, 6, 8 or 10 rows and columns", usual)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(options: &str, expected: Result<&str, &str>) {
        let found = Shape::parse(options).map(|shape| shape.options()).map_err(|err| err.to_string());
        assert_eq!(found.as_deref().map_err(|err| err.as_str()), expected, "{options:?}");
    }

    #[test]
    fn options_are_read_and_printed_in_their_shortest_form() {
        check("", Ok(""));
        check("8x8", Ok(""));
        check("8x8,count=winner-takes-empties", Ok(""));
        check("count=discs", Ok("8x8,count=discs"));
        check("8x8,count=discs", Ok("8x8,count=discs"));
        check("10x10", Ok("10x10"));
        check("6x8,count=discs", Ok("6x8,count=discs"));
    }

    #[test]
    fn invalid_options_are_refused_in_one_line() {
        check("7x8", Err("size 7x8: expected 4, 6, 8 or 10 rows and columns; try 8x8 or 10x10"));
        check("12x12", Err("size 12x12: expected 4, 6, 8 or 10 rows and columns; try 8x8 or 10x10"));
        check("99999999999x8", Err("size 99999999999x8: expected 4, 6, 8 or 10 rows and columns; try 8x8 or 10x10"));
        check("6", Err("size \"6\": expected rows x columns such as 8x8; try 6x6"));
        check("7", Err("size \"7\": expected rows x columns such as 8x8; try 8x8 or 10x10"));
        check("+8x8", Err("size \"+8x8\": expected rows x columns such as 8x8; try 8x8 or 10x10"));
        check(
            "8x8,count=stones",
            Err(
                "count=stones: expected winner-takes-empties or discs; write count=winner-takes-empties or count=discs",
            ),
        );
        check("count=discs,count=discs", Err("a second \"count=discs\": expected one way of counting; leave one out"));
        check(
            "8x8,10x10",
            Err(
                "option \"10x10\": expected count=winner-takes-empties or count=discs after the size; try 8x8,count=discs",
            ),
        );
        assert!(Shape::parse("8x8,").is_err());
        assert!(Shape::parse("8x8,hole=d3").is_err());
    }
}
