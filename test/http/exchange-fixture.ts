// A running exchange on free ports with its own clock, and traders who sign their requests as
// clients do.
import { isDeepStrictEqual } from 'node:util';
import type { Test } from 'tap';
import { builtinEvents } from '../../catalog/builtin/index.ts';
import type { Caller } from '../../http/api/request.ts';
import type { HeaderPrefix } from '../../http/codec/headers.ts';
import type { Settings } from '../../http/settings/settings.ts';
import { toChecksumAddress } from '../../http/signing/address.ts';
import { domainSeparator } from '../../http/signing/domain-table.ts';
import { DEFAULT_DOMAINS, type SigningDomain } from '../../http/signing/domains.ts';
import { bytesToHex } from '../../http/signing/hash.ts';
import { clobAuthDigest } from '../../http/signing/l1.ts';
import { signL2 } from '../../http/signing/l2.ts';
import { structHash } from '../../http/signing/order-hash.ts';
import { ORDER_STRUCT_TYPES } from '../../http/signing/order-struct.ts';
import { typedDataDigest } from '../../http/signing/typed-data.ts';
import { typedDataSignHash } from '../../http/signing/wrapped-signature.ts';
import type { MarketEntry } from '../../http/views/registry.ts';
import { type Running, runExchange } from '../../venue/program.ts';
import { TEST_SETTINGS } from '../default-settings.ts';
import { batchScopeOf } from '../temporary-folder.ts';
import { runGateway, THROUGH_GATEWAY } from './gateway-fixture.ts';
import { bytes, makeSigner, type Signer, toSignedOrder } from './signing/fixtures.ts';

export const START_MS = 1_780_449_126_930;
const CHAIN = 137;
const NO_HMAC = new Uint8Array(0);
const WHO_AND_WHY = { by: 'test', reason: 'to see what comes of it' };

export interface TestExchange {
  readonly running: Running;
  /** The server's clock; a test may move it forward, unless its settings have another. */
  readonly clock: { ms: number };
  /** Markets of the built-in catalog with a tick of 0.01 and a minimum of 5. */
  readonly plain: MarketEntry;
  readonly negRisk: MarketEntry;
  trader(number: number, prefix?: HeaderPrefix): Promise<Trader>;
  send(method: string, path: string, options?: SendOptions): Promise<Answer>;
  /** Adds `by` and `reason` to a body that does not have them. */
  operator(method: string, path: string, body?: object): Promise<Answer>;
  stateHash(): string;
}

export interface SendOptions {
  readonly body?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer must be complete by then; otherwise the request rejects. Unlimited by default. */
  readonly timeoutMs?: number;
}

/** Fields of bodies that tests read. A test reads those that it expects, or fails. */
export interface AnswerBody {
  readonly error: string;
  readonly errorMsg: string;
  readonly code: string;
  readonly requestId: string;
  readonly routes: readonly string[];
  readonly orderID: string;
  readonly duplicate?: boolean;
  readonly tradeIDs: readonly string[];
  readonly transactionsHashes: readonly string[];
  readonly canceled: readonly string[];
  readonly bids: readonly unknown[];
  readonly min_order_size: string;
  readonly tick_size: string;
  readonly data: readonly { readonly id: string }[];
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
  /** The length of a body that is a list. */
  readonly length: number;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: AnswerBody;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const body = text === '' ? undefined : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, body };
}

/** Sends one request; every answer must be JSON or empty. */
export async function sendTo(
  url: string,
  method: string,
  path: string,
  { body, headers = {}, timeoutMs }: SendOptions = {},
): Promise<Answer> {
  const limit = timeoutMs === undefined ? {} : { signal: AbortSignal.timeout(timeoutMs) };
  const content = body === undefined ? {} : { body };
  return answerOf(await fetch(url + path, { method, headers, ...content, ...limit }));
}

/** The markets of the built-in catalog that are as `plain` and `negRisk` are. */
function marketsWith({ services }: Running, negRisk: boolean): readonly MarketEntry[] {
  return [...services.registry.markets()].filter(
    (market) =>
      market.tickTicks === 100 && market.minimumLots === 500 && market.negRisk === negRisk,
  );
}

function nthMarket(markets: readonly MarketEntry[], place: number): MarketEntry {
  const market = markets[place];
  if (market === undefined) throw new Error('the built-in catalog has no such market');
  return market;
}

