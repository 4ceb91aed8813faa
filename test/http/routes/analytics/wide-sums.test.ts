/**
 * Sums of trading beyond 2^53 micros. Two accounts with play money got there within a minute; then
 * `/v1/leaderboard`, `/live-volume`, `/data/volumes` and `/closed-positions` answered 500 to
 * everybody, and `verify` called the folder wrong. Tests of the projection go on beyond 2^63.
 */
import t, { type Test } from 'tap';
import { type Command, lots, type PlaceOrder, type Side, ticks } from '../../../../engine/index.ts';
import { BOUNDS } from '../../../../engine/model/index.ts';
import { verifyFolder } from '../../../../persistence/tools/verify.ts';
import { ALICE, BOB, openAccount, order } from '../../../persistence/store-fixture.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { startTestExchange, type TestExchange } from '../../exchange-fixture.ts';

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

/** The market in which the test trades, on an exchange with a folder. */
class WashTrades {
  readonly #exchange: TestExchange;
  #orders = 0;
  trades = 0;

  constructor(exchange: TestExchange) {
    this.#exchange = exchange;
  }

  async submit(commands: readonly Command[]): Promise<void> {
    const { exchange } = this.#exchange.running.services;
    const answers = await Promise.all(commands.map((command) => exchange.submit(command)));
    const events = answers.flatMap((answer) => answer.events);
    const rejected = events.find(({ kind }) => kind === 'rejected');
    if (rejected !== undefined) throw new Error(JSON.stringify(rejected));
  }

  /** Trades until there are so many: all tokens go to the other account and back. */
  async tradeTo(count: number): Promise<void> {
    const commands: Command[] = [];
    for (; this.trades < count; this.trades += 1) {
      const [from, to] = this.trades % 2 === 0 ? [ALICE, BOB] : [BOB, ALICE];
      commands.push(this.#order(from, 'SELL'), this.#order(to, 'BUY'));
    }
    await this.submit(commands);
  }

  #order(account: string, side: Side): PlaceOrder {
    this.#orders += 1;
    const [tokenId] = this.#exchange.plain.tokenIds;
    const terms = { tokenId, lots: LOTS, priceTicks: ticks(HIGH) };
    return order(this.#orders, { ...terms, account, owner: account, side });
  }
}

/** Asks for every sum, after an even number of trades: Bob has no tokens then. */
async function checkSums(t: Test, { send, plain }: TestExchange, trades: number): Promise<void> {
  const micros = BigInt(trades) * BigInt(MICROS);
  const [volume, half] = [unitsOf(micros), unitsOf(micros / 2n)];
  for (const period of ['ALL', 'MONTH', 'WEEK', 'DAY']) {
    const board = await send('GET', `/v1/leaderboard?timePeriod=${period}&orderBy=VOL`);
    t.strictSame([board.status, numbersIn(board.text, 'vol')], [200, [volume, volume]], period);
  }
  const live = await send('GET', `/live-volume?id=${plain.eventId}`);
  t.strictSame([live.status, numbersIn(live.text, 'total')], [200, [volume]]);
  const asked = { include_24h: true, conditions: [{ conditionId: plain.conditionId }] };
  const volumes = await send('POST', '/data/volumes', { body: JSON.stringify(asked) });
  t.match(volumes.body, [{ status: 200, volume, volume_24h: volume }]);
  const closed = await send('GET', `/closed-positions?user=${BOB}`);
  t.strictSame([closed.status, numbersIn(closed.text, 'initialValue')], [200, [half]]);
  const bought = unitsOf((BigInt(trades) * BigInt(LOTS) * 10_000n) / 2n);
  t.strictSame(numbersIn(closed.text, 'totalBought'), [bought]);
  for (const path of [`/positions?user=${ALICE}`, `/value?user=${ALICE}`, `/traded?user=${BOB}`]) {
    t.equal((await send('GET', path)).status, 200, path);
  }
  const [leader] = (await send('GET', `/v1/leaderboard?timePeriod=ALL&user=${ALICE}`)).text.split(
    '}',
  );
  const { text } = await send('GET', `/volume?user=${ALICE}`);
  t.equal(/"volume":"([^"]+)"/.exec(text)?.[1], /"vol":([\d.]+)/.exec(`${leader}`)?.[1]);
}

t.test('volumes beyond 2^53 micros are exact everywhere, and verify finds nothing', async (t) => {
  const dataDir = temporaryFolder(t);
  const exchange = await startTestExchange(t, { dataDir, temporary: false });
  const { conditionId } = exchange.plain;
  const wash = new WashTrades(exchange);
  const split = { kind: 'split', account: ALICE, owner: ALICE, conditionId } as const;
  await wash.submit([
    openAccount(ALICE, BOUNDS.amountMicros),
    openAccount(BOB, BOUNDS.amountMicros),
    { ...split, lots: LOTS, key: 'k1' },
  ]);
  // Just below and beyond 2^53; and where a double can't hold these sums any more.
  for (const pairs of [2 ** 52 / MICROS - 1, 2 ** 52 / MICROS, 2 ** 56 / MICROS]) {
    await wash.tradeTo(2 * Math.ceil(pairs));
    await checkSums(t, exchange, wash.trades);
  }
  await exchange.running.close();
  const { findings } = await verifyFolder({ dataDir });
  t.strictSame(
    findings.filter(({ kind }) => kind !== 'catalog'),
    [],
  );
});
