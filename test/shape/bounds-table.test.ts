/**
 * docs/bounds.md names every bound of the engine, and each of its rows has a test that fills it:
 * FILLED points to it. The memory that a row tells is measured here where it is on the heap.
 */
import { readFileSync } from 'node:fs';
import t from 'tap';
import {
  BOUNDS,
  type Bounds,
  type Command,
  Engine,
  type EngineEvent,
  lots,
  micros,
  type PlaceOrder,
  ticks,
} from '../../engine/index.ts';
import { CounterTable } from '../../http/admission/counter-table.ts';
import { RecentUse } from '../../http/admission/recent-use.ts';
import { HTTP_BOUNDS, OVERLOAD_BOUNDS } from '../../http/bounds/sizes.ts';
import { reachableBytes } from '../heap.ts';

interface Row {
  readonly resource: string;
  readonly memory: string;
  /** The text of the files in its last column. */
  readonly tests: string;
}

function textOf(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}

const TABLE = textOf('docs/bounds.md');

const ROWS: readonly Row[] = TABLE.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| resource'))
  .map((line) => {
    const [, resource = '', , memory = '', , , tests = ''] = line.split('|').map((c) => c.trim());
    const names = [...tests.matchAll(/`([\w/-]+\.test\.ts)`/g)].map(([, name = '']) => name);
    return { resource, memory, tests: names.map((name) => textOf(`test/${name}`)).join('') };
  });

/**
 * The tests that fill a row, by the row's name: names, or their beginnings. Each fills the row, and
 * sees the refusal with its limit, or what leaves instead where nothing is refused.
 */
const FILLED: Readonly<Record<string, readonly string[]>> = {
  accounts: ['accounts: holders leave the last ones to the operator'],
  'accounts of an owner': ['accounts: an owner has a bound of its own'],
  'fresh signatures': [
    'each row of the default table admits exactly its capacity',
    'fresh wallets behind one address share a limit on new keys for a day',
  ],
  'API keys': ['every reject code occurs in a staircase'],
  'play money': ['play money: holders leave the last deposits to the operator'],
  'the faucet of the sandbox': [
    'it fills an account up to its bound',
    'all play money together is bounded',
  ],
  'the relayer of the sandbox': ['nonces never come back, and old transactions are forgotten'],
  deposits: ['deposits: what was withdrawn does not count', 'play money: holders leave the last'],
  'live orders of an account, of an owner': ['live orders: an owner has a bound over all'],
  'live orders in all': ['live orders: busy owners leave the last ones to quiet owners'],
  'delayed orders of an owner': ['one owner has a bound of delayed orders over all accounts'],
  'delayed orders of a market': ['delayed orders: markets and quiet owners are not blocked'],
  'idempotency keys': ['a key moves money once, however many keys came after it'],
  'closed orders in memory': ['an accepted order id stays known'],
  positions: ['hundreds of owners trade in hundreds of markets'],
  'orders of the crowd, in a sandbox': ['its live orders are bounded'],
  'armed switches': ['both paths share one switch'],
  'a long cancel or trip': ['a cancel of many orders is done in steps'],
  'orders that expire or are released together': ['what is due is worked off in steps'],
  'a closing, a resolution, a pause, a ban': ['between two steps the command is part of'],
  'a large order': ['the answer to an order has all its steps'],
  'journal and projections': ['each row of the default table admits exactly its capacity'],
  connections: ['idle connections leave descriptors for the journal and for the operator'],
  'unfinished bodies': ['pieces of a body count with the memory that each needs'],
  'spans of traces, with `--trace-endpoint`': ['a trace without room is dropped whole'],
  'unread replies': ['of many clients that do not read, the slowest is disconnected'],
  'requests in work': [
    'a full queue refuses only its own owner',
    'requests other than probes are refused while too many are pending',
  ],
  'waiting orders': ['one owner may fill a quarter of the queue, one network half of it'],
  'recent use of owners and networks': ['a window that is full ends early'],
  'commands that wait for the disk': ['too many waiting commands are refused'],
  'reads that wait': ['questions beyond the limit are refused'],
  'a read of the explorer': [
    'a page looks at a bounded number of commands',
    'a command shows its first effects and counts all',
    'a history with too many changes is refused',
  ],
  'counters of rates': ['a million addresses do not take more than the fixed number of counters'],
  sockets: ['sockets are bounded for each address and in all'],
  subscriptions: ['subscriptions of a socket are bounded', 'bytes of subscriptions are bounded: '],
  'an owner who listens': ['steps during a long time without clients are counted'],
  'bytes that wait for subscribers': ['at a hard limit, a client is cut and has no gap'],
  'messages kept for resumes': ['all rings together drop the oldest messages of any ring'],
  'faults of the sandbox': ['there is room for a bounded number of faults'],
  "backups that the operator's API makes": ['the number of backups is bounded'],
  'checkpoints of the sandbox': ['what is malformed, unknown, out of bounds'],
  comments: [
    'each row of the default table admits exactly its capacity',
    'user texts are normalised, validated and bounded',
  ],
  'reactions, reports, profiles': ['each row of the default table admits exactly its capacity'],
  'waiting writes': ['writes beyond the bound are refused, the others answered'],
};

