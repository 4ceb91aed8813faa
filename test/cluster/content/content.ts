// Random content for catalogs of a cluster, and what two of them must agree on.

import SqliteDatabase, { type Database } from 'better-sqlite3';
import { type Arbitrary, array, constantFrom, nat, oneof, record, tuple } from 'fast-check';
import { writeTable } from '../../../catalog/answer-writes.ts';
import type { Catalog } from '../../../catalog/catalog.ts';
import { openCatalog } from '../../../catalog/catalog.ts';
import { columnOf, FIGURES, type MarketFigures } from '../../../catalog/model/index.ts';
import { contentTable } from '../../../cluster/content/content-log.ts';
import { encodePart, partsOfQuestion, stampPart } from '../../../cluster/content/content-record.ts';
import { encodeQuestion } from '../../../cluster/content/question-codec.ts';
import type { ContentKind } from '../../../cluster/content/write-places.ts';
import { eventRecord, hex, marketRecord } from '../../catalog/fixture.ts';

const LINEAGE = '0a1b2c3d-0000-4000-8000-00000000abcd';

/** One write of a random sequence. */
export interface Write {
  readonly kind: ContentKind;
  readonly question: unknown;
}

const SAID = { by: 'ops', reason: 'test' };
/** Few of each, so that writes meet each other. */
const number = nat(4).map((one) => one + 1);
const flag = constantFrom(true, false);
const day = nat(20).map((one) => `2026-03-${String(one + 1).padStart(2, '0')}T00:00:00Z`);
const user = nat(3).map((one) => `0x${String(one + 1).repeat(40)}`);
const commentId = nat(3).map((one) => 1_000_000_000 + one);
const words = constantFrom('rain in Oslo', 'a vote', 'the final', 'Köln 2026', '');

const changedEvent = record({ number, title: words, closed: flag, archived: flag, updatedAt: day });

function eventOf({
  number: id,
  title,
  closed,
  archived,
  updatedAt,
}: ReturnOf<typeof changedEvent>) {
  const markets = [marketRecord(id, { closed, updatedAt }), marketRecord(id + 10, { archived })];
  return eventRecord(id, { title: title || 'Event', closed, archived, updatedAt, markets });
}

type ReturnOf<One> = One extends Arbitrary<infer Value> ? Value : never;

function plan(id: number, name: string) {
  return {
    name,
    eventId: id,
    request: { id },
    commands: [{ kind: 'create_market', conditionId: hex(id), tokenIds: ['1', '2'] }],
    evidence: SAID,
  };
}

function writeOf<Value>(
  kind: ContentKind,
  values: Arbitrary<Value>,
  ask: (value: Value) => unknown,
) {
  return values.map((value): Write => ({ kind, question: ask(value) }));
}

const command = record({ id: commentId, userAddress: user, nowIso: day });

const AS_COMMENTED = record({
  number,
  userAddress: user,
  body: words,
  nowIso: day,
  answered: flag,
});

/** Any write that goes through the log. */
export const anyWrite: Arbitrary<Write> = oneof(
  writeOf('importEvents', array(changedEvent, { minLength: 1, maxLength: 2 }), (events) =>
    events.map(eventOf),
  ),
  writeOf('putRecords', record({ number, words }), ({ number: id, words: label }) => ({
    kind: 'tags',
    records: [{ id: `${id}`, slug: `tag-${id}`, label }],
  })),
  writeOf('putPage', tuple(array(changedEvent, { maxLength: 3 }), day), ([events, mark]) => ({
    source: 'elsewhere',
    kind: 'events',
    text: Buffer.from(JSON.stringify(events.map(eventOf))),
    mark,
  })),
  writeOf('markTraded', number, (id) => ({ conditionIds: [hex(id)] })),
  writeOf('markEnded', tuple(number, day), ([id, ended]) => new Map([[hex(id), ended]])),
  writeOf(
    'edit',
    record({ number, words, nowIso: day }),
    ({ number: id, words: title, nowIso }) => ({
      ...{ kind: 'event', id, changes: { title, tags: ['tag-1'] }, nowIso, said: SAID },
    }),
  ),
  writeOf(
    'edit',
    record({ number, words, nowIso: day }),
    ({ number: id, words: question, nowIso }) => ({
      ...{ kind: 'market', id, changes: { question }, nowIso, said: SAID },
    }),
  ),
  writeOf('add', record({ words, nowIso: day }), ({ words: label, nowIso }) => ({
    ...{ kind: 'tag', record: { slug: `made-${label.length}`, label }, nowIso, said: SAID },
  })),
  writeOf('addEvent', changedEvent, (event) => ({
    record: eventOf(event),
    plan: plan(event.number, `event/event-${event.number}`),
  })),
  writeOf('addMarket', tuple(number, nat(3)), ([id, further]) => ({
    record: marketRecord(id + 20 + 10 * further),
    plan: plan(id, `market/market-${id + 20 + 10 * further}`),
  })),
  writeOf('withdraw', number, (id) => ({
    plan: plan(id, `event/event-${id}`),
    conditionIds: [hex(id)],
  })),
  writeOf('finishPlan', number, (id) => ({ name: `event/event-${id}` })),
  writeOf('comment', tuple(AS_COMMENTED, commentId), ([one, parent]) => ({
    parent: { type: 'Event', id: one.number },
    parentCommentId: one.answered ? parent : undefined,
    userAddress: one.userAddress,
    body: one.body || 'words',
    key: '',
    sinceIso: '2026-03-05T00:00:00Z',
    nowIso: one.nowIso,
  })),
  writeOf('editComment', tuple(command, words), ([one, body]) => ({ ...one, body })),
  writeOf('removeComment', command, (one) => one),
  writeOf(
    'moderateComment',
    tuple(command, constantFrom('hide', 'unhide', 'remove')),
    ([{ id, nowIso }, act]) => ({ id, act, nowIso, said: SAID }),
  ),
  writeOf('reportComment', tuple(command, words), ([one, reason]) => ({ ...one, reason })),
  writeOf('react', command, (one) => ({ ...one, reactionType: 'HEART' })),
  writeOf('unreact', command, (one) => ({ ...one, reactionType: 'HEART' })),
  writeOf('setProfile', tuple(user, words, day), ([address, bio, nowIso]) => ({
    ...{ address, bio, name: bio === '' ? undefined : 'Ann', nowIso },
  })),
  writeOf('clearProfile', tuple(user, day), ([address, nowIso]) => ({
    address,
    nowIso,
    said: SAID,
  })),
);

