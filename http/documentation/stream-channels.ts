/**
 * The channels of the streams and their messages, as the document shows them. They are data in
 * `streams/`: a file for each channel, and `shared.json` with the parts that several messages have.
 *
 * The schemas are JSON Schema, with the keywords that mean the same in version 2020-12 and in
 * AsyncAPI (draft 07). Here `$ref` names a part of `shared.json` or `CODE_PARTS`; keys beside the
 * `$ref` replace keys of the part. `allOf` joins the fields of objects. The document has neither,
 * because each message is written out in full.
 *
 * Invariant: a schema names every field that a message can have. For speed, messages are made as
 * text elsewhere; a test collects real messages of every kind and compares them with the schemas.
 */
import { strict as assert } from 'node:assert';
import type { TSchema } from 'typebox';
import { Comment, Reaction } from '../../catalog/routes/index.ts';
import type { OrderClosed } from '../../engine/index.ts';
import { MakerOrder } from '../format/index.ts';
import { type ClosingCode, STREAM_FAULTS } from '../streams/delivery/index.ts';
import { OrderBook } from '../views/index.ts';
import { expanded, isJsonObject, type Json, type JsonObject, mapValues, toJson } from './schema.ts';
import live from './streams/live.json' with { type: 'json' };
import market from './streams/market.json' with { type: 'json' };
import shared from './streams/shared.json' with { type: 'json' };
import user from './streams/user.json' with { type: 'json' };

export interface StreamMessage {
  /** The `event_type` of a message to clients, or the operation of a client. */
  readonly name: string;
  readonly summary: string;
  readonly payload: JsonObject;
  /** Left out for JSON. */
  readonly contentType?: 'text/plain';
}

export interface StreamChannel {
  /** The same as in the metrics. */
  readonly name: string;
  readonly address: string;
  readonly title: string;
  /** Lines of Markdown. */
  readonly description: readonly string[];
  /** Messages from clients. */
  readonly received: readonly StreamMessage[];
  /** Messages to clients. */
  readonly sent: readonly StreamMessage[];
  /** The reasons for which the exchange closes a socket. */
  readonly closings: readonly ClosingCode[];
}

/** The reasons for which an order ends before it is filled. */
const END_REASONS = {
  canceled: 'its owner cancelled it',
  expired: 'it expired',
  self_trade: 'it would have matched another order of its owner',
  switch_tripped: "its owner's dead man's switch cancelled it",
  owner_banned: 'its owner was banned',
  closed_only: 'its owner may only sell, and it was a BUY',
  market_closed: 'its market was closed',
  market_resolved: 'its market was resolved',
  trading_paused: 'it was delayed, and trading was paused',
  unmatched: 'it was delayed, and after the delay there was nothing to match',
  remainder_released: 'there was nothing left to match',
} as const satisfies Record<Exclude<OrderClosed['reason'], 'matched'>, string>;

const ANSWERED = Object.entries(STREAM_FAULTS).filter(([, fault]) => !('closeCode' in fault));

function partOf(schema: TSchema): JsonObject {
  return expanded(toJson(schema), new Map());
}

/** The parts that follow from code. */
const CODE_PARTS = {
  Comment: partOf(Comment),
  MakerOrder: partOf(MakerOrder),
  OrderBook: partOf(OrderBook),
  Reaction: partOf(Reaction),
  endReason: {
    type: 'string',
    enum: Object.keys(END_REASONS),
    description: `The reason of a CANCELLATION. ${Object.entries(END_REASONS)
      .map(([word, meaning]) => `\`${word}\`: ${meaning}`)
      .join('; ')}`,
  },
  errorCode: {
    type: 'string',
    enum: ANSWERED.map(([code]) => code),
    description: ANSWERED.map(([code, { docs }]) => `\`${code}\`: ${docs}`).join(' '),
  },
};

const PARTS: JsonObject = { ...shared, ...CODE_PARTS };

/** One object with the fields of several. If several have a field, the last one is used. */
function joined(objects: readonly JsonObject[]): JsonObject {
  const lists = objects.map(({ required = [] }) => required);
  const required = [...new Set(lists.flat())];
  const properties = Object.assign({}, ...objects.map((object) => object.properties));
  return { type: 'object', ...(required.length === 0 ? {} : { required }), properties };
}

/** A copy without `$ref` and `allOf`. */
function writtenOut(value: Json): Json {
  if (Array.isArray(value)) return value.map(writtenOut);
  if (!isJsonObject(value)) return value;
  const { $ref, allOf, ...rest } = value;
  if (Array.isArray(allOf)) return joined(allOf.map(writtenOut).filter(isJsonObject));
  const own = mapValues(rest, writtenOut);
  if (typeof $ref !== 'string') return own;
  const part = writtenOut(PARTS[$ref] ?? null);
  assert(isJsonObject(part), `there is a part ${$ref}`);
  return { ...part, ...own };
}

const channels: unknown = [market, user, live].map(writtenOut);
// Safe: the files have this form; tests check every message and close code.
export const STREAM_CHANNELS = channels as readonly StreamChannel[];
