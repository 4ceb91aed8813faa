/**
 * The largest amounts that the engine's bounds permit, and one more of each. All deposits together
 * are 2^53 - 1 micros here: as cash, as sets, in orders, converted, redeemed and paid out.
 */
import t from 'tap';
import type { Command, EngineEvent, Lots } from '../../engine/index.ts';
import { lots, micros, ticks } from '../../engine/index.ts';
import { BOUNDS } from '../../engine/model/index.ts';
import { ENGINES, type EngineFace, makeReloaded } from './engines.ts';
import { MARKET } from './scenarios/drawn-book.ts';
import { addressOf, EVENT, orderIdOf } from './scenarios/names.ts';

const ANN = addressOf('ann');
const BOB = addressOf('bob');
const ALL = BOUNDS.totalMicros;
const SETS = Math.floor(ALL / 10_000);
/** The sizes of commands that together split or convert all sets. */
const SIZES: readonly Lots[] = Array.from(
  { length: Math.ceil(SETS / BOUNDS.orderLots) },
  (_, index) => lots(Math.min(BOUNDS.orderLots, SETS - index * BOUNDS.orderLots)),
);

const EVERY = { conditionId: '', tokenId: '', step: { most: 1_000 } } as const;
const CANCEL_ALL: Command = { kind: 'cancel_all', owner: ANN, ...EVERY };

function conditionOf(market: number): string {
  return `0x${market.toString(16).padStart(64, '0')}`;
}

class Edges {
  readonly engine: EngineFace;
  #seq = 0;
  #keys = 0;
  #orders = 0;

  constructor(engine: EngineFace) {
    this.engine = engine;
  }

  apply(command: Command): readonly EngineEvent[] {
    this.#seq += 1;
    return this.engine.apply(this.#seq, 1_000, this.engine.inputOf(command));
  }

  /** Throws if the command is rejected. */
  must(command: Command): void {
    const rejected = this.apply(command).find(({ kind }) => kind === 'rejected');
    if (rejected !== undefined) throw new Error(JSON.stringify(rejected));
  }

  key(): string {
    this.#keys += 1;
    return `k${this.#keys}`;
  }

  deposit(amount: number): Command {
    return { kind: 'deposit', account: ANN, amountMicros: micros(amount), key: this.key() };
  }

  split(size: number): Command {
    const own = { account: ANN, owner: ANN, key: this.key() };
    return { kind: 'split', ...own, conditionId: conditionOf(1), lots: lots(size) };
  }

  convert(conditionIds: readonly string[], size: number): Command {
    const own = { account: ANN, owner: ANN, key: this.key() };
    return { kind: 'convert', ...own, eventId: EVENT, conditionIds, lots: lots(size) };
  }

  order(size: number, price: number, changes: object = {}): Command {
    this.#orders += 1;
    return {
      kind: 'place_order',
      orderId: orderIdOf(`o${this.#orders}`),
      account: ANN,
      owner: ANN,
      tokenId: '10',
      side: 'SELL',
      type: 'GTC',
      postOnly: false,
      priceTicks: ticks(price),
      lots: lots(size),
      budgetMicros: micros(0),
      expiresAtMs: 0,
      minimumLeadMs: 0,
      earlyEndMs: 0,
      idCheckedSeq: Number.MAX_SAFE_INTEGER,
      apiKey: '',
      ...changes,
    };
  }
}

/** An open event of `count` markets, and two accounts without money. */
function world(engine: EngineFace, count: number): Edges {
  const edges = new Edges(engine);
  for (let market = 1; market <= count; market += 1) {
    const conditionId = conditionOf(market);
    const tokenIds = [`${market}0`, `${market}1`] as const;
    const terms = { tickTicks: ticks(1), negRisk: true, eventId: EVENT };
    edges.must({ ...MARKET, conditionId, tokenIds, ...terms });
  }
  edges.must({ kind: 'open_event', eventId: EVENT, noneConditionId: '' });
  for (const address of [ANN, BOB]) {
    const paperMicros = micros(0);
    edges.must({ kind: 'open_account', address, owner: address, wallet: 'eoa', paperMicros });
  }
  return edges;
}

const engines = [...ENGINES, ['reloaded', makeReloaded(7)] as const];

for (const [name, make] of engines) {
  t.test(`${name}: every amount at its bound, and one more`, async (t) => {
    const edges = world(make(), 3);
    const { engine } = edges;
    const refused = (command: Command, code: string, limit: unknown) =>
      t.match(edges.apply(command), [{ kind: 'rejected', code, limit }], `${command.kind} ${code}`);
    const amounts = `1..${BOUNDS.amountMicros}`;
    refused(edges.deposit(BOUNDS.amountMicros + 1), 'amount_out_of_bounds', amounts);
    for (let left = ALL; left > 0; left -= BOUNDS.amountMicros) {
      edges.must(edges.deposit(Math.min(left, BOUNDS.amountMicros)));
    }
    refused(edges.deposit(1), 'deposits_exhausted', 0);
    const sizes = `1..${BOUNDS.orderLots}`;
    refused(edges.split(BOUNDS.orderLots + 1), 'size_out_of_bounds', sizes);
    refused(edges.order(BOUNDS.orderLots + 1, 9_999), 'size_out_of_bounds', sizes);

    // Almost all cash, and then all tokens, rest in one level at the highest price.
    for (const size of SIZES) edges.must(edges.order(size, 9_999, { side: 'BUY' }));
    engine.validate();
    edges.must(CANCEL_ALL);
    for (const size of SIZES) edges.must(edges.split(size));
    t.match(edges.apply(edges.split(1)), [{ kind: 'rejected', code: 'not_enough_cash' }]);
    t.match(engine.totals(), { cashMicros: ALL % 10_000, lockedMicros: SETS * 10_000 });
    engine.validate();

    for (const size of SIZES) edges.must(edges.order(size, 9_999));
    engine.validate();
    edges.must(CANCEL_ALL);

    // NO of the first market becomes YES in the others.
    for (const size of SIZES) edges.must(edges.convert([conditionOf(1)], size));
    engine.validate();
    t.match(engine.totals(), { cashMicros: ALL % 10_000, lockedMicros: SETS * 10_000 });
    edges.must({
      kind: 'resolve_event',
      eventId: EVENT,
      conditionId: conditionOf(3),
      redeemAll: false,
    });
    engine.validate();
    const own = { account: ANN, owner: ANN, conditionId: conditionOf(3), key: edges.key() };
    edges.must({ kind: 'redeem', ...own });
    for (let left = ALL; left > 0; left -= BOUNDS.amountMicros) {
      const amountMicros = micros(Math.min(left, BOUNDS.amountMicros));
      edges.must({ kind: 'withdraw', account: ANN, amountMicros, key: edges.key() });
    }
    engine.validate();
    t.match(engine.totals(), { cashMicros: 0, lockedMicros: 0 });
  });
}