/** The clock of traders on an exchange that does not use the test's clock. */
function clockBy(now: () => number): { ms: number } {
  return {
    get ms() {
      return now();
    },
    set ms(_) {
      throw new Error('this clock is not the one of the test');
    },
  };
}

/** Starts an exchange that closes with the test. */
export async function startTestExchange(
  t: Pick<Test, 'teardown'>,
  settings: Partial<Settings> = {},
  startMs = START_MS,
): Promise<TestExchange> {
  const clock = settings.now === undefined ? { ms: startMs } : clockBy(settings.now);
  const running = await (THROUGH_GATEWAY ? runGateway : runExchange)(
    {
      ...TEST_SETTINGS,
      port: 0,
      adminPort: 0,
      temporary: true,
      logLevel: 'silent',
      now: () => clock.ms,
      // A test sets its clock as it likes.
      clockJumpMs: Number.POSITIVE_INFINITY,
      // The snapshot thread costs each start 0.1 s. The first audit starts it anyway.
      snapshotMs: Number.POSITIVE_INFINITY,
      ...settings,
    },
    {
      catalog: builtinEvents(),
      onFatal: (error) => {
        throw error;
      },
    },
  );
  t.teardown(() => running.close());
  const { url, adminPort, adminToken } = running;
  return {
    running,
    clock,
    plain: nthMarket(marketsWith(running, false), 0),
    negRisk: nthMarket(marketsWith(running, true), 0),
    trader: async (number, prefix = 'POLY') => {
      const trader = new Trader({ url, clock, signer: makeSigner(number), prefix });
      await trader.login();
      return trader;
    },
    send: (method, path, options) => sendTo(url, method, path, options),
    operator: (method, path, body) =>
      sendTo(`http://127.0.0.1:${adminPort}`, method, path, {
        headers: { authorization: `Bearer ${adminToken}` },
        body: body === undefined ? undefined : JSON.stringify({ ...WHO_AND_WHY, ...body }),
      }),
    stateHash: () => running.services.exchange.stateHash(),
  };
}

/** How many traders each test of a shared exchange has for itself, numbered from 1. */
const TRADERS_EACH = 10;
/** A file whose exchange has fewer unused markets than this gets a new one. */
const MARKETS_EACH = 12;

/** An exchange that files share, and which of its markets are taken. */
interface SharedExchange {
  readonly settings: Partial<Settings>;
  readonly whole: TestExchange;
  readonly plain: readonly MarketEntry[];
  readonly negRisk: readonly MarketEntry[];
  users: number;
  plainUsed: number;
  negRiskUsed: number;
  /** May be called again. */
  readonly close: () => Promise<void>;
}

/** The open shared exchanges of this process, by the test that they are for. */
const sharedExchanges = new WeakMap<Pick<Test, 'teardown'>, SharedExchange[]>();

function hasMarkets({ plain, plainUsed }: SharedExchange): boolean {
  return plain.length - plainUsed >= MARKETS_EACH;
}

/** Whether a later file may use it: most need no settings. */
function isReusable(shared: SharedExchange): boolean {
  return isDeepStrictEqual(shared.settings, {}) && hasMarkets(shared);
}

async function startShared(
  t: Pick<Test, 'teardown'>,
  settings: Partial<Settings>,
): Promise<SharedExchange> {
  const ends: (() => unknown)[] = [];
  const whole = await startTestExchange({ teardown: (end) => void ends.push(end) }, settings);
  const shared: SharedExchange = {
    settings,
    whole,
    // Selected now, since a test may change the terms that the selection looks at.
    plain: marketsWith(whole.running, false),
    negRisk: marketsWith(whole.running, true),
    users: 0,
    plainUsed: 0,
    negRiskUsed: 0,
    close: async () => {
      const others = (sharedExchanges.get(t) ?? []).filter((one) => one !== shared);
      sharedExchanges.set(t, others);
      for (const end of ends.splice(0)) await end();
    },
  };
  sharedExchanges.set(t, [...(sharedExchanges.get(t) ?? []), shared]);
  batchScopeOf(t).teardown(shared.close);
  return shared;
}

