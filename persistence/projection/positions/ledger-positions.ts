/**
 * The rows of `positions` that a step touches: each is written once, at the end of the step, and
 * kept for the next ones, since whoever trades trades again. Bound: what the fills of one step
 * touch, and the holders of a market that is resolved in it, some 200 bytes each; of those before
 * KEPT_POSITIONS.
 */
import { strict as assert } from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import type { Outcome } from '../../../engine/index.ts';
import { BOUNDS } from '../../../engine/model/index.ts';
import type { PositionAmounts } from './position-math.ts';

export interface Position extends PositionAmounts {
  readonly accountKey: number;
  readonly marketKey: number;
  readonly outcome: Outcome;
  tradeCount: number;
}

interface TouchedPosition extends Position {
  /** What the table says; undefined where it has no such row. */
  stored: StoredTimes | undefined;
}

type StoredTimes = Pick<PositionAmounts, 'openedMs' | 'closedMs'>;

const KEPT_POSITIONS = 32_768;

/** Above twice the key of every market. */
const TOKENS = 2 ** 20;
assert(2 * BOUNDS.markets + 1 < TOKENS, 'every token has a number of its own');

const COLUMNS =
  'lots, cost_micros AS costMicros, bought_lots AS boughtLots, paid_micros AS paidMicros, ' +
  'received_micros AS receivedMicros, fee_micros AS feeMicros, ' +
  'realized_micros AS realizedMicros, opened_ms AS openedMs, changed_ms AS changedMs, ' +
  'closed_ms AS closedMs, trade_count AS tradeCount';
const CHANGED =
  'lots = ?, cost_micros = ?, bought_lots = ?, paid_micros = ?, received_micros = ?, ' +
  'fee_micros = ?, realized_micros = ?, changed_ms = ?, trade_count = ?';
const KEY = 'account_key = ? AND market_key = ? AND outcome = ?';

type StoredAmounts = PositionAmounts & Pick<Position, 'tradeCount'>;

export class LedgerPositions {
  /** As the step in hand leaves them. */
  readonly #known = new Map<number, TouchedPosition>();
  readonly #touched = new Set<TouchedPosition>();
  readonly #select: Statement<[number, number, number], StoredAmounts>;
  readonly #insert: Statement<number[]>;
  readonly #update: Statement<number[]>;
  readonly #updateWhole: Statement<number[]>;

  constructor(database: Database) {
    this.#select = database.prepare(`SELECT ${COLUMNS} FROM positions WHERE ${KEY}`);
    this.#insert = database.prepare(
      'INSERT INTO positions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    // Of one that stays open: the indexes of what is open and what is closed are left alone.
    this.#update = database.prepare(`UPDATE positions SET ${CHANGED} WHERE ${KEY}`);
    this.#updateWhole = database.prepare(
      `UPDATE positions SET ${CHANGED}, opened_ms = ?, closed_ms = ? WHERE ${KEY}`,
    );
  }

  /** To be changed; made where it is not there yet. */
  touch(accountKey: number, marketKey: number, outcome: Outcome): Position {
    const key = keyOf(accountKey, marketKey, outcome);
    const known = this.#known.get(key);
    if (known !== undefined) {
      this.#touched.add(known);
      return known;
    }
    const stored = this.#select.get(accountKey, marketKey, outcome);
    const position = { accountKey, marketKey, outcome, stored, ...(stored ?? NO_AMOUNTS) };
    this.#known.set(key, position);
    this.#touched.add(position);
    return position;
  }

  /** Only to be looked at. */
  hasTraded(accountKey: number, marketKey: number, outcome: Outcome): boolean {
    const known = this.#known.get(keyOf(accountKey, marketKey, outcome));
    const position = known ?? this.#select.get(accountKey, marketKey, outcome);
    return position !== undefined && position.tradeCount > 0;
  }

  /** Writes what was touched. */
  flush(): void {
    for (const position of this.#touched) {
      this.#write(position);
      const { openedMs, closedMs } = position;
      position.stored = { openedMs, closedMs };
    }
    this.#touched.clear();
    if (this.#known.size > KEPT_POSITIONS) this.#known.clear();
  }

  #write(position: TouchedPosition): void {
    const { accountKey, marketKey, outcome, lots, costMicros, boughtLots, paidMicros } = position;
    const { receivedMicros, feeMicros, realizedMicros, openedMs, changedMs, closedMs } = position;
    const { tradeCount, stored } = position;
    const key = [accountKey, marketKey, outcome] as const;
    const amounts = [lots, costMicros, boughtLots, paidMicros, receivedMicros, feeMicros] as const;
    if (stored === undefined) {
      const times = [openedMs, changedMs, closedMs] as const;
      this.#insert.run(...key, ...amounts, realizedMicros, ...times, tradeCount);
      return;
    }
    const isAsOpen = stored.closedMs === 0 && closedMs === 0 && stored.openedMs === openedMs;
    if (isAsOpen) this.#update.run(...amounts, realizedMicros, changedMs, tradeCount, ...key);
    else {
      const times = [openedMs, closedMs] as const;
      this.#updateWhole.run(...amounts, realizedMicros, changedMs, tradeCount, ...times, ...key);
    }
  }
}

const NO_AMOUNTS: StoredAmounts = {
  lots: 0,
  costMicros: 0,
  boughtLots: 0,
  paidMicros: 0,
  receivedMicros: 0,
  feeMicros: 0,
  realizedMicros: 0,
  openedMs: 0,
  changedMs: 0,
  closedMs: 0,
  tradeCount: 0,
};

function keyOf(accountKey: number, marketKey: number, outcome: Outcome): number {
  return accountKey * TOKENS + marketKey * 2 + outcome;
}
