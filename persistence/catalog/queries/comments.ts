/**
 * Queries of comments: on an event, series or market, by a user, one with its conversation, and
 * counts. Hidden comments are in none of them. Bounds: the caller's part of a list;
 * `CATALOG_BOUNDS.repliesTold` replies a comment, `threadTold` comments a conversation.
 */
import type { Database, Statement } from 'better-sqlite3';
import { StatementCache } from '../../shared/index.ts';
import {
  type CommentColumns,
  CommentTexts,
  JsonWriter,
  plainJson,
  SELECT_COMMENTS,
  writeComment,
} from '../json/index.ts';
import {
  CATALOG_BOUNDS,
  type CatalogQueries,
  COMMENT_PARENTS,
  type CommentOrder,
  type CommentParent,
  type CommentSearch,
  columnOf,
  type SlottedJson,
} from '../model/index.ts';

/** The type and id of a parent as one number: the column `parent`. */
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

// The address may be an owner's whose comments name the wallet, or the other way round.
const SELECT_OTHER_ADDRESSES = `
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

export class CommentQueries {
  readonly #texts: CommentTexts;
  readonly #statements: StatementCache;
  readonly #ofUser: Statement<[object], number>;
  readonly #newestFirst: Statement<[ids: string], number>;
  readonly #otherAddresses: Statement<[object], string>;
  readonly #thread: Statement<[threadId: number, limit: number], CommentColumns>;
  readonly #counts: Readonly<Record<CommentParent['type'], Count>>;

  constructor(database: Database) {
    const count = (type: CommentParent['type']): Count => database.prepare(COUNTS[type]);
    this.#texts = new CommentTexts(database);
    this.#statements = new StatementCache(database);
    this.#ofUser = database.prepare<[object], number>(SELECT_OF_USER).pluck();
    this.#newestFirst = database
      .prepare<[string], number>(
        `SELECT id FROM comments WHERE id IN (SELECT value FROM json_each(?))
         ORDER BY created_at DESC, id DESC`,
      )
      .pluck();
    this.#otherAddresses = database.prepare<[object], string>(SELECT_OTHER_ADDRESSES).pluck();
    this.#thread = database.prepare(
      `${SELECT_COMMENTS} WHERE c.thread_id = ? AND c.is_shown ORDER BY c.created_at, c.id LIMIT ?`,
    );
    this.#counts = { Event: count('Event'), Series: count('Series'), market: count('market') };
  }

  onParent(search: CommentSearch): SlottedJson {
    const { sql, values } = commentsPlan(search);
    return this.#list(this.#statements.column<number>(sql, values));
  }

  /** Newest first. */
  byUser({ address, limit, offset }: CatalogQueries['userComments']): SlottedJson {
    const addresses = [address, ...this.#otherAddresses.all({ address })];
    const most = offset + limit;
    const found = new Set(addresses.flatMap((one) => this.#ofUser.all({ address: one, most })));
    const ids =
      addresses.length === 1 ? [...found] : this.#newestFirst.all(JSON.stringify([...found]));
    return this.#list(ids.slice(offset, most));
  }

  /** The comment with its replies inside, then the others of its conversation. */
  thread({ id }: CatalogQueries['commentThread']): SlottedJson | undefined {
    const row = this.#texts.row(id);
    if (row === undefined || row.isShown === 0) return undefined;
    const rows = this.#thread.all(row.threadId, CATALOG_BOUNDS.threadTold);
    const writer = new JsonWriter();
    writer.add('[');
    this.#write(writer, row, repliesIn(rows));
    const others = rows.filter((other) => other.id !== id);
    for (const other of others) {
      writer.add(',');
      this.#texts.write(writer, other);
    }
    writer.add(']');
    return writer.done(1 + others.length);
  }

  count({ type, id }: CommentParent): SlottedJson | undefined {
    const counted = this.#counts[type].get({ id });
    return counted && plainJson(`{"count":${counted.count}}`);
  }

  #list(ids: readonly number[]): SlottedJson {
    const writer = new JsonWriter();
    const rows = ids.map((id) => this.#texts.row(id)).filter((row) => row !== undefined);
    writer.add('[');
    rows.forEach((row, index) => {
      if (index > 0) writer.add(',');
      const thread =
        row.replyCount === 0 ? [] : this.#thread.all(row.threadId, CATALOG_BOUNDS.repliesTold + 1);
      this.#write(writer, row, repliesIn(thread));
    });
    writer.add(']');
    return writer.done(rows.length);
  }

  /** With its replies, and theirs. */
  #write(writer: JsonWriter, row: CommentColumns, replies: Replies): void {
    const writeReplies = (): void => {
      (replies.get(row.id) ?? []).forEach((reply, index) => {
        if (index > 0) writer.add(',');
        this.#write(writer, reply, replies);
      });
    };
    writeComment(writer, { row, reactions: this.#texts.reactionsOf(row), writeReplies });
  }
}

/** By the comment that they answer, oldest first. */
type Replies = ReadonlyMap<number | null, readonly CommentColumns[]>;

function repliesIn(rows: readonly CommentColumns[]): Replies {
  return Map.groupBy(rows, ({ parentCommentId }) => parentCommentId);
}

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
