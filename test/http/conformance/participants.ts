// A running exchange, with existing values for requests and a trader and an operator to send them.
import type { Test } from 'tap';
import { DEV_KEYS } from '../../../cli/options/dev-keys.ts';
import type { Auth } from '../../../http/api/request.ts';
import { signL2 } from '../../../http/signing/l2.ts';
import { FAULT_BOUNDS } from '../../../sandbox/faults/bounds.ts';
import { definitionIn } from '../../../sandbox/faults/definition.ts';
import { sandboxServices } from '../../sandbox/sandbox-services.ts';
import {
  START_MS,
  startTestExchange,
  type TestExchange,
  type Trader,
} from '../exchange-fixture.ts';
import { KeepAliveClient, type PlainAnswer } from '../keep-alive-client.ts';
import type { Pool } from './from-schema.ts';
import type { BodyWish, CredentialsWish, RequestWish } from './requests.ts';

type Headers = Record<string, string>;

interface Signed {
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  readonly body: Uint8Array;
}

const OPERATOR_TOKEN = 'open-sesame-open';
/** Matches an answer that says that a key is revoked. */
const REVOKED = /"code":"[a-z_]*revoked"|"revoked":true/;

const MADE_CHECKPOINTS = 10;

export class Participants {
  readonly exchange: TestExchange;
  readonly pool: Pool;
  readonly #trader: Trader;
  readonly #clients: Readonly<Record<'public' | 'operator', KeepAliveClient>>;
  #nonce = 0;
  #isRevoked = false;
  #hash: string;

  constructor(exchange: TestExchange, trader: Trader, pool: Pool) {
    const { url, adminPort } = exchange.running;
    this.exchange = exchange;
    this.pool = pool;
    this.#trader = trader;
    this.#hash = exchange.stateHash();
    this.#clients = {
      public: new KeepAliveClient(url),
      operator: new KeepAliveClient(`http://127.0.0.1:${adminPort}`),
    };
  }

  /** Replaces credentials that an earlier request revoked. Returns the hash of the state. */
  async prepare(): Promise<string> {
    if (this.#isRevoked) {
      this.#isRevoked = false;
      this.#nonce += 1;
      await this.#trader.login(String(this.#nonce));
      this.readHash();
    }
    await this.#payAll();
    return this.#hash;
  }

  /** Makes all payments that are due after resolutions, so that none changes the state later. */
  async #payAll(): Promise<void> {
    const { exchange } = this.exchange.running.services;
    for (let isDue = true; isDue; ) {
      const { events } = await exchange.submit({ kind: 'advance_time' });
      isDue = events.length > 0;
      if (isDue) this.readHash();
    }
  }

  /** Adds faults of the sandbox that match no request, so that there are some to remove. */
  addFaults(): void {
    const { faults, registry } = sandboxServices(this.exchange.running);
    const fault = { kind: 'slow_answer', match: { path: '/nowhere' } };
    while (faults.faults.length < FAULT_BOUNDS.faults) faults.add(definitionIn(fault, registry));
  }

  /** Makes checkpoints of the state as it is, so that there are some to restore and to remove. */
  async addCheckpoints(): Promise<void> {
    const { checkpoints } = sandboxServices(this.exchange.running);
    for (const { id } of checkpoints.list()) checkpoints.remove(id);
    for (let made = 0; made < MADE_CHECKPOINTS; made += 1) await checkpoints.save('');
  }

  /** Hashes the state. `prepare` returns this hash, since nothing changes without a request. */
  readHash(): string {
    this.#hash = this.exchange.stateHash();
    return this.#hash;
  }

  async send(method: string, auth: Auth, wish: RequestWish): Promise<PlainAnswer> {
    const client = this.#clients[auth === 'operator' ? 'operator' : 'public'];
    const body = this.#bodyOf(wish.body);
    const [path = ''] = wish.path.split('?');
    const signed = { method, path, body: Buffer.from(body ?? '') };
    const headers = altered(this.#headers(auth, signed), wish.credentials);
    const answer = await client.send({ method, path: wish.path, headers, body });
    // A read that succeeds revokes nothing, although the document mentions revoked keys.
    const mayTell = method !== 'GET' || answer.status >= 400;
    if (mayTell && wish.credentials.kind === 'good') this.#isRevoked ||= REVOKED.test(answer.text);
    return answer;
  }

  close(): void {
    for (const client of Object.values(this.#clients)) client.close();
  }

  #bodyOf(wish: BodyWish): string | Buffer | undefined {
    if (wish.kind === 'none') return undefined;
    if (wish.kind === 'text') return wish.text;
    const payloads = wish.orders.map((order) => this.#trader.order(order));
    return JSON.stringify(wish.isBatch ? payloads : payloads[0]);
  }

  #headers(auth: Auth, signed: Signed): Headers {
    switch (auth) {
      case 'none':
      case 'may_l2':
      case 'may_builder':
        return {};
      case 'l1':
        return this.#trader.walletHeaders({ nonce: String(this.#nonce) });
      case 'l2':
      case 'l2_of_builder':
      case 'builder':
        return this.#keyHeaders(signed);
      case 'operator':
        return { authorization: `Bearer ${OPERATOR_TOKEN}` };
    }
  }

  /** Signs the bytes of the body, which need not be text. */
  #keyHeaders({ method, path, body }: Signed): Headers {
    const trader = this.#trader;
    const headers = trader.keyHeaders(method, path);
    const timestamp = headers[`${trader.prefix}_TIMESTAMP`] ?? '';
    const signature = signL2(trader.credentials.secret, { timestamp, method, path }, body);
    return { ...headers, [`${trader.prefix}_SIGNATURE`]: signature };
  }
}

