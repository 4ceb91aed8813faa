// Creators, comments, profiles, teams and sports over HTTP: their fields and orders.
import t, { type Test } from 'tap';
import { Compile } from 'typebox/compile';
import { CATALOG_ROUTES } from '../../../catalog/routes/routes.ts';
import { toChecksumAddress } from '../../../http/signing/address.ts';
import type { RecordBatch } from '../../../persistence/index.ts';
import { shareTestExchange } from '../../http/exchange-fixture.ts';
import { INTERFACE_FIELDS } from './documented-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

const DAY = '2026-05-01T00:00:00Z';
const ADA = `0x${'ad'.repeat(20)}`;
const BOB = `0x${'b0'.repeat(20)}`;
const CY = `0x${'c0'.repeat(20)}`;
const dates = { createdAt: DAY, updatedAt: DAY };

const batches: readonly Pick<RecordBatch, 'kind' | 'records'>[] = [
  {
    kind: 'creators',
    records: ['Ada', 'Bob', 'Cy'].map((name, place) => ({
      ...dates,
      id: `${30 - place}`,
      creatorName: name,
      creatorHandle: `@${name.toLowerCase()}`,
      creatorUrl: `https://${name}.example`,
      creatorImage: '',
      createdAt: `2026-0${place + 1}-01T00:00:00Z`,
    })),
  },
  {
    kind: 'teams',
    records: [
      { id: 1, name: 'Owls', league: 'north', abbreviation: 'owl', record: '3-1', logo: '' },
      { id: 2, name: 'Foxes', league: 'south', abbreviation: 'fox', record: '1-3', logo: '' },
    ].map((team) => ({ ...team, ...dates })),
  },
  {
    kind: 'sports',
    records: [
      {
        id: 1,
        sport: 'chess',
        image: '',
        resolution: 'the board',
        ordering: 'home',
        tags: '1',
        series: '2',
      },
    ],
  },
];

function schemaOf(path: string) {
  const route = CATALOG_ROUTES.find((one) => one.path === path);
  if (route === undefined) throw new Error(`no route ${path}`);
  return Compile(route.response);
}

function documented(t: Test, path: string, body: unknown): void {
  const schema = schemaOf(path);
  t.ok(schema.Check(body), `${path}: ${JSON.stringify([...schema.Errors(body)].slice(0, 2))}`);
}

function asList(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) throw new Error('a list is expected');
  return value;
}
function named(value: unknown, name: string): unknown[] {
  return asList(value).map((one) => one[name]);
}

/** All tests share one server: none reads what another one writes. */
const exchange = (await shareTestExchange(t))();
const { send, running, plain } = exchange;
const { lookup, write } = running.services.exchange.catalog;
for (const { kind, records } of batches) {
  const text = Buffer.from(JSON.stringify(records));
  const report = await write.putPage({ source: 'https://a.example', kind, text, mark: '' });
  // Not an assertion: outside of a test, tap may end before the next page is stored.
  if (report.refusals.length > 0) throw new Error(`${kind}: ${JSON.stringify(report.refusals)}`);
}

t.test('creators are listed, sorted, filtered, and found by their id', async (t) => {
  const { body } = await send('GET', '/events/creators');
  documented(t, '/events/creators', body);
  t.same(named(body, 'id'), ['28', '29', '30'], 'by ascending id');
  for (const one of asList(body)) {
    t.same(Object.keys(one).toSorted(), INTERFACE_FIELDS.creator.toSorted());
    t.same((await send('GET', `/events/creators/${one.id}`)).body, one);
  }
  const names: readonly (readonly [query: string, names: readonly string[]])[] = [
    ['order=creatorName&ascending=true', ['Ada', 'Bob', 'Cy']],
    ['order=creator_name', ['Cy', 'Bob', 'Ada']],
    ['order=createdAt', ['Cy', 'Bob', 'Ada']],
    ['order=creatorHandle&ascending=true&limit=1&offset=1', ['Bob']],
    ['creator_name=ADA', ['Ada']],
    ['creator_handle=@bob', ['Bob']],
    ['creator_name=Ada&creator_handle=@bob', []],
    ['creator_name=&creator_handle=', ['Cy', 'Bob', 'Ada']],
  ];
  for (const [query, expected] of names) {
    const listed = (await send('GET', `/events/creators?${query}`)).body;
    t.same(named(listed, 'creatorName'), expected, query);
  }
  t.match(await send('GET', '/events/creators?order=wallet'), {
    status: 422,
    body: { error: 'order fields are not valid', type: 'validation error' },
  });
});

