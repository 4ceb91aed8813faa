/** A sync copies all comments, and keeps the changes that people made to the copies. */
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import t, { type Test } from 'tap';
import { type Catalog, openCatalog } from '../../../catalog/catalog.ts';
import { CatalogAnswers } from '../../../catalog/queries/answers.ts';
import { SyncRun } from '../../../catalog/sync/run.ts';
import { answerValue } from '../../persistence/answer-value.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { eventRecord } from '../fixture.ts';
import {
  answer,
  type HostileServer,
  queryOf,
  sourceOf,
  startHostileServer,
} from './hostile-server.ts';

const EVENT_ID = 1;
const ADA = `0x${'ad'.repeat(20)}`;
const BEN = `0x${'be'.repeat(20)}`;
const said = { by: 'test', reason: 'to see what a copy makes of it' };

/** Times of writes, one after the other. */
let acts = 0;
function now() {
  acts += 1;
  const nowIso = new Date(Date.parse('2027-01-01T00:00:00Z') + acts * 1_000).toISOString();
  return { nowIso, sinceIso: nowIso };
}

interface Open {
  readonly catalog: Catalog;
  /** The parsed answer to a read, as the thread of the catalog makes it. */
  ask(kind: string, question: object): unknown;
}

function openIn(t: Test, path: string): Open {
  const catalog = openCatalog(path);
  const database = new SqliteDatabase(path, { readonly: true });
  const answers = new CatalogAnswers(database);
  t.teardown(() => {
    database.close();
    catalog.close();
  });
  const ask = (kind: string, question: object): unknown => {
    const text = answers.answer(kind, question);
    return text === undefined ? undefined : answerValue(text);
  };
  return { catalog, ask };
}

function open(t: Test, name: string): Open {
  return openIn(t, join(temporaryFolder(t), name));
}

/** What another exchange would answer of its events, series and comments. */
function serve({ ask }: Open): Parameters<typeof startHostileServer>[1] {
  const none = { conditions: [], flags: {}, order: [], ascending: false };
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://source');
    const { limit, offset, order } = queryOf(request);
    const part = { limit, offset };
    if (pathname === '/comments') {
      const type = searchParams.get('parent_entity_type');
      const parent = { type, id: Number(searchParams.get('parent_entity_id')) };
      answer(response, ask('comments', { ...none, ...part, parent }));
      return;
    }
    if (pathname.startsWith('/comments/')) {
      answer(response, ask('commentThread', { id: Number(pathname.slice(10)) }));
      return;
    }
    if (pathname === '/series') {
      answer(response, ask('seriesList', { ...none, ...part, order: [] }));
      return;
    }
    const isOrdered = order !== '';
    const question = { ...none, ...part, order: isOrdered ? [order] : [] };
    answer(response, pathname === '/events' ? ask('events', question) : []);
  };
}

async function sync(t: Test, copy: Open, server: HostileServer) {
  const { intake } = copy.catalog;
  const report = await new SyncRun({
    source: sourceOf(t, server),
    store: {
      mark: async (source, kind) => intake.mark(source, kind),
      put: async (page) => intake.putPage(page),
    },
    nowMs: () => Date.now(),
  }).run();
  t.equal(report.failure, undefined);
  return report;
}

function say({ catalog }: Open, body: string, changes: object = {}): number {
  return catalog.comments.comment({
    parent: { type: 'Event', id: EVENT_ID },
    userAddress: ADA,
    body,
    key: '',
    ...now(),
    ...changes,
  }).commentId;
}

interface Told {
  readonly id: string;
  readonly body: string;
  readonly userAddress: string;
  readonly replies: readonly Told[];
  readonly reactions: readonly { readonly reactionType: string; readonly userAddress: string }[];
  readonly [field: string]: unknown;
}

/** Comments without their ids, which the copy assigns itself. */
function shapeOf(comments: readonly Told[]): unknown {
  return comments.map((comment) => {
    const { id: _id, parentCommentID: _parent, replies, reactions, ...rest } = comment;
    const shown = reactions.map(({ reactionType, userAddress }) => [reactionType, userAddress]);
    const [createdMs, updatedMs] = [rest.createdAt, rest.updatedAt].map((at) =>
      Date.parse(`${at}`),
    );
    const when = { createdAt: createdMs, updatedAt: updatedMs };
    return { ...rest, ...when, reactions: shown, replies: shapeOf(replies) };
  });
}

