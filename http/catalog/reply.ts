/**
 * What the catalog's threads answer, as replies: the gaps in their texts get what trading says, and
 * nothing else is made here.
 *
 * Invariant: positions are as durable as the reply is late; prices are those of durable books.
 * Bound: the texts' own; `READ_BOUNDS.positionsLookedUp` balances a reply, and of a comment that
 * comes after those no position is told.
 */
import type {
  AuthorGap,
  CatalogText,
  CommentParent,
  MarketsText,
} from '../../persistence/index.ts';
import { fillMarkets, joinCatalogText } from '../../persistence/index.ts';
import { BytesReply, type OwnBytes, RawReply } from '../api/index.ts';
import { READ_BOUNDS } from '../bounds/index.ts';
import { ApiError, echo } from '../errors/index.ts';
import type { Services } from '../services/index.ts';

type Sources = Pick<Services, 'exchange' | 'liveMarkets' | 'registry'>;
type Answer = CatalogText | MarketsText;
type Asked = Promise<Answer | undefined>;

const { positionsLookedUp, accountsOfAuthor, tokensOfParent } = READ_BOUNDS;
const MICROS_PER_LOT = 10_000;

interface Holding {
  readonly account: string;
  readonly tokenId: string;
}

function keyOf({ address, parent }: AuthorGap): string {
  return `${parent.type}/${parent.id}/${address}`;
}

/** An author's accounts: all of its owner, or the address itself where nothing is known of it. */
function accountsOf(address: string, { registry }: Sources): readonly string[] {
  const account = address.toLowerCase();
  const owner = registry.accountOwner(account) ?? account;
  return registry
    .accountsOf(owner)
    .slice(0, accountsOfAuthor)
    .map((one) => one.address);
}

/** What has to be looked up for each author, until there is no more room. */
function holdingsOf(
  gaps: readonly AuthorGap[],
  sources: Sources,
): ReadonlyMap<string, readonly Holding[]> {
  const tokens = new Map<string, readonly string[]>();
  const tokensOf = (parent: CommentParent): readonly string[] => {
    const name = `${parent.type}/${parent.id}`;
    const known = tokens.get(name);
    if (known !== undefined) return known;
    const found = sources.exchange.catalog.look.tokensOf(parent, tokensOfParent);
    tokens.set(name, found);
    return found;
  };
  const holdings = new Map<string, readonly Holding[]>();
  let room: number = positionsLookedUp;
  for (const gap of gaps) {
    if (holdings.has(keyOf(gap))) continue;
    const found = accountsOf(gap.address, sources).flatMap((account) =>
      tokensOf(gap.parent).map((tokenId) => ({ account, tokenId })),
    );
    if (found.length > room) break;
    room -= found.length;
    holdings.set(keyOf(gap), found);
  }
  return holdings;
}

interface Position {
  readonly tokenId: string;
  /** Micro-tokens. */
  readonly positionSize: string;
}

/** What each author holds of what is commented on. */
async function positionsOf(
  gaps: readonly AuthorGap[],
  sources: Sources,
): Promise<ReadonlyMap<string, readonly Position[]>> {
  const holdings = [...holdingsOf(gaps, sources)];
  const balances = await sources.exchange.read((state) =>
    holdings.flatMap(([, list]) =>
      list.map(({ account, tokenId }) => state.balance(account, tokenId)),
    ),
  );
  const positions = new Map<string, readonly Position[]>();
  let place = 0;
  for (const [key, list] of holdings) {
    const lots = new Map<string, number>();
    for (const { tokenId } of list) {
      const { available = 0, held = 0 } = balances[place] ?? {};
      place += 1;
      if (available + held > 0) lots.set(tokenId, (lots.get(tokenId) ?? 0) + available + held);
    }
    const told = [...lots].map(([tokenId, size]) => ({
      tokenId,
      positionSize: `${size * MICROS_PER_LOT}`,
    }));
    positions.set(key, told);
  }
  return positions;
}

/** Those of a text's authors who hold something of what they comment on. */
export async function holdersIn(
  { gaps: authors }: CatalogText,
  sources: Sources,
): Promise<readonly string[]> {
  const positions = await positionsOf(authors, sources);
  const holders = authors.filter((gap) => (positions.get(keyOf(gap))?.length ?? 0) > 0);
  return [...new Set(holders.map(({ address }) => address))];
}

/** A text with its gaps filled. */
export async function filledText(text: CatalogText, sources: Sources): Promise<string> {
  const { gaps } = text;
  const positions = gaps.length === 0 ? undefined : await positionsOf(gaps, sources);
  return joinCatalogText(text, (gap) => {
    const own = positions?.get(keyOf(gap)) ?? [];
    // Who has no account here is told with what the source knows.
    if (own.length === 0 && gap.told !== '') return gap.told;
    return `,"positions":${JSON.stringify(own)}`;
  });
}

/** The same of markets, as bytes; `text` is used up with the answer. */
export function filledBytes(text: MarketsText, { liveMarkets }: Sources): OwnBytes {
  const bytes = fillMarkets(text, (market) => liveMarkets.text(market));
  const memory = [...new Set([text.bytes.buffer, bytes.buffer])];
  return { bytes, memory };
}

async function filledReply(text: Answer, sources: Sources): Promise<RawReply> {
  return 'bytes' in text
    ? new BytesReply(200, filledBytes(text, sources))
    : new RawReply(200, await filledText(text, sources));
}

/** What is asked for by one name: the field and what a client wrote there. */
export interface AskedName {
  readonly field: string;
  readonly actual: string;
}

/** Throws `id_not_found` or `slug_not_found` where the catalog has nothing of that name. */
async function foundText(asked: Asked, name: AskedName): Promise<Answer> {
  const text = await asked;
  if (text !== undefined) return text;
  const { field, actual } = name;
  const code = field === 'slug' ? 'slug_not_found' : 'id_not_found';
  throw new ApiError(code, { field, actual: echo(actual) });
}

/** One thing of the catalog, or what belongs to it; throws `id_not_found`, `slug_not_found`. */
export async function oneReply(asked: Asked, name: AskedName, sources: Sources): Promise<RawReply> {
  return filledReply(await foundText(asked, name), sources);
}

/** A list of the catalog, which may be empty. */
export async function listReply(asked: Asked, sources: Sources): Promise<RawReply> {
  const text = await asked;
  return text === undefined ? new RawReply(200, '[]') : filledReply(text, sources);
}
