/**
 * Queries of comments: on an event or series, by a user, one with its conversation, and
 * counts. Hidden comments are in none of them. Bounds: the page size of the query;
 * `CATALOG_BOUNDS.repliesTold` replies a comment, `threadTold` comments a conversation.
 */
import type { Database } from 'better-sqlite3';
import { StatementCache } from '../../persistence/shared/index.ts';
import {
  type CommentColumns,
  CommentTexts,
  SELECT_COMMENTS,
  writeComment,
} from '../json/comment-text.ts';
import { JsonWriter, plainJson, writtenList } from '../json/json-writer.ts';
import {
  type AfterPlace,
  CATALOG_BOUNDS,
  type CatalogQueries,
  COMMENT_PARENTS,
  type CommentOrder,
  type CommentParent,
  type CommentSearch,
  columnOf,
  nextCursor,
  type SlottedJson,
} from '../model/index.ts';

/** The type and id of a parent as one number: the column `parent`. */
function parentNumber({ type, id }: CommentParent): number {
  return 2 * id + COMMENT_PARENTS.indexOf(type);
}

type Direction = 'ASC' | 'DESC';

const ORDER_INDEXES: Readonly<Record<CommentOrder, string>> = {
  id: 'comments_first_id',
  createdAt: 'comments_first_created',
  updatedAt: 'comments_first_updated',
  reactionCount: 'comments_first_reactions',
};

function selectOfUser(direction: Direction): string {
  return `
SELECT id FROM comments INDEXED BY comments_by_user
WHERE is_shown AND user_address = @address AND coalesce(parent = @parent, 1)
ORDER BY created_at ${direction}, id ${direction} LIMIT @most`;
}

// The address may be an owner's whose comments name the wallet, or the other way round.
const SELECT_OTHER_ADDRESSES = `
SELECT wallet FROM profiles WHERE proxy_wallet = @address AND proxy_wallet <> ''
UNION SELECT proxy_wallet FROM profiles WHERE wallet = @address AND proxy_wallet <> ''`;

function selectSorted(direction: Direction): string {
  return `
SELECT id FROM comments WHERE id IN (SELECT value FROM json_each(?))
ORDER BY created_at ${direction}, id ${direction}`;
}

const SELECT_THREAD = `
${SELECT_COMMENTS} WHERE c.thread_id = ? AND c.is_shown ORDER BY c.created_at, c.id LIMIT ?`;

const COUNTS: Readonly<Record<CommentParent['type'], string>> = {
  Event: `SELECT comment_count  FROM event_figures WHERE event_id = @id`,
  Series: `SELECT (SELECT count(*) FROM comments WHERE parent = 2 * @id + 1 AND is_shown) 
    FROM series WHERE id = @id`,
};

export class CommentQueries {
  readonly #sql: StatementCache;
  readonly #texts: CommentTexts;

  constructor(database: Database) {
    this.#sql = new StatementCache(database);
    this.#texts = new CommentTexts(database);
  }

  onParent(search: CommentSearch): SlottedJson {
    const { sql, values } = commentsPlan(search);
    return this.#list(this.#sql.column<number>(sql, values));
  }

  onParentAfter({ digest, ...search }: CommentSearch & AfterPlace): SlottedJson {
    const { sql, values } = commentsPlan(search);
    const rows = this.#rows(this.#sql.column<number>(sql, values));
    const writer = new JsonWriter();
    writer.add('{"comments":[');
    this.#writeAll(writer, rows);
    const page = { items: rows, limit: search.limit, digest };
    writer.add(`]${nextCursor(page, (last) => keysOf(search).map((key) => last[key]))}}`);
    return writer.done(rows.length);
  }

