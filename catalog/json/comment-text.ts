/**
 * Comments with their reactions and authors as JSON (wire 8.4). Invariant: `writeComment` writes
 * every comment, so lists, threads and the live-data socket show the same object. Bound:
 * `CATALOG_BOUNDS.reactionsTold` reactions a comment.
 */

import type { Database, Statement } from 'better-sqlite3';
import { pseudonymOf } from '../../persistence/shared/index.ts';
import {
  CATALOG_BOUNDS,
  type CommentParent,
  type SlottedJson,
  slotOfAuthor,
} from '../model/index.ts';
import { furtherMembers, JsonWriter } from './json-writer.ts';

/** Who wrote a comment or reaction. Columns of the profile are null if none is stored. */
export interface AuthorColumns {
  readonly userAddress: string;
  readonly wallet: string | null;
  readonly proxyWallet: string | null;
  readonly name: string | null;
  readonly pseudonym: string | null;
  readonly bio: string | null;
  readonly profileImage: string | null;
  readonly displayUsernamePublic: number | null;
  readonly isMod: number | null;
  readonly isCreator: number;
  readonly profileRecord: string | null;
}

export interface CommentColumns extends AuthorColumns {
  readonly id: number;
  readonly eventId: number | null;
  readonly seriesId: number | null;
  readonly parentCommentId: number | null;
  readonly threadId: number;
  readonly replyAddress: string;
  readonly body: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly isShown: number;
  readonly reportCount: number;
  readonly reactionCount: number;
  readonly replyCount: number;
  readonly record: string;
}

export interface ReactionColumns extends AuthorColumns {
  readonly id: number;
  readonly commentId: number;
  readonly reactionType: string;
  readonly icon: string;
  readonly createdAt: string | null;
  readonly record: string;
}

const AUTHOR = `c.user_address AS userAddress, p.wallet, p.proxy_wallet AS proxyWallet, p.name,
  p.pseudonym, p.bio, p.profile_image AS profileImage, p.is_mod AS isMod,
  p.display_username_public AS displayUsernamePublic, p.record AS profileRecord,
  EXISTS (SELECT 1 FROM creators WHERE creators.wallet = c.user_address
    AND creators.wallet <> '') AS isCreator`;

// The address is an owner's or its wallet's.
const PROFILE = `LEFT JOIN profiles p ON p.wallet = coalesce(
  (SELECT wallet FROM profiles WHERE wallet = c.user_address),
  (SELECT wallet FROM profiles WHERE proxy_wallet = c.user_address AND proxy_wallet <> ''))`;

/** The caller appends a condition on `c`. */
export const SELECT_COMMENTS = `
SELECT c.id, c.event_id AS eventId, c.series_id AS seriesId,
  c.parent_comment_id AS parentCommentId, c.thread_id AS threadId,
  c.reply_address AS replyAddress, c.body, c.created_at AS createdAt, c.updated_at AS updatedAt,
  c.is_shown AS isShown, c.report_count AS reportCount, c.reaction_count AS reactionCount,
  c.reply_count AS replyCount, c.record, ${AUTHOR}
FROM comments c ${PROFILE}`;

/** The caller appends a condition on `c`. */
const SELECT_REACTIONS = `
SELECT c.id, c.comment_id AS commentId, c.reaction_type AS reactionType, c.icon,
  c.created_at AS createdAt, c.record, ${AUTHOR}
FROM reactions c ${PROFILE}`;

export function parentOf({ eventId, seriesId }: CommentColumns): CommentParent {
  if (eventId !== null) return { type: 'Event', id: eventId };
  return { type: 'Series', id: seriesId ?? 0 };
}

const json = JSON.stringify;

/** The picture itself: there is no smaller one. */
function optimizedImage(url: string) {
  return { id: '', imageUrlSource: url, imageUrlOptimized: url };
}

