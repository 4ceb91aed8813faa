/**
 * The market of the exchange that a recording is played into, with the two accounts of the replay
 * and the operator's routes that it needs.
 *
 * The keys of the accounts are made from the seed, so anyone can guess them. They never hold real
 * money: the first request is to the faucet, which an exchange with real money refuses.
 */
import { createHash, randomUUID } from 'node:crypto';
import { domainFor, fieldsOf } from '../../cli/place-order/index.ts';
import {
  BOUNDS,
  type Lots,
  micros,
  SECOND_MS,
  type Ticks,
  ticks,
} from '../../engine/model/index.ts';
import { microsText } from '../../http/codec/index.ts';
import { type Wallet, walletOf } from '../../http/signing/wrapped-signature.ts';
import {
  firstRequest,
  type Link,
  OperatorRequests,
  publicRequest,
  RequestRefused,
  SignedRequests,
  TradingClock,
} from './exchange-requests.ts';
import type { BookSide, LevelSizes } from './recorded-book.ts';
import { priceIn, sizeIn } from './recorded-numbers.ts';
import type { ReplayPlan } from './replay-plan.ts';
import { TradingAccount } from './trading-account.ts';

/** The most that the faucet gives at once; a large book needs deposits of the operator besides. */
const FAUCET_AMOUNT = '100000';
/** What a deposit is at least: fewer requests for growing books. */
const LEAST_DEPOSIT_MICROS = 1_000_000_000_000;
const ATTRIBUTION = { by: 'replay', reason: 'replay of a recorded market' };

/**
 * Any recorded size can be placed, nothing waits, and the price step changes only when the
 * recording says so.
 */
const OPENING_TERMS = {
  minimum_order_size: '0.01',
  finer_tick_size: '0',
  seconds_delay: 0,
  taker_order_delay_ms: 0,
};

export interface OpenMarket {
  readonly conditionId: string;
  readonly tokenIds: readonly [yes: string, no: string];
  readonly tickTicks: Ticks;
  /** Has the levels. */
  readonly maker: TradingAccount;
  /** Takes what is traded. */
  readonly taker: TradingAccount;
  /** The sizes that the book of YES shows, of all accounts. */
  book(): Promise<Readonly<Record<BookSide, LevelSizes>>>;
  /** Changes terms of the market; returns the refusal, if there is one. */
  changeTerms(terms: Readonly<Record<string, string | number>>): Promise<string | undefined>;
  /** Gives an account play money, this many micros or more; returns the refusal, if any. */
  fund(account: TradingAccount, leastMicros: number): Promise<string | undefined>;
}

/** The private key of an account: 32 bytes that follow from its name and the seed. */
function walletFrom(seed: string, name: string): Wallet {
  const hash = createHash('sha256').update(`outcome-exchange replay ${name}\0${seed}`);
  return walletOf(`0x${hash.digest('hex')}`);
}

interface ShownMarket {
  readonly conditionId: string;
  readonly tokenIds: readonly [yes: string, no: string];
  readonly tickTicks: Ticks;
  readonly negRisk: boolean;
}

async function readMarket(link: Link, conditionId: string): Promise<ShownMarket> {
  const path = `/markets/${conditionId}`;
  const market = fieldsOf(await publicRequest(link, { method: 'GET', path }));
  const tokens = Array.isArray(market.tokens) ? market.tokens : [];
  const [yes, no] = tokens.map((token) => fieldsOf(token).token_id);
  const tick = priceIn(market.minimum_tick_size);
  if (typeof yes !== 'string' || typeof no !== 'string' || typeof tick === 'object') {
    throw new Error(`GET ${path} does not answer with a market. Is an outcome-exchange there?`);
  }
  return { conditionId, tokenIds: [yes, no], tickTicks: tick, negRisk: market.neg_risk === true };
}

function levelsIn(list: unknown): LevelSizes {
  const sizes = new Map<Ticks, Lots>();
  for (const level of Array.isArray(list) ? list.map(fieldsOf) : []) {
    const [price, size] = [priceIn(level.price), sizeIn(level.size)];
    if (typeof price === 'number' && 'lots' in size) sizes.set(ticks(price), size.lots);
  }
  return sizes;
}

/** What a request was refused with, which the replay can do without; undefined if it was not. */
async function refusalOf(request: Promise<unknown>): Promise<string | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    const isToken = error instanceof RequestRefused && error.code === 'bad_operator_token';
    if (!(error instanceof RequestRefused) || isToken) throw error;
    return error.message;
  }
}

/** Asks for the first play money. Throws what the exchange says if it has no faucet. */
async function askFaucet(link: Link, { address }: Wallet): Promise<void> {
  const body = JSON.stringify({ address, amount: FAUCET_AMOUNT });
  try {
    await publicRequest(link, { method: 'POST', path: '/faucet', body });
  } catch (error) {
    // An account of an earlier replay may have as much as the faucet gives.
    if (!(error instanceof RequestRefused) || error.code !== 'faucet_full') throw error;
  }
}

/** Opens the accounts and prepares the market. Throws an Error whose message is complete. */
export async function openMarket(
  plan: ReplayPlan,
  conditionId: string,
  sleep: Link['sleep'],
): Promise<{ readonly market: OpenMarket; readonly refusals: readonly string[] }> {
  const link: Link = { url: plan.url, sleep };
  const clock = new TradingClock(Date.now);
  const seconds = Number(await firstRequest(plan.url, { method: 'GET', path: '/time' }));
  clock.set(seconds * SECOND_MS);
  const shown = await readMarket(link, conditionId);
  const operator = new OperatorRequests({ url: plan.adminUrl, sleep }, plan.adminToken);
  const domain = domainFor(plan, shown.negRisk);
  const open = async (name: string): Promise<TradingAccount> => {
    const wallet = walletFrom(plan.seed, name);
    await askFaucet(link, wallet);
    const requests = await SignedRequests.open(wallet, { link, clock, chainId: plan.chainId });
    return new TradingAccount(requests, { tokenIds: shown.tokenIds, domain, clock });
  };
  const fund: OpenMarket['fund'] = (account, leastMicros) => {
    const wanted = Math.max(LEAST_DEPOSIT_MICROS, 2 * leastMicros);
    const amount = microsText(micros(Math.min(BOUNDS.amountMicros, wanted)));
    const key = `replay-${randomUUID()}`;
    const { address } = account;
    return refusalOf(operator.post('/deposits', { ...ATTRIBUTION, account: address, amount, key }));
  };
  const changeTerms: OpenMarket['changeTerms'] = (terms) =>
    refusalOf(operator.post(`/markets/${conditionId}/terms`, { ...ATTRIBUTION, ...terms }));
  const [maker, taker] = [await open('maker'), await open('taker')];
  // Orders of an earlier replay with this seed.
  for (const account of [maker, taker]) await account.cancelMarket(conditionId);
  const refusals = [
    await refusalOf(operator.post('/crowd', { mode: 'off', market: conditionId })),
    await changeTerms(OPENING_TERMS),
  ].filter((refusal) => refusal !== undefined);
  const query = `?token_id=${shown.tokenIds[0]}`;
  const book: OpenMarket['book'] = async () => {
    const answer = await publicRequest(link, { method: 'GET', path: '/book', query });
    const { bids, asks } = fieldsOf(answer);
    return { bid: levelsIn(bids), ask: levelsIn(asks) };
  };
  return { market: { ...shown, maker, taker, book, changeTerms, fund }, refusals };
}
