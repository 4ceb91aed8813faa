// Events that the operator creates: their catalog records and markets, repeated requests, refusals,
// and interrupted creations.
import { rmSync } from 'node:fs';
import t, { type Test } from 'tap';
import { planEvent } from '../../../../http/admin/markets/event-plan.ts';
import { type EventInput, readEvent } from '../../../../http/admin/markets/event-request.ts';
import { isoTime } from '../../../../http/codec/time.ts';
import type { Settings } from '../../../../http/settings/settings.ts';
import type { Running } from '../../../../venue/program.ts';
import { answerValue } from '../../../persistence/answer-value.ts';
import { until } from '../../../persistence/store-fixture.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { shareTestExchange, startTestExchange, type TestExchange } from '../../exchange-fixture.ts';
import { marketBody, raceOf } from './race.ts';

const GIVEN = `0x${'44'.repeat(32)}`;

/** The exchange of all tests that do not stop theirs. */
const shared = (await shareTestExchange(t))();
/** A second exchange, which resolution.test.ts shares. */
const other = (await shareTestExchange(t, { redemption: 'automatic' }))();

/** A summary of the engine's and the catalog's state. */
function stateOf({ services: { exchange } }: Running) {
  return [
    exchange.stateHash(),
    exchange.catalog.lookup.marketCount(),
    exchange.catalog.lookup.unfinishedPlans().length,
  ];
}

function idsOf(running: Running, eventId: string) {
  return [...running.services.registry.markets()]
    .filter((market) => market.eventId === eventId)
    .map(({ conditionId }) => conditionId);
}

interface Made {
  readonly event_id: string;
  readonly markets: readonly {
    readonly slug: string;
    readonly condition_id: string;
    readonly token_ids: readonly [string, string];
  }[];
}

// Safe: the schema of the answer is proved by the examples.
function madeOf(body: unknown): Made {
  return body as Made;
}

t.test('a new event has its texts and terms, and its markets trade at once', async (t) => {
  const { operator, send, running, trader, clock } = shared;
  const race = raceOf('2030');
  const answer = await operator('POST', '/events', { ...race, by: 'ann', reason: 'a new race' });
  t.match(
    [answer.status, answer.body],
    [200, { slug: 'race-2030', accepts_markets: true, none: '' }],
  );
  t.match(answer.body, { duplicate: false });
  const { event_id, markets } = madeOf(answer.body);
  t.match(event_id, /^[5-9]\d{8}$/);
  t.strictSame(
    markets.map(({ slug }) => slug),
    ['red-2030', 'blue-2030', 'nobody-2030'],
  );
  const [red, blue, nobody] = markets.map(({ condition_id }) => condition_id);
  const terms = (id = '') => running.services.registry.market(id);
  const alike = { negRisk: true, eventId: event_id, minimumBudgetMicros: 1_000_000 };
  t.match(terms(red), {
    ...alike,
    tickTicks: 100,
    finerTickTicks: 10,
    minimumLots: 500,
    takerFeeBps: 441,
    feeExponent: 1,
    delaySeconds: 3,
    selfTrade: 'cancel_maker',
  });
  t.match(terms(blue), { ...alike, tickTicks: 10, finerTickTicks: 0, minimumLots: 50 });
  t.match(terms(nobody), { ...alike, selfTrade: 'cancel_both', takerFeeBps: 0 });
  const listed = (await send('GET', '/markets?eventSlug=race-2030')).body;
  t.equal(listed.length, 3);
  t.match((await send('GET', `/markets/${red}`)).body, {
    question: 'Will red-2030 win?',
    groupItemTitle: 'RED-2030',
    description: race.description,
    endDate: '2030-06-01T10:00:00Z',
    startDate: isoTime(clock.ms),
    closed: false,
    acceptingOrders: true,
    negRisk: true,
    neg_risk_market_id: /^0x[0-9a-f]{64}$/,
    tags: ['sports', 'rowing'],
    events: [{ id: event_id, slug: 'race-2030', title: race.title, active: true, closed: false }],
  });
  t.match((await send('GET', `/markets/${blue}`)).body, { outcomes: '["In", "Out"]' });
  t.match((await send('GET', `/markets/${nobody}`)).body, { description: 'None of them.' });
  t.equal(running.services.exchange.catalog.lookup.tagRecord('sports')?.label, 'Sports');
  const [tokenId] = markets[1]?.token_ids ?? [''];
  const alice = await trader(1);
  const { body } = await alice.signed('POST', '/sets/split', {
    market: blue,
    amount: '1',
    key: 'a',
  });
  t.match(body, { market: blue });
  t.match((await send('GET', `/book?token_id=${tokenId}`)).body, { tick_size: '0.001' });
  const actions = (await operator('GET', '/actions?kind=create_market')).body;
  t.match(actions, {
    data: [nobody, blue, red].map((conditionId) => {
      return { by: 'ann', reason: 'a new race', command: { conditionId } };
    }),
  });
});

