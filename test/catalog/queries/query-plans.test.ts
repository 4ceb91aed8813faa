// The query plan of every statement that an answer runs: none reads a table from its beginning,
// except lists in the order of the table itself, which end with their page. list.test.ts checks the
// lists of markets and events in all their shapes.

import Database from 'better-sqlite3';
import t from 'tap';
import { CatalogGenerator, IDS_FROM } from '../../../bench/reads/catalog-generator.ts';
import { openCatalog } from '../../../catalog/catalog.ts';
import {
  type CatalogQueryKind,
  COMMENT_ORDERS,
  CREATOR_ORDERS,
} from '../../../catalog/model/queries.ts';
import { CatalogAnswers } from '../../../catalog/queries/answers.ts';
import { planStableSql } from '../../../persistence/shared/databases.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const PART = { offset: 20, limit: 20 };
const SORTED = { order: [], ascending: true } as const;
const LIST = { conditions: [], flags: {}, ...SORTED, ...PART };
const ID = IDS_FROM + 1;
const CREATOR = { creator: `0x${'1'.padStart(40, '0')}` };
const WORDS = { text: 'will', limit: 25, page: 1, withTags: true };

const both = [true, false];

/** For each kind of question all its shapes. */
const QUESTIONS: Readonly<Record<CatalogQueryKind, readonly object[]>> = {
  events: [
    LIST,
    { ...LIST, order: ['volume'] },
    { ...LIST, conditions: [{ kind: 'recurrence', anyOf: ['daily'] }] },
  ],
  eventsAfter: [{ ...LIST, digest: '' }],
  marketsAfter: [{ ...LIST, digest: '', after: [ID] }],
  eventPage: [LIST, { ...LIST, flags: { closed: false } }],
  markets: [
    LIST,
    { ...LIST, order: ['endDate'] },
    { ...LIST, withTags: true },
    ...['questionId', 'gameId', 'sportsType', 'makerAddress', 'resolution'].map((kind) => ({
      ...LIST,
      conditions: [{ kind, anyOf: ['x', 7] }],
    })),
  ],
  event: [{ event: { id: ID } }, { event: { slug: 'event-1-ka' }, ...CREATOR }],
  eventTags: [{ event: { id: ID } }],
  market: [
    { market: { id: ID } },
    { market: { slug: 'market-1-ka' } },
    { market: { conditionId: `0xc0${'1'.padStart(62, '0')}` }, ...CREATOR },
  ],
  marketTags: [{ market: { id: ID } }],
  marketDescription: [{ market: { id: ID } }],
  seriesList: [
    {},
    { slugs: ['series-1', 'x'] },
    CREATOR,
    { closed: false, withoutEvents: true },
    { recurrence: 'daily' },
  ].map((search) => ({ ...SORTED, ...PART, ...search })),
  series: [{ id: ID }, { slug: 'series-1' }],
  tags: [
    { ...SORTED, ...PART },
    { ...SORTED, ...PART, ...CREATOR },
  ],
  tag: [{ tag: { id: ID } }, { tag: { slug: 'tag-1' }, ...CREATOR }],
  relatedTags: ['all', 'active', 'closed'].flatMap((status) =>
    ['relations', 'tags'].map((form) => ({
      ...{ tag: { id: ID }, status, form, omitEmpty: true },
      ...PART,
    })),
  ),
  comments: [[], ...COMMENT_ORDERS.map((one) => [one])].flatMap((order) =>
    both.flatMap((ascending) => [
      { parent: { type: 'Event', id: ID }, order, ascending, ...PART, offset: 0 },
      { parent: { type: 'Series', id: ID }, order, ascending, ...PART, authors: ['0xa', '0xb'] },
    ]),
  ),
  commentsAfter: COMMENT_ORDERS.flatMap((one) =>
    both.map((ascending) => {
      const after = one === 'id' ? [ID] : [0, ID];
      const parent = { type: 'Event', id: ID };
      return { parent, order: [one], ascending, ...PART, offset: 0, digest: '', after };
    }),
  ),
  userComments: both.flatMap((ascending) => [
    { address: CREATOR.creator, ascending, ...PART },
    { address: CREATOR.creator, parent: { type: 'Event', id: ID }, ascending, ...PART },
  ]),
  commentThread: [{ id: ID }],
  commentCount: ['Event', 'Series'].map((type) => ({ type, id: ID })),
  creators: CREATOR_ORDERS.flatMap((order) =>
    both.flatMap((ascending) => [
      { order: [order], ascending, ...PART },
      { order: [order], ascending, ...PART, creatorName: 'A' },
      { order: [order], ascending, ...PART, creatorHandle: 'a', creatorName: 'A' },
    ]),
  ),
  creator: [{ id: ID }],
  teams: ['id', 'name', 'league', 'abbreviation'].flatMap((order) =>
    both.flatMap((ascending) => [
      { order: [order], ascending, ...PART },
      { order: [order], ascending, ...PART, league: ['x', 'y'] },
      { order: [order], ascending, ...PART, name: ['x'], abbreviation: ['z'] },
    ]),
  ),
  sports: [PART],
  marketTypes: [{}],
  search: [
    WORDS,
    { ...WORDS, text: 'wi i' },
    { ...WORDS, text: 'will i', ...CREATOR },
    { ...WORDS, page: 40 },
    { ...WORDS, events: { status: 'closed', conditions: [] } },
    {
      ...WORDS,
      events: {
        status: 'active',
        conditions: ['tagSlug', 'recurrence'].map((kind) => ({ kind, anyOf: ['tag-1'] })),
      },
    },
    { ...WORDS, text: 'nobody asks this' },
  ],
  profile: [{ address: CREATOR.creator }],
  catalogActions: [{ limit: 20 }],
  reportedComments: [PART],
};

