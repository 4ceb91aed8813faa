/**
 * JSON text with slots: the form in which the catalog's threads answer. A thread writes the whole
 * text; the main thread replaces the content of slots with what only it knows: the live prices of
 * a market, and what the author of a comment holds.
 *
 * Invariant: the text is one JSON value whether slots are replaced or not. A slot lies inside an
 * object and holds members with a comma before each (`,"closed":false,"bestBid":0.41`), or nothing.
 * Slots are in text order and do not overlap. Bound: the query limits the length of the text.
 */

export interface SlottedJson {
  /** UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Three numbers a slot: its first byte, the byte after its last one, and its flags. */
  readonly slots: Uint32Array;
  /** The keys of the slots, joined by line feeds: one text crosses threads faster than many. */
  readonly keys: string;
  /** Elements of a list; events of a search; 1 for a single record. */
  readonly count: number;
}

export const SLOT_NUMBERS = 3;

const SLOT_FLAGS = { closed: 1, acceptingOrders: 2, author: 4 } as const;

export interface Slot {
  readonly key: string;
  readonly flags: number;
}

/** The slot of a market, for its state, prices, tick size and minimum size. */
export interface MarketSlot {
  /** `0x` and 64 lower-case hex digits. */
  readonly conditionId: string;
  /** The state in the catalog; the state in the engine may be newer. */
  readonly closed: boolean;
  readonly acceptingOrders: boolean;
}

/** The slot at the end of an author's profile in a comment: the author's positions. */
export interface AuthorSlot {
  /** The address as it was written: an owner's, or that of the owner's wallet. */
  readonly address: string;
  /** What the comment is about. Only positions in its markets are shown. */
  readonly parent: CommentParent;
}

export interface CommentParent {
  readonly type: CommentParentType;
  readonly id: number;
}

/** The kinds of parents, spelled as in the HTTP API. */
export const COMMENT_PARENTS = ['Event', 'Series'] as const;
export type CommentParentType = (typeof COMMENT_PARENTS)[number];

/** What requests and records of sources may name. A market stands for its event. */
export const NAMED_PARENTS = [...COMMENT_PARENTS, 'market'] as const;
export type NamedParentType = (typeof NAMED_PARENTS)[number];

export function marketSlotOf({ key, flags }: Slot): MarketSlot {
  return {
    conditionId: key,
    closed: (flags & SLOT_FLAGS.closed) !== 0,
    acceptingOrders: (flags & SLOT_FLAGS.acceptingOrders) !== 0,
  };
}

export function slotOfMarket({ conditionId, closed, acceptingOrders }: MarketSlot): Slot {
  const flags =
    (closed ? SLOT_FLAGS.closed : 0) + (acceptingOrders ? SLOT_FLAGS.acceptingOrders : 0);
  return { key: conditionId, flags };
}

export function slotOfAuthor({ address, parent }: AuthorSlot): Slot {
  // JSON: addresses of imported comments may hold any character, line feeds too.
  return { key: JSON.stringify([address, parent.type, parent.id]), flags: SLOT_FLAGS.author };
}

/** Undefined for the slot of a market. */
export function authorSlotOf({ key, flags }: Slot): AuthorSlot | undefined {
  if ((flags & SLOT_FLAGS.author) === 0) return undefined;
  // Safe: `slotOfAuthor` made the key.
  const [address, type, id] = JSON.parse(key) as [string, CommentParentType, number];
  return { address, parent: { type, id } };
}

/** Members of a market's slot that an imported record may already contain. */
export const LIVE_FIELDS = [
  'outcomePrices',
  'lastTradePrice',
  'bestBid',
  'bestAsk',
  'spread',
  'oneHourPriceChange',
  'oneDayPriceChange',
  'oneWeekPriceChange',
  'oneMonthPriceChange',
  'oneYearPriceChange',
  'feesEnabled',
  'feeType',
  'feeSchedule',
  'makerBaseFee',
  'takerBaseFee',
  'umaResolutionStatus',
  'umaResolutionStatuses',
  'closedTime',
] as const;

export function slotsOf({ keys, slots }: SlottedJson): Slot[] {
  if (slots.length === 0) return [];
  return keys
    .split('\n')
    .map((key, index) => ({ key, flags: slots[SLOT_NUMBERS * index + 2] ?? 0 }));
}

/**
 * Replaces the content of each slot with what `contentOf` returns: ASCII text, or undefined to
 * leave the slot as it is. Returns the same bytes if no slot is replaced.
 */
export function fillSlots(
  json: SlottedJson,
  contentOf: (slot: Slot) => string | undefined,
): Uint8Array<ArrayBuffer> {
  const { bytes, slots } = json;
  const contents = slotsOf(json).map(contentOf);
  let length = bytes.length;
  contents.forEach((content, index) => {
    if (content !== undefined) length += content.length - slotLength(slots, index);
  });
  if (contents.every((content) => content === undefined)) return bytes;
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  // Not from Buffer's shared pool, because the caller may transfer the memory to a thread.
  const filled = Buffer.allocUnsafeSlow(length);
  let [from, to] = [0, 0];
  contents.forEach((content, index) => {
    if (content === undefined) return;
    const begin = slots[SLOT_NUMBERS * index] ?? 0;
    to += source.copy(filled, to, from, begin);
    to += filled.write(content, to, 'latin1');
    from = begin + slotLength(slots, index);
  });
  source.copy(filled, to, from);
  return filled;
}

function slotLength(slots: Uint32Array, index: number): number {
  return (slots[SLOT_NUMBERS * index + 1] ?? 0) - (slots[SLOT_NUMBERS * index] ?? 0);
}