t.test('teams, sports and market types are shown as they were imported', async (t) => {
  const teams = (await send('GET', '/teams')).body;
  documented(t, '/teams', teams);
  t.match(teams, [
    { id: 1, name: 'Owls', record: '3-1' },
    { id: 2, name: 'Foxes' },
  ]);
  t.same(named((await send('GET', '/teams?order=name&ascending=true')).body, 'id'), [2, 1]);
  t.same(named((await send('GET', '/teams?league=south')).body, 'id'), [2]);
  t.same(named((await send('GET', '/teams?name=Owls&name=Foxes')).body, 'id'), [1, 2]);
  t.same(named((await send('GET', '/teams?abbreviation=owl')).body, 'id'), [1]);
  const sports = (await send('GET', '/sports')).body;
  documented(t, '/sports', sports);
  t.match(sports, [{ id: 1, sport: 'chess', resolution: 'the board' }]);
  const types = (await send('GET', '/sports/market-types')).body;
  documented(t, '/sports/market-types', types);
  t.same(types, { marketTypes: [] }, 'none was imported');
});

async function say(
  userAddress: string,
  body: string,
  more: { minute?: number; parentCommentId?: number; id?: number } = {},
): Promise<number> {
  const nowIso = `2026-05-01T00:${String(more.minute ?? 0).padStart(2, '0')}:00Z`;
  const { commentId } = await write.comment({
    parent: { type: 'Event', id: more.id ?? 11 },
    parentCommentId: more.parentCommentId,
    userAddress,
    body,
    key: '',
    sinceIso: DAY,
    nowIso,
  });
  return commentId;
}

t.test('comments have their author, replies and reactions', async (t) => {
  const first = await say(ADA, 'Clouds coming in.');
  const reply = await say(BOB, 'No.', { minute: 1, parentCommentId: first });
  const second = await say(BOB, 'Sun "here" \u2028 é', { minute: 2 });
  await say(BOB, 'Elsewhere', { minute: 3, id: 12 });
  const mark = { id: first, userAddress: BOB, nowIso: '2026-05-01T00:04:00Z' };
  await write.react({ ...mark, reactionType: 'HEART' });
  await write.setProfile({ address: ADA, name: 'Ada', bio: 'Watches clouds', nowIso: DAY });

  const { body } = await send('GET', '/comments?parent_entity_type=Event&parent_entity_id=11');
  documented(t, '/comments', body);
  t.same(named(body, 'id').toSorted(), [`${first}`, `${second}`].toSorted(), 'replies nest');
  const told = asList(body).find(({ id }) => id === `${first}`) ?? {};
  t.same(Object.keys(told).toSorted(), INTERFACE_FIELDS.comment.toSorted());
  t.match(told, {
    body: 'Clouds coming in.',
    parentEntityType: 'Event',
    parentEntityID: 11,
    parentCommentID: null,
    reactionCount: 1,
    replyCount: 1,
    profile: { name: 'Ada', bio: 'Watches clouds', positions: [] },
    reactions: [{ reactionType: 'HEART', userAddress: BOB }],
    replies: [{ id: `${reply}`, body: 'No.', parentCommentID: `${first}` }],
  });
  // Safe: as documented.
  const profile = told.profile as Fields;
  t.same(Object.keys(profile).toSorted(), INTERFACE_FIELDS.profile.toSorted());
  const aliases = [
    'event_slug=port-meridian-mayor-2027',
    'parent_entity_type=event&parent_entity_id=11',
  ];
  for (const query of aliases) t.same((await send('GET', `/comments?${query}`)).body, body, query);
  t.same((await send('GET', '/comments?event_slug=none')).body, []);

  const thread = (await send('GET', `/comments/${reply}`)).body;
  documented(t, '/comments/{id}', thread);
  t.same(named(thread, 'id'), [`${reply}`, `${first}`], 'the requested one is first');
  t.same((await send('GET', '/events/11/comments/count')).body, { count: 3 });
  t.same((await send('GET', '/events/13/comments/count')).body, { count: 0 });
  t.same((await send('GET', '/series/1/comments/count')).body, { count: 0 });

  const ofBob = (await send('GET', `/comments/user_address/${BOB}`)).body;
  documented(t, '/comments/user_address/{user_address}', ofBob);
  t.same(named(ofBob, 'body'), ['Elsewhere', 'Sun "here" \u2028 é', 'No.'], 'newest first');
  const page = (await send('GET', `/comments/user_address/${BOB}?limit=1&offset=1`)).body;
  t.same(named(page, 'body'), ['Sun "here" \u2028 é']);
  const scopes: readonly (readonly [query: string, bodies: readonly string[]])[] = [
    ['event_slug=port-meridian-mayor-2027&limit=1', ['Sun "here" \u2028 é']],
    ['parent_entity_type=Event&parent_entity_id=12', ['Elsewhere']],
    ['parent_entity_type=Series&parent_entity_id=1', []],
    ['event_slug=none', []],
    ['event_slug=&parent_entity_type=&limit=1', ['Elsewhere']],
    ['ascending=true&limit=1', ['Elsewhere']],
    ['order=createdAt&limit=1', ['Elsewhere']],
    ['order=created_at&ascending=true', ['No.', 'Sun "here" \u2028 é', 'Elsewhere']],
  ];
  for (const [query, bodies] of scopes) {
    const scoped = (await send('GET', `/comments/user_address/${BOB}?${query}`)).body;
    t.same(named(scoped, 'body'), bodies, query);
  }
  t.same((await send('GET', `/comments/user_address/0x${'99'.repeat(20)}`)).body, []);
});

