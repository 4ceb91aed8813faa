// Comments, profiles and kinds of markets as records of the public catalog's form. Every method
// expects to run inside a transaction of its caller, which leaves it by throwing when `refusals`
// has one. Invariant: what a comment names is stored before it; counts are counted here, whatever
// the record says; what people here did to a comment stays done (catalog-comment-acts.ts).
// Bounds: CATALOG_BOUNDS; `repliesTold` replies and `reactionsTold` reactions inside one comment.

import type { Database, Statement } from 'better-sqlite3';
import { pseudonymOf } from '../../shared/index.ts';
import { CommentActs } from '../content/index.ts';
import {
  CATALOG_BOUNDS,
  COMMENT_PARENTS,
  type CommentParentType,
  FIRST_LOCAL_ID,
  LOCAL_IDS_END,
} from '../model/index.ts';
import {
  describeValue,
  RecordReader,
  type RefusalList,
  readBoolean,
  readDate,
  readRequiredText,
  readText,
} from '../records/index.ts';

const PUT_COMMENT = `
INSERT INTO comments (id, event_id, series_id, market_id, parent_comment_id, thread_id,
  user_address, reply_address, body, created_at, updated_at, record)
VALUES (@id, iif(@type = 'Event', @parentId, NULL), iif(@type = 'Series', @parentId, NULL),
  iif(@type = 'market', @parentId, NULL), @parentCommentId, @threadId, @userAddress,
  @replyAddress, @body, @createdAt, @updatedAt, @record)
ON CONFLICT (id) DO UPDATE SET body = iif(@isEdited, body, excluded.body),
  user_address = excluded.user_address, reply_address = excluded.reply_address,
  updated_at = excluded.updated_at, record = excluded.record`;

const PUT_REACTION = `
INSERT INTO reactions (id, comment_id, reaction_type, icon, user_address, created_at, record)
VALUES (@id, @commentId, @reactionType, @icon, @userAddress, @createdAt, '{}')
ON CONFLICT DO NOTHING`;

// Those that were given here stay.
const KEEP_REACTIONS = `
DELETE FROM reactions WHERE comment_id = @id AND (id < ${FIRST_LOCAL_ID} OR id >= ${LOCAL_IDS_END})
  AND id NOT IN (SELECT value FROM json_each(@kept))`;

const PUT_PROFILE = `
INSERT INTO profiles (wallet, proxy_wallet, name, pseudonym, bio, profile_image,
  display_username_public, is_mod, created_at, updated_at, record)
VALUES (@wallet, @proxyWallet, @name, @pseudonym, @bio, @profileImage, @isPublic, @isMod,
  @createdAt, @updatedAt, @record)
ON CONFLICT (wallet) DO`;

const REPLACE_PROFILE = `${PUT_PROFILE} UPDATE SET proxy_wallet = excluded.proxy_wallet,
  name = excluded.name, pseudonym = excluded.pseudonym, bio = excluded.bio,
  profile_image = excluded.profile_image, is_mod = excluded.is_mod,
  display_username_public = excluded.display_username_public,
  updated_at = excluded.updated_at, record = excluded.record`;

const PUT_MARKET_TYPE = 'INSERT INTO market_types (name) VALUES (?) ON CONFLICT DO NOTHING';

const SELECT_COMMENT = `
SELECT thread_id AS threadId, coalesce(event_id, series_id, market_id) AS parentId
FROM comments WHERE id = ?`;

const EXISTS: Readonly<Record<CommentParentType, string>> = {
  Event: 'SELECT id FROM events WHERE id = ?',
  Series: 'SELECT id FROM series WHERE id = ?',
  market: 'SELECT id FROM markets WHERE id = ?',
};

interface StoredComment {
  readonly threadId: number;
  readonly parentId: number;
}

type Put = Statement<[Readonly<Record<string, string | number | null>>]>;
type Exists = Statement<[id: number], { readonly id: number }>;

export class PeopleRecords {
  readonly #putComment: Put;
  readonly #putReaction: Put;
  readonly #keepReactions: Put;
  readonly #addProfile: Put;
  readonly #replaceProfile: Put;
  readonly #putMarketType: Statement<[name: string]>;
  readonly #comment: Statement<[id: number], StoredComment>;
  readonly #exists: Readonly<Record<CommentParentType, Exists>>;
  readonly #acts: CommentActs;

