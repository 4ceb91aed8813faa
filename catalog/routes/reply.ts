/**
 * Replies with what the catalog's threads answer: fills their slots with live prices and with the
 * positions of comment authors.
 *
 * Invariant: positions and prices are durable before the reply is sent. Bounds: the size of the
 * answers; `READ_BOUNDS.positionsLookedUp` balances a reply. Authors beyond it keep the positions
 * that the source of the comment gave.
 */
import { MICRO_TOKENS_PER_LOT } from '../../engine/model/index.ts';
import { BytesReply, type OwnBytes, RawReply } from '../../http/api/index.ts';
import { READ_BOUNDS } from '../../http/bounds/read-bounds.ts';
import { ApiError, type ErrorCode, echo } from '../../http/errors/index.ts';
import { nextTurn } from '../../http/runtime/log.ts';
import type { Services } from '../../http/services/index.ts';
import {
  type AppliedState,
  type AuthorSlot,
  authorSlotOf,
  CatalogRefusal,
  type CatalogRefusalCode,
  type CommentParent,
  fillSlots,
  marketSlotOf,
  type Slot,
  type SlottedJson,
  slotsOf,
} from '../../persistence/index.ts';

const CODES: Readonly<Record<CatalogRefusalCode, ErrorCode>> = {
  unknown: 'id_not_found',
  not_the_author: 'not_the_author',
  removed: 'comment_removed',
  wrong_parent: 'invalid_payload',
  too_many: 'comment_bound',
  taken: 'record_exists',
  malformed: 'invalid_payload',
};

/** Awaits a write; a refusal becomes an `ApiError`. */
export async function written<Answer>(write: Promise<Answer>): Promise<Answer> {
  try {
    return await write;
  } catch (error) {
    if (!(error instanceof CatalogRefusal)) throw error;
    const { code, field, limit, actual } = error;
    throw new ApiError(CODES[code], { field, limit, actual: echo(actual) });
  }
}

/** The member `type` that catalog clients read in a failure (wire 5.8). */
const TYPES: ReadonlyMap<number, string> = new Map([
  [400, 'bad request'],
  [404, 'not found error'],
  [422, 'validation error'],
]);

/** The `type` for the status of a failure. Only the statuses above have one. */
export function catalogFailure({ entry }: ApiError): Readonly<Record<string, unknown>> {
  const type = TYPES.get(entry.status);
  return type === undefined ? {} : { type };
}

type Sources = Pick<Services, 'exchange' | 'liveMarkets' | 'registry'>;
type Answer = Promise<SlottedJson | undefined>;

const { positionsLookedUp, balancesPerSlice, accountsOfAuthor, tokensOfParent } = READ_BOUNDS;

interface Holding {
  readonly account: string;
  readonly tokenId: string;
}

/** The accounts of an author, whose address is an account or an owner. */
function accountsOf(address: string, { registry }: Sources): readonly string[] {
  const account = address.toLowerCase();
  const owner = registry.accountOwner(account) ?? account;
  return registry
    .accountsOf(owner)
    .slice(0, accountsOfAuthor)
    .map((one) => one.address);
}

/** The balances to look up for each author, until the bound is reached. */
function holdingsOf(
  authors: ReadonlyMap<string, AuthorSlot>,
  sources: Sources,
): ReadonlyMap<string, readonly Holding[]> {
  const tokens = new Map<string, readonly string[]>();
  const tokensOf = (parent: CommentParent): readonly string[] => {
    const name = `${parent.type}/${parent.id}`;
    const known = tokens.get(name);
    if (known !== undefined) return known;
    const found = sources.exchange.catalog.lookup.tokensOf(parent, tokensOfParent);
    tokens.set(name, found);
    return found;
  };
  const holdings = new Map<string, readonly Holding[]>();
  let room: number = positionsLookedUp;
  for (const [key, { address, parent }] of authors) {
    const found = accountsOf(address, sources).flatMap((account) =>
      tokensOf(parent).map((tokenId) => ({ account, tokenId })),
    );
    if (found.length > room) break;
    room -= found.length;
    holdings.set(key, found);
  }
  return holdings;
}

