// Comments as they are asked for: of an event, series or market, of a user, one with its
// conversation, and how many there are. What is hidden is in none of them. Bounds: the caller's
// part of a list; `CATALOG_BOUNDS.repliesTold` replies a comment, `threadTold` a conversation.

import type { Database, Statement } from 'better-sqlite3';
import { StatementCache } from '../../shared/index.ts';
import {
  CatalogTextWriter,
  type CommentColumns,
  CommentTexts,
  SELECT_COMMENTS,
  writeComment,
} from '../json/index.ts';
import type { CatalogQuestions, CommentOrder, CommentSearch } from '../model/index.ts';
import {
  CATALOG_BOUNDS,
  type CatalogText,
  COMMENT_PARENTS,
  type CommentParent,
  columnOf,
} from '../model/index.ts';

/** The number of what is commented on, as the column `parent` has it. */
function parentNumber({ type, id }: CommentParent): number {
  return 4 * id + COMMENT_PARENTS.indexOf(type);
}

const ORDER_INDEXES: Readonly<Record<CommentOrder, string>> = {
  createdAt: 'comments_first_created',
  updatedAt: 'comments_first_updated',
  reactionCount: 'comments_first_reactions',
};

const SELECT_OF_USER = `
SELECT id FROM comments INDEXED BY comments_by_user
WHERE is_shown AND user_address = @address
ORDER BY created_at DESC, id DESC LIMIT @most`;

// An address may be an owner's, who wrote by its wallet, or the other way round.
const SELECT_NAMES = `
SELECT wallet FROM profiles WHERE proxy_wallet = @address AND proxy_wallet <> ''
UNION SELECT proxy_wallet FROM profiles WHERE wallet = @address AND proxy_wallet <> ''`;

const COUNTS: Readonly<Record<CommentParent['type'], string>> = {
  Event: `SELECT comment_count AS count FROM event_figures WHERE event_id = @id`,
  Series: `SELECT (SELECT count(*) FROM comments WHERE parent = 4 * @id + 1 AND is_shown) AS count
    FROM series WHERE id = @id`,
  market: `SELECT (SELECT count(*) FROM comments WHERE parent = 4 * @id + 2 AND is_shown) AS count
    FROM markets WHERE id = @id`,
};

type Count = Statement<[{ readonly id: number }], { readonly count: number }>;

export class CommentReads {
  readonly #texts: CommentTexts;
  readonly #statements: StatementCache;
  readonly #ofUser: Statement<[object], number>;
  readonly #createdAt: Statement<[ids: string], number>;
  readonly #names: Statement<[object], string>;
  readonly #thread: Statement<[threadId: number, limit: number], CommentColumns>;
  readonly #counts: Readonly<Record<CommentParent['type'], Count>>;

  constructor(database: Database) {
    const count = (type: CommentParent['type']): Count => database.prepare(COUNTS[type]);
    this.#texts = new CommentTexts(database);
    this.#statements = new StatementCache(database);
    this.#ofUser = database.prepare<[object], number>(SELECT_OF_USER).pluck();
    this.#createdAt = database
      .prepare<[string], number>(
        `SELECT id FROM comments WHERE id IN (SELECT value FROM json_each(?))
         ORDER BY created_at DESC, id DESC`,
      )
      .pluck();
    this.#names = database.prepare<[object], string>(SELECT_NAMES).pluck();
    this.#thread = database.prepare(
      `${SELECT_COMMENTS} WHERE c.thread_id = ? AND c.is_shown ORDER BY c.created_at, c.id LIMIT ?`,
    );
    this.#counts = { Event: count('Event'), Series: count('Series'), market: count('market') };
  }

  ofParent(search: CommentSearch): CatalogText {
    const { sql, values } = commentsPlan(search);
    return this.#list(this.#statements.column<number>(sql, values));
  }

  /** Newest first. */
  ofUser({ address, limit, offset }: CatalogQuestions['userComments']): CatalogText {
    const names = [address, ...this.#names.all({ address })];
    const found = new Set(
      names.flatMap((name) => this.#ofUser.all({ address: name, most: offset + limit })),
    );
    const ids = names.length === 1 ? [...found] : this.#createdAt.all(JSON.stringify([...found]));
    return this.#list(ids.slice(offset, offset + limit));
  }

  /** The comment with its replies inside, then the others of its conversation. */
  thread({ id }: CatalogQuestions['commentThread']): CatalogText | undefined {
    const row = this.#texts.row(id);
    if (row === undefined || row.isShown === 0) return undefined;
    const rows = this.#thread.all(row.threadId, CATALOG_BOUNDS.threadTold);
    const text = new CatalogTextWriter();
    text.add('[');
    this.#write(text, row, repliesIn(rows));
    const others = rows.filter((other) => other.id !== id);
    for (const other of others) {
      text.add(',');
      writeComment(text, other, this.#texts.reactionsOf(other), () => undefined);
    }
    text.add(']');
    return text.done(1 + others.length);
  }

  count({ type, id }: CommentParent): CatalogText | undefined {
    const counted = this.#counts[type].get({ id });
    return counted && { segments: [`{"count":${counted.count}}`], gaps: [], count: 1 };
  }

  #list(ids: readonly number[]): CatalogText {
    const text = new CatalogTextWriter();
    const rows = ids.map((id) => this.#texts.row(id)).filter((row) => row !== undefined);
    text.add('[');
    rows.forEach((row, index) => {
      if (index > 0) text.add(',');
      const isAnswered = row.replyCount > 0;
      const rowsOfThread = isAnswered
        ? this.#thread.all(row.threadId, CATALOG_BOUNDS.repliesTold + 1)
        : [];
      this.#write(text, row, repliesIn(rowsOfThread));
    });
    text.add(']');
    return text.done(rows.length);
  }

  /** With the replies to it, and those to them. */
  #write(text: CatalogTextWriter, row: CommentColumns, replies: Replies): void {
    writeComment(text, row, this.#texts.reactionsOf(row), () => {
      (replies.get(row.id) ?? []).forEach((reply, index) => {
        if (index > 0) text.add(',');
        this.#write(text, reply, replies);
      });
    });
  }
}

/** By the comment that they answer, oldest first. */
type Replies = ReadonlyMap<number, readonly CommentColumns[]>;

function repliesIn(rows: readonly CommentColumns[]): Replies {
  const replies = new Map<number, CommentColumns[]>();
  for (const row of rows) {
    if (row.parentCommentId === null) continue;
    const known = replies.get(row.parentCommentId);
    if (known === undefined) replies.set(row.parentCommentId, [row]);
    else known.push(row);
  }
  return replies;
}

/** Also for the tests of plans. */
function commentsPlan({ parent, authors, ...search }: CommentSearch) {
  const { order, ascending, limit, offset } = search;
  const [first = 'createdAt'] = order;
  const direction = order.length > 0 && ascending ? 'ASC' : 'DESC';
  const keys = [...(order.length === 0 ? [first] : order), 'id'];
  const clauses = [
    'parent = @parent AND is_shown AND parent_comment_id IS NULL',
    ...(authors === undefined ? [] : ['user_address IN (SELECT value FROM json_each(@authors))']),
  ];
  const sql = `SELECT id FROM comments INDEXED BY ${ORDER_INDEXES[first]}
    WHERE ${clauses.join(' AND ')}
    ORDER BY ${keys.map((key) => `${columnOf(key)} ${direction}`).join(', ')}
    LIMIT @limit OFFSET @offset`;
  const named = authors === undefined ? {} : { authors: JSON.stringify(authors) };
  return { sql, values: { parent: parentNumber(parent), limit, offset, ...named } };
}
