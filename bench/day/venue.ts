/**
 * The venue of a made-up trading day, made as an operator would: events with their markets,
 * accounts with API keys and money, resolutions, and the audit at the end.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clobAuthDigest } from '../../http/signing/l1.ts';
import { walletOf } from '../../http/signing/wallet.ts';
import { Random } from '../../test/engine/random/random.ts';
import type { LoadAccount, ServerProcess } from '../harness/server-process.ts';
import { type DayEvent, dayEvents } from './events.ts';
import type { DayTerms } from './plan.ts';
import { CHAIN_ID, type Venue, type VenueMarket, WORDS } from './signer.ts';

const WHO = { by: 'bench', reason: 'a trading day' } as const;
const AT_ONCE = 8;
const MAKER_MONEY = '5000000';

interface NewEvent {
  readonly event_id: string;
  readonly markets: readonly { readonly condition_id: string; readonly token_ids: string[] }[];
}

interface Audit {
  readonly ok: boolean;
  readonly fault: string;
  readonly liveOrders: number;
  readonly collateral: Readonly<
    Record<'available' | 'held' | 'locked' | 'deposits' | 'withdrawals', string>
  >;
}

/** Works on a list, some at a time, and keeps its order. */
async function inTurn<Item, Done>(
  items: readonly Item[],
  work: (item: Item, at: number) => Promise<Done>,
): Promise<Done[]> {
  const done: Done[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < items.length) {
      const at = next;
      next += 1;
      done[at] = await work(items[at]!, at);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  return done;
}

async function answerOf<Reply>(response: Response): Promise<Reply> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.url} answers ${response.status}: ${text}`);
  return JSON.parse(text) as Reply; // our own routes
}

export class Operator {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor({ adminPort, dataDir }: ServerProcess) {
    const token = readFileSync(join(dataDir, 'admin.token'), 'utf8').trim();
    this.#url = `http://127.0.0.1:${adminPort}`;
    this.#headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  }

  /** What the operator's listener answers to a read. */
  read(path: string): Promise<Response> {
    return fetch(`${this.#url}${path}`, { headers: this.#headers });
  }

  async #act<Reply>(path: string, content: Readonly<Record<string, unknown>>): Promise<Reply> {
    const body = JSON.stringify({ ...content, ...WHO });
    const init = { method: 'POST', headers: this.#headers, body };
    return await answerOf(await fetch(`${this.#url}${path}`, init));
  }

  createEvent(event: DayEvent): Promise<NewEvent> {
    const word = WORDS[event.number % WORDS.length]!;
    const slug = `day-${event.number}`;
    return this.#act('/events', {
      slug,
      title: `Day ${event.number}: what comes of the ${word}?`,
      tags: [{ slug: word, label: word }],
      negRisk: event.negRisk,
      open: event.negRisk,
      endDate: '2030-01-01T00:00:00Z',
      markets: event.markets.map((rank) => ({
        slug: `${slug}-${rank}`,
        question: `Will the ${word} of day ${event.number} be number ${rank}?`,
      })),
    });
  }

  deposit(account: string): Promise<unknown> {
    const key = `day-${account}`;
    return this.#act('/deposits', { account, amount: MAKER_MONEY, key });
  }

  /** A market alone, or its whole neg-risk event, which it wins. */
  resolve({ conditionId, negRiskEvent }: VenueMarket, payout: 0 | 1): Promise<unknown> {
    if (negRiskEvent === '') {
      return this.#act(`/markets/${conditionId}/resolve`, { payout: String(payout) });
    }
    return this.#act(`/events/${negRiskEvent}/resolve`, { winner: conditionId });
  }

  /** Adds up the whole state; throws when it does not. */
  async audit(): Promise<Audit> {
    const audit: Audit = await answerOf(await this.read('/audit'));
    const micros = (text: string): bigint => {
      const [whole = '', part = ''] = text.split('.');
      return BigInt(whole + part.padEnd(6, '0'));
    };
    const { available, held, locked, deposits, withdrawals } = audit.collateral;
    const inside = micros(available) + micros(held) + micros(locked);
    if (audit.ok && inside === micros(deposits) - micros(withdrawals)) return audit;
    throw new Error(`the audit does not add up: ${JSON.stringify(audit)}`);
  }
}

async function openAccount(url: string, privateKey: string): Promise<LoadAccount> {
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
  const credentials = await answerOf<Omit<LoadAccount, 'address' | 'privateKey'>>(response);
  return { ...credentials, address, privateKey };
}

/** Makes all markets and accounts of a day; only makers get more than the play money. */
export async function openVenue(server: ServerProcess, terms: DayTerms): Promise<Venue> {
  const operator = new Operator(server);
  const events = dayEvents(terms);
  const markets: VenueMarket[] = [];
  await inTurn(events, async (event) => {
    const made = await operator.createEvent(event);
    for (const [at, { condition_id: conditionId, token_ids }] of made.markets.entries()) {
      const [yes, no] = token_ids;
      if (yes === undefined || no === undefined) throw new Error('a market has two tokens');
      const negRiskEvent = event.negRisk ? made.event_id : '';
      markets[event.markets[at]!] = { conditionId, tokenIds: [yes, no], negRiskEvent };
    }
  });
  const random = new Random(terms.seed);
  const keys = Array.from({ length: terms.makers + terms.takers }, () => `0x${random.hex(64)}`);
  const accounts = await inTurn(keys, (key) => openAccount(server.url, key));
  await inTurn(accounts.slice(0, terms.makers), ({ address }) => operator.deposit(address));
  return { markets, accounts };
}
