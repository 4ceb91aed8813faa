// Every write that moves money is sent again, also after a restart: it is answered as before and
// moves nothing. Another write with the same key is refused.
import t, { type Test } from 'tap';
import { temporaryFolder } from '../temporary-folder.ts';
import type { TestExchange } from './exchange-fixture.ts';
import { createEvent, type Life, startLife, type Told } from './market-life.ts';

interface Write {
  /** Whether the account holder sends it; otherwise the operator does. */
  readonly isHolders: boolean;
  readonly path: string;
  readonly body: Told;
  /** Changes that make it another write with the same key. */
  readonly other: Told;
}

async function send(
  { exchange, alice }: Life,
  { isHolders, path, body }: Omit<Write, 'other'>,
): Promise<Told> {
  const { status, body: told } = isHolders
    ? await alice.signed('POST', path, body)
    : await exchange.operator('POST', path, body);
  return { status, ...(told as unknown as Told) }; // an object, as every answer here
}

/** Makes all kinds of writes that move money, in an order in which each is possible. */
async function lifeOfWrites(t: Test, life: Life): Promise<readonly Write[]> {
  const { alice, act } = life;
  const account = alice.address;
  const plain = await createEvent(life, {
    slug: 'rain',
    title: 'Rain',
    markets: [{ slug: 'rain', question: 'Rain?' }],
  });
  const race = await createEvent(life, {
    slug: 'race',
    title: 'Race',
    negRisk: true,
    open: true,
    markets: ['red', 'blue', 'green'].map((slug) => ({ slug, question: `${slug}?` })),
  });
  const market = plain.markets[0]!.condition_id;
  const [red, blue, green] = race.markets.map(({ condition_id }) => condition_id);
  const writes: Write[] = [];
  const write = async (one: Write): Promise<void> => {
    t.match(await send(life, one), { status: 200, duplicate: false }, one.path);
    writes.push(one);
  };
  /** Writes as the holder and as the operator, with equal keys. */
  const both = async (name: string, body: Told, other: Told): Promise<void> => {
    for (const isHolders of [true, false]) {
      const path = isHolders ? `/sets/${name}` : `/accounts/${account}/${name}`;
      await write({ isHolders, path, body: { ...body, key: name }, other });
    }
  };
  const money = { account, amount: '50', key: 'a' };
  await write({ isHolders: false, path: '/deposits', body: money, other: { amount: '51' } });
  const out = { ...money, key: 'b' };
  await write({ isHolders: false, path: '/withdrawals', body: out, other: { amount: '49' } });
  await both('split', { market, amount: '10' }, { amount: '11' });
  await both('merge', { market, amount: '2' }, { market: red });
  for (const one of [red, blue]) {
    const body = { market: one, amount: '8', key: `for-${one}` };
    await write({ isHolders: true, path: '/sets/split', body, other: { market: green } });
  }
  const conversion = { event_id: race.eventId, markets: [red, blue], amount: '3' };
  await both('convert', conversion, { markets: [red] });
  await act(`/markets/${market}/resolve`, { payout: '0.37' });
  await act(`/events/${race.eventId}/resolve`, { winner: green });
  const redeem = { market, key: 'r' };
  const path = '/sets/redeem';
  await write({ isHolders: true, path, body: redeem, other: { market: red } });
  const body = { market: green, key: 'r' };
  const byOperator = `/accounts/${account}/redeem`;
  await write({ isHolders: false, path: byOperator, body, other: { market: red } });
  return writes;
}

async function retryAll(t: Test, life: Life, writes: readonly Write[], answers: readonly Told[]) {
  for (const [index, one] of writes.entries()) {
    const what = `${one.path} ${JSON.stringify(one.body)}`;
    t.strictSame(await send(life, one), { ...answers[index], duplicate: true }, what);
    const changed = { ...one, body: { ...one.body, ...one.other } };
    const refused = { status: 409, code: 'money_key_reused', field: 'key', actual: one.body.key };
    t.match(await send(life, changed), refused, `other than ${what}`);
  }
}

function stateOf({ running, stateHash }: TestExchange) {
  return [stateHash(), running.services.exchange.appliedSeq];
}

t.test("money moves once for each key, also after the market's end and a restart", async (t) => {
  const settings = { temporary: false, dataDir: temporaryFolder(t) };
  const first = await startLife(t, settings);
  const writes = await lifeOfWrites(t, first);
  const answers = await Promise.all(writes.map((one) => send(first, one)));
  const state = stateOf(first.exchange);
  await retryAll(t, first, writes, answers);
  t.strictSame(stateOf(first.exchange), state, 'retries move nothing');
  await first.exchange.running.close();

  const second = await startLife(t, settings);
  t.strictSame(stateOf(second.exchange), state, 'the restart does not repeat its deposits');
  await retryAll(t, second, writes, answers);
  t.strictSame(stateOf(second.exchange), state, 'retries move nothing');
  const kinds = new Set(
    writes.map(({ isHolders, path }) => `${isHolders} ${path.split('/').at(-1)}`),
  );
  t.equal(kinds.size, 10, 'all kinds of writes');
});

t.test('a request that is sent twice at the same time takes effect once', async (t) => {
  const life = await startLife(t);
  const { exchange, alice, cashOf } = life;
  const market = exchange.plain.conditionId;
  const before = await cashOf(alice);
  const body = { market, amount: '7', key: 'once' };
  const path = '/sets/split';
  const many = Array.from({ length: 8 }, () => send(life, { isHolders: true, path, body }));
  const answers = await Promise.all(many);
  t.equal(answers.filter((answer) => answer.duplicate === false).length, 1);
  for (const answer of answers) t.match(answer, { status: 200, cash: '-7', amount: '7' });
  t.equal(await cashOf(alice), before - 7);
});
