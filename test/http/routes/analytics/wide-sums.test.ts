/**
 * Sums of trading beyond 2^53 micros. Two accounts with play money got there within a minute; then
 * `/v1/leaderboard`, `/live-volume`, `/data/volumes` and `/closed-positions` answered 500 to
 * everybody, and `verify` called the folder wrong. Tests of the projection go on beyond 2^63.
 */
import t from 'tap';
import { type Command, lots, type PlaceOrder, ticks } from '../../../../engine/index.ts';
import { BOUNDS } from '../../../../engine/model/index.ts';
import { verifyFolder } from '../../../../persistence/tools/verify.ts';
import { ALICE, BOB, openAccount, order } from '../../../persistence/store-fixture.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { startTestExchange } from '../../exchange-fixture.ts';

const HIGH = 9_900;
/** An odd number, so that sums need all their bits. */
const LOTS = lots(BOUNDS.orderLots - 1);
const MICROS = LOTS * HIGH;

/** A micro amount as the decimal text of its units. */
function unitsOf(amount: bigint): string {
  const digits = `${amount < 0n ? -amount : amount}`.padStart(7, '0');
  const text = `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
  return amount < 0n ? `-${text}` : text;
}

/** The texts of these members, in their order: the parser would round the numbers. */
function numbersIn(text: string, name: string): string[] {
  return [...text.matchAll(new RegExp(`"${name}":"?(-?[\\d.]+)`, 'g'))].map(
    ([, found = '']) => found,
  );
}

t.test('volumes beyond 2^53 micros are exact everywhere, and verify finds nothing', async (t) => {
  const dataDir = temporaryFolder(t);
  const exchange = await startTestExchange(t, { dataDir, temporary: false });
  const { running, send, plain } = exchange;
  const store = running.services.exchange;
  const [token] = plain.tokenIds;
  const { conditionId } = plain;
  const submit = async (commands: readonly Command[]) => {
    const answers = await Promise.all(commands.map((command) => store.submit(command)));
    for (const { events } of answers) {
      if (events.some(({ kind }) => kind === 'rejected')) throw new Error(JSON.stringify(events));
    }
  };
  const split = { kind: 'split', account: ALICE, owner: ALICE, conditionId } as const;
  await submit([
    openAccount(ALICE, BOUNDS.amountMicros),
    openAccount(BOB, BOUNDS.amountMicros),
    { ...split, lots: LOTS, key: 'k1' },
  ]);
  let orders = 0;
  /** All tokens of one account go to the other, for the price of this trade. */
  const pass = (from: string, to: string, price: number): PlaceOrder[] => {
    const terms = { tokenId: token, lots: LOTS, priceTicks: ticks(price) };
    const [sell, buy] = [from, to].map((account, index) => {
      orders += 1;
      const side = index === 0 ? 'SELL' : 'BUY';
      return order(orders, { ...terms, account, owner: account, side });
    });
    return [sell!, buy!];
  };
  let trades = 0;
  const tradeTo = async (count: number) => {
    const commands: Command[] = [];
    for (; trades < count; trades += 1) {
      const [from, to] = trades % 2 === 0 ? [ALICE, BOB] : [BOB, ALICE];
      commands.push(...pass(from, to, HIGH));
    }
    await submit(commands);
  };
  const check = async (name: string) => {
    const volume = unitsOf(BigInt(trades) * BigInt(MICROS));
    const half = unitsOf((BigInt(trades) * BigInt(MICROS)) / 2n);
    for (const period of ['ALL', 'MONTH', 'WEEK', 'DAY']) {
      const board = await send('GET', `/v1/leaderboard?timePeriod=${period}&orderBy=VOL`);
      t.strictSame([board.status, numbersIn(board.text, 'vol')], [200, [volume, volume]], name);
    }
    const live = await send('GET', `/live-volume?id=${plain.eventId}`);
    t.strictSame([live.status, numbersIn(live.text, 'total')], [200, [volume]], name);
    const asked = { include_24h: true, conditions: [{ conditionId }] };
    const volumes = await send('POST', '/data/volumes', { body: JSON.stringify(asked) });
    t.match(volumes.body, [{ status: 200, volume, volume_24h: volume }], name);
    // After an even number of trades Alice has the tokens again, and what Bob had is closed.
    const closed = await send('GET', `/closed-positions?user=${BOB}`);
    t.strictSame([closed.status, numbersIn(closed.text, 'initialValue')], [200, [half]], name);
    const sizes = numbersIn(closed.text, 'totalBought');
    t.strictSame(sizes, [unitsOf((BigInt(trades) * BigInt(LOTS) * 10_000n) / 2n)], name);
    for (const path of [
      `/positions?user=${ALICE}`,
      `/value?user=${ALICE}`,
      `/traded?user=${BOB}`,
    ]) {
      t.equal((await send('GET', path)).status, 200, `${name}: ${path}`);
    }
  };
  await tradeTo(2 * Math.floor(2 ** 52 / MICROS));
  await check('below 2^53');
  await tradeTo(2 * Math.ceil(2 ** 52 / MICROS));
  await check('beyond 2^53');
  // From 2^55 on a double can't hold these sums.
  await tradeTo(2 * Math.ceil(2 ** 56 / MICROS));
  await check('beyond 2^57');
  await running.close();
  const { findings } = await verifyFolder({ dataDir });
  t.strictSame(
    findings.filter(({ kind }) => kind !== 'catalog'),
    [],
  );
});