/** What one test sees of a shared exchange. It takes a market when it first looks at it. */
function shareOf(shared: SharedExchange): TestExchange {
  const { whole } = shared;
  const own = shared.users;
  shared.users += 1;
  let plain: MarketEntry | undefined;
  let negRisk: MarketEntry | undefined;
  return {
    ...whole,
    get plain() {
      plain ??= nthMarket(shared.plain, shared.plainUsed++);
      return plain;
    },
    get negRisk() {
      negRisk ??= nthMarket(shared.negRisk, shared.negRiskUsed++ % shared.negRisk.length);
      return negRisk;
    },
    trader: (number, prefix) => {
      if (number > TRADERS_EACH) throw new Error(`the last trader is ${TRADERS_EACH}`);
      return whole.trader(own * TRADERS_EACH + number, prefix);
    },
  };
}

/**
 * One exchange for all tests of a file that use the same settings; the files of a process share the
 * one without settings. To start one takes much longer than most tests. Each call returns the same
 * exchange with a plain market and traders of its own. There are four neg-risk markets, all of one
 * event, so a fifth test that uses one gets the first again. The clock, the operator's actions and
 * the counters of the exchange are shared, also with other files. A test that needs its own clock,
 * settings or journal, or stops what others use, starts its own exchange.
 */
export async function shareTestExchange(
  t: Pick<Test, 'teardown'>,
  settings: Partial<Settings> = {},
): Promise<() => TestExchange> {
  const found = sharedExchanges
    .get(t)
    ?.find((one) => isDeepStrictEqual(one.settings, settings) && hasMarkets(one));
  const shared = found ?? (await startShared(t, settings));
  t.teardown(async () => {
    if (!isReusable(shared)) await shared.close();
  });
  return () => shareOf(shared);
}

/** The terms of an order before it is signed. Any of them may be invalid. */
export interface OrderWishes {
  readonly tokenId: string;
  readonly side?: 'BUY' | 'SELL';
  /** In 1/10,000 of collateral; `lots` in 0.01 tokens. The amounts of a limit order follow. */
  readonly priceTicks?: number;
  readonly lots?: number;
  readonly orderType?: string;
  readonly postOnly?: boolean;
  /** Fields of the order that are replaced before it is signed. */
  readonly changes?: Readonly<Record<string, string | number>>;
  readonly domain?: SigningDomain;
}

export type Payload = {
  order: Record<string, string | number>;
  owner: string;
  orderType: string;
  postOnly: boolean;
};

function domainFor(negRisk: boolean): SigningDomain {
  const domain = DEFAULT_DOMAINS.find(
    (one) => one.chainId === CHAIN && one.negRisk === negRisk && one.struct === 'order11',
  );
  if (domain === undefined) throw new Error('no such domain');
  return domain;
}
const PLAIN_DOMAIN = domainFor(false);
export const NEG_RISK_DOMAIN = domainFor(true);

interface TraderOptions {
  readonly url: string;
  /** Sends its requests, in place of one to `url`. */
  readonly send?: typeof sendTo;
  readonly clock: { readonly ms: number };
  readonly signer: Signer;
  readonly prefix: HeaderPrefix;
}

let salt = 0;

/** Runs a session whose orders have the same ids in every process. */
export async function withOwnSalts<Result>(run: () => Promise<Result>): Promise<Result> {
  const before = salt;
  salt = 0;
  try {
    return await run();
  } finally {
    salt = before;
  }
}

/** A trader with a private key, API credentials and a way to sign. */
export class Trader {
  readonly signer: Signer;
  readonly address: string;
  readonly #options: TraderOptions;
  credentials = { apiKey: '', secret: '', passphrase: '' };

  constructor(options: TraderOptions) {
    this.#options = options;
    this.signer = options.signer;
    this.address = options.signer.address;
  }

  get prefix(): HeaderPrefix {
    return this.#options.prefix;
  }

  /** The caller that the server sees in its requests. */
  get caller(): Caller {
    const { apiKey } = this.credentials;
    return { owner: this.address, apiKey, purpose: 'trading', nonce: '', hmac: NO_HMAC };
  }

  async login(nonce = '0'): Promise<Answer> {
    const answer = await this.send('POST', '/auth/api-key', {
      headers: this.walletHeaders({ nonce }),
    });
    if (answer.status === 200) this.credentials = answer.body;
    return answer;
  }

  /** The L1 headers of wire 2.2. */
  walletHeaders({
    nonce = '0',
    chain = CHAIN,
    timestamp = this.#seconds(),
  } = {}): Record<string, string> {
    const { signer, prefix } = this.#options;
    const digest = clobAuthDigest({ address: signer.address, timestamp, nonce }, chain);
    return {
      [`${prefix}_ADDRESS`]: toChecksumAddress(signer.address),
      [`${prefix}_SIGNATURE`]: signer.sign(digest ?? new Uint8Array(32)),
      [`${prefix}_TIMESTAMP`]: timestamp,
      [`${prefix}_NONCE`]: nonce,
    };
  }

