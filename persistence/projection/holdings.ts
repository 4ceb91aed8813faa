/**
 * Projects what each account holds over time: its cash and each of its tokens, as points of a
 * minute. Invariant: a minute's point is the amount after the last command of that minute that
 * changed it, whatever the steps; the newest point is what the engine has. Bounds: one pending
 * point for each asset and minute of a step; KEPT_HOLDINGS assets of earlier steps. Old points are
 * thinned (prices.ts).
 */
import { strict as assert } from 'node:assert';
import type { Database, Statement } from 'better-sqlite3';
import type {
  BuilderChanged,
  Converted,
  EngineEvent,
  Outcome,
  Redeemed,
  SetsMoved,
} from '../../engine/index.ts';
import { cashFor, FEE_ACCOUNT, MINUTE_MS } from '../../engine/model/index.ts';
import { assetOf, CASH, type DurableCommand, type FillParty } from '../shared/index.ts';
import { thinningsBetween } from './prices.ts';

const KEPT_HOLDINGS = 65_536;
/** More than twice the engine's markets; times its accounts still a safe integer. */
const MOST_ASSETS = 2 ** 24;
const OUTCOMES: readonly Outcome[] = [0, 1];

interface Names {
  account(address: string): { readonly accountKey: number };
  market(conditionId: string): number;
}

interface Point {
  readonly minute: number;
  amount: number;
}

interface Holding {
  readonly accountKey: number;
  readonly asset: number;
  amount: number;
  /** The minute of the newest point in the table. */
  writtenMinute: number | undefined;
  /** In order of time. */
  pending: Point[];
}

type CommandTime = Pick<DurableCommand, 'seq' | 'timeMs'>;

interface TradeSide {
  readonly party: FillParty;
  readonly accountKey: number;
  readonly marketKey: number;
  readonly orderKey: number;
  readonly builder: Buffer | null;
  readonly timeMs: number;
}

interface BuilderAccount {
  readonly fromSeq: number;
  readonly accountKey: number;
}

export class ProjectionHoldings {
  readonly #names: Names;
  readonly #siblings: (marketKey: number) => readonly number[];
  /** By account key and asset, as one number. */
  readonly #cached = new Map<number, Holding>();
  readonly #changed = new Set<Holding>();
  readonly #statements: ReturnType<typeof prepare>;

  constructor(
    database: Database,
    names: Names,
    siblings: (marketKey: number) => readonly number[],
  ) {
    this.#names = names;
    this.#siblings = siblings;
    this.#statements = prepare(database);
  }

  /** Ignores events that move neither cash nor tokens, and fills: see `trade`. */
  project(event: EngineEvent, { seq, timeMs }: CommandTime): void {
    if (event.kind === 'account_opened') {
      this.#add({ account: event.address, asset: CASH, change: event.paperMicros, timeMs });
    } else if (event.kind === 'cash_moved') {
      this.#add({ account: event.account, asset: CASH, change: event.amountMicros, timeMs });
    } else if (event.kind === 'sets_moved') this.#moveSets(event, timeMs);
    else if (event.kind === 'redeemed') this.#redeem(event, timeMs);
    else if (event.kind === 'converted') this.#convert(event, timeMs);
    else if (event.kind === 'builder_changed') this.#setBuilder(event, seq);
  }

  /** Fees are paid beside the price: to the fee account, a part to the builder of the order. */
  trade({ party, accountKey, marketKey, orderKey, builder, timeMs }: TradeSide): void {
    const { outcome, side, priceTicks, lots, feeMicros, builderFeeMicros } = party;
    const cash = cashFor(lots, priceTicks);
    const isBuy = side === 'BUY';
    this.#change(accountKey, CASH, (isBuy ? -cash : cash) - feeMicros, timeMs);
    this.#change(accountKey, assetOf(marketKey, outcome), isBuy ? lots : -lots, timeMs);
    const collected = feeMicros - builderFeeMicros;
    if (collected > 0) this.#add({ account: FEE_ACCOUNT, asset: CASH, change: collected, timeMs });
    if (builderFeeMicros === 0) return;
    const earner = builder && this.#statements.selectBuilder.get(builder, orderKey);
    assert(earner, 'a builder earns only with an account');
    this.#change(earner.accountKey, CASH, builderFeeMicros, timeMs);
  }