/** The profile without its last brace: a comment adds the author's positions. */
function openProfile(author: AuthorColumns): string {
  const { userAddress, proxyWallet, wallet, name, pseudonym, bio, profileImage } = author;
  // A removed comment has no author.
  const shownPseudonym = pseudonym || (userAddress === '' ? '' : pseudonymOf(userAddress));
  const further: Readonly<Record<string, unknown>> = JSON.parse(author.profileRecord ?? '{}');
  const {
    positions: _positions,
    profileImageOptimized,
    xUsername: _xUsername,
    verifiedBadge: _verifiedBadge,
    ...rest
  } = further;
  const profile = {
    name: name ?? '',
    pseudonym: shownPseudonym,
    displayUsernamePublic: author.displayUsernamePublic !== 0,
    bio: bio ?? '',
    isMod: author.isMod === 1,
    isCreator: author.isCreator === 1,
    proxyWallet: proxyWallet || userAddress,
    baseAddress: wallet ?? userAddress,
    profileImage: profileImage ?? '',
    profileImageOptimized: {
      ...optimizedImage(profileImage ?? ''),
      ...Object(profileImageOptimized),
    },
    ...rest,
  };
  return json(profile).slice(0, -1);
}

function reactionText(row: ReactionColumns): string {
  return (
    `{"id":"${row.id}","commentID":${row.commentId},"reactionType":${json(row.reactionType)},` +
    `"icon":${json(row.icon)},"userAddress":${json(row.userAddress)},` +
    `"createdAt":${json(row.createdAt)},"profile":${openProfile(row)}}` +
    `${furtherMembers(row.record)}}`
  );
}

export interface CommentParts {
  readonly row: CommentColumns;
  /** Elements of a list. */
  readonly reactions: string;
  /** Writes the elements of a list. */
  readonly writeReplies?: () => void;
  /** Members after all others, with a comma before each. */
  readonly further?: string;
}

export function writeComment(writer: JsonWriter, parts: CommentParts): void {
  const { row, reactions, writeReplies, further = '' } = parts;
  const parent = parentOf(row);
  const answered = row.parentCommentId === null ? null : `${row.parentCommentId}`;
  const { positions = [], ...record }: Readonly<Record<string, unknown>> = JSON.parse(row.record);
  writer.add(
    `{"id":"${row.id}","body":${json(row.body)},"parentEntityType":"${parent.type}",` +
      `"parentEntityID":${parent.id},"parentCommentID":${json(answered)},` +
      `"userAddress":${json(row.userAddress)},"replyAddress":${json(row.replyAddress)},` +
      `"createdAt":"${row.createdAt}","updatedAt":"${row.updatedAt}",` +
      `"profile":${openProfile(row)}`,
  );
  const slot = slotOfAuthor({ address: row.userAddress, parent });
  writer.slot(slot, `,"positions":${json(positions)}`);
  writer.add(
    `},"reactions":[${reactions}],"reportCount":${row.reportCount},` +
      `"reactionCount":${row.reactionCount},"replyCount":${row.replyCount},"replies":[`,
  );
  writeReplies?.();
  writer.add(`]${furtherMembers(json(record))}${further}}`);
}

/** Reads single comments and reactions, and writes them as JSON. */
export class CommentTexts {
  readonly #comment: Statement<[id: number], CommentColumns>;
  readonly #reaction: Statement<[id: number], ReactionColumns>;
  readonly #reactions: Statement<[commentId: number, limit: number], ReactionColumns>;

  constructor(database: Database) {
    this.#comment = database.prepare(`${SELECT_COMMENTS} WHERE c.id = ?`);
    this.#reaction = database.prepare(`${SELECT_REACTIONS} WHERE c.id = ?`);
    this.#reactions = database.prepare(
      `${SELECT_REACTIONS} WHERE c.comment_id = ? ORDER BY c.id LIMIT ?`,
    );
  }

  row(id: number): CommentColumns | undefined {
    return this.#comment.get(id);
  }

  /** Elements of a list, oldest first. */
  reactionsOf({ id, reactionCount }: CommentColumns): string {
    // Most comments have none, and the query takes longer than reading the comment.
    if (reactionCount === 0) return '';
    const rows = this.#reactions.all(id, CATALOG_BOUNDS.reactionsTold);
    return rows.map(reactionText).join(',');
  }

  /** Writes a comment without its replies. `further` holds members to add at the end. */
  write(writer: JsonWriter, row: CommentColumns, further = ''): void {
    writeComment(writer, { row, reactions: this.reactionsOf(row), further });
  }

  comment(row: CommentColumns): SlottedJson {
    const writer = new JsonWriter();
    this.write(writer, row);
    return writer.done(1);
  }

  /** Empty if there is none. */
  reaction(id: number): string {
    const row = this.#reaction.get(id);
    return row === undefined ? '' : reactionText(row);
  }
}
