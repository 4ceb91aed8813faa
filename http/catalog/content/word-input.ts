/**
 * What the routes of this folder share: who speaks, of what, and what becomes of it.
 *
 * Invariant: what is told on the live-data socket was committed before, and is told before the
 * answer: whoever reads the answer has heard of it.
 */
import { Type } from 'typebox';
import {
  CONTENT_BOUNDS,
  type CommentChange,
  type CommentParentType,
  type SlottedJson,
} from '../../../persistence/index.ts';
import { type Caller, RawReply } from '../../api/index.ts';
import { ApiError, echo } from '../../errors/index.ts';
import type { Services } from '../../services/index.ts';
import { toChecksumAddress } from '../../signing/index.ts';
import type { CommentMessageType } from '../../streams/live/index.ts';
import { filledText } from '../index.ts';

export const CommentId = Type.Object({ id: Type.String({ description: 'Of a comment' }) });

const DIGITS = /^[1-9]\d{0,14}$/;

/** A numeric id, of a path or body, as a number or text. */
export function numberIn(
  value: string | number,
  field: string,
  code: 'invalid_parameter' | 'invalid_payload',
): number {
  if (DIGITS.test(`${value}`)) return Number(value);
  throw new ApiError(code, { field, limit: 'a numeric id', actual: echo(`${value}`) });
}

export function commentIdIn({ id }: { readonly id: string }): number {
  return numberIn(id, 'id', 'invalid_parameter');
}

/** The address that a caller's words carry; throws `owner_banned`. */
export function speakerOf({ owner }: Caller, { registry }: Pick<Services, 'registry'>): string {
  const address = toChecksumAddress(owner);
  if (registry.standingOf(owner) !== 'banned') return address;
  throw new ApiError('owner_banned', { field: 'address', actual: address });
}

export const Duplicate = Type.Boolean({
  description: 'It was so before, and nothing was done or told to others',
});

export const PARENT_TYPES = ['Event', 'Series', 'market'] as const satisfies CommentParentType[];

export const ReactionType = Type.String({
  pattern: `^[A-Z][A-Z0-9_]{0,${CONTENT_BOUNDS.reactionChars - 1}}$`,
  description: 'Such as HEART: capital letters, digits and underscores',
});

/** The comment of a change; told to whoever listens, if it is new, with the reaction to it. */
export async function toldText(
  type: CommentMessageType | undefined,
  change: CommentChange,
  services: Pick<Services, 'exchange' | 'registry' | 'liveMarkets' | 'comments'>,
): Promise<string> {
  const text = await filledText(change.json, services);
  if (type === undefined || !change.changed) return text;
  const { reaction } = change;
  const payload = reaction === '' ? text : `${text.slice(0, -1)},${reactionMembers(reaction)}}`;
  services.comments.publish(type, change, payload);
  return text;
}

/** What clients of public sockets read of a reaction, beside the comment. */
function reactionMembers(reaction: string): string {
  const { commentID, reactionType, icon }: Readonly<Record<string, unknown>> = JSON.parse(reaction);
  return (
    `"commentID":${JSON.stringify(commentID)},"reactionType":${JSON.stringify(reactionType)},` +
    `"icon":${JSON.stringify(icon)},"reaction":${reaction}`
  );
}

/** The comment, and whether it was so before. */
export async function changeReply(
  type: CommentMessageType | undefined,
  change: CommentChange,
  services: Pick<Services, 'exchange' | 'registry' | 'liveMarkets' | 'comments'>,
): Promise<RawReply> {
  return markedReply(await toldText(type, change, services), change);
}

/** An object as JSON, and whether it was so before. */
export function markedReply(text: string, { changed }: CommentChange): RawReply {
  return new RawReply(200, `${text.slice(0, -1)},"duplicate":${!changed}}`);
}

export async function textReply(
  text: SlottedJson,
  services: Pick<Services, 'exchange' | 'registry' | 'liveMarkets'>,
): Promise<RawReply> {
  return new RawReply(200, await filledText(text, services));
}
