import t from 'tap';
import {
  type EngineEvent,
  type KeyPurpose,
  lots,
  micros,
  type TradingState,
  ticks,
} from '../../../engine/index.ts';
import { Registry } from '../../../http/views/registry.ts';
import type { DurableCommand } from '../../../persistence/index.ts';
import {
  CONDITION,
  CREATED_MS,
  createMarket,
  happened,
  marketCreated,
  NO_TOKEN,
  YES_TOKEN,
} from '../durable-commands.ts';

const OWNER = `0x${'11'.repeat(20)}`;
const WALLET = `0x${'22'.repeat(20)}`;
const KEY = '00000000-0000-4000-8000-000000000001';
const OTHER_KEY = '00000000-0000-4000-8000-000000000002';

function accountOpened(seq: number, address: string): DurableCommand {
  return {
    seq,
    timeMs: CREATED_MS,
    command: {
      kind: 'open_account',
      address,
      owner: OWNER,
      wallet: 'safe',
      paperMicros: micros(0),
    },
    events: [
      { kind: 'account_opened', address, owner: OWNER, wallet: 'safe', paperMicros: micros(0) },
    ],
  };
}

function keyIssued(
  seq: number,
  nonce: string,
  apiKey: string,
  purpose: KeyPurpose = 'trading',
): DurableCommand {
  return {
    seq,
    timeMs: CREATED_MS + seq,
    command: { kind: 'issue_api_key', owner: OWNER, nonce, apiKey, purpose },
    events: [{ kind: 'api_key_issued', owner: OWNER, nonce, apiKey, purpose }],
  };
}

function keyRevoked(seq: number, nonce: string, apiKey: string): DurableCommand {
  return {
    seq,
    timeMs: CREATED_MS + seq,
    command: { kind: 'revoke_api_key', owner: OWNER, apiKey },
    events: [{ kind: 'api_key_revoked', owner: OWNER, nonce, apiKey, purpose: 'trading' }],
  };
}

t.test('an empty registry has no entries', async (t) => {
  const registry = new Registry();
  t.equal(registry.market(CONDITION), undefined);
  t.equal(registry.token(YES_TOKEN), undefined);
  t.same([...registry.markets()], []);
  t.equal(registry.accountOwner(WALLET), undefined);
  t.equal(registry.apiKey(KEY), undefined);
  t.equal(registry.issuedKey(OWNER, '0'), undefined);
  t.same([...registry.keysOf(OWNER, 'trading')], []);
  t.equal(registry.nextNonce(OWNER, 'trading'), '0');
  t.same(registry.accountsOf(OWNER), []);
  t.equal(registry.tradingState, 'open');
  t.equal(registry.standingOf(OWNER), 'good');
});

t.test('a market is found by its condition and by both of its tokens', async (t) => {
  const registry = new Registry();
  registry.consume([marketCreated()]);
  const market = registry.market(CONDITION);
  const { kind: _, ...fields } = createMarket();
  t.same(market, {
    ...fields,
    takerFeeBps: 0,
    makerFeeBps: 0,
    feeExponent: 0,
    delaySeconds: 0,
    takerDelayMs: 0,
    finerTickTicks: 0,
    createdMs: CREATED_MS,
    status: 'open',
    payoutTicks: undefined,
    redeemsAll: false,
  });
  t.same(registry.token(YES_TOKEN), { market, outcome: 0 });
  t.same(registry.token(NO_TOKEN), { market, outcome: 1 });
});

t.test('a market has the terms of its creation', (t) => {
  const registry = new Registry();
  const terms = {
    takerFeeBps: 441,
    makerFeeBps: 1,
    feeExponent: 2,
    delaySeconds: 3,
    takerDelayMs: 250,
    finerTickTicks: ticks(10),
  } as const;
  registry.consume([marketCreated(createMarket(terms))]);
  t.match(registry.market(CONDITION), terms);
  t.end();
});

t.test('a builder has its latest fees, and keeps its place in the list', (t) => {
  const registry = new Registry();
  const rates = { account: WALLET, shareBps: 3000, takerRateBps: 50, makerRateBps: 10 };
  const [first, second] = [
    { builder: `0x${'b1'.repeat(32)}` },
    { builder: `0x${'b2'.repeat(32)}` },
  ];
  const kind = 'builder_changed';
  registry.consume([
    happened(1, 1, [{ kind, ...first, ...rates }]),
    happened(2, 2, [{ kind, ...second, ...rates }]),
    happened(3, 3, [{ kind, ...first, ...rates, shareBps: 0 }]),
  ]);
  t.strictSame(registry.builder(first.builder), { ...first, ...rates, shareBps: 0 });
  t.strictSame(
    [...registry.builders()],
    [
      { ...first, ...rates, shareBps: 0 },
      { ...second, ...rates },
    ],
  );
  t.equal(registry.builder(`0x${'b3'.repeat(32)}`), undefined);
  t.end();
});