/** The headers with one of them changed or taken away. */
function altered(headers: Headers, { kind, header, text }: CredentialsWish): Headers {
  if (kind === 'good') return headers;
  if (kind === 'none') return {};
  const names = Object.keys(headers);
  const name = names[header % Math.max(names.length, 1)];
  if (name === undefined) return headers;
  const { [name]: _, ...others } = headers;
  return text === undefined ? others : { ...others, [name]: text };
}

/** Existing values by name, from the last pattern that matches the name. */
function poolOf(kinds: readonly (readonly [RegExp, readonly string[]])[]): Pool {
  const known = new Map<string, readonly string[]>();
  return (name) => {
    const values = known.get(name) ?? kinds.findLast(([pattern]) => pattern.test(name))?.[1] ?? [];
    known.set(name, values);
    return values;
  };
}

/** Enough keys that every route that moves money finds an unused one. */
const MONEY_KEYS = Array.from({ length: 200 }, (_, index) => `key-${index}`);
/** Values that make a request succeed, several times each. */
function often(...values: readonly string[]): readonly string[] {
  return Array.from({ length: 8 }, () => values).flat();
}

const UNKNOWN_HASH = `0x${'5e'.repeat(32)}`;
const UNKNOWN_ADDRESS = `0x${'5e'.repeat(20)}`;

function marketsOf({ running }: TestExchange, event: string): readonly string[] {
  return [...running.services.registry.markets()]
    .filter(({ eventId }) => eventId === event)
    .map(({ conditionId }) => conditionId);
}

/** An event of the built-in catalog with several plain markets. */
const RESOLVED_EVENT = '15';

/** Gives traders sets to convert and redeem; returns the condition ids of resolved markets. */
async function openSets(
  exchange: TestExchange,
  traders: readonly Trader[],
): Promise<readonly string[]> {
  const { negRisk, operator } = exchange;
  const resolved = marketsOf(exchange, RESOLVED_EVENT);
  for (const market of [...resolved, ...marketsOf(exchange, negRisk.eventId)]) {
    const body = { market, amount: '500', key: market };
    for (const trader of traders) await trader.signed('POST', '/sets/split', body);
  }
  await operator('POST', `/events/${negRisk.eventId}/open`, {});
  for (const market of resolved) {
    await operator('POST', `/markets/${market}/resolve`, { payout: '0.3', redeem_all: false });
  }
  return resolved;
}