t.test(
  'a request can also open its neg-risk event and name its market for none of them',
  async (t) => {
    const { operator, running } = shared;
    const race = { ...raceOf('opened'), open: true, none: 'nobody-opened' };
    const answer = await operator('POST', '/events', race);
    const { event_id, markets } = madeOf(answer.body);
    const ids = markets.map(({ condition_id }) => condition_id);
    t.match(answer.body, { accepts_markets: false, none: ids[2], duplicate: false });
    t.strictSame(running.services.registry.marketsOfEvent(event_id), ids);
    const again = await operator('POST', `/events/${event_id}/open`, { none: ids[2] });
    t.match(again.body, { duplicate: true });
  },
);

t.test('ids come from the request, or are derived alike on every machine', async (t) => {
  const race = raceOf('same');
  const [first, second] = [
    (await shared.operator('POST', '/events', race)).body,
    (await other.operator('POST', '/events', race)).body,
  ];
  t.strictSame(first, second);
  const given = {
    id: '900',
    conditionId: GIVEN,
    questionID: GIVEN,
    clobTokenIds: ['900001', '900002'],
  };
  const body = {
    slug: 'given',
    title: 'Given',
    id: '900',
    markets: [marketBody('given', given)],
  };
  const answer = await shared.operator('POST', '/events', body);
  t.match(answer.body, {
    event_id: '900',
    markets: [{ condition_id: GIVEN, token_ids: ['900001', '900002'] }],
  });
  t.match((await shared.send('GET', '/markets/900')).body, {
    conditionId: GIVEN,
    questionID: GIVEN,
  });
  t.match((await shared.operator('POST', '/events', body)).body, { duplicate: true });
  const otherId = { ...body, id: '901' };
  t.match((await shared.operator('POST', '/events', otherId)).body, {
    code: 'event_exists',
    field: 'id',
    limit: '900',
    actual: '901',
  });
});