t.test('markets are listed in order of creation, over several batches', async (t) => {
  const registry = new Registry();
  const conditions = ['cc', 'aa', 'bb'].map((byte) => `0x${byte.repeat(32)}`);
  conditions.forEach((conditionId, index) => {
    const tokenIds = [`${2 * index}`, `${2 * index + 1}`] as const;
    registry.consume([marketCreated(createMarket({ conditionId, tokenIds }), index + 1)]);
  });
  t.same(
    [...registry.markets()].map((market) => market.conditionId),
    conditions,
  );
});

t.test('an account has the owner that opened it', async (t) => {
  const registry = new Registry();
  registry.consume([accountOpened(1, WALLET), accountOpened(2, OWNER)]);
  t.equal(registry.accountOwner(WALLET), OWNER);
  t.equal(registry.accountOwner(OWNER), OWNER);
  t.same(
    registry.accountsOf(OWNER),
    [WALLET, OWNER].map((address) => ({ address, owner: OWNER, wallet: 'safe' })),
    'in the order in which they were opened',
  );
  t.same(registry.accountsOf(WALLET), []);
});

t.test('keys are found by UUID, by owner, purpose and nonce, and by owner', async (t) => {
  const registry = new Registry();
  const builderKey = '00000000-0000-4000-8000-000000000003';
  registry.consume([
    keyIssued(1, '7', KEY),
    keyIssued(2, '0', OTHER_KEY),
    keyIssued(3, '0', builderKey, 'builder'),
  ]);
  const key = { owner: OWNER, nonce: '7', apiKey: KEY, purpose: 'trading' };
  const entry = { ...key, issuedMs: CREATED_MS + 1, revokedMs: undefined };
  t.same(registry.apiKey(KEY), entry);
  t.same(registry.issuedKey(OWNER, '7'), entry);
  t.equal(registry.issuedKey(OWNER, '0')?.apiKey, OTHER_KEY);
  t.equal(registry.issuedKey(OWNER, '0', 'builder')?.apiKey, builderKey);
  t.equal(registry.issuedKey(OWNER, '7', 'builder'), undefined);
  t.equal(registry.issuedKey(OWNER, '1'), undefined);
  t.equal(registry.issuedKey(WALLET, '7'), undefined);
  const uuids = (purpose: KeyPurpose) =>
    [...registry.keysOf(OWNER, purpose)].map(({ apiKey }) => apiKey);
  t.same(uuids('trading'), [KEY, OTHER_KEY]);
  t.same(uuids('builder'), [builderKey]);
  t.same(uuids('readonly'), []);
});

t.test('a revoked key stays in its place, marked as revoked', async (t) => {
  const registry = new Registry();
  registry.consume([keyIssued(1, '7', KEY), keyIssued(2, '0', OTHER_KEY)]);
  registry.consume([keyRevoked(3, '7', KEY)]);
  t.equal(registry.apiKey(KEY)?.revokedMs, CREATED_MS + 3);
  t.equal(registry.issuedKey(OWNER, '7')?.revokedMs, CREATED_MS + 3);
  t.equal(registry.apiKey(OTHER_KEY)?.revokedMs, undefined);
  t.same(
    [...registry.keysOf(OWNER, 'trading')].map(({ apiKey }) => apiKey),
    [KEY, OTHER_KEY],
  );
});

t.test('the next nonce is the least without a key, revoked or not', async (t) => {
  const registry = new Registry();
  const uuid = (digit: number): string => KEY.slice(0, -1) + digit;
  const rows: readonly (readonly [nonce: string, next: string])[] = [
    ['1', '0'],
    ['3', '0'],
    [String(2n ** 255n), '0'],
    ['0', '2'],
    ['2', '4'],
  ];
  for (const [index, [nonce, next]] of rows.entries()) {
    registry.consume([keyIssued(2 * index + 1, nonce, uuid(index))]);
    registry.consume([keyRevoked(2 * index + 2, nonce, uuid(index))]);
    t.equal(registry.nextNonce(OWNER, 'trading'), next, `after ${nonce}`);
  }
  t.equal(registry.nextNonce(OWNER, 'readonly'), '0', 'purposes are counted apart');
});

t.test('a command that changed nothing leaves no entry', async (t) => {
  const registry = new Registry();
  const refused = [
    { ...marketCreated(), events: [{ kind: 'rejected', code: 'market_malformed' }] },
    { ...accountOpened(2, WALLET), events: [{ kind: 'rejected', code: 'address_malformed' }] },
    { ...keyIssued(3, '0', KEY), events: [{ kind: 'rejected', code: 'too_many_api_keys' }] },
  ] as const;
  registry.consume(refused);
  t.same([...registry.markets()], []);
  t.equal(registry.accountOwner(WALLET), undefined);
  t.equal(registry.apiKey(KEY), undefined);
});