function ofParent({ ask }: Open, type = 'Event'): readonly Told[] {
  // Safe: reads of comments answer with this.
  return ask('comments', {
    parent: { type, id: EVENT_ID },
    limit: 500,
    offset: 0,
    order: [],
    ascending: false,
  }) as readonly Told[];
}

const series = { id: '1', slug: 'series-1', title: 'Series 1' };
async function startSource(t: Test) {
  const source = open(t, 'source.db');
  source.catalog.importEvents([eventRecord(EVENT_ID, { series: [series] }), eventRecord(2)]);
  const server = await startHostileServer(t, serve(source));
  return { source, server };
}

t.test('all comments are copied once, answers after the comments they answer', async (t) => {
  const { source, server } = await startSource(t);
  const first = say(source, 'A question');
  for (let n = 0; n < 130; n += 1) say(source, `Answer ${n}`, { parentCommentId: first });
  let above = say(source, 'A ladder');
  for (let n = 0; n < 5; n += 1) above = say(source, `Step ${n}`, { parentCommentId: above });
  for (let n = 0; n < 250; n += 1) say(source, `Alone ${n}`, { userAddress: BEN });
  say(source, 'On all of them', { parent: { type: 'Series', id: 1 } });
  source.catalog.comments.react({ id: first, userAddress: BEN, reactionType: 'HEART', ...now() });
  const taken = say(source, 'To be taken back');
  say(source, 'What stays', { parentCommentId: taken, userAddress: BEN });
  source.catalog.comments.removeComment({ id: taken, userAddress: ADA, ...now() });

  const copy = open(t, 'copy.db');
  const own = say(await withEvents(copy), 'Written here before', { userAddress: BEN });
  const report = await sync(t, copy, server);
  t.strictSame(report.refusals, []);
  t.match(report.counts.comments, { added: 390, updated: 0, refused: 0 });
  copy.catalog.comments.removeComment({ id: own, userAddress: BEN, ...now() });
  t.strictSame(shapeOf(ofParent(copy)), shapeOf(ofParent(source)));
  t.strictSame(shapeOf(ofParent(copy, 'Series')), shapeOf(ofParent(source, 'Series')));

  const before = server.asked.length;
  const again = await sync(t, copy, server);
  t.strictSame(again.counts.comments, { added: 0, updated: 0, unchanged: 1, refused: 0 });
  const asked = server.asked.slice(before).filter((path) => path.startsWith('/comments'));
  t.strictSame(asked.length, 1, 'of the series, which have no count');

  // A reply to the oldest of them, after two pages in which nothing is new.
  say(source, 'A late answer', { parentCommentId: above });
  say(source, 'Another', { parentCommentId: first, userAddress: BEN });
  await sync(t, copy, server);
  t.strictSame(shapeOf(ofParent(copy)), shapeOf(ofParent(source)));
});

/** Adds the source's events to the copy, as an import would. */
async function withEvents(copy: Open): Promise<Open> {
  copy.catalog.importEvents([eventRecord(EVENT_ID, { series: [series] })]);
  return copy;
}

