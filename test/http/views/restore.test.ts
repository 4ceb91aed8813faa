// Compares views loaded from a snapshot with views that took every command, in everything that can
// be read from them.
import t from 'tap';
import type { Bounds, KeyPurpose } from '../../../engine/index.ts';
import { OrderKeys } from '../../../http/streams/user/order-keys.ts';
import { BookViews } from '../../../http/views/books.ts';
import type { Levels } from '../../../http/views/level-side.ts';
import { Registry } from '../../../http/views/registry.ts';
import type { DurableCommand, RestoredState } from '../../../persistence/index.ts';
import { times } from '../../long-set.ts';
import { restoredOracle } from '../../persistence/shared/restored-oracle.ts';
import { shortLife } from '../../persistence/short-life.ts';
import { randomStream, smallBounds } from '../../persistence/store-fixture.ts';

class Views {
  readonly registry = new Registry();
  readonly books = new BookViews();
  readonly keys = new OrderKeys(this.registry);

  restore(state: RestoredState): void {
    this.registry.restore(state);
    this.books.restore(state);
    this.keys.restore(state.orderKeys);
  }

  consume(commands: readonly DurableCommand[]): void {
    this.registry.consume(commands);
    this.books.consume(commands);
    this.keys.addAll(commands);
    this.keys.dropClosed(commands);
  }
}

/** All ids and addresses that commands name, and some that they do not. */
interface Names {
  readonly conditionIds: ReadonlySet<string>;
  readonly tokenIds: ReadonlySet<string>;
  readonly owners: ReadonlySet<string>;
  readonly apiKeys: ReadonlySet<string>;
  readonly nonces: ReadonlySet<string>;
  readonly eventIds: ReadonlySet<string>;
  readonly builders: ReadonlySet<string>;
  readonly orderIds: ReadonlySet<string>;
}

const PURPOSES: readonly KeyPurpose[] = ['trading', 'readonly', 'builder'];

/** The values of all fields of a command that have one of these names. */
function valuesOf(commands: readonly DurableCommand[], ...fields: readonly string[]): Set<string> {
  return new Set([
    'nobody',
    ...commands.flatMap(({ command, events }) =>
      [command, ...events].flatMap((record) =>
        Object.entries(record)
          .filter(([field]) => fields.includes(field))
          .flatMap(([, value]) => (Array.isArray(value) ? value : [value]).map(String)),
      ),
    ),
  ]);
}

function namesOf(commands: readonly DurableCommand[]): Names {
  return {
    conditionIds: valuesOf(commands, 'conditionId', 'conditionIds'),
    tokenIds: valuesOf(commands, 'tokenId', 'tokenIds'),
    owners: valuesOf(commands, 'owner', 'account', 'address'),
    apiKeys: valuesOf(commands, 'apiKey'),
    nonces: valuesOf(commands, 'nonce'),
    eventIds: valuesOf(commands, 'eventId'),
    builders: valuesOf(commands, 'builder'),
    orderIds: valuesOf(commands, 'orderId', 'orderIds'),
  };
}

function tableOf<Value>(names: ReadonlySet<string>, read: (name: string) => Value) {
  return Object.fromEntries([...names].map((name) => [name, read(name)]));
}

function shownOfRegistry({ registry }: Views, names: Names): object {
  const { conditionIds, tokenIds, owners, apiKeys, nonces, eventIds, builders } = names;
  const ofPurposes = (read: (purpose: KeyPurpose) => unknown): unknown[] => PURPOSES.map(read);
  return {
    counts: registry.counts,
    tradingState: registry.tradingState,
    markets: [...registry.markets()],
    halted: new Set(registry.haltedMarkets),
    builders: [...registry.builders()],
    accepting: [...registry.markets()].map((market) => registry.acceptsOrders(market)),
    market: tableOf(conditionIds, (name) => registry.market(name)),
    token: tableOf(tokenIds, (name) => registry.token(name)),
    marketsOfEvent: tableOf(eventIds, (name) => registry.marketsOfEvent(name)),
    builder: tableOf(builders, (name) => registry.builder(name)),
    standing: tableOf(owners, (name) => registry.standingOf(name)),
    accountOwner: tableOf(owners, (name) => registry.accountOwner(name)),
    accounts: tableOf(owners, (name) => registry.accountsOf(name)),
    apiKey: tableOf(apiKeys, (name) => registry.apiKey(name)),
    keys: tableOf(owners, (name) => ofPurposes((purpose) => [...registry.keysOf(name, purpose)])),
    next: tableOf(owners, (name) => ofPurposes((purpose) => registry.nextNonce(name, purpose))),
    issued: tableOf(owners, (name) =>
      tableOf(nonces, (nonce) => ofPurposes((purpose) => registry.issuedKey(name, nonce, purpose))),
    ),
  };
}

