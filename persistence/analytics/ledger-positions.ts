/**
 * The rows of `positions` that a step touches: each is read when it is first touched and written
 * once, at the end of the step. Bound: what the fills of one step touch, and the holders of a
 * market that is resolved in it, some 200 bytes each.
 */
import { strict as assert } from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import { BOUNDS } from '../../engine/facts.ts';
import type { Outcome } from '../../engine/index.ts';
import type { PositionAmounts } from './position-math.ts';

export interface Position extends PositionAmounts {
  readonly accountKey: number;
  readonly marketKey: number;
  readonly outcome: Outcome;
  tradeCount: number;
}

interface TouchedPosition extends Position {
  /** What the table says; undefined where it has no such row. */
  readonly stored: Pick<PositionAmounts, 'openedMs' | 'closedMs'> | undefined;
}

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
  readonly #touched = new Map<number, TouchedPosition>();
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
    const known = this.#touched.get(key);
    if (known !== undefined) return known;
    const stored = this.#select.get(accountKey, marketKey, outcome);
    const position = { accountKey, marketKey, outcome, stored, ...(stored ?? NO_AMOUNTS) };
    this.#touched.set(key, position);
    return position;
  }

  /** Only to be looked at. */
  hasTraded(accountKey: number, marketKey: number, outcome: Outcome): boolean {
    const touched = this.#touched.get(keyOf(accountKey, marketKey, outcome));
    const position = touched ?? this.#select.get(accountKey, marketKey, outcome);
    return position !== undefined && position.tradeCount > 0;
  }

  /** Writes what was touched. */
  flush(): void {
    for (const position of this.#touched.values()) this.#write(position);
    this.#touched.clear();
  }

  #write(position: TouchedPosition): void {
    const { accountKey, marketKey, outcome, lots, costMicros, boughtLots, paidMicros } = position;
    const { receivedMicros, feeMicros, realizedMicros, openedMs, changedMs, closedMs } = position;
    const { tradeCount, stored } = position;
    const amounts = [lots, costMicros, boughtLots, paidMicros, receivedMicros, feeMicros];
    const key = [accountKey, marketKey, outcome];
    const times = [openedMs, changedMs, closedMs];
    if (stored === undefined) {
      this.#insert.run(...key, ...amounts, realizedMicros, ...times, tradeCount);
      return;
    }
    const changed = [...amounts, realizedMicros, changedMs, tradeCount];
    const isAsOpen = stored.closedMs === 0 && closedMs === 0 && stored.openedMs === openedMs;
    if (isAsOpen) this.#update.run(...changed, ...key);
    else this.#updateWhole.run(...changed, openedMs, closedMs, ...key);
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
