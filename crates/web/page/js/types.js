/**
 * The objects of the server's interface (docs/web-api.md, docs/json.md), with the fields that the page reads.
 *
 * @typedef {0 | 1} Side
 *
 * @typedef {object} Spot
 * @property {string} game
 * @property {string | null} position
 * @property {string[]} moves
 *
 * @typedef {object} Cell
 * @property {Side} [o] owner
 * @property {1} [hole]
 * @property {1} [last]
 * @property {1} [win]
 * @property {1} [legal]
 *
 * @typedef {object} Edge
 * @property {1} [drawn]
 * @property {1} [last]
 *
 * @typedef {object} Picture
 * @property {number} rows
 * @property {number} columns
 * @property {Cell[]} cells
 * @property {Edge[] | null} edges
 * @property {string[]} column_labels
 * @property {string[]} row_labels
 * @property {boolean} [mirrored] set by the page if it shows the board from right to left
 *
 * @typedef {{ cell: [number, number] } | { edge: number } | { column: number }} Place
 *
 * @typedef {object} LegalMove
 * @property {string} move
 * @property {Place | null} at
 * @property {{ cells: [number, number, Side][] }} after
 *
 * @typedef {object} Structure
 * @property {{ name: string, number: number | null, text: string }[]} facts
 * @property {{ kind: string, label?: string, note?: string, cells: number[], moves: string[] }[]} parts
 *
 * @typedef {object} State
 * @property {string} game
 * @property {string} title
 * @property {string} position
 * @property {string | null} start
 * @property {Side | null} to_move
 * @property {number} ply
 * @property {{ move: string, side: Side, id?: number, points?: [number, number] }[]} moves
 * @property {LegalMove[]} legal
 * @property {{ winner: Side | null, margin: number, text: string } | null} result
 * @property {string | null} opening
 * @property {[number, number] | null} points
 * @property {Picture | null} picture
 * @property {Structure | null} structure
 *
 * @typedef {{ lower: number, upper: number }} Proof
 *
 * @typedef {object} Candidate
 * @property {string} move
 * @property {number} visits
 * @property {number} [value] absent if nothing or only a bound is known
 * @property {number} [margin]
 * @property {{ value: number, margin?: number }} [at_most] upper bounds
 * @property {Proof | null} proof
 * @property {number} [ends_in]
 * @property {string[]} pv
 * @property {boolean} [unsettled] set by the page: better than the recommended move, by fewer visits
 *
 * @typedef {object} Analysis
 * @property {string} position
 * @property {'first' | 'second'} to_move
 * @property {string | null} best
 * @property {number} value
 * @property {number} [margin]
 * @property {Proof | null} proof
 * @property {number} [ends_in]
 * @property {number} playouts
 * @property {number} [depth]
 * @property {number} nodes
 * @property {number} reused
 * @property {number} elapsed_ms
 * @property {number} memory_bytes
 * @property {boolean} [book]
 * @property {string[]} pv
 * @property {Candidate[]} moves
 * @property {Structure} [structure]
 * @property {number} [rate]
 *
 * @typedef {object} TreeNode
 * @property {string} position
 * @property {'first' | 'second'} to_move
 * @property {number} visits
 * @property {number} value
 * @property {Proof | null} proof
 * @property {{ move: string, visits: number, value: number, prior: number | null, proof: Proof | null, to: number | null }[]} edges
 * @property {string[]} [moves] moves from the root
 *
 * @typedef {object} Setting
 * @property {string} name
 * @property {string} default
 * @property {'real' | 'whole' | 'schedule' | 'name' | 'choice'} kind
 * @property {boolean} off
 * @property {number | null} min
 * @property {number | null} max
 * @property {number | null} step
 * @property {string[]} words
 * @property {string} help
 * @property {string} source
 * @property {boolean} experimental
 *
 * @typedef {object} Player
 * @property {string} player
 * @property {string} summary
 * @property {Setting[]} settings
 * @property {object[]} [levels] the player for each game, if this is a level
 *
 * @typedef {object} GameInfo
 * @property {string} name
 * @property {string} title
 * @property {string} summary
 * @property {string} spec
 * @property {string} rules
 * @property {{ one: string, many: string, to_spare?: boolean | string }} unit
 * @property {[string, string]} sides
 * @property {string} best
 * @property {string} [evidence]
 * @property {{ rows: [number, number], columns: [number, number], step: number, square: boolean, holes: boolean } | null} sizes
 * @property {[number, number] | null} default_size rows and columns of the board of `spec`
 * @property {'stones' | 'drop' | 'discs' | 'boxes'} style drawing of the board
 * @property {boolean} structure whether positions have a structure
 * @property {string[]} sample moves to the position of the start page
 * @property {{ name: string, published: boolean }[]} players the presets that play it; published systems reproduce a document
 *
 * @typedef {object} About
 * @property {string} version
 * @property {GameInfo[]} games
 * @property {Player[]} players
 * @property {{ game: string, name: string, fact: string }[]} levels
 * @property {{ name: string, protocol: string }[]} engines
 * @property {{ threads: number, memory_mib: number, searches: number, sessions: number, pairs: number, players: number, match_mib: number }} limits
 *
 * @typedef {object} Valuation
 * @property {number} value
 * @property {number | null} margin
 * @property {Proof | null} proof
 *
 * @typedef {object} ReviewedMove
 * @property {number} ply
 * @property {string} position
 * @property {'first' | 'second'} to_move
 * @property {string} move
 * @property {number} choices
 * @property {Valuation} before
 * @property {Valuation} after
 * @property {number} loss
 * @property {boolean} exact
 * @property {number} loss_percent
 * @property {'?!' | '?' | '??' | null} mark
 * @property {string} best
 * @property {string[]} pv
 * @property {Reason[]} reasons
 *
 * @typedef {object} Reason
 * @property {string} kind
 * @property {'first' | 'second'} side
 * @property {Record<string, string>} [names]
 * @property {Record<string, number>} [numbers]
 * @property {number[]} [cells]
 * @property {number[]} [edges]
 * @property {string[]} [line]
 *
 * @typedef {object} ReviewedSide
 * @property {'first' | 'second'} side
 * @property {number} moves
 * @property {number} choices
 * @property {number} best
 * @property {number | null} mean_loss
 * @property {number | null} accuracy
 * @property {number} inaccuracies
 * @property {number} mistakes
 * @property {number} blunders
 * @property {number | null} worst
 *
 * @typedef {object} Review
 * @property {string} game
 * @property {string} reviewer
 * @property {string} budget
 * @property {'points' | 'percent'} unit
 * @property {number} plies
 * @property {boolean} complete
 * @property {ReviewedMove[]} moves
 * @property {[ReviewedSide, ReviewedSide]} summary
 *
 * @typedef {object} ImportedRecord
 * @property {string} title
 * @property {string} game
 * @property {string | null} position
 * @property {string[]} moves
 * @property {number} [opening_plies]
 * @property {[string, string] | null} players
 * @property {any} result
 * @property {string} [broken] the mistake before which the moves end
 * @property {string} [link] the part of an address behind `#`, with all that it names
 *
 * @typedef {object} WrittenForm
 * @property {string} form
 * @property {string} extension
 * @property {string} text
 *
 * @typedef {object} MatchInfo
 * @property {string} id
 * @property {'match' | 'sweep' | 'rating' | 'tune'} kind
 * @property {string} title
 * @property {'running' | 'stopped' | 'done' | 'reading'} state
 * @property {number | null} games `null` while they are counted
 *
 * Messages between the page and the worker of an engine. `ask` is answered at once; a search reports that it has begun, and whether it reads
 * messages meanwhile (`pauses`), and sends events until its `answer`, which has no text. A `stop` names the request that is to end. `failed`:
 * the engine cannot continue, and its worker must be replaced. A search that `needs` a file of weights begins when they come.
 *
 * @typedef {{ kind: 'start', module: WebAssembly.Module, glue: string }
 *   | { kind: 'ask', id: number, name: string, text: string }
 *   | { kind: 'begin', id: number, name: string, text: string }
 *   | { kind: 'tree', id: number, nodes: number }
 *   | { kind: 'weights', id: number, file: string, bytes: ArrayBuffer }
 *   | { kind: 'stop', id: number }} ToEngine
 *
 * @typedef {{ kind: 'answer', id: number, text: string }
 *   | { kind: 'refused', id: number, text: string }
 *   | { kind: 'failed', id: number, why: 'not-loaded' | 'mixed' | 'no-memory' | 'stopped' }
 *   | { kind: 'needs', id: number, file: string }
 *   | { kind: 'begun', id: number, pauses: boolean }
 *   | { kind: 'event', id: number, event: string, text: string }} FromEngine
 */
export {};