/** Whether a scan is of values of the question, of found words, or of an inner query's result. */
function isAsked(step: string, steps: readonly string[]): boolean {
  return (
    /^SCAN (json_each|\()/.test(step) ||
    /VIRTUAL TABLE INDEX \d+:M/.test(step) ||
    ['CO-ROUTINE', 'MATERIALIZE'].some((made) => steps.includes(step.replace('SCAN', made)))
  );
}

/** The types of markets are few; all ended markets are resolved, which is what was asked. */
function isFew(step: string): boolean {
  return /^SCAN (market_types|ended_markets)/.test(step);
}

t.test('no question about the catalog reads a table from its beginning', async (t) => {
  const path = `${temporaryFolder(t)}/catalog.db`;
  const catalog = openCatalog(path);
  const size = { seed: 3, events: 30, markets: 60, tags: 6, series: 3 };
  const generator = new CatalogGenerator(size);
  for (const batch of generator.batches(30)) catalog.importEvents(batch);
  catalog.putRecords({ kind: 'comments', records: [...generator.comments(60)] });
  catalog.close();
  const database = new Database(path, { readonly: true });
  t.teardown(() => database.close());
  const run = new Set<string>();
  const prepare = database.prepare.bind(database);
  // Safe: the same statements. Those that are run are noted.
  database.prepare = ((sql: string) => {
    const statement = prepare(planStableSql(sql));
    for (const name of ['get', 'all'] as const) {
      const asked = statement[name].bind(statement);
      Object.assign(statement, {
        [name]: (...values: unknown[]) => {
          run.add(sql);
          return asked(...values);
        },
      });
    }
    return statement;
  }) as typeof database.prepare;
  const answers = new CatalogAnswers(database);
  for (const [kind, questions] of Object.entries(QUESTIONS)) {
    run.clear();
    for (const question of questions) answers.answer(kind, question);
    t.ok(run.size > 0, `${kind} runs statements`);
    for (const sql of run) {
      const explained = planStableSql(sql).replaceAll(/[@?]\w*/g, 'NULL');
      const steps = prepare(`EXPLAIN QUERY PLAN ${explained}`)
        .all()
        .map((row) => String(Object(row).detail));
      const isSorted = steps.some((step) => step.includes('TEMP B-TREE'));
      const endsWithPage = sql.includes('LIMIT') && !sql.includes('WHERE') && !isSorted;
      const scans = steps.filter(
        (step) => /^SCAN /.test(step) && !isAsked(step, steps) && !isFew(step) && !endsWithPage,
      );
      t.strictSame(scans, [], `${kind}: ${sql.replaceAll(/\s+/g, ' ')}\n${steps.join('\n')}`);
    }
  }
});