t.test(
  'pages by cursor are the whole list of comments, whatever is written meanwhile',
  async (t) => {
    const minutes = [2, 1, 1, 3, 0, 1];
    const said: { readonly id: number; readonly minute: number }[] = [];
    for (const [place, minute] of minutes.entries()) {
      said.push({ minute, id: await say(ADA, `Comment ${place}`, { minute, id: 13 }) });
    }
    await say(BOB, 'A reply', { id: 13, parentCommentId: said[0]?.id ?? 0 });
    const parent = 'parent_entity_type=Event&parent_entity_id=13';
    const pageOf = async (query: string) =>
      (await send('GET', `/comments/keyset?${parent}&${query}`)).body as unknown as {
        readonly comments: readonly Fields[];
        readonly next_cursor?: string;
      };
    for (const order of ['', '&order=createdAt', '&order=id', '&order=created_at,id']) {
      for (const direction of ['', '&ascending=true', '&ascending=false']) {
        const sign = direction.endsWith('false') ? -1 : 1;
        const byMinute = order === '&order=id' ? 0 : 1;
        const expected = said
          .toSorted((a, b) => sign * (byMinute * (a.minute - b.minute) || a.id - b.id))
          .map(({ id }) => `${id}`);
        for (const limit of [1, 2, 6, 7]) {
          const found: unknown[] = [];
          let cursor: string | undefined = '';
          while (cursor !== undefined) {
            const page = await pageOf(`limit=${limit}${order}${direction}&after_cursor=${cursor}`);
            documented(t, '/comments/keyset', page);
            found.push(...named(page.comments, 'id'));
            cursor = page.next_cursor;
          }
          t.same(found, expected, `${order}${direction} ${limit}`);
        }
      }
    }
    const { next_cursor: cursor } = await pageOf('limit=2');
    const late = await say(CY, 'Too early', { minute: 0, id: 13 });
    const { comments } = await pageOf(`after_cursor=${cursor}`);
    t.notOk(
      named(comments, 'id').includes(`${late}`),
      'what is before the cursor does not move it',
    );
    t.equal(comments.length, 4);
    const path = `/comments/keyset?${parent}`;
    const other = '/comments/keyset?parent_entity_type=Event&parent_entity_id=11';
    for (const [asked, fault] of [
      ['/comments/keyset', { code: 'query_parameter_missing', field: 'parent_entity_type' }],
      [`${path}&order=reactionCount`, { code: 'order_fields_invalid', limit: 'createdAt, id' }],
      [`${path}&offset=1`, { code: 'invalid_parameter', field: 'offset' }],
      [`${path}&after_cursor=x`, { code: 'invalid_cursor', field: 'after_cursor' }],
      [`${other}&after_cursor=${cursor}`, { code: 'invalid_cursor' }],
      [`${path}&ascending=false&after_cursor=${cursor}`, { code: 'invalid_cursor' }],
      [`${path}&order=id&after_cursor=${cursor}`, { code: 'invalid_cursor' }],
    ] as const) {
      t.match((await send('GET', asked)).body, fault, asked);
    }
    t.same((await send('GET', '/comments/keyset?event_slug=none')).body, { comments: [] });
  },
);