/** Rows that keep nothing of their own in memory. */
const KEEPS_NOTHING = /^(none|as above|those of|counters of rates|the events of a step)/;

/** Why the memory of a row is not measured here. */
const NOT_MEASURED: Readonly<Record<string, string>> = {
  connections: 'buffers of the kernel and of libuv',
  'unfinished bodies': 'its test counts the bytes that the bound counts',
  'spans of traces, with `--trace-endpoint`': 'counted in spans of bounded size',
  'unread replies': 'its test counts the bytes that the bound counts',
  'requests in work': 'bodies, each bounded',
  'waiting orders': 'an order waits in several queues and in a thread',
  'commands that wait for the disk': 'with their events, of any number up to a bound',
  'reads that wait': 'they wait in messages to a thread',
  'a read of the explorer': 'an answer, bounded in rows',
  sockets: 'buffers of the kernel and of the WebSocket library',
  subscriptions: 'its tests compare what the bound counts with the heap',
  'an owner who listens': 'texts of messages, of any form',
  'bytes that wait for subscribers': 'its test counts the bytes that the bound counts',
  'messages kept for resumes': 'its tests count the bytes that the bound counts',
  'faults of the sandbox': 'made by the operator alone',
  'the relayer of the sandbox': 'texts of bounded lengths that clients choose',
  'waiting writes': 'bodies, each bounded',
};

const COUNT = 16_000;
const MANY = 10_000_000;

function hex(number: number, digits: number): string {
  return `0x${number.toString(16).padStart(digits, '1')}`;
}
function addressOf(number: number): string {
  return hex(MANY + number, 40);
}
function uuidOf(number: number): string {
  return `${hex(MANY + number, 8).slice(2)}-0000-4000-8000-000000000000`;
}
function tokenOf(market: number, outcome: 0 | 1): string {
  return String(MANY + 2 * market + outcome).padStart(77, '1');
}

/** An engine with room for one order, so that everything in it grows. */
class World {
  readonly engine: Engine;
  #seq = 0;
  #orders = 0;

  constructor(bounds: Partial<Bounds> = {}) {
    this.engine = new Engine(bounds, { reserveOrders: 1 });
  }