t.test(
  'a repeated request changes nothing; a different one with its slug is refused',
  async (t) => {
    const { operator, running } = shared;
    const race = raceOf('again');
    const made = (await operator('POST', '/events', race)).body;
    const before = stateOf(running);
    const again = await operator('POST', '/events', { ...race, by: 'ben', reason: 'once more' });
    t.strictSame([again.status, again.body], [200, { ...made, duplicate: true }]);
    const [red, blue, nobody] = race.markets;
    const same = { ...race, markets: [{ ...red, tick_size: '0.010' }, blue, nobody], open: false };
    t.match((await operator('POST', '/events', same)).body, { duplicate: true });
    const rows: [changes: object, field: string, limit: unknown, actual: unknown][] = [
      [{ title: 'Another' }, 'title', race.title, 'Another'],
      [{ negRisk: false }, 'negRisk', true, false],
      [{ open: true }, 'open', false, true],
      [{ tags: [] }, 'tags', 'a list of 2', 'a list of 0'],
      [{ markets: [red, blue] }, 'markets', 'a list of 3', 'a list of 2'],
      [{ markets: [blue, red, nobody] }, 'markets.0.slug', 'red-again', 'blue-again'],
      [
        { markets: [red, { ...blue, tick_size: '0.01' }, nobody] },
        'markets.1.tick_size',
        '0.001',
        '0.01',
      ],
      [
        { markets: [{ ...red, taker_fee_bps: 440 }, blue, nobody] },
        'markets.0.taker_fee_bps',
        441,
        440,
      ],
      [{ markets: [red, blue, { ...nobody, id: '900' }] }, 'markets.2.id', /^\d{9}$/, '900'],
    ];
    for (const [changes, field, limit, actual] of rows) {
      const answer = await operator('POST', '/events', { ...race, ...changes });
      const told = { code: 'event_exists', field, limit, actual };
      t.match([answer.status, answer.body], [409, told], field);
    }
    t.strictSame(stateOf(running), before);
  },
);

