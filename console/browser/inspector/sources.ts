/**
 * What the stream inspector follows: markets, new markets, trades and comments. The user channel
 * needs no source: it follows the account that is signed in.
 *
 * Bound: MOST_FOLLOWED at once. Invariant: what is followed is left when its page is.
 */
import { signal } from '@preact/signals';
import type { MarketName } from '../streams/market-feed.ts';
import { pageStreams } from '../streams/streams.ts';
import { send } from '../wire/index.ts';

const MOST_FOLLOWED = 20;

export interface Source {
  /** Says what it is, and is different for each. */
  readonly name: string;
  readonly stop: () => void;
}

export const sources = signal<readonly Source[]>([]);

/** Begins to follow something, unless it is followed already. */
function add(name: string, start: () => () => void): void {
  const now = sources.peek();
  if (now.some((one) => one.name === name)) return;
  if (now.length >= MOST_FOLLOWED) {
    throw new RangeError(`The inspector follows at most ${MOST_FOLLOWED} things. Stop one first.`);
  }
  sources.value = [...now, { name, stop: start() }];
}

export function stopSource({ name, stop }: Source): void {
  stop();
  sources.value = sources.peek().filter((one) => one.name !== name);
}

export function stopAllSources(): void {
  for (const source of sources.peek()) stopSource(source);
}

const CONDITION_ID = /^0x[0-9a-f]{64}$/;
const TOKEN_ID = /^\d{1,78}$/;

async function findMarket(text: string): Promise<MarketName> {
  if (CONDITION_ID.test(text)) {
    const params = { id: text };
    const market = await send({ method: 'GET', path: '/markets/{id}', params });
    const tokens = 'tokens' in market ? market.tokens : [];
    return { conditionId: text, tokenIds: [tokens[0]?.token_id ?? '', tokens[1]?.token_id ?? ''] };
  }
  if (TOKEN_ID.test(text)) {
    const params = { token_id: text };
    const found = await send({ method: 'GET', path: '/markets-by-token/{token_id}', params });
    const { condition_id: conditionId, primary_token_id, secondary_token_id } = found;
    return { conditionId, tokenIds: [primary_token_id, secondary_token_id] };
  }
  throw new Error('A market is named by its condition id or by the id of one of its tokens.');
}

export async function followMarket(entered: string): Promise<void> {
  const name = await findMarket(entered.trim().toLowerCase());
  const { market } = pageStreams();
  add(`market ${name.conditionId}`, () => market.follow(name, { hasTrades: false }).release);
}

export function followNewMarkets(): void {
  add('new markets', () => pageStreams().market.onNewMarket(() => {}));
}

/** The trades of an event, or of all; `slug` may be ''. */
export function followTrades(slug: string): void {
  const text = slug.trim();
  const name = text === '' ? 'all trades' : `trades of ${text}`;
  add(name, () => pageStreams().live.onTrade(text === '' ? undefined : text, () => {}));
}

export function followComments(): void {
  add('all comments', () => pageStreams().live.onComment(undefined, () => {}));
}
