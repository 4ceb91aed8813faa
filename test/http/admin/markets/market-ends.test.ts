/**
 * Every way that a market can begin to trade, and that it can also end. A neg-risk event with one
 * market, or with more than an event can have, traded and could never be resolved.
 */
import t from 'tap';
import { openImported } from '../../../../catalog/routes/index.ts';
import { BOUNDS } from '../../../../engine/model/index.ts';
import { eventRecord, hex, marketRecord } from '../../../catalog/fixture.ts';
import { createMarket } from '../../durable-commands.ts';
import { shareTestExchange, type TestExchange } from '../../exchange-fixture.ts';
import { marketBody, raceOf } from './race.ts';

const share = await shareTestExchange(t);

/** Resolves a market as an operator does who follows the answers. */
async function end({ operator, running }: TestExchange, conditionId: string): Promise<void> {
  const { registry } = running.services;
  const alone = await operator('POST', `/markets/${conditionId}/resolve`, { payout: '1' });
  if (alone.body.code === 'market_of_event') {
    const eventId = registry.market(conditionId)?.eventId;
    await operator('POST', `/events/${eventId}/open`, {});
    await operator('POST', `/events/${eventId}/resolve`, { winner: conditionId });
  }
}

/** Fails unless these markets trade, and then end, some of them with the first of their event. */
async function mustEnd(exchange: TestExchange, conditionIds: readonly string[]): Promise<void> {
  const { registry } = exchange.running.services;
  const statusOf = (id: string) => registry.market(id)?.status;
  for (const id of conditionIds) if (statusOf(id) !== 'open') throw new Error(`${id} is not open`);
  for (const id of conditionIds) {
    if (statusOf(id) !== 'resolved') await end(exchange, id);
    if (statusOf(id) !== 'resolved') throw new Error(`${id} does not end`);
  }
}

/** Imports neg-risk or plain events, each with markets of these numbers. */
async function importEvents(
  { running }: TestExchange,
  events: readonly { readonly negRisk: boolean; readonly numbers: readonly number[] }[],
): Promise<void> {
  const records = events.map(({ negRisk, numbers }) =>
    eventRecord(numbers[0] ?? 0, {
      negRisk,
      markets: numbers.map((number) => marketRecord(number, { negRisk })),
    }),
  );
  const text = Buffer.from(JSON.stringify(records));
  const page = { source: 'test', kind: 'events', text, mark: '' } as const;
  const { refusals } = await running.services.exchange.catalog.write.putPage(page);
  if (refusals.length > 0) throw new Error(JSON.stringify(refusals));
}

function numbersFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

t.test('markets of the built-in catalog, plain and neg-risk', async (t) => {
  const exchange = share();
  const { plain, negRisk, running } = exchange;
  await mustEnd(exchange, [plain.conditionId]);
  const siblings = [...running.services.registry.markets()]
    .filter(({ eventId }) => eventId === negRisk.eventId)
    .map(({ conditionId }) => conditionId);
  t.ok(siblings.length > 1);
  await mustEnd(exchange, siblings);
});

t.test('markets that the operator creates, with their event or later', async (t) => {
  const exchange = share();
  const { operator } = exchange;
  const create = async (path: string, body: object): Promise<string[]> => {
    const answer = await operator('POST', path, body);
    t.equal(answer.status, 200, answer.text);
    // Safe: the schema of the answer is proved by the examples.
    const { markets, condition_id } = answer.body as unknown as {
      readonly markets?: readonly { readonly condition_id: string }[];
      readonly condition_id: string;
    };
    return markets?.map((market) => market.condition_id) ?? [condition_id];
  };
  const eventOf = (conditionId = '') =>
    exchange.running.services.registry.market(conditionId)?.eventId;
  for (const [name, changes] of [
    ['ends-plain', { negRisk: false }],
    ['ends-unopened', { open: false }],
    ['ends-opened', { open: true, none: 'nobody-ends-opened' }],
  ] as const) {
    await mustEnd(exchange, await create('/events', { ...raceOf(name), ...changes }));
  }
  // Alone, it resolves alone; a second market makes an event that resolves as a whole.
  const [lone = ''] = await create('/events', { ...raceOf('l'), markets: [marketBody('lone')] });
  await mustEnd(exchange, [lone]);
  const [late = ''] = await create(`/events/${eventOf(lone)}/markets`, marketBody('later'));
  await mustEnd(exchange, [late]);
  const pair = await create('/events', { ...raceOf('p'), markets: [marketBody('pair-one')] });
  pair.push(...(await create(`/events/${eventOf(pair[0])}/markets`, marketBody('pair-two'))));
  t.match((await operator('POST', `/markets/${pair[0]}/resolve`, { payout: '1' })).body, {
    code: 'market_of_event',
  });
  await mustEnd(exchange, pair);
});

t.test('imported markets that the operator opens one by one', async (t) => {
  const exchange = share();
  const { operator } = exchange;
  const open = (number: number) => operator('POST', `/markets/${hex(number)}/open`, {});
  await importEvents(exchange, [
    { negRisk: false, numbers: [7_001, 7_002] },
    { negRisk: true, numbers: [7_011, 7_012] },
    { negRisk: true, numbers: [7_021] },
    { negRisk: true, numbers: numbersFrom(8_000, BOUNDS.marketsPerEvent + 1) },
  ]);
  for (const number of [7_001, 7_011, 7_012]) t.equal((await open(number)).status, 200);
  await mustEnd(exchange, [7_001, 7_011, 7_012].map(hex));
  for (const [number, actual] of [
    [7_021, 1],
    [8_001, BOUNDS.marketsPerEvent + 1],
  ] as const) {
    const { status, body } = await open(number);
    const limit = `2..${BOUNDS.marketsPerEvent}`;
    t.match([status, body], [400, { code: 'event_malformed', field: 'markets', limit, actual }]);
  }
});

t.test('imported markets that all trade, as --trade-imported has it', async (t) => {
  const exchange = share();
  const { registry } = exchange.running.services;
  const largest = numbersFrom(9_100, BOUNDS.marketsPerEvent);
  await importEvents(exchange, [
    { negRisk: false, numbers: [9_001, 9_002] },
    { negRisk: true, numbers: [9_011, 9_012] },
    { negRisk: true, numbers: [9_021] },
    { negRisk: true, numbers: largest },
    { negRisk: true, numbers: numbersFrom(9_700, BOUNDS.marketsPerEvent + 1) },
  ]);
  const warned: object[] = [];
  const log = Object.assign(Object.create(exchange.running.services.log), {
    warn: (fields: object) => warned.push(fields),
  });
  await openImported({ ...exchange.running.services, log });
  await mustEnd(exchange, [9_001, 9_002, 9_011, 9_012, ...largest].map(hex));
  for (const number of [9_021, 9_700, 9_701]) t.notOk(registry.market(hex(number)), `${number}`);
  t.match(warned, [{ markets: 2 * (BOUNDS.marketsPerEvent + 2) }], 'with those of the last test');
});

t.test('a market that an older program opened, alone in its neg-risk event', async (t) => {
  // The test of the engine's rules has an event of too many markets.
  const exchange = share();
  const { exchange: store, registry } = exchange.running.services;
  const conditionId = hex(6_001);
  const names = { conditionId, tokenIds: ['60011', '60012'], eventId: 'unknown' } as const;
  await store.submit(createMarket({ ...names, negRisk: true }));
  t.equal(registry.market(conditionId)?.status, 'open');
  await mustEnd(exchange, [conditionId]);
});