t.test('equal requests at the same time create one event', async (t) => {
  const { operator, running } = shared;
  const race = raceOf('at-once');
  const answers = await Promise.all([1, 2, 3].map(() => operator('POST', '/events', race)));
  t.strictSame(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  const duplicates = answers.map(({ body }) => body.duplicate);
  t.strictSame(duplicates.toSorted(), [false, true, true]);
  const [first] = answers;
  t.equal(idsOf(running, madeOf(first?.body).event_id).length, 3);
});

const TOO_MANY = Array.from({ length: 501 }, (_, index) => marketBody(`m${index}`));

t.test('a refused request changes nothing, even if parts of it are valid', async (t) => {
  const { operator, running, plain } = shared;
  const race = raceOf('refused');
  const taken = running.services.exchange.catalog.lookup.marketByCondition(plain.conditionId);
  const [red, blue, nobody] = race.markets;
  const last = (changes: object) => ({ markets: [red, blue, { ...nobody, ...changes }] });
  const rows: [changes: object, status: number, told: object][] = [
    [{ slug: undefined }, 400, { code: 'missing_field', field: 'slug' }],
    [{ slug: 'a b' }, 400, { code: 'invalid_payload', field: 'slug', actual: '"a b"' }],
    [{ title: 'x'.repeat(1_001) }, 400, { code: 'invalid_payload', field: 'title' }],
    [{ id: 'x' }, 400, { code: 'invalid_payload', field: 'id' }],
    [{ id: '1000000000' }, 400, { code: 'invalid_payload', field: 'id' }],
    [{ endDate: 'soon' }, 400, { code: 'invalid_payload', field: 'endDate', actual: '"soon"' }],
    [{ tags: [{ slug: 'x' }] }, 400, { code: 'missing_field', field: 'tags.0.label' }],
    [{ markets: [] }, 400, { code: 'invalid_payload', field: 'markets' }],
    [{ markets: TOO_MANY }, 400, { code: 'too_many_items', field: 'markets', limit: 500 }],
    [{ open: true, negRisk: false }, 400, { code: 'event_malformed', field: 'negRisk' }],
    [{ open: true, markets: [red] }, 400, { code: 'event_malformed', field: 'markets' }],
    [{ open: true, none: 'green' }, 400, { code: 'event_malformed', field: 'none' }],
    [
      { none: 'nobody-refused' },
      400,
      { code: 'event_malformed', field: 'none', actual: 'nobody-refused' },
    ],
    [last({ question: '' }), 400, { code: 'invalid_payload', field: 'markets.2.question' }],
    [last({ slug: 'red-refused' }), 400, { code: 'invalid_payload', field: 'markets.2.slug' }],
    [last({ outcomes: ['A'] }), 400, { code: 'invalid_payload', field: 'markets.2.outcomes' }],
    [last({ outcomes: ['A', 'A'] }), 400, { field: 'markets.2.outcomes' }],
    [last({ conditionId: '0x12' }), 400, { field: 'markets.2.conditionId', actual: '0x12' }],
    [last({ clobTokenIds: ['1', '1'] }), 400, { field: 'markets.2.clobTokenIds' }],
    [last({ clobTokenIds: ['1', 'x'] }), 400, { field: 'markets.2.clobTokenIds' }],
    [last({ tick_size: '0.02' }), 400, { code: 'invalid_payload', field: 'markets.2.tick_size' }],
    [last({ tick_size: 'x' }), 400, { code: 'invalid_payload', field: 'markets.2.tick_size' }],
    [
      last({ finer_tick_size: '0.01' }),
      400,
      { code: 'market_malformed', field: 'markets.2.finer_tick_size', limit: '0.01' },
    ],
    [last({ taker_fee_bps: 5001 }), 400, { field: 'markets.2.taker_fee_bps', limit: '0..5000' }],
    [last({ itode: false, seconds_delay: 1 }), 400, { field: 'markets.2.itode' }],
    [last({ minimum_order_size: '0.001' }), 400, { code: 'amount_off_grid' }],
    [
      last({ minimum_order_size: '10000000.01' }),
      400,
      { code: 'invalid_payload', field: 'markets.2.minimum_order_size' },
    ],
    [{ slug: taken?.eventSlug }, 409, { code: 'event_exists', field: 'slug' }],
    [{ id: taken?.eventId }, 409, { code: 'event_exists', field: 'id' }],
    [last({ slug: taken?.slug }), 409, { code: 'event_exists', field: 'markets.2.slug' }],
    [last({ id: taken?.id }), 409, { code: 'event_exists', field: 'markets.2.id' }],
    [
      last({ clobTokenIds: [plain.tokenIds[1], '5'] }),
      409,
      { code: 'event_exists', field: 'markets.2.clobTokenIds' },
    ],
    [
      last({ conditionId: plain.conditionId }),
      409,
      { code: 'event_exists', field: 'markets.2.conditionId' },
    ],
    [{ by: undefined }, 400, { code: 'missing_field', field: 'by' }],
  ];
  const before = stateOf(running);
  for (const [changes, status, told] of rows) {
    const answer = await operator('POST', '/events', { ...race, ...changes });
    t.match([answer.status, answer.body], [status, told], JSON.stringify(told));
  }
  t.strictSame(stateOf(running), before);
  t.match((await operator('POST', '/events', race)).body, { duplicate: false });
});

/** An exchange in a folder, which a test may stop and start. */
function startIn(t: Test, dataDir: string, changes: Partial<Settings> = {}) {
  return startTestExchange(t, {
    temporary: false,
    dataDir,
    adminToken: 'the-token-of-a-test',
    ...changes,
  });
}

function openedRaceOf(name: string): EventInput {
  // Safe: the rows above show that a race is an input, and these are fields of one.
  return { ...raceOf(name), open: true, none: `nobody-${name}` } as unknown as EventInput;
}

/** Stores the record and the plan, but submits only the first commands, as if interrupted. */
async function makeInPart(
  { running: { services } }: TestExchange,
  race: EventInput,
  submitted: number,
) {
  const asked = { by: 'ann', reason: 'a new race', nowMs: 1_780_000_000_000 };
  const { record, plan } = planEvent(readEvent(race), asked, services);
  await services.exchange.catalog.write.addEvent({ record, plan });
  for (const command of plan.commands.slice(0, submitted)) {
    await services.exchange.submit(command, plan.evidence);
  }
}

t.test('an event whose creation was interrupted is complete after a restart', async (t) => {
  const cuts = [0, 2, 3, 4];
  const dataDir = temporaryFolder(t);
  const first = await startIn(t, dataDir);
  for (const submitted of cuts)
    await makeInPart(first, openedRaceOf(`cut-${submitted}`), submitted);
  await first.running.close();
  const second = await startIn(t, dataDir);
  const { registry, exchange } = second.running.services;
  t.strictSame(exchange.catalog.lookup.unfinishedPlans(), []);
  const { data } = (await second.operator('GET', '/actions?kind=open_event')).body;
  t.match(
    data,
    cuts.map(() => ({ by: 'ann', reason: 'a new race' })),
  );
  t.equal(data.length, cuts.length);
  for (const submitted of cuts) {
    const race = openedRaceOf(`cut-${submitted}`);
    const found = await exchange.catalog.read.event({ event: { slug: race.slug } });
    const eventId: string | undefined = found && answerValue(found).id;
    t.equal(
      registry.marketsOfEvent(eventId ?? '').length,
      3,
      `${submitted} commands were journaled`,
    );
    const seq = exchange.appliedSeq;
    const again = await second.operator('POST', '/events', race);
    t.match(
      [again.status, again.body],
      [200, { event_id: eventId, accepts_markets: false, duplicate: true }],
    );
    t.equal(exchange.appliedSeq, seq, 'nothing was left to do');
  }
});

t.test('the same request completes an interrupted event without a restart', async (t) => {
  const race = openedRaceOf('completed');
  await makeInPart(shared, race, 1);
  const answer = await shared.operator('POST', '/events', race);
  t.match([answer.status, answer.body], [200, { accepts_markets: false, duplicate: true }]);
  const { registry, exchange } = shared.running.services;
  t.equal(registry.marketsOfEvent(madeOf(answer.body).event_id).length, 3);
  t.strictSame(exchange.catalog.lookup.unfinishedPlans(), []);
});

t.test('the same request restores an event that the catalog lost', async (t) => {
  const dataDir = temporaryFolder(t);
  const race = openedRaceOf('lost');
  const first = await startIn(t, dataDir);
  const made = (await first.operator('POST', '/events', race)).body;
  await first.running.close();
  rmSync(`${dataDir}/catalog.db`);
  const second = await startIn(t, dataDir, { replacesLostCatalog: true });
  const [red] = madeOf(made).markets;
  const path = `/markets/${red?.condition_id}`;
  t.match((await second.send('GET', path)).body, {
    events: [{ id: madeOf(made).event_id, slug: `lost-event-${madeOf(made).event_id}` }],
    neg_risk: true,
  });
  const dearer = {
    ...race,
    markets: race.markets.map((one) => ({ ...one, tick_size: '0.1' })),
  };
  const before = stateOf(second.running);
  const refused = await second.operator('POST', '/events', dearer);
  t.strictSame(stateOf(second.running), before);
  t.match([refused.status, refused.body], [409, { code: 'market_exists' }], 'other terms');
  const seq = second.running.services.exchange.appliedSeq;
  t.strictSame((await second.operator('POST', '/events', race)).body, made);
  t.equal(second.running.services.exchange.appliedSeq, seq);
  t.match((await second.send('GET', path)).body, {
    question: 'Will red-lost win?',
    slug: 'red-lost',
  });
});

t.test('a market is added to an event that is not open yet', async (t) => {
  const { operator, running, send } = shared;
  const race = raceOf('added');
  const { event_id } = madeOf((await operator('POST', '/events', race)).body);
  const path = `/events/${event_id}/markets`;
  const green = marketBody('green', { taker_order_delay_ms: 250 });
  const added = await operator('POST', path, green);
  t.match([added.status, added.body], [200, { event_id, slug: 'green', duplicate: false }]);
  t.match((await operator('POST', path, green)).body, { duplicate: true });
  const conditionId = idsOf(running, event_id).at(-1);
  t.match(running.services.registry.market(conditionId ?? ''), {
    negRisk: true,
    takerDelayMs: 250,
  });
  t.match((await send('GET', `/markets/${conditionId}`)).body, {
    description: race.description,
    events: [{ slug: 'race-added' }],
  });
  t.match(
    (await operator('POST', '/events', race)).body,
    { duplicate: true },
    'an added market is no difference',
  );
  await operator('POST', `/events/${event_id}/open`, {});
  const before = stateOf(running);
  const rows: [path: string, body: object, status: number, told: object][] = [
    [path, marketBody('white'), 409, { code: 'event_sealed', field: 'event_id' }],
    [path, { ...green, question: 'Why?' }, 409, { code: 'event_exists', field: 'question' }],
    ['/events/11/markets', green, 409, { code: 'event_exists', field: 'event_id' }],
    ['/events/11/markets', marketBody('red-added'), 409, { code: 'event_exists', field: 'slug' }],
    ['/events/11/markets', marketBody('x', { tick_size: '0.3' }), 400, { field: 'tick_size' }],
    ['/events/11/markets', marketBody('a b'), 400, { code: 'invalid_payload', field: 'slug' }],
    ['/events/999/markets', marketBody('x'), 404, { code: 'event_unknown', actual: '999' }],
    ['/events/x/markets', marketBody('x'), 404, { code: 'event_unknown', actual: 'x' }],
  ];
  for (const [at, body, status, told] of rows) {
    const answer = await operator('POST', at, body);
    t.match([answer.status, answer.body], [status, told], JSON.stringify(told));
  }
  t.strictSame(stateOf(running), before);
});

t.test('lists can filter ended events; an event ends with its last market', async (t) => {
  const { operator, send } = shared;
  const plainRace = { ...raceOf('ended'), negRisk: false };
  const { markets } = madeOf((await operator('POST', '/events', plainRace)).body);
  const [red, blue, nobody] = markets.map(({ condition_id }) => condition_id);
  const slugs = async (query: string) => {
    const { body } = await send('GET', `/markets?event_slug=race-ended&${query}`);
    // Safe: the answer is a list of markets.
    return (body as unknown as { slug: string }[]).map(({ slug }) => slug);
  };
  const resolve = (id: string | undefined, payout: string) =>
    operator('POST', `/markets/${id}/resolve`, { payout, redeem_all: false });
  await resolve(red, '1');
  await operator('POST', `/markets/${blue}/close`, {});
  // The catalog's thread learns of ended markets after the answer is sent.
  await until(async () => (await slugs('closed=true')).length === 2);
  t.strictSame(
    await slugs('closed=true'),
    ['red-ended', 'blue-ended'].toSorted(byId(await slugs(''))),
  );
  t.strictSame(await slugs('closed=false'), ['nobody-ended']);
  const told = { closed: true, acceptingOrders: false, outcomePrices: '["1", "0"]' };
  t.match((await send('GET', `/markets/${red}`)).body, { ...told, events: [{ closed: false }] });
  await resolve(nobody, '0');
  await until(async () => (await slugs('closed=false')).length === 0);
  t.match((await send('GET', `/markets/${blue}`)).body, { events: [{ closed: true }] });
});

function byId(inOrder: readonly string[]) {
  return (one: string, other: string) => inOrder.indexOf(one) - inOrder.indexOf(other);
}

t.test('the markets of a resolved neg-risk event are closed in the catalog', async (t) => {
  const { operator, send } = shared;
  const { event_id, markets } = madeOf(
    (await operator('POST', '/events', openedRaceOf('resolved'))).body,
  );
  const winner = markets[0]?.condition_id;
  await operator('POST', `/events/${event_id}/resolve`, { winner, redeem_all: true });
  const closed = `/markets?event_id=${event_id}&closed=true`;
  await until(async () => (await send('GET', closed)).body.length === 3);
  t.match((await send('GET', `/markets/${winner}`)).body, {
    tokens: [{ winner: true }, { winner: false }],
    events: [{ closed: true }],
  });
});