interface Position {
  readonly tokenId: string;
  /** Micro-tokens. */
  readonly positionSize: string;
}

function authorsIn(slots: readonly Slot[]): ReadonlyMap<string, AuthorSlot> {
  const authors = new Map<string, AuthorSlot>();
  for (const slot of slots) {
    const author = authors.has(slot.key) ? undefined : authorSlotOf(slot);
    if (author !== undefined) authors.set(slot.key, author);
  }
  return authors;
}

/** What each author holds in the markets that are commented on, by slot key. */
async function positionsOf(
  authors: ReadonlyMap<string, AuthorSlot>,
  sources: Sources,
): Promise<ReadonlyMap<string, readonly Position[]>> {
  const parts: [string, readonly Holding[]][][] = [[]];
  let looked = 0;
  for (const entry of holdingsOf(authors, sources)) {
    if (looked > balancesPerSlice) {
      parts.push([]);
      looked = 0;
    }
    parts.at(-1)?.push(entry);
    looked += entry[1].length;
  }
  const positions = new Map<string, readonly Position[]>();
  for (const part of parts) {
    await sources.exchange.read((state) => {
      for (const [key, list] of part) positions.set(key, positionsIn(list, state));
    });
    // Other requests get their turn.
    if (parts.length > 1) await nextTurn();
  }
  return positions;
}

/** Positions in the same token add up over the accounts. */
function positionsIn(holdings: readonly Holding[], state: AppliedState): readonly Position[] {
  const lots = new Map<string, number>();
  for (const { account, tokenId } of holdings) {
    const { available = 0, held = 0 } = state.balance(account, tokenId) ?? {};
    if (available + held > 0) lots.set(tokenId, (lots.get(tokenId) ?? 0) + available + held);
  }
  return [...lots].map(([tokenId, size]) => ({
    tokenId,
    positionSize: `${size * MICRO_TOKENS_PER_LOT}`,
  }));
}

/** The comment authors who hold a token of what they comment on. */
export async function holdersIn(json: SlottedJson, sources: Sources): Promise<readonly string[]> {
  const authors = authorsIn(slotsOf(json));
  const positions = await positionsOf(authors, sources);
  const holders = [...authors].filter(([key]) => (positions.get(key)?.length ?? 0) > 0);
  return [...new Set(holders.map(([, { address }]) => address))];
}

/** The answer with its slots filled. `json` must not be used afterwards: its memory is sent. */
export async function filledBytes(json: SlottedJson, sources: Sources): Promise<OwnBytes> {
  const slots = slotsOf(json);
  const authors = authorsIn(slots);
  const positions = authors.size === 0 ? undefined : await positionsOf(authors, sources);
  const bytes = fillSlots(json, (slot) => {
    if (positions === undefined) return sources.liveMarkets.text(marketSlotOf(slot));
    const own = positions.get(slot.key) ?? [];
    // An author without positions here keeps those that the comment's source gave.
    return own.length === 0 ? undefined : `,"positions":${JSON.stringify(own)}`;
  });
  return { bytes, memory: [...new Set([json.bytes.buffer, bytes.buffer])] };
}

export async function filledText(json: SlottedJson, sources: Sources): Promise<string> {
  const { bytes } = await filledBytes(json, sources);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}

async function filledReply(json: SlottedJson, sources: Sources): Promise<RawReply> {
  return new BytesReply(200, await filledBytes(json, sources));
}

/** The name by which a client asks for a record: the field and what the client wrote there. */
export interface RequestedName {
  readonly field: string;
  readonly actual: string;
}

/** One record or its parts; throws `id_not_found` or `slug_not_found` if it is unknown. */
export async function oneReply(
  answer: Answer,
  { field, actual }: RequestedName,
  sources: Sources,
): Promise<RawReply> {
  const json = await answer;
  if (json !== undefined) return filledReply(json, sources);
  const code = field === 'slug' ? 'slug_not_found' : 'id_not_found';
  throw new ApiError(code, { field, actual: echo(actual) });
}

/** A list, which may be empty. */
export async function listReply(answer: Answer, sources: Sources): Promise<RawReply> {
  const json = await answer;
  return json === undefined ? new RawReply(200, '[]') : filledReply(json, sources);
}
