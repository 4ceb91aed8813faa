/** The venue of a trading day, made through the routes of its operator and its clients. */
import { clobAuthDigest, walletOf } from '../../http/signing/index.ts';
import { Random } from '../../test/engine/random/random.ts';
import type { Exchange, LoadAccount } from '../harness/exchange.ts';
import { CHAIN_ID } from '../harness/signing.ts';
import { type DayTerms, RESOLUTIONS, type Venue, type VenueMarket } from './terms.ts';
import { WORDS } from './trading.ts';

const OPERATOR = { by: 'bench', reason: 'a trading day' };
const AT_ONCE = 8;
const MAKER_MONEY = '5000000';
/** Every fifth group of ranks is one neg-risk event; other markets stand alone. */
const GROUP = 5;

interface NewEvent {
  readonly event_id: string;
  readonly markets: readonly { readonly condition_id: string; readonly token_ids: string[] }[];
}

interface Audit {
  readonly ok: boolean;
  readonly liveOrders: number;
  readonly collateral: Readonly<
    Record<'available' | 'held' | 'locked' | 'deposits' | 'withdrawals', string>
  >;
}

/** Works on all items, some at a time, and keeps their order. */
async function mapSome<Item, Done>(
  items: readonly Item[],
  work: (item: Item) => Promise<Done>,
): Promise<Done[]> {
  const done: Done[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    done.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
  }
  return done;
}

/** The ranks of each event. */
function eventRanks({ markets }: DayTerms): number[][] {
  const events: number[][] = [];
  for (let rank = 0; rank < markets; rank += 1) {
    const isGrouped = Math.floor(rank / GROUP) % GROUP === 0 && !isResolved(rank);
    const last = events.at(-1);
    if (isGrouped && rank % GROUP > 0 && last) last.push(rank);
    else events.push([rank]);
  }
  return events;
}

function isResolved(rank: number): boolean {
  return RESOLUTIONS.some((one) => one.rank === rank);
}

async function createEvent(exchange: Exchange, ranks: readonly number[]): Promise<VenueMarket[]> {
  const [first = 0] = ranks;
  const topic = WORDS[first % WORDS.length]!;
  const negRisk = ranks.length > 1;
  const made = await exchange.admin<NewEvent>('/events', {
    ...OPERATOR,
    slug: `day-${first}`,
    title: `Day ${first}: what comes of the ${topic}?`,
    tags: [{ slug: topic, label: topic }],
    negRisk,
    open: negRisk,
    endDate: '2030-01-01T00:00:00Z',
    markets: ranks.map((rank) => ({
      slug: `day-${first}-${rank}`,
      question: `Will the ${topic} of day ${first} be number ${rank}?`,
    })),
  });
  return made.markets.map(({ condition_id: conditionId, token_ids: [yes = '', no = ''] }) => {
    return { conditionId, tokenIds: [yes, no], negRiskEvent: negRisk ? made.event_id : '' };
  });
}

async function openAccount({ url }: Exchange, privateKey: string): Promise<LoadAccount> {
  const wallet = walletOf(privateKey);
  const { address } = wallet;
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const digest = clobAuthDigest({ address, timestamp, nonce: '0' }, CHAIN_ID);
  const headers = {
    POLY_ADDRESS: address,
    POLY_TIMESTAMP: timestamp,
    POLY_NONCE: '0',
    POLY_SIGNATURE: wallet.sign(digest),
  };
  const response = await fetch(`${url}/auth/api-key`, { method: 'POST', headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST /auth/api-key answers ${response.status}: ${text}`);
  // Our own route.
  const credentials = JSON.parse(text) as Omit<LoadAccount, 'address' | 'privateKey'>;
  return { ...credentials, address, privateKey };
}

/** Makes all markets and accounts. Makers get more than the play money of every account. */
export async function openVenue(exchange: Exchange, terms: DayTerms): Promise<Venue> {
  const events = await mapSome(eventRanks(terms), (ranks) => createEvent(exchange, ranks));
  const random = new Random(terms.seed);
  const keys = Array.from({ length: terms.makers + terms.takers }, () => `0x${random.hex(64)}`);
  const accounts = await mapSome(keys, (key) => openAccount(exchange, key));
  await mapSome(accounts.slice(0, terms.makers), ({ address: account }) => {
    const deposit = { ...OPERATOR, account, amount: MAKER_MONEY, key: `day-${account}` };
    return exchange.admin('/deposits', deposit);
  });
  return { markets: events.flat(), accounts };
}

export async function resolve(exchange: Exchange, { conditionId }: VenueMarket): Promise<void> {
  await exchange.admin(`/markets/${conditionId}/resolve`, { ...OPERATOR, payout: '1' });
}

/** The audit of the whole state. Throws when it does not add up. */
export async function auditOf(exchange: Exchange): Promise<Audit> {
  const audit = await exchange.admin<Audit>('/audit');
  const micros = (text: string): bigint => {
    const [whole = '', part = ''] = text.split('.');
    return BigInt(whole + part.padEnd(6, '0'));
  };
  const { available, held, locked, deposits, withdrawals } = audit.collateral;
  const inside = micros(available) + micros(held) + micros(locked);
  if (audit.ok && inside === micros(deposits) - micros(withdrawals)) return audit;
  throw new Error(`the audit does not add up: ${JSON.stringify(audit)}`);
}
