/**
 * The shown facts and the counts of steps as parts `facts.*` of a snapshot, beside the engine's
 * parts. Invariant: equal facts make equal parts. Bound: STORE_BOUNDS.factsABlock entries a part.
 * Live orders, of which there may be a million, stay packed until they are iterated.
 */

import type {
  CountedSteps,
  Lots,
  MarketSteps,
  Outcome,
  Side,
  SnapshotPart,
  Ticks,
} from '../../engine/index.ts';
import { SnapshotError } from '../../engine/model/index.ts';
import type { LastTradeFacts } from '../shared/index.ts';
import {
  type Facts,
  type KeyTimes,
  type ShownMarket,
  STORE_BOUNDS,
  walks,
} from '../shared/index.ts';

const PREFIX = 'facts.';
const NAMES = {
  markets: `${PREFIX}markets`,
  keys: `${PREFIX}keys`,
  orders: `${PREFIX}orders`,
  marketSteps: `${PREFIX}market_steps`,
  ownerSteps: `${PREFIX}owner_steps`,
} as const;

const ID_BYTES = 32;
const NUMBER_BYTES = 8;
/** A market: id; createdSeq, createdMs, endedMs, bookMs, minimumLots, tick; last trade; flags. */
const MARKET_BYTES = ID_BYTES + 6 * NUMBER_BYTES + 2 * NUMBER_BYTES + 1;
const FLAGS = { redeemsAll: 1, hasTrade: 2, tookNo: 4, sold: 8 } as const;
/** An order: its id, and the index of its API key in the block's list of keys. */
const KEY_PLACE_BYTES = 4;
const ORDER_BYTES = ID_BYTES + KEY_PLACE_BYTES;

export function isFacts({ name }: SnapshotPart): boolean {
  return name.startsWith(PREFIX);
}

export function* writeFacts(facts: Facts): Generator<SnapshotPart> {
  for (const block of blocksOf(facts.markets)) {
    yield { name: NAMES.markets, bytes: Buffer.concat(block.map(marketBytes)) };
  }
  for (const block of blocksOf(facts.keys)) {
    const rows = block.map(({ apiKey, issuedMs, revokedMs }) => [apiKey, issuedMs, revokedMs]);
    yield { name: NAMES.keys, bytes: Buffer.from(JSON.stringify(rows)) };
  }
  for (const block of blocksOf(facts.orderKeys)) {
    yield { name: NAMES.orders, bytes: orderBlock(block) };
  }
}

/** A market's count is written as twice the number, plus 1 if its last step has two copies. */
export function* writeSteps({ markets, owners }: CountedSteps): Generator<SnapshotPart> {
  for (const block of blocksOf(markets)) {
    const numbers = block.map(({ count, isSplit }) => count * 2 + (isSplit ? 1 : 0));
    yield { name: NAMES.marketSteps, bytes: Buffer.from(JSON.stringify(numbers)) };
  }
  for (const block of blocksOf(owners)) {
    yield { name: NAMES.ownerSteps, bytes: Buffer.from(JSON.stringify(block)) };
  }
}

/** Collects facts from their parts. `take` throws SnapshotError for an unknown part. */
export class FactsReader implements Facts {
  readonly markets: ShownMarket[] = [];
  readonly keys: KeyTimes[] = [];
  readonly #orderBlocks: Buffer[] = [];
  readonly #marketSteps: MarketSteps[] = [];
  readonly #owners: number[] = [];

  readonly orderKeys = walks(() => this.#walkOrders());

  take({ name, bytes }: SnapshotPart): void {
    const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    // A copy, because these are read later.
    if (name === NAMES.orders) this.#orderBlocks.push(Buffer.from(block));
    else if (name === NAMES.markets)
      for (const market of marketsIn(block)) this.markets.push(market);
    else if (name === NAMES.keys) this.#takeKeys(block);
    else if (name === NAMES.marketSteps) this.#takeMarketSteps(block);
    else if (name === NAMES.ownerSteps)
      for (const count of numbersIn(block)) this.#owners.push(count);
    else throw new SnapshotError(`a snapshot has no part named ${name}`);
  }

  get steps(): CountedSteps {
    return { markets: this.#marketSteps, owners: this.#owners };
  }

  #takeKeys(block: Buffer): void {
    // Safe: the file's checksum shows that `writeFacts` made it.
    const rows = JSON.parse(block.toString()) as [string, number, number][];
    for (const [apiKey, issuedMs, revokedMs] of rows) {
      this.keys.push({ apiKey, issuedMs, revokedMs });
    }
  }

  #takeMarketSteps(block: Buffer): void {
    for (const number of numbersIn(block)) {
      this.#marketSteps.push({ count: Math.floor(number / 2), isSplit: number % 2 === 1 });
    }
  }