  /** The L2 headers of wire 2.4. */
  keyHeaders(
    method: string,
    path: string,
    body = '',
    timestamp = this.#seconds(),
  ): Record<string, string> {
    const { prefix } = this.#options;
    const { apiKey, secret, passphrase } = this.credentials;
    const head = { timestamp, method, path: path.split('?')[0] ?? path };
    return {
      [`${prefix}_ADDRESS`]: toChecksumAddress(this.address),
      [`${prefix}_API_KEY`]: apiKey,
      [`${prefix}_PASSPHRASE`]: passphrase,
      [`${prefix}_TIMESTAMP`]: timestamp,
      [`${prefix}_SIGNATURE`]: signL2(secret, head, Buffer.from(body)),
    };
  }

  send(method: string, path: string, options: SendOptions = {}): Promise<Answer> {
    const { url, send = sendTo } = this.#options;
    return send(url, method, path, options);
  }

  /** Sends a request with L2 headers. */
  signed(method: string, path: string, value?: unknown): Promise<Answer> {
    const body = value === undefined ? undefined : JSON.stringify(value);
    return this.send(method, path, { body, headers: this.keyHeaders(method, path, body) });
  }

  /** A signed order; `changes` are made before it is signed. */
  order(wishes: OrderWishes): Payload {
    const { tokenId, side = 'BUY', priceTicks = 5000, lots = 1000, domain } = wishes;
    const { orderType = 'GTC', postOnly = false, changes = {} } = wishes;
    const [cash, tokens] = [`${lots * priceTicks}`, `${lots * 10_000}`];
    salt += 1;
    const order: Record<string, string | number> = {
      salt,
      maker: toChecksumAddress(this.address),
      signer: toChecksumAddress(this.address),
      tokenId,
      makerAmount: side === 'BUY' ? cash : tokens,
      takerAmount: side === 'BUY' ? tokens : cash,
      side,
      signatureType: 0,
      timestamp: `${this.#options.clock.ms}`,
      expiration: '0',
      ...changes,
    };
    const signature = this.signer.sign(this.#digestOf(order, domain ?? PLAIN_DOMAIN));
    return {
      order: { ...order, signature },
      owner: this.credentials.apiKey,
      orderType,
      postOnly,
    };
  }

  /** A signed order of a deposit wallet, in the wrapped form of wire 3.5. */
  walletOrder(wishes: OrderWishes, wallet: string): Payload {
    const { changes = {}, domain = PLAIN_DOMAIN } = wishes;
    const own = { maker: wallet, signer: wallet, signatureType: 3 };
    const payload = this.order({ ...wishes, changes: { ...changes, ...own } });
    const contents = structHash(toSignedOrder(payload.order, '0x'));
    if (!contents.ok) throw new Error(contents.field);
    const separator = domainSeparator(domain);
    const signHash = typedDataSignHash(contents.hash, domain.chainId, wallet);
    const inner = bytes(this.signer.sign(typedDataDigest(separator, signHash)));
    const type = Buffer.from(ORDER_STRUCT_TYPES.order11);
    const length = Uint8Array.of(type.length >> 8, type.length & 255);
    const signature = bytesToHex(Buffer.concat([inner, separator, contents.hash, type, length]));
    return { ...payload, order: { ...payload.order, signature } };
  }

  /** The id of an order: its hash. */
  idOf({ order }: Payload, domain = PLAIN_DOMAIN): string {
    return `0x${Buffer.from(this.#digestOf(order, domain)).toString('hex')}`;
  }

  place(wishes: OrderWishes): Promise<Answer> {
    return this.signed('POST', '/order', this.order(wishes));
  }

  cancel(orderId: unknown): Promise<Answer> {
    return this.signed('DELETE', '/order', { orderID: orderId });
  }

  #seconds(): string {
    return `${Math.floor(this.#options.clock.ms / 1000)}`;
  }

  #digestOf(order: Record<string, string | number>, domain: SigningDomain): Uint8Array {
    const hash = structHash(toSignedOrder(order, '0x'));
    return hash.ok
      ? typedDataDigest(domainSeparator(domain), hash.hash)
      : bytes(`0x${'11'.repeat(32)}`);
  }
}