  constructor(database: Database) {
    const exists = (type: CommentParentType): Exists => database.prepare(EXISTS[type]);
    this.#acts = new CommentActs(database);
    this.#putComment = database.prepare(PUT_COMMENT);
    this.#putReaction = database.prepare(PUT_REACTION);
    this.#keepReactions = database.prepare(KEEP_REACTIONS);
    this.#addProfile = database.prepare(`${PUT_PROFILE} NOTHING`);
    this.#replaceProfile = database.prepare(REPLACE_PROFILE);
    this.#putMarketType = database.prepare(PUT_MARKET_TYPE);
    this.#comment = database.prepare(SELECT_COMMENT);
    this.#exists = { Event: exists('Event'), Series: exists('Series'), market: exists('market') };
  }

  putMarketType(value: unknown, path: string, refusals: RefusalList): void {
    const isName = typeof value === 'string' && value !== '' && value.length <= MOST_CHARS;
    if (isName) this.#putMarketType.run(value);
    else refusals.add(path, `a text of 1 to ${MOST_CHARS} characters`, describeValue(value));
  }

  /** In the form of GET /public-profile, with `baseAddress` where the wallet is another. */
  putProfile(value: unknown, path: string, refusals: RefusalList): void {
    const row = profileRow(new RecordReader(value, path, refusals));
    if (row.wallet === '') {
      refusals.add(`${path}.proxyWallet`, 'an address', describeValue(undefined));
    }
    if (refusals.count === 0) this.#replaceProfile.run(row);
  }

  /** With the profile of its author, its reactions and its replies where they are inside. */
  putComment(value: unknown, path: string, refusals: RefusalList): void {
    const reader = new RecordReader(value, path, refusals);
    const id = readWordId(reader, 'id');
    const place = this.#placeOf(reader, id);
    const createdAt = readDate(reader, 'createdAt') ?? UNKNOWN_DATE;
    const [profile, reactions] = [reader.take('profile'), reader.takeRecords('reactions', MANY)];
    const replies: unknown = reader.take('replies') ?? [];
    for (const counted of ['reportCount', 'reactionCount', 'replyCount']) reader.take(counted);
    const removed = reader.take('removed') === true;
    // One that was taken back and has answers keeps its place alone.
    const readWords = removed ? readText : readRequiredText;
    const row = {
      ...place,
      id,
      isEdited: this.#acts.isEdited(id) && !removed ? 1 : 0,
      body: readWords(reader, 'body', CATALOG_BOUNDS.descriptionChars),
      userAddress: readWords(reader, 'userAddress', CATALOG_BOUNDS.lineChars),
      replyAddress: readText(reader, 'replyAddress', CATALOG_BOUNDS.lineChars),
      createdAt,
      updatedAt: readDate(reader, 'updatedAt') ?? createdAt,
      record: withRemoved(reader.leftover(), removed),
    };
    if (refusals.count > 0 || this.#acts.isRemoved(id)) return;
    this.#putComment.run(row);
    if (profile !== undefined) this.#putAuthor(profile, `${path}.profile`, refusals);
    const kept = reactions.map((reaction) => this.#putReactionOf(id, reaction, refusals));
    // A full list may not be all of them.
    if (saysReactions(value) && kept.length < MANY) {
      this.#keepReactions.run({ id, kept: JSON.stringify(kept) });
    }
    const list: readonly unknown[] = Array.isArray(replies) ? replies : [];
    list.slice(0, CATALOG_BOUNDS.repliesTold).forEach((reply, index) => {
      this.putComment(reply, `${path}.replies[${index}]`, refusals);
    });
  }

  #placeOf(reader: RecordReader, id: number) {
    const type = readParentType(reader);
    const parentId = readNumber(reader, 'parentEntityID');
    const parentCommentId = readNumber(reader, 'parentCommentID');
    if (type !== undefined && this.#exists[type].get(parentId ?? 0) === undefined) {
      reader.refuse('parentEntityID', `the id of a stored ${type}`, describeValue(parentId));
    }
    const answered = parentCommentId === null ? undefined : this.#comment.get(parentCommentId);
    if (parentCommentId !== null && answered?.parentId !== parentId) {
      const limit = 'the id of a stored comment of the same';
      reader.refuse('parentCommentID', limit, describeValue(parentCommentId));
    }
    const threadId = answered?.threadId ?? id;
    return { type: type ?? 'Event', parentId, parentCommentId, threadId };
  }

  /** What is stored of its author stays. */
  #putAuthor(value: unknown, path: string, refusals: RefusalList): void {
    const row = profileRow(new RecordReader(value, path, refusals));
    if (refusals.count === 0 && row.wallet !== '') this.#addProfile.run(row);
  }