  /** Writes the pending points, and removes points that are too old. */
  flush(): void {
    const { put, thin } = this.#statements;
    for (const holding of this.#changed) {
      const { accountKey, asset, pending } = holding;
      for (const { minute, amount } of pending) {
        put.run(accountKey, asset, minute, amount);
        const { writtenMinute = minute } = holding;
        holding.writtenMinute = minute;
        // Usually it is the same minute, and this runs for each fill.
        if (writtenMinute === minute) continue;
        for (const thinning of thinningsBetween(writtenMinute, minute)) {
          thin.run({ accountKey, asset, ...thinning });
        }
      }
      holding.pending = [];
    }
    this.#changed.clear();
    if (this.#cached.size > KEPT_HOLDINGS) this.#cached.clear();
  }

  #moveSets({ account, conditionId, splitLots, amountMicros }: SetsMoved, timeMs: number): void {
    const marketKey = this.#names.market(conditionId);
    this.#add({ account, asset: CASH, change: amountMicros, timeMs });
    for (const outcome of OUTCOMES) {
      this.#add({ account, asset: assetOf(marketKey, outcome), change: splitLots, timeMs });
    }
  }

  #redeem(event: Redeemed, timeMs: number): void {
    const { account, conditionId, amountMicros, yesLots, noLots } = event;
    const marketKey = this.#names.market(conditionId);
    this.#add({ account, asset: CASH, change: amountMicros, timeMs });
    this.#add({ account, asset: assetOf(marketKey, 0), change: -yesLots, timeMs });
    this.#add({ account, asset: assetOf(marketKey, 1), change: -noLots, timeMs });
  }

  #convert({ account, conditionIds, lots, amountMicros }: Converted, timeMs: number): void {
    const given = conditionIds.map((id) => this.#names.market(id));
    this.#add({ account, asset: CASH, change: amountMicros, timeMs });
    for (const marketKey of this.#siblings(given[0] ?? 0)) {
      const isGiven = given.includes(marketKey);
      const asset = assetOf(marketKey, isGiven ? 1 : 0);
      this.#add({ account, asset, change: isGiven ? -lots : lots, timeMs });
    }
  }

  #setBuilder({ builder, account }: BuilderChanged, seq: number): void {
    const { accountKey } = this.#names.account(account);
    this.#statements.putBuilder.run(Buffer.from(builder.slice(2), 'hex'), seq, accountKey);
  }

  #add(moved: AccountChange): void {
    const { accountKey } = this.#names.account(moved.account);
    this.#change(accountKey, moved.asset, moved.change, moved.timeMs);
  }

  #change(accountKey: number, asset: number, change: number, timeMs: number): void {
    if (change === 0) return;
    const holding = this.#holding(accountKey, asset);
    const minute = Math.floor(timeMs / MINUTE_MS);
    holding.amount += change;
    const last = holding.pending.at(-1);
    if (last?.minute === minute) last.amount = holding.amount;
    else holding.pending.push({ minute, amount: holding.amount });
    this.#changed.add(holding);
  }

  #holding(accountKey: number, asset: number): Holding {
    const name = accountKey * MOST_ASSETS + asset;
    const known = this.#cached.get(name);
    if (known !== undefined) return known;
    const stored = this.#statements.selectLast.get(accountKey, asset);
    const { amount = 0, minute: writtenMinute } = stored ?? {};
    const holding = { accountKey, asset, amount, writtenMinute, pending: [] };
    this.#cached.set(name, holding);
    return holding;
  }
}

interface AccountChange {
  readonly account: string;
  readonly asset: number;
  readonly change: number;
  readonly timeMs: number;
}

function prepare(database: Database) {
  const selectLast: Statement<[number, number], Point> = database.prepare(
    'SELECT minute, amount FROM holding_points WHERE account_key = ? AND asset = ? ' +
      'ORDER BY minute DESC LIMIT 1',
  );
  const selectBuilder: Statement<[Buffer, number], BuilderAccount> = database.prepare(
    'SELECT from_seq AS fromSeq, account_key AS accountKey FROM builder_accounts ' +
      'WHERE builder = ? AND from_seq <= ? ORDER BY from_seq DESC LIMIT 1',
  );
  return {
    selectLast,
    selectBuilder,
    put: database.prepare(
      'INSERT INTO holding_points VALUES (?, ?, ?, ?) ' +
        'ON CONFLICT DO UPDATE SET amount = excluded.amount',
    ),
    thin: database.prepare(
      'DELETE FROM holding_points WHERE account_key = @accountKey AND asset = @asset ' +
        'AND minute >= @fromMinute AND minute < @toMinute AND EXISTS (' +
        'SELECT 1 FROM holding_points AS later WHERE later.account_key = @accountKey ' +
        'AND later.asset = @asset AND later.minute > holding_points.minute AND later.minute < ' +
        'holding_points.minute - holding_points.minute % @stepMinutes + @stepMinutes)',
    ),
    putBuilder: database.prepare('REPLACE INTO builder_accounts VALUES (?, ?, ?)'),
  };
}