t.test('authors are shown with their positions in the commented markets', async (t) => {
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const [yes, no] = plain.tokenIds;
  await alice.place({ side: 'BUY', lots: 1_000, tokenId: yes, priceTicks: 4_500 });
  await bob.place({ side: 'BUY', lots: 1_000, tokenId: no, priceTicks: 5_500 });
  const id = Number(lookup.marketByCondition(plain.conditionId)?.eventId);
  await say(alice.address, 'I hold some', { id });
  await say(ADA, 'I hold none', { id, minute: 1 });
  const path = `/comments?parent_entity_type=Event&parent_entity_id=${id}`;
  const { body } = await send('GET', path);
  documented(t, '/comments', body);
  const byText = (text: string) => asList(body).find((one) => one.body === text);
  const held = [{ tokenId: yes, positionSize: '10000000' }];
  t.match(byText('I hold some'), { profile: { positions: held } });
  t.match(byText('I hold none'), { profile: { positions: [] } });
  const holders = (await send('GET', `${path}&holders_only=true`)).body;
  t.same(named(holders, 'body'), ['I hold some']);
});

t.test('a profile is found by the address of its user', async (t) => {
  await write.setProfile({ address: CY, name: 'Ada', bio: 'Clouds', nowIso: DAY });
  const { body } = await send('GET', `/public-profile?address=${CY}`);
  documented(t, '/public-profile', body);
  t.match(body, { name: 'Ada', bio: 'Clouds', pseudonym: /./, users: [] });
  t.same((await send('GET', `/profiles/user_address/${CY}`)).body, body);
  t.same(
    (await send('GET', `/public-profile?address=${CY.toUpperCase().replace('X', 'x')}`)).body,
    body,
  );
});

t.test('every account has a profile, with the pseudonym that its trades show', async (t) => {
  const [maker, taker] = [await exchange.trader(1), await exchange.trader(2)];
  const [yes, no] = plain.tokenIds;
  await maker.place({ tokenId: no, priceTicks: 6_000, lots: 1_000 });
  await taker.place({ tokenId: yes, priceTicks: 4_000, lots: 1_000 });
  const rows = (await send('GET', `/trades?market=${plain.conditionId}&takerOnly=false`)).body;
  const shown = named(rows, 'pseudonym');
  for (const [row, { address }] of [taker, maker].entries()) {
    for (const path of ['/public-profile?address=', '/profiles/user_address/']) {
      const { status, body } = await send('GET', path + address);
      t.equal(status, 200, path);
      const proxyWallet = toChecksumAddress(address);
      t.match(body, {
        name: '',
        pseudonym: /^\w+-\w+$/,
        proxyWallet,
        users: [{ id: proxyWallet }],
      });
      t.ok(shown.includes(Object(body).pseudonym), `${path} of ${row}`);
    }
  }
  documented(
    t,
    '/public-profile',
    (await send('GET', `/public-profile?address=${taker.address}`)).body,
  );
  t.match(await send('GET', `/public-profile?address=0x${'9'.repeat(40)}`), { status: 404 });
});

const MISSING = { error: 'required query parameter is missing', code: 'query_parameter_missing' };

const refused: readonly (readonly [path: string, body: object])[] = [
  ['/comments', { ...MISSING, field: 'parent_entity_type' }],
  ['/comments?parent_entity_type=Event', { ...MISSING, field: 'parent_entity_id' }],
  ['/comments?parent_entity_type=tag&parent_entity_id=1', { limit: 'Event, Series, market' }],
  ['/comments?event_slug=a&order=body', { error: 'order fields are not valid' }],
  ['/comments?event_slug=a&limit=0', { field: 'limit', limit: '1..100' }],
  [`/comments/user_address/${ADA}?parent_entity_id=1`, { ...MISSING }],
  ['/comments/user_address/ada', { error: 'Invalid user address', field: 'user_address' }],
  ['/comments/user_address/0x12', { field: 'user_address' }],
  [
    `/comments/user_address/${ADA}?order=reactionCount`,
    { field: 'order', limit: 'createdAt', actual: 'reactionCount' },
  ],
  [`/comments/user_address/${ADA}?limit=0`, { field: 'limit', limit: '1..100' }],
  ['/public-profile', { error: 'address is required' }],
  ['/public-profile?address=', { error: 'address is required' }],
  ['/public-profile?address=ada', { error: 'Invalid address', field: 'address' }],
  ['/profiles/user_address/ada', { field: 'user_address' }],
  ['/teams?order=record', { error: 'order fields are not valid' }],
  ['/events/creators?limit=0', { field: 'limit', limit: '1..100' }],
];

t.test('invalid parameters are refused in the error form of the catalog', async (t) => {
  for (const [path, body] of refused) {
    const answer = await send('GET', path);
    const isUnprocessable = path.includes('order=') || 'code' in body;
    t.equal(answer.status, isUnprocessable ? 422 : 400, path);
    const type = isUnprocessable ? 'validation error' : 'bad request';
    t.match(answer.body, { type, ...body }, path);
  }
});