  /** Gives its id. */
  #putReactionOf(commentId: number, reader: RecordReader, refusals: RefusalList): number {
    reader.take('commentID');
    const row = {
      id: readWordId(reader, 'id'),
      commentId,
      reactionType: readRequiredText(reader, 'reactionType', CATALOG_BOUNDS.lineChars),
      icon: readText(reader, 'icon', CATALOG_BOUNDS.lineChars),
      userAddress: readRequiredText(reader, 'userAddress', CATALOG_BOUNDS.lineChars),
      createdAt: readDate(reader, 'createdAt'),
    };
    const isGood = refusals.count === 0 && !this.#acts.isTakenBack(commentId, row);
    if (isGood) this.#putReaction.run(row);
    return row.id;
  }
}

const MOST_CHARS = CATALOG_BOUNDS.lineChars;
const MANY = CATALOG_BOUNDS.reactionsTold;
/** Of a comment whose source told no date: before all others. */
const UNKNOWN_DATE = '1970-01-01T00:00:00Z';

function saysReactions(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'reactions' in value;
}

/** As `readId`, but what was written on another exchange has a higher one. */
function readWordId(reader: RecordReader, field: string): number {
  const value = reader.take(field);
  const id = typeof value === 'string' && /^[1-9]\d{0,14}$/.test(value) ? Number(value) : 0;
  const { importedId } = CATALOG_BOUNDS;
  if (id > 0 && (id <= importedId || id >= LOCAL_IDS_END)) return id;
  const limit = `a number from 1 to ${importedId} written as text`;
  reader.refuse(field, limit, describeValue(value));
  return 0;
}

/** As reads tell it: a member that only what was removed has. */
function withRemoved(record: string, removed: boolean): string {
  return removed ? JSON.stringify({ ...JSON.parse(record), removed }) : record;
}

function readParentType(reader: RecordReader): CommentParentType | undefined {
  const value = reader.take('parentEntityType');
  const type = COMMENT_PARENTS.find((one) => one === value);
  if (type === undefined) {
    reader.refuse('parentEntityType', `one of ${COMMENT_PARENTS.join(', ')}`, describeValue(value));
  }
  return type;
}

/** A number, or one written as text; null where there is none. */
function readNumber(reader: RecordReader, field: string): number | null {
  const value = reader.take(field) ?? null;
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : null;
  if (number === null || Number.isSafeInteger(number)) return number;
  reader.refuse(field, 'a whole number', describeValue(value));
  return null;
}

function profileRow(reader: RecordReader) {
  const { lineChars, addressChars, descriptionChars } = CATALOG_BOUNDS;
  const proxyWallet = readText(reader, 'proxyWallet', lineChars);
  const wallet = readText(reader, 'baseAddress', lineChars) || proxyWallet;
  const createdAt = readDate(reader, 'createdAt');
  // Who made an event is known from the creators, and who moderates is said here.
  for (const told of ['users', 'isCreator', 'positions']) reader.take(told);
  return {
    wallet,
    proxyWallet,
    name: readText(reader, 'name', lineChars),
    pseudonym: readText(reader, 'pseudonym', lineChars) || pseudonymOf(wallet),
    bio: readText(reader, 'bio', descriptionChars),
    profileImage: readText(reader, 'profileImage', addressChars),
    isPublic: readBoolean(reader, 'displayUsernamePublic') === false ? 0 : 1,
    isMod: readBoolean(reader, 'isMod') === true ? 1 : 0,
    createdAt,
    updatedAt: readDate(reader, 'updatedAt') ?? createdAt,
    record: reader.leftover(),
  };
}