/** Figures that a node writes by itself. */
export const anyFigures: Arbitrary<MarketFigures> = record({
  conditionId: number.map(hex),
  volume: nat(9),
  volume24hr: nat(9),
  volume1wk: nat(9),
  volume1mo: nat(9),
  volume1yr: nat(9),
  liquidity: nat(9),
});

const FIGURE_COLUMNS = [...FIGURES, 'sourceFigures'].map(columnOf);

/** The records of these writes, with numbers from `first`. */
export function recordsOf(writes: readonly Write[], first = 1): Uint8Array[] {
  return writes
    .flatMap(({ kind, question }, at) => {
      const asker = { process: '00000000000000aa', count: first + at };
      // Safe: the generator pairs them.
      return partsOfQuestion(asker, encodeQuestion(kind, question as never)).map(encodePart);
    })
    .map((part, at) => stampPart({ lineage: LINEAGE, number: first + at }, part));
}

export interface OpenNode {
  readonly path: string;
  readonly catalog: Catalog;
  readonly log: ReturnType<typeof contentTable>;
}

export function openNode(path: string): OpenNode {
  const catalog = openCatalog(path);
  const log = contentTable(catalog, writeTable(catalog));
  if (log.contentState(undefined) === undefined) log.foundContent(LINEAGE);
  return { path, catalog, log };
}

/** What each node makes by itself: figures, and the versions of its caches. */
const DERIVED: Readonly<Record<string, readonly string[]>> = {
  event_figures: [...FIGURE_COLUMNS, 'is_own', 'version'],
  market_figures: [...FIGURE_COLUMNS, 'is_own'],
};
const LEFT_OUT = /^sqlite_|^catalog_changes$|_(texts|grams)(_|$)/;
const SEARCHES = ['rai', 'köl', 'fin', 'eve', 'que'];

/** All content of a catalog, and what searches find in it. */
export function contentOf(path: string): Record<string, unknown> {
  const database = new SqliteDatabase(path, { readonly: true });
  const names = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all()
    .filter((name) => !LEFT_OUT.test(name));
  const tables = names.map((name) => [name, rowsOf(database, name)]);
  const found = SEARCHES.map((text) => {
    const sql = 'SELECT rowid FROM event_texts WHERE event_texts MATCH ? ORDER BY rowid';
    return [text, database.prepare<[string], number>(sql).pluck().all(`"${text}"`)];
  });
  database.close();
  return { ...Object.fromEntries(tables), found };
}

function rowsOf(database: Database, name: string): unknown[] {
  const columns = database
    .prepare<[string], string>('SELECT name FROM pragma_table_info(?)')
    .pluck()
    .all(name)
    .filter((column) => DERIVED[name]?.includes(column) !== true)
    .map((column) => (column === 'by' ? '"by"' : column));
  const order = name === 'plans' ? 'rowid' : columns.join(', ');
  return database.prepare(`SELECT ${columns.join(', ')} FROM ${name} ORDER BY ${order}`).all();
}
