import t from 'tap';
import { eventRecord } from '../../../catalog/fixture.ts';
import { say, shareSpeakers, type Value } from '../../../catalog/routes/content/content-fixture.ts';

const speak = await shareSpeakers(t);

async function started() {
  const speakers = await speak();
  const { exchange, eventId } = speakers;
  const parsed = async (asked: ReturnType<typeof exchange.send>) => {
    const { status, text } = await asked;
    return { status, body: JSON.parse(text) };
  };
  const actions = async () => (await parsed(exchange.operator('GET', '/catalog-actions'))).body;
  const { length: before } = await actions();
  return {
    ...speakers,
    act: (method: string, path: string, body?: object) =>
      parsed(exchange.operator(method, path, body)),
    read: async (path: string) => (await parsed(exchange.send('GET', path))).body,
    event: async (id = eventId): Promise<Value> =>
      (await parsed(exchange.send('GET', `/events/${id}`))).body,
    /** The actions since `started`, newest first. */
    actions: async () => {
      const all = await actions();
      return all.slice(0, all.length - before);
    },
  };
}

t.test('the operator creates tags, series and creators, each once', async (t) => {
  const { act, read, actions } = await started();
  const rows: readonly (readonly [path: string, body: object, again: object, read: string])[] = [
    ['/tags', { slug: 'rain', label: 'Rain' }, { label: 'Snow' }, '/tags'],
    ['/series', { slug: 'daily-rain', title: 'Daily rain' }, { title: 'Other' }, '/series'],
    [
      '/creators',
      { creatorName: 'Ada', creatorHandle: '@ada', wallet: `0x${'ab'.repeat(20)}`, sites: ['s1'] },
      { creatorHandle: '@eve' },
      '/events/creators',
    ],
  ];
  for (const [path, body, change, list] of rows) {
    const first = await act('POST', path, body);
    t.match(first, { status: 200, body: { duplicate: false } }, path);
    const { id } = first.body;
    t.same((await act('POST', path, body)).body, { id, duplicate: true });
    const { sites: _, ...texts } = { sites: '', ...body };
    t.match(await read(`${list}/${id}`), { id, ...texts }, 'can be read');
    const other = await act('POST', path, { ...body, ...change });
    t.match(other, { status: 409, body: { code: 'record_exists', field: Object.keys(change)[0] } });
  }
  const kinds = (await actions()).map(({ kind }: { kind: string }) => kind);
  t.same(kinds, ['creator_add', 'series_add', 'tag_add']);
});

t.test(
  'edited texts are found by searches, and the edits are listed with by and reason',
  async (t) => {
    const { act, read, event, actions, eventId, exchange, marketId } = await started();
    await act('POST', '/tags', { slug: 'wind', label: 'Wind' });
    const changes = {
      title: 'Quixotic weather',
      description: 'New rules',
      featured: true,
      endDate: '2031-01-01T00:00:00+01:00',
      tags: ['wind'],
    };
    const edit = () =>
      act('PUT', `/events/${eventId}`, { ...changes, by: 'ada', reason: 'a typo' });
    t.same((await edit()).body, { id: `${eventId}`, duplicate: false });
    t.same((await edit()).body, { id: `${eventId}`, duplicate: true });
    t.match(await event(), {
      title: 'Quixotic weather',
      description: 'New rules',
      featured: true,
      endDate: '2030-12-31T23:00:00Z',
      tags: [{ slug: 'wind' }],
    });
    t.match(await read('/public-search?q=quixotic'), { events: [{ id: `${eventId}` }] });
    const { conditionId } = exchange.plain;
    const question = 'Will it be odd?';
    t.match(await act('PUT', `/markets/${conditionId}`, { question }), { status: 200 });
    t.match(await read(`/markets/${conditionId}`), { id: `${marketId}`, question });
    t.match((await actions())[1], {
      kind: 'event_edit',
      by: 'ada',
      reason: 'a typo',
      details: { id: `${eventId}`, changes: { title: 'Quixotic weather', tags: ['wind'] } },
    });
    t.equal((await actions()).length, 3);
  },
);