t.test("a source can't undo local moderation", async (t) => {
  const { source, server } = await startSource(t);
  const texts = ['Removed', 'Hidden', 'Moderated', 'Edited', 'Loved', 'Left alone'];
  const ids = texts.map((text) => say(source, text));
  for (const id of ids) {
    say(source, `Answer to ${id}`, { parentCommentId: id, userAddress: BEN });
    source.catalog.comments.react({ id, userAddress: BEN, reactionType: 'HEART', ...now() });
  }
  source.catalog.profiles.set({ address: ADA, name: 'Ada', ...now() });
  source.catalog.profiles.set({ address: BEN, name: 'Ben', ...now() });
  const copy = open(t, 'copy.db');
  await sync(t, copy, server);
  const idOf = (body: string): number =>
    Number(ofParent(copy).find((one) => one.body === body)?.id);
  const [removed, hidden, moderated, edited, loved] = texts.map(idOf);
  const { comments, profiles } = copy.catalog;
  comments.removeComment({ id: removed ?? 0, userAddress: ADA, ...now() });
  comments.moderateComment({ id: hidden ?? 0, act: 'hide', said, ...now() });
  comments.moderateComment({ id: moderated ?? 0, act: 'remove', said, ...now() });
  comments.editComment({ id: edited ?? 0, userAddress: ADA, body: 'Edited here', ...now() });
  comments.unreact({ id: loved ?? 0, userAddress: BEN, reactionType: 'HEART', ...now() });
  comments.react({ id: loved ?? 0, userAddress: ADA, reactionType: 'SUN', ...now() });
  profiles.set({ address: ADA, name: 'Ada of here', ...now() });
  profiles.clear({ address: BEN, said, ...now() });
  const before = ofParent(copy);
  t.match(before.map(({ body }) => body).toSorted(), [
    '',
    '',
    'Edited here',
    'Left alone',
    'Loved',
  ]);

  // The source changes all of them and adds one, so that all of them are read again.
  ids.forEach((id, index) => {
    source.catalog.comments.editComment({
      id,
      userAddress: ADA,
      body: `${texts[index]}, it says now`,
      ...now(),
    });
  });
  source.catalog.profiles.set({ address: ADA, name: 'Ada, it says now', ...now() });
  source.catalog.profiles.set({ address: BEN, name: 'Ben, it says now', ...now() });
  say(source, 'New');
  await sync(t, copy, server);
  const told = ofParent(copy);
  const byId = (id: number | undefined) => told.find((one) => one.id === `${id}`);
  t.match(byId(removed), { body: '', userAddress: '', removed: true });
  t.equal(byId(hidden), undefined);
  t.match(byId(moderated), { body: '', userAddress: '', removed: true });
  t.match(byId(edited), { body: 'Edited here' });
  t.match(byId(loved), { body: 'Loved, it says now', reactionCount: 1 });
  t.match(byId(loved)?.reactions, [{ reactionType: 'SUN', userAddress: ADA }]);
  t.match(byId(edited)?.profile, { name: 'Ada of here' });
  t.match(byId(edited)?.reactions, [{ profile: { name: '' } }], "Ben's stays cleared");
  comments.moderateComment({ id: hidden ?? 0, act: 'unhide', said, ...now() });
  t.match(ofParent(copy).find((one) => one.id === `${hidden}`)?.body, 'Hidden, it says now');
});

t.test('a comment that is removed at the source is removed here', async (t) => {
  const { source, server } = await startSource(t);
  const id = say(source, 'To be taken back');
  say(source, 'An answer', { parentCommentId: id, userAddress: BEN });
  source.catalog.comments.react({ id, userAddress: BEN, reactionType: 'HEART', ...now() });
  const copy = open(t, 'copy.db');
  await sync(t, copy, server);
  t.match(ofParent(copy), [{ body: 'To be taken back', reactionCount: 1 }]);
  source.catalog.comments.unreact({ id, userAddress: BEN, reactionType: 'HEART', ...now() });
  source.catalog.comments.removeComment({ id, userAddress: ADA, ...now() });
  say(source, 'New', { userAddress: BEN });
  await sync(t, copy, server);
  t.strictSame(shapeOf(ofParent(copy)), shapeOf(ofParent(source)));
  t.notMatch(JSON.stringify(ofParent(copy)), /taken back/);
});

t.test('refused comments are read again in a few later runs', async (t) => {
  let isWhole = false;
  const comment = (id: number, changes: object = {}) => ({
    id: `${id}`,
    body: `Comment ${id}`,
    parentEntityType: 'Event',
    parentEntityID: EVENT_ID,
    parentCommentID: null,
    userAddress: ADA,
    createdAt: '2027-01-01T00:00:00Z',
    ...changes,
  });
  const answering = comment(2, { parentCommentID: '1' });
  const server = await startHostileServer(t, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://source');
    const events = [
      { ...eventRecord(EVENT_ID), updatedAt: '2027-01-01T00:00:00Z', commentCount: 2 },
    ];
    const isFirst = searchParams.get('offset') === '0';
    const comments = isWhole ? [comment(1), answering] : [answering];
    const isOfEvent =
      pathname === '/comments' && searchParams.get('parent_entity_type') === 'Event';
    const list = pathname === '/events' ? events : isOfEvent ? comments : [];
    answer(response, isFirst ? list : []);
  });
  const copy = open(t, 'copy.db');
  const first = await sync(t, copy, server);
  t.match(first.refusals, [
    { sentence: /^comments 2: parentCommentID must be the id of a stored/ },
  ]);
  isWhole = true;
  const second = await sync(t, copy, server);
  t.match(second.counts.comments, { added: 2, refused: 0 });
  t.match((await sync(t, copy, server)).counts.comments, undefined, 'the count is unchanged');

  isWhole = false;
  const bad = open(t, 'bad.db');
  const refusals: unknown[] = [];
  for (let run = 0; run < 6; run += 1) {
    refusals.push((await sync(t, bad, server)).counts.comments?.refused);
  }
  t.strictSame(refusals, [1, 1, 1, 1, undefined, undefined]);
});
