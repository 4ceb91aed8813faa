/**
 * What the routes of this folder share: reading ids and authors, and replying with comments.
 *
 * Invariant: a change is published on the live-data socket after it was committed and before the
 * request is answered.
 */
import { Type } from 'typebox';
import { type Caller, RawReply } from '../../../http/api/index.ts';
import { ApiError, echo } from '../../../http/errors/index.ts';
import { Text, TrueFalse } from '../../../http/parameters/index.ts';
import type { Services } from '../../../http/services/index.ts';
import { toChecksumAddress } from '../../../http/signing/address.ts';
import type { CommentMessageType } from '../../../http/streams/live/request.ts';
import {
  CONTENT_BOUNDS,
  type CommentChange,
  type SlottedJson,
} from '../../../persistence/index.ts';
import { filledText } from '../index.ts';

export const CommentId = Type.Object({
  id: Text('Numeric id of a comment'),
});

const DIGITS = /^[1-9]\d{0,14}$/;

/** A numeric id in a path or body, written as a number or text. */
export function readNumericId(
  value: string | number,
  field: string,
  code: 'invalid_parameter' | 'invalid_payload',
): number {
  if (DIGITS.test(`${value}`)) return Number(value);
  throw new ApiError(code, { field, limit: 'a numeric id', actual: echo(`${value}`) });
}

export function commentIdIn({ id }: { readonly id: string }): number {
  return readNumericId(id, 'id', 'invalid_parameter');
}

/** The address under which a caller writes; throws `owner_banned`. */
export function authorAddress({ owner }: Caller, { registry }: Pick<Services, 'registry'>): string {
  const address = toChecksumAddress(owner);
  if (registry.standingOf(owner) !== 'banned') return address;
  throw new ApiError('owner_banned', { field: 'address', actual: address });
}

export const DuplicateContent = TrueFalse(
  'Whether the request changed nothing, because it was done before',
);

export const ReactionType = Type.String({
  pattern: `^[A-Z][A-Z0-9_]{0,${CONTENT_BOUNDS.reactionChars - 1}}$`,
  description: 'Capital letters, digits and underscores, such as HEART',
});

/** Publishes a change, unless it changed nothing. Returns the comment as JSON. */
export async function publishChange(
  type: CommentMessageType | undefined,
  change: CommentChange,
  services: Pick<Services, 'exchange' | 'registry' | 'liveMarkets' | 'comments'>,
): Promise<string> {
  const text = await filledText(change.json, services);
  if (type === undefined || !change.changed) return text;
  const payload = change.reaction === '' ? text : reactionPayload(change, text);
  services.comments.publish(type, change, payload);
  return text;
}

function reactionPayload({ reaction, parent }: CommentChange, comment: string): string {
  const about = `"parentEntityType":"${parent.type}","parentEntityID":${parent.id}`;
  return `${reaction.slice(0, -1)},${about},"comment":${comment}}`;
}

export async function changeReply(
  type: CommentMessageType | undefined,
  change: CommentChange,
  services: Pick<Services, 'exchange' | 'registry' | 'liveMarkets' | 'comments'>,
): Promise<RawReply> {
  return markedReply(await publishChange(type, change, services), change);
}

/** Replies with a JSON object and whether the request changed nothing. */
export function markedReply(text: string, { changed }: CommentChange): RawReply {
  return new RawReply(200, `${text.slice(0, -1)},"duplicate":${!changed}}`);
}

export async function textReply(
  text: SlottedJson,
  services: Pick<Services, 'exchange' | 'registry' | 'liveMarkets'>,
): Promise<RawReply> {
  return new RawReply(200, await filledText(text, services));
}