t.test('an engine field is refused, and the error names the route to change it', async (t) => {
  const { act, event, eventId, exchange, actions } = await started();
  const market = `/markets/${exchange.plain.conditionId}`;
  const before = await event();
  const rows: readonly (readonly [path: string, body: object, expected: object])[] = [
    [market, { orderPriceMinTickSize: 0.001 }, { limit: /\/terms changes it/ }],
    [market, { closed: true }, { limit: /\/close and \/resolve/ }],
    [market, { clobTokenIds: '[]' }, { limit: /fixed when/ }],
    [market, { volume: 5 }, { limit: /trading decides it/ }],
    [`/events/${eventId}`, { markets: [] }, { limit: /POST \/events\/\{event_id\}\/markets/ }],
    [`/events/${eventId}`, { colour: 'red' }, { field: 'colour', limit: /^one of title, / }],
    [`/events/${eventId}`, {}, { limit: /^at least one of title, / }],
    [`/events/${eventId}`, { title: '' }, { field: 'title' }],
    [`/events/${eventId}`, { endDate: 'soon' }, { field: 'endDate' }],
    [`/events/${eventId}`, { featured: 'yes' }, { field: 'featured' }],
  ];
  for (const [path, body, expected] of rows) {
    const told = await act('PUT', path, body);
    t.match(told, { status: 400, body: { code: 'invalid_payload', ...expected } }, path);
  }
  t.match(await act('PUT', `/events/${eventId}`, { tags: ['nowhere'] }), {
    status: 404,
    body: { code: 'id_not_found', field: 'tags', actual: 'nowhere' },
  });
  t.match(await act('PUT', '/events/77777', { title: 'x' }), { status: 404 });
  t.same(await event(), before, 'nothing was changed');
  t.same(await actions(), []);
});

t.test('an import does not undo an edit of the operator', async (t) => {
  const { act, event, exchange } = await started();
  const { write } = exchange.running.services.exchange.catalog;
  const record = (changes: object) => ({ ...eventRecord(7_001), description: 'old', ...changes });
  await write.importEvents([record({})]);
  await act('PUT', '/events/7001', { title: 'Ours' });
  await act('PUT', '/markets/7001', { question: 'Ours?' });
  await write.importEvents([record({ title: 'Theirs', description: 'new' })]);
  t.match(await event(7_001), {
    title: 'Ours',
    description: 'new',
    markets: [{ question: 'Ours?' }],
  });
});

t.test('reported comments are listed, hidden, shown again and removed', async (t) => {
  const speakers = await started();
  const { act, ada, ben, read, actions, eventId } = speakers;
  const { id } = await say(speakers, ada, { body: 'buy my book' });
  const list = async () => {
    const comments = await read(`/comments?parent_entity_type=Event&parent_entity_id=${eventId}`);
    return comments.some((one: { id: string }) => one.id === id);
  };
  await ben.signed('POST', `/comments/${id}/reports`, { reason: 'spam' });
  const [reported] = (await act('GET', '/comments/reported')).body;
  t.match(reported, { id, hidden: false, reportCount: 1, reports: [{ reason: 'spam' }] });
  const moderate = (what: string) => act('POST', `/comments/${id}/moderate`, { act: what });
  t.match(await moderate('hide'), { status: 200, body: { id, duplicate: false } });
  t.match(await moderate('hide'), { body: { duplicate: true } });
  t.equal(await list(), false);
  t.match((await act('GET', '/comments/reported')).body, [{ id, hidden: true }]);
  t.match(await ben.signed('POST', `/comments/${id}/reports`, {}), { status: 404 }, 'hidden');
  await moderate('unhide');
  t.equal(await list(), true);
  await moderate('remove');
  t.equal(await list(), false);
  t.same((await act('GET', '/comments/reported')).body, []);
  t.match(await moderate('burn'), { status: 400, body: { field: 'act' } });
  const kinds = (await actions()).map(({ kind }: { kind: string }) => kind);
  t.same(kinds, ['comment_remove', 'comment_unhide', 'comment_hide']);
});

// In the past it stayed listed, without its text and author.
t.test('a reported comment that keeps its place for its replies is listed no more', async (t) => {
  const speakers = await started();
  const { act, ada, ben } = speakers;
  const { id } = await say(speakers, ada, { body: 'buy my book' });
  await say(speakers, ben, { body: 'no', parent_comment_id: id });
  await ben.signed('POST', `/comments/${id}/reports`, { reason: 'spam' });
  t.match((await act('GET', '/comments/reported')).body, [{ id }]);
  t.match(await ada.signed('DELETE', `/comments/${id}`), { status: 200 });
  t.same((await act('GET', '/comments/reported')).body, []);
});

t.test('a profile is cleared; its pseudonym stays', async (t) => {
  const { act, ada, actions } = await started();
  const { text } = await ada.signed('PUT', '/profile', { name: 'Operator', bio: 'Send me money' });
  const { pseudonym } = JSON.parse(text);
  const clear = () => act('POST', `/profiles/${ada.address}/clear`, {});
  t.match(await clear(), { status: 200, body: { name: '', bio: '', pseudonym } });
  await clear();
  t.equal((await actions()).length, 1, 'once');
});