  byUser({
    address,
    parent,
    ascending,
    limit,
    offset,
  }: CatalogQueries['userComments']): SlottedJson {
    const direction = ascending ? 'ASC' : 'DESC';
    const addresses = [address, ...this.#sql.column<string>(SELECT_OTHER_ADDRESSES, { address })];
    const most = offset + limit;
    const on = parent === undefined ? null : parentNumber(parent);
    const found = new Set(
      addresses.flatMap((one) =>
        this.#sql.column<number>(selectOfUser(direction), { address: one, parent: on, most }),
      ),
    );
    const ids =
      addresses.length === 1
        ? [...found]
        : this.#sql.column<number>(selectSorted(direction), [JSON.stringify([...found])]);
    return this.#list(ids.slice(offset, most));
  }

  /** The comment with its replies inside, then the others of its conversation. */
  thread({ id }: CatalogQueries['commentThread']): SlottedJson | undefined {
    const row = this.#texts.row(id);
    if (row === undefined || row.isShown === 0) return undefined;
    const rows = this.#sql.all<CommentColumns>(
      SELECT_THREAD,
      row.threadId,
      CATALOG_BOUNDS.threadTold,
    );
    const others = rows.filter((other) => other.id !== id);
    return writtenList(1 + others.length, (writer) => {
      this.#write(writer, row, repliesIn(rows));
      for (const other of others) {
        writer.add(',');
        this.#texts.write(writer, other);
      }
    });
  }

  count({ type, id }: CommentParent): SlottedJson | undefined {
    const count = this.#sql.value<number>(COUNTS[type], { id });
    return count === undefined ? undefined : plainJson(`{"count":${count}}`);
  }

  #list(ids: readonly number[]): SlottedJson {
    const rows = this.#rows(ids);
    return writtenList(rows.length, (writer) => this.#writeAll(writer, rows));
  }

  #rows(ids: readonly number[]): readonly CommentColumns[] {
    return ids.map((id) => this.#texts.row(id)).filter((row) => row !== undefined);
  }

  #writeAll(writer: JsonWriter, rows: readonly CommentColumns[]): void {
    writer.addEach(rows, (row) => {
      const most = CATALOG_BOUNDS.repliesTold + 1;
      const thread =
        row.replyCount === 0
          ? []
          : this.#sql.all<CommentColumns>(SELECT_THREAD, row.threadId, most);
      this.#write(writer, row, repliesIn(thread));
    });
  }

  /** Writes a comment with its replies inside, and theirs inside them. */
  #write(writer: JsonWriter, row: CommentColumns, replies: Replies): void {
    const writeReplies = (): void => {
      writer.addEach(replies.get(row.id) ?? [], (reply) => this.#write(writer, reply, replies));
    };
    writeComment(writer, { row, reactions: this.#texts.reactionsOf(row), writeReplies });
  }
}

/** Comments by the id of the comment that they answer, oldest first. */
type Replies = ReadonlyMap<number | null, readonly CommentColumns[]>;

function repliesIn(rows: readonly CommentColumns[]): Replies {
  return Map.groupBy(rows, ({ parentCommentId }) => parentCommentId);
}

/** The columns that a list is sorted by: those of its order, up to the id. */
function keysOf({ order }: Pick<CommentSearch, 'order'>): readonly CommentOrder[] {
  const keys = order.length === 0 ? (['createdAt'] as const) : order;
  return keys.includes('id') ? keys.slice(0, keys.indexOf('id') + 1) : [...keys, 'id'];
}

function commentsPlan({
  parent,
  authors,
  after = [],
  ...search
}: CommentSearch & Partial<AfterPlace>) {
  const { order, ascending, limit, offset } = search;
  const direction = order.length > 0 && ascending ? 'ASC' : 'DESC';
  const keys = keysOf(search);
  const [first = 'id'] = keys;
  const places = Object.fromEntries(after.map((value, index) => [`after${index}`, value]));
  const isAfter =
    `(${keys.map(columnOf).join(', ')}) ${direction === 'ASC' ? '>' : '<'} ` +
    `(${Object.keys(places)
      .map((name) => `@${name}`)
      .join(', ')})`;
  const clauses = [
    'parent = @parent AND is_shown AND parent_comment_id IS NULL',
    ...(after.length === 0 ? [] : [isAfter]),
    ...(authors === undefined ? [] : ['user_address IN (SELECT value FROM json_each(@authors))']),
  ];
  const sql = `SELECT id FROM comments INDEXED BY ${ORDER_INDEXES[first]}
    WHERE ${clauses.join(' AND ')}
    ORDER BY ${keys.map((key) => `${columnOf(key)} ${direction}`).join(', ')}
    LIMIT @limit OFFSET @offset`;
  const named = authors === undefined ? {} : { authors: JSON.stringify(authors) };
  return { sql, values: { parent: parentNumber(parent), limit, offset, ...named, ...places } };
}