const DAY = '2026-05-20T10:00:00Z';
/** An event of the built-in catalog. `fillCatalog` adds the records below. */
const EVENT = { id: '11', slug: 'port-meridian-mayor-2027' };
const CREATOR = '12';

/** Adds a creator, and a profile and comments of a trader; returns the comments' ids. */
async function fillCatalog(
  { running }: TestExchange,
  { address }: Trader,
): Promise<readonly string[]> {
  const { write } = running.services.exchange.catalog;
  const names = { creatorName: 'Ada', creatorHandle: '@ada', creatorUrl: '', creatorImage: '' };
  const text = Buffer.from(JSON.stringify([{ id: CREATOR, ...names }]));
  await write.putPage({ source: 'https://a.example', kind: 'creators', text, mark: '' });
  await write.setProfile({ address, name: 'Ada', nowIso: DAY });
  const comments: string[] = [];
  // Recent enough to be edited, and enough that some are left after others are removed.
  for (let count = 0; count < 30; count += 1) {
    const { commentId } = await write.comment({
      parent: { type: 'Event', id: Number(EVENT.id) },
      userAddress: address,
      body: `comment ${count}`,
      key: '',
      sinceIso: DAY,
      nowIso: new Date(START_MS).toISOString(),
    });
    comments.push(`${commentId}`);
  }
  return comments;
}

/** The values that are the same in every run. They are mid-pool, where later rows win. */
const FIXED_VALUES: Parameters<typeof poolOf>[0] = [
  [/cursor/, ['MA==', 'MTAw', 'LTE=', 'OTk5OTk5OTk5', '']],
  [/side/i, ['BUY', 'SELL', 'buy', '0']],
  [/orderType/, ['GTC', 'GTD', 'FOK', 'FAK']],
  [/amount|salt|nonce|fee/i, ['0', '1', '2.5', '5000000', '10000000', '1e3']],
  [/^amount$/, ['0', ...often('1', '2.5', '100')]],
  [/before|after|ts$|time|expiration/i, ['0', '1780449126', '1780440000', '99999999999999']],
  [/^date$/, ['2026-06-03', '2026-02-31']],
  [/interval/, ['1m', '1h', '1d', 'max', 'all']],
  [/fidelity|limit|offset/, ['1', '5', '60', '0']],
  [/asset_type/, ['COLLATERAL', 'CONDITIONAL']],
  [/signature_type|signatureType/, ['0', '1', '2', '3']],
];

const LAST_VALUES: typeof FIXED_VALUES = [
  [/_(min|max)$/, ['much', ...often('0', '1.5')]],
  [/_date_/, ['yesterday', ...often('2026-06-03', '2028-01-01T12:00:00Z')]],
  [/^cursorId$/, ['MA==', ...often('1024', '2048')]],
  [/^after_cursor$/, ['LTE=', ...often('MA==', '')]],
  [/builder|^code$/, [UNKNOWN_HASH, UNKNOWN_ADDRESS]],
  [/tick_size/, ['0.02', ...often('0.01', '0.001')]],
  [/minimum_/, ['0.005', ...often('1', '5')]],
  [/^file$/, ['nowhere.svg', ...often('weather.svg', 'README.html')]],
  // Some of them are the ids of faults that were not removed yet.
  [/^checkpoint_id$/, Array.from({ length: 50 }, (_, id) => `${id}`)],
  [/^seq$/, ['0', ...often('1', '20')]],
  [/^fault_id$/, Array.from({ length: 250 }, (_, id) => `${id}`)],
  [/heartbeat/, ['', '00000000-0000-4000-8000-000000000000']],
];