function sizesOf(levels: Levels): ReadonlyMap<number, number> {
  const sizes = new Map<number, number>();
  levels.forEach((price, { lots }) => {
    sizes.set(price, lots);
  });
  return sizes;
}

function shownOfToken(books: BookViews, tokenId: string): object | undefined {
  const token = books.token(tokenId);
  if (token === undefined) return undefined;
  const { outcome, bidTicks, askTicks, spreadTicks, lastTradeTicks, lastTradeSide } = token;
  const { midpoint, value, hash, levelCount, book } = token;
  return {
    ...{ tokenId: token.tokenId, outcome, bidTicks, askTicks, spreadTicks, lastTradeTicks },
    ...{ lastTradeSide, midpoint, value, hash, levelCount, bytes: token.bytes.toString() },
    market: book.market,
    lastTrade: book.lastTrade,
    changedMs: book.changedMs,
    bids: sizesOf(book.bids.levels),
    asks: sizesOf(book.asks.levels),
  };
}

function shownBy(views: Views, names: Names): object {
  return {
    registry: shownOfRegistry(views, names),
    books: tableOf(names.tokenIds, (name) => shownOfToken(views.books, name)),
    keys: tableOf(names.orderIds, (name) => views.keys.keyOf(name)),
  };
}

const COMMANDS = times(3_000, 6_000);

interface Life {
  readonly name: string;
  readonly durable: readonly DurableCommand[];
  readonly bounds: Partial<Bounds>;
}

/** Random orders come without keys: here each comes with one of a few. */
function withKeys(durable: readonly DurableCommand[]): DurableCommand[] {
  return durable.map((durable) => {
    const { command } = durable;
    if (command.kind !== 'place_order') return durable;
    return { ...durable, command: { ...command, apiKey: `key ${command.orderId.at(-1)}` } };
  });
}

/** Histories with the usual bounds, and with small ones that are often reached. */
const LIVES: readonly Life[] = [
  { name: 'a short life', durable: shortLife(), bounds: {} },
  ...[3, 4, 8, 15].slice(0, times(2, 4)).map((seed) => {
    const bounds = seed === 3 ? {} : smallBounds(seed);
    const { durable } = randomStream(seed, COMMANDS, bounds);
    return { name: `life ${seed}`, durable: withKeys(durable), bounds };
  }),
];

/** Where to cut: everywhere in a short history; in a long one, early and at some later points. */
function cutsOf(count: number): readonly number[] {
  return count < 40
    ? Array.from({ length: count + 1 }, (_, cut) => cut)
    : [0, 1, 2, 40, ...[0.2, 0.5, 0.8, 0.95, 1].map((part) => Math.floor(part * count))];
}

function takeAll(views: Views, commands: readonly DurableCommand[], step: number): void {
  for (let from = 0; from < commands.length; from += step) {
    views.consume(commands.slice(from, from + step));
  }
}

for (const { name, durable, bounds } of LIVES) {
  t.test(`views loaded from a snapshot equal views fed from the first command: ${name}`, (t) => {
    const names = namesOf(durable);
    const count = durable.length;
    const fed = new Views();
    let fedTo = 0;
    for (const cut of cutsOf(count)) {
      takeAll(fed, durable.slice(fedTo, cut), 7);
      fedTo = cut;
      const views = new Views();
      views.restore(restoredOracle(durable.slice(0, cut), bounds));
      t.strictSame(shownBy(views, names), shownBy(fed, names), `at ${cut} of ${count}`);
      // The reads above have left caches behind.
      takeAll(views, durable.slice(cut), 11);
      const whole = new Views();
      takeAll(whole, durable, 64);
      t.strictSame(shownBy(views, names), shownBy(whole, names), `${cut}, and then the rest`);
    }
    t.end();
  });
}

t.test('a view that has taken a command accepts no snapshot', (t) => {
  const { durable } = randomStream(3, 100);
  const state = restoredOracle(durable);
  const views = new Views();
  views.consume(durable);
  t.throws(() => views.registry.restore(state), { code: 'ERR_ASSERTION' });
  t.throws(() => views.books.restore(state), { code: 'ERR_ASSERTION' });
  t.end();
});