  apply(command: Command): readonly EngineEvent[] {
    this.#seq += 1;
    const events = this.engine.apply(this.#seq, 0, this.engine.inputOf(command));
    if (events[0]?.kind === 'rejected') throw new Error(JSON.stringify(events[0]));
    return events;
  }

  open(number: number): void {
    const address = addressOf(number);
    const funds = { paperMicros: micros(100_000_000), byOperator: true } as const;
    this.apply({ kind: 'open_account', address, owner: address, wallet: 'eoa', ...funds });
  }

  market(number: number, delaySeconds = 0): void {
    this.apply({
      kind: 'create_market',
      conditionId: hex(MANY + number, 64),
      tokenIds: [tokenOf(number, 0), tokenOf(number, 1)],
      tickTicks: ticks(100),
      minimumLots: lots(1),
      minimumBudgetMicros: micros(1),
      negRisk: false,
      eventId: '',
      selfTrade: 'cancel_maker',
      delaySeconds,
    });
  }

  /** A BUY of one lot YES at 0.50. */
  buy(account: number, changes: Partial<PlaceOrder> = {}): readonly EngineEvent[] {
    this.#orders += 1;
    return this.apply({
      kind: 'place_order',
      orderId: hex(MANY + this.#orders, 64),
      account: addressOf(account),
      owner: addressOf(account),
      tokenId: tokenOf(0, 0),
      side: 'BUY',
      type: 'GTC',
      postOnly: false,
      priceTicks: ticks(5_000),
      lots: lots(1),
      budgetMicros: micros(0),
      expiresAtMs: 0,
      minimumLeadMs: 1,
      earlyEndMs: 0,
      idCheckedSeq: Number.MAX_SAFE_INTEGER,
      apiKey: '',
      ...changes,
    });
  }

  buyAndCancel(account: number, market: number): void {
    this.buy(account, { tokenId: tokenOf(market, 0) });
    const all = { conditionId: '', tokenId: '', step: { most: 1 } } as const;
    this.apply({ kind: 'cancel_all', owner: addressOf(account), ...all });
  }
}

const OWNERS = 100;

interface Start {
  readonly markets?: number;
  readonly owners?: number;
  readonly delaySeconds?: number;
  readonly bounds?: Partial<Bounds>;
}

function newWorld({
  markets = 1,
  owners = OWNERS,
  delaySeconds = 0,
  bounds = {},
}: Start = {}): World {
  const world = new World(bounds);
  for (let number = 0; number < owners; number += 1) world.open(number);
  for (let number = 0; number < markets; number += 1) world.market(number, delaySeconds);
  return world;
}

interface Filling {
  /** Adds the next item, from 0 on. */
  readonly add: (number: number) => unknown;
  /** How many are added. */
  readonly count?: number;
  /** How many a figure of all is for. */
  readonly of?: number;
}
type Measured = () => Filling;

function restingOrders(): Filling {
  const world = newWorld();
  return { add: (number) => world.buy(number % OWNERS), of: BOUNDS.liveOrders };
}

function delayedOrders(): Filling {
  const world = newWorld({ delaySeconds: 60 });
  const [count, of] = [BOUNDS.busyDelayedOrdersPerMarket, BOUNDS.delayedOrdersPerMarket];
  world.buy(OWNERS - 1, { tokenId: tokenOf(0, 1), lots: lots(count) });
  return { add: (number) => world.buy(number % (OWNERS - 1)), count, of };
}

/** One that meets as many resting orders as an order may: the events until it is answered. */
function largeOrder(): Filling {
  const world = newWorld();
  const count = BOUNDS.fillsPerCommand;
  for (let maker = 0; maker < count; maker += 1) {
    world.buy(1 + (maker % (OWNERS - 1)), { tokenId: tokenOf(0, 1) });
  }
  const kept: (readonly EngineEvent[])[] = [];
  const add = (number: number): void => {
    if (number === 0) kept.push(world.buy(0, { lots: lots(count) }));
    else if (world.engine.isUnfinished) kept.push(world.apply({ kind: 'advance_time' }));
  };
  return { add, count, of: count };
}

const MEASURED: Readonly<Record<string, Measured>> = {
  accounts: () => {
    const world = new World();
    return { add: (number) => world.open(number) };
  },
  'API keys': () => {
    const world = newWorld();
    const key = { kind: 'issue_api_key', purpose: 'trading' } as const;
    const add = (number: number) =>
      world.apply({
        ...{ ...key, owner: addressOf(number % OWNERS) },
        ...{ nonce: String(number), apiKey: uuidOf(number) },
      });
    return { add, count: OWNERS * BOUNDS.keysPerOwner };
  },
  'live orders of an account, of an owner': restingOrders,
  'live orders in all': restingOrders,
  'delayed orders of an owner': delayedOrders,
  'delayed orders of a market': delayedOrders,
  'idempotency keys': () => {
    const world = newWorld();
    const deposit = { kind: 'deposit', account: addressOf(0), amountMicros: micros(1) } as const;
    return { add: (number) => world.apply({ ...deposit, key: uuidOf(number) }) };
  },
  'closed orders in memory': () => {
    const world = newWorld();
    return { add: () => world.buyAndCancel(0, 0) };
  },
  positions: () => {
    const [owners, markets] = [COUNT / 10, 10];
    const world = newWorld({ markets, owners, bounds: { recentOrders: 1 } });
    const add = (number: number): void =>
      world.buyAndCancel(number % owners, Math.floor(number / owners));
    return { add };
  },
  'armed switches': () => {
    const world = new World();
    for (let number = 0; number < COUNT; number += 1) world.open(number);
    const add = (number: number) =>
      world.apply({ kind: 'arm_switch', owner: addressOf(number), heartbeatId: uuidOf(number) });
    return { add };
  },
  'a large order': largeOrder,
  'recent use of owners and networks': () => {
    const use = new RecentUse(OVERLOAD_BOUNDS, () => 0);
    const add = (number: number): void => {
      const address = `2001:db8:${number.toString(16)}::1`;
      if (number % 2 === 0) use.charge({ address, owner: addressOf(number) }, 1);
    };
    return { add };
  },
  'counters of rates': () => {
    const { limitCounters: size, sharedLimitCounters: shared } = HTTP_BOUNDS;
    let table: CounterTable | undefined;
    const add = (number: number): void => {
      table ??= new CounterTable(60_000, { size, shared });
      const subject = addressOf(number);
      table.charge(table.locate(subject, 0), subject, 1);
    };
    return { add, count: size };
  },
};

interface Filled {
  /** Bytes of one item. */
  readonly each: number;
  readonly of: number;
}

/** Everything that was filled: were it freed, later figures would be too small. */
const kept: Filling['add'][] = [];

async function measure(measured: Measured): Promise<Filled> {
  const { add, count = COUNT, of = 1 } = measured();
  const before = await reachableBytes();
  for (let number = 0; number < count; number += 1) add(number);
  const each = ((await reachableBytes()) - before) / count;
  kept.push(add);
  return { each, of };
}

const UNITS: Readonly<Record<string, number>> = { bytes: 1, KB: 1_000, MB: 1e6, GB: 1e9 };

/** The bytes of one item, as the column has them: `0.5 KB each`, or `5 MB` of all. */
function bytesEach(memory: string, of: number): number {
  const [, figure = '', unit = '', each] = /([\d.]+) (bytes|KB|MB|GB)( each)?/.exec(memory) ?? [];
  return (Number(figure) * (UNITS[unit] ?? Number.NaN)) / (each === undefined ? of : 1);
}

/** How many times the table's figure may be measured: arrays double their room as they grow. */
const TOLERANCE = 1.5;

t.test('the table names every bound of the engine', async (t) => {
  const missing = Object.keys(BOUNDS).filter((name) => !TABLE.includes(`\`${name}\``));
  t.strictSame(missing, [], 'add a row: who pays, how it empties, what is left for others');
});

t.test('each row of the table is filled by a test that it names', async (t) => {
  t.strictSame(
    Object.keys(FILLED),
    ROWS.map(({ resource }) => resource),
  );
  for (const { resource, tests } of ROWS) {
    const names = FILLED[resource] ?? [];
    t.ok(names.length > 0, resource);
    t.strictSame(
      names.filter((name) => !tests.includes(name)),
      [],
      `${resource}: names of tests`,
    );
  }
});

t.test('each row keeps about the memory that it tells, or less', async (t) => {
  for (const { resource, memory } of ROWS.filter((row) => !KEEPS_NOTHING.test(row.memory))) {
    const measured = MEASURED[resource];
    t.not(measured === undefined, NOT_MEASURED[resource] === undefined, `one: ${resource}`);
    t.match(memory, /[a-z]|\d [KMG]B/, resource);
    if (measured === undefined) continue;
    const { each, of } = await measure(measured);
    const most = TOLERANCE * bytesEach(memory, of);
    t.ok(each <= most, `${resource}: ${Math.round(each)} bytes each, at most ${most}`);
  }
});
