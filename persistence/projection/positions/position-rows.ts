/**
 * The rows of `positions` that a step changes. Each is written once, at the end of the step, and
 * cached for the next steps, because the same accounts trade again. Bound: the positions that one
 * step changes, some 200 bytes each, and KEPT_POSITIONS of earlier steps.
 */
import { strict as assert } from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import type { Outcome } from '../../../engine/index.ts';
import { BOUNDS } from '../../../engine/model/index.ts';
import { wideSum, wideText } from '../../shared/index.ts';
import type { PositionAmounts } from './math.ts';

export interface Position extends PositionAmounts {
  readonly accountKey: number;
  readonly marketKey: number;
  readonly outcome: Outcome;
  tradeCount: number;
}

interface CachedPosition extends Position {
  storedClosedMs: number | undefined;
}

const KEPT_POSITIONS = 32_768;

/** Above 2 x the key of every market. */
const TOKENS = 2 ** 20;
assert(2 * BOUNDS.markets + 1 < TOKENS, 'every token has its own number');

const COLUMNS =
  'lots, cost_micros AS costMicros, bought_lots AS boughtLots, paid_micros AS paidMicros, ' +
  'received_micros AS receivedMicros, fee_micros AS feeMicros, ' +
  'realized_micros AS realizedMicros, changed_ms AS changedMs, closed_ms AS closedMs, ' +
  'trade_count AS tradeCount, buy_fee_micros AS buyFeeMicros, opened_ms AS openedMs';
const CHANGED =
  'lots = ?, cost_micros = ?, bought_lots = ?, paid_micros = ?, received_micros = ?, ' +
  'fee_micros = ?, realized_micros = ?, changed_ms = ?, trade_count = ?, buy_fee_micros = ?, ' +
  'opened_ms = ?';
const KEY = 'account_key = ? AND market_key = ? AND outcome = ?';

type Amounts = PositionAmounts & Pick<Position, 'tradeCount'>;

/** The amounts as the table has them: sums as text. */
type StoredAmounts = {
  readonly [Name in keyof Amounts]: Amounts[Name] extends number ? number : string;
};

export class PositionRows {
  /** Positions with the changes of the current step. */
  readonly #cached = new Map<number, CachedPosition>();
  readonly #changed = new Set<CachedPosition>();
  readonly #select: Statement<[number, number, number], StoredAmounts>;
  readonly #insert: Statement<(number | string)[]>;
  readonly #update: Statement<(number | string)[]>;
  readonly #updateWhole: Statement<(number | string)[]>;

  constructor(database: Database) {
    this.#select = database.prepare(`SELECT ${COLUMNS} FROM positions WHERE ${KEY}`);
    this.#insert = database.prepare(
      `INSERT INTO positions VALUES (${Array(15).fill('?').join(', ')})`,
    );
    // For a position that stays open: the partial indexes of closed positions are not touched.
    this.#update = database.prepare(`UPDATE positions SET ${CHANGED} WHERE ${KEY}`);
    this.#updateWhole = database.prepare(
      `UPDATE positions SET ${CHANGED}, closed_ms = ? WHERE ${KEY}`,
    );
  }

  /** The row, which the caller changes; a new one when there is none. */
  change(accountKey: number, marketKey: number, outcome: Outcome): Position {
    const key = keyOf(accountKey, marketKey, outcome);
    const known = this.#cached.get(key);
    if (known !== undefined) {
      this.#changed.add(known);
      return known;
    }
    const stored = this.#select.get(accountKey, marketKey, outcome);
    const amounts = stored === undefined ? NO_AMOUNTS : amountsOf(stored);
    const storedClosedMs = stored?.closedMs;
    const position = { accountKey, marketKey, outcome, storedClosedMs, ...amounts };
    this.#cached.set(key, position);
    this.#changed.add(position);
    return position;
  }

  hasTraded(accountKey: number, marketKey: number, outcome: Outcome): boolean {
    const known = this.#cached.get(keyOf(accountKey, marketKey, outcome));
    const position = known ?? this.#select.get(accountKey, marketKey, outcome);
    return position !== undefined && position.tradeCount > 0;
  }

  flush(): void {
    for (const position of this.#changed) {
      this.#write(position);
      position.storedClosedMs = position.closedMs;
    }
    this.#changed.clear();
    if (this.#cached.size > KEPT_POSITIONS) this.#cached.clear();
  }

  #write(position: CachedPosition): void {
    const { accountKey, marketKey, outcome, changedMs, closedMs } = position;
    const { tradeCount, storedClosedMs, openedMs } = position;
    const counts = [tradeCount, wideText(position.buyFeeMicros), openedMs] as const;
    const key = [accountKey, marketKey, outcome] as const;
    const amounts = [
      position.lots,
      position.costMicros,
      wideText(position.boughtLots),
      wideText(position.paidMicros),
      wideText(position.receivedMicros),
      wideText(position.feeMicros),
      wideText(position.realizedMicros),
    ] as const;
    if (storedClosedMs === undefined) {
      this.#insert.run(...key, ...amounts, changedMs, closedMs, ...counts);
    } else if (storedClosedMs === 0 && closedMs === 0) {
      this.#update.run(...amounts, changedMs, ...counts, ...key);
    } else {
      this.#updateWhole.run(...amounts, changedMs, ...counts, closedMs, ...key);
    }
  }
}

function amountsOf(row: StoredAmounts): Amounts {
  return {
    ...row,
    boughtLots: wideSum(row.boughtLots),
    paidMicros: wideSum(row.paidMicros),
    receivedMicros: wideSum(row.receivedMicros),
    feeMicros: wideSum(row.feeMicros),
    realizedMicros: wideSum(row.realizedMicros),
    buyFeeMicros: wideSum(row.buyFeeMicros),
  };
}

const NO_AMOUNTS: Amounts = {
  lots: 0,
  costMicros: 0,
  boughtLots: 0,
  paidMicros: 0,
  receivedMicros: 0,
  feeMicros: 0,
  realizedMicros: 0,
  changedMs: 0,
  closedMs: 0,
  tradeCount: 0,
  buyFeeMicros: 0,
  openedMs: 0,
};

function keyOf(accountKey: number, marketKey: number, outcome: Outcome): number {
  return accountKey * TOKENS + marketKey * 2 + outcome;
}