const SETTINGS = {
  adminToken: OPERATOR_TOKEN,
  // No dead man's switch may trip by itself: it would cancel orders in the middle of a read.
  heartbeatWindowMs: 600_000,
  devKeys: DEV_KEYS.slice(0, 1),
};

/** Starts an exchange with orders and a trade in its book. */
export async function startParticipants(t: Test): Promise<Participants> {
  const exchange = await startTestExchange(t, SETTINGS);
  // A request may switch the crowd on, which would then trade in the middle of a read.
  sandboxServices(exchange.running).crowd.stop();
  const { plain, negRisk } = exchange;
  const trader = await exchange.trader(1);
  const other = await exchange.trader(2);
  const [yes, no] = plain.tokenIds;
  const resting = await trader.place({ tokenId: yes, priceTicks: 4000, lots: 5000 });
  const matched = await other.place({ tokenId: no, priceTicks: 6000, lots: 2000 });
  await other.place({ tokenId: no, priceTicks: 5500, lots: 3000 });
  const [tradeId = ''] = matched.body.tradeIDs;
  const readOnlyKey = (await trader.signed('POST', '/auth/readonly-api-key')).body.apiKey;
  const resolved = await openSets(exchange, [trader, other]);
  const orderIds = [resting.body.orderID, matched.body.orderID, UNKNOWN_HASH];
  const conditions = [plain.conditionId, negRisk.conditionId, UNKNOWN_HASH];
  const addresses = [UNKNOWN_ADDRESS, ...often(trader.address, other.address)];
  const catalog = exchange.running.services.exchange.catalog.lookup.marketPage(0, 2);
  const comments = await fillCatalog(exchange, trader);
  const words = [...comments, ...often(EVENT.id), CREATOR, CREATOR, CREATOR];
  const pool = poolOf([
    [
      /^(id|ids)$/i,
      [
        ...orderIds,
        ...conditions,
        ...catalog.map(({ id }) => id),
        tradeId,
        ...often('1'),
        ...words,
      ],
    ],
    [/order_?id|orders|hash|^body$/i, orderIds],
    [/token|asset|^markets$/i, [yes, no, ...negRisk.tokenIds, '123', ...conditions]],
    [/condition/i, [...conditions, yes, ...often(plain.conditionId, negRisk.conditionId)]],
    [
      /^market$/,
      [...conditions, yes, ...often(plain.conditionId, negRisk.conditionId, ...resolved)],
    ],
    [/^winner$/, often(negRisk.conditionId)],
    [/^none$/, ['', '', UNKNOWN_HASH]],
    [/^parent_entity_id$/, often(EVENT.id)],
    [/^parent_comment_id$/, comments],
    [/Date$/, ['2030-01-01T00:00:00Z', '2030-06-01T12:00:00+02:00', '']],
    [/^(tags|series)$/, ['weather', 'nowhere']],
    // 628146039 is the event of the documented example, to which markets may be added.
    [/event_?id/i, ['999', '628146039', ...often(negRisk.eventId)]],
    [/^payout$/, ['1', '0', '0.5', '2']],
    [/address|maker$|taker$|signer|user|creator|^account$/i, addresses],
    [/^owner$/, [trader.credentials.apiKey, trader.address]],
    [/api_?key/i, [trader.credentials.apiKey, other.credentials.apiKey]],
    [/^key$/, [...often(...often(readOnlyKey)), ...MONEY_KEYS]],
    ...FIXED_VALUES,
    [
      /slug|^order$|^q$|tag/,
      ['politics', ...catalog.map(({ slug }) => slug), EVENT.slug, 'volume', 'id'],
    ],
    [/^order$/, ['politics', ...often('id', 'slug')]],
    [/^markets$/, [yes, no, ...conditions, ...often(...marketsOf(exchange, negRisk.eventId))]],
    [/^account$/, [...addresses, ...often(trader.address, trader.address)]],
    ...LAST_VALUES,
  ]);
  const participants = new Participants(exchange, trader, pool);
  t.teardown(() => participants.close());
  return participants;
}