  *#walkOrders(): Generator<readonly [string, string]> {
    for (const block of this.#orderBlocks) yield* ordersIn(block);
  }
}

/** Safe: the file's checksum shows that `writeSteps` made it. */
function numbersIn(block: Buffer): number[] {
  return JSON.parse(block.toString()) as number[];
}

function* blocksOf<Entry>(entries: Iterable<Entry>): Generator<Entry[]> {
  let block: Entry[] = [];
  for (const entry of entries) {
    block.push(entry);
    if (block.length < STORE_BOUNDS.factsABlock) continue;
    yield block;
    block = [];
  }
  if (block.length > 0) yield block;
}

function marketBytes(market: ShownMarket): Buffer {
  const { createdSeq, createdMs, endedMs, bookMs, minimumLots, tickTicks, lastTrade } = market;
  const bytes = Buffer.alloc(MARKET_BYTES);
  bytes.write(market.conditionId.slice(2), 0, 'hex');
  const trade = [lastTrade?.yesTicks ?? 0, lastTrade?.timeMs ?? 0];
  const numbers = [createdSeq, createdMs, endedMs, bookMs, minimumLots, tickTicks, ...trade];
  for (const [place, number] of numbers.entries()) {
    bytes.writeDoubleLE(number, ID_BYTES + place * NUMBER_BYTES);
  }
  let flags = market.redeemsAll ? FLAGS.redeemsAll : 0;
  if (lastTrade !== undefined) flags |= FLAGS.hasTrade;
  if (lastTrade?.takerOutcome === 1) flags |= FLAGS.tookNo;
  if (lastTrade?.takerSide === 'SELL') flags |= FLAGS.sold;
  bytes.writeUInt8(flags, MARKET_BYTES - 1);
  return bytes;
}

function* marketsIn(block: Buffer): Generator<ShownMarket> {
  for (let at = 0; at < block.length; at += MARKET_BYTES) {
    const number = (place: number): number =>
      block.readDoubleLE(at + ID_BYTES + place * NUMBER_BYTES);
    const flags = block.readUInt8(at + MARKET_BYTES - 1);
    yield {
      conditionId: `0x${block.toString('hex', at, at + ID_BYTES)}`,
      createdSeq: number(0),
      createdMs: number(1),
      endedMs: number(2),
      redeemsAll: (flags & FLAGS.redeemsAll) !== 0,
      bookMs: number(3),
      lastTrade: tradeOf(flags, number(6), number(7)),
      tickTicks: number(5) as Ticks, // safe: written from Ticks
      minimumLots: number(4) as Lots, // safe: written from Lots
    };
  }
}

function tradeOf(flags: number, yesTicks: number, timeMs: number): LastTradeFacts | undefined {
  if ((flags & FLAGS.hasTrade) === 0) return undefined;
  const takerOutcome: Outcome = (flags & FLAGS.tookNo) === 0 ? 0 : 1;
  const takerSide: Side = (flags & FLAGS.sold) === 0 ? 'BUY' : 'SELL';
  // Safe: the number was written from a price in ticks.
  return { yesTicks: yesTicks as Ticks, takerOutcome, takerSide, timeMs };
}

/** The number of orders (4 bytes); their ids; the indexes of their keys; the keys as JSON. */
function orderBlock(orders: readonly (readonly [orderId: string, apiKey: string])[]): Buffer {
  const bytes = Buffer.alloc(KEY_PLACE_BYTES + orders.length * ORDER_BYTES);
  bytes.writeUInt32LE(orders.length, 0);
  const places = new Map<string, number>();
  const placesAt = KEY_PLACE_BYTES + orders.length * ID_BYTES;
  for (const [index, [orderId, apiKey]] of orders.entries()) {
    const place = places.get(apiKey) ?? places.size;
    if (place === places.size) places.set(apiKey, place);
    bytes.write(orderId.slice(2), KEY_PLACE_BYTES + index * ID_BYTES, 'hex');
    bytes.writeUInt32LE(place, placesAt + index * KEY_PLACE_BYTES);
  }
  return Buffer.concat([bytes, Buffer.from(JSON.stringify([...places.keys()]))]);
}

function* ordersIn(block: Buffer): Generator<readonly [string, string]> {
  const count = block.readUInt32LE(0);
  const placesAt = KEY_PLACE_BYTES + count * ID_BYTES;
  const keysAt = placesAt + count * KEY_PLACE_BYTES;
  const keys = JSON.parse(block.toString('utf8', keysAt)) as string[]; // safe: as in `#takeKeys`
  for (let index = 0; index < count; index += 1) {
    const at = KEY_PLACE_BYTES + index * ID_BYTES;
    const place = block.readUInt32LE(placesAt + index * KEY_PLACE_BYTES);
    yield [`0x${block.toString('hex', at, at + ID_BYTES)}`, keys[place]!];
  }
}