t.test('the registry ignores events of orders', async (t) => {
  const registry = new Registry();
  registry.consume([marketCreated()]);
  registry.consume([
    {
      seq: 2,
      timeMs: CREATED_MS,
      command: { kind: 'advance_time' },
      events: [{ kind: 'cash_moved', account: WALLET, amountMicros: micros(1), key: 'k' }],
    },
  ]);
  t.equal([...registry.markets()].length, 1);
  t.equal(registry.accountOwner(WALLET), undefined);
});

t.test('a market has the terms of its last change, found by any of its ids', async (t) => {
  const registry = new Registry();
  registry.consume([marketCreated()]);
  const before = registry.market(CONDITION);
  const changed = {
    tickTicks: ticks(10),
    minimumLots: lots(1),
    minimumBudgetMicros: micros(5),
    selfTrade: 'cancel_both',
    takerFeeBps: 500,
    makerFeeBps: 1,
    feeExponent: 1,
    delaySeconds: 3,
    takerDelayMs: 250,
    finerTickTicks: ticks(1),
  } as const;
  registry.consume([
    happened(2, 2, [{ kind: 'market_changed', conditionId: CONDITION, ...changed }]),
  ]);
  const after = { ...before, ...changed };
  t.strictSame(registry.market(CONDITION), after);
  t.strictSame(registry.token(YES_TOKEN), { market: after, outcome: 0 });
  t.strictSame(registry.token(NO_TOKEN), { market: after, outcome: 1 });
  t.strictSame([...registry.markets()], [after]);
  t.equal(before?.tickTicks, 100, 'an entry never changes');
});

const OTHER = `0x${'cd'.repeat(32)}`;
const BOTH = [
  marketCreated(),
  marketCreated(createMarket({ conditionId: OTHER, tokenIds: ['1', '2'] }), 2),
];
type Told = readonly [
  exchange: string,
  market: string,
  accepts: boolean,
  halted: readonly string[],
];
const STATES: readonly (readonly [conditionId: string, state: string, told: Told])[] = [
  ['', 'cancel_only', ['cancel_only', 'open', false, []]],
  [CONDITION, 'halted', ['cancel_only', 'halted', false, [CONDITION]]],
  ['', 'open', ['open', 'halted', false, [CONDITION]]],
  [OTHER, 'halted', ['open', 'halted', false, [CONDITION, OTHER]]],
  [CONDITION, 'cancel_only', ['open', 'cancel_only', false, [OTHER]]],
  [CONDITION, 'open', ['open', 'open', true, [OTHER]]],
  ['', 'halted', ['halted', 'open', false, [OTHER]]],
  ['', 'open', ['open', 'open', true, [OTHER]]],
  [OTHER, 'closed', ['open', 'open', true, []]],
  [CONDITION, 'closed', ['open', 'closed', false, []]],
  [CONDITION, 'resolved', ['open', 'resolved', false, []]],
];
t.test('trading is allowed as the operator set it last', async (t) => {
  const registry = new Registry();
  registry.consume(BOTH);
  for (const [index, [conditionId, state, told]] of STATES.entries()) {
    const events: Readonly<Record<string, EngineEvent>> = {
      closed: { kind: 'market_closed', conditionId },
      resolved: { kind: 'market_resolved', conditionId, payoutTicks: ticks(3_000) },
    };
    // Safe: the table has no other.
    const trading = { conditionId, state: state as TradingState };
    const event = events[state] ?? { kind: 'trading_state_changed', ...trading };
    registry.consume([happened(index + 3, index, [event])]);
    const market = registry.market(CONDITION);
    if (market === undefined) throw new Error('it was created');
    const accepts = registry.acceptsOrders(market);
    const halted = [...registry.haltedMarkets];
    t.strictSame([registry.tradingState, market.status, accepts, halted], told, `${index}`);
    t.equal(market.payoutTicks, state === 'resolved' ? 3_000 : undefined);
  }
});

t.test('an owner has its latest standing, also before its first account', async (t) => {
  const registry = new Registry();
  const standings = ['banned', 'closed_only', 'good', 'banned'] as const;
  for (const [index, standing] of standings.entries()) {
    registry.consume([
      happened(index + 1, index, [{ kind: 'standing_changed', owner: OWNER, standing }]),
    ]);
    t.equal(registry.standingOf(OWNER), standing);
    t.equal(registry.standingOf(WALLET), 'good', 'of that owner alone');
  }
});

t.test('an opened event has the markets that it was opened with', async (t) => {
  const registry = new Registry();
  registry.consume(BOTH);
  t.strictSame(registry.marketsOfEvent('1'), []);
  const conditionIds = [CONDITION, OTHER];
  const opened = { kind: 'event_opened', eventId: '1', conditionIds, noneConditionId: '' } as const;
  registry.consume([happened(3, 3, [opened])]);
  t.strictSame(registry.marketsOfEvent('1'), conditionIds);
  t.strictSame(registry.marketsOfEvent('2'), []);
});
