// GET /balance-history and /explorer/accounts/{address}/balances.
import t from 'tap';
import type { BalanceHistory } from '../../../http/explorer/index.ts';
import { START_MS, startTestExchange } from '../exchange-fixture.ts';
import { done, explored } from './explored.ts';

const MINUTE_MS = 60_000;
const exchange = await startTestExchange(t, {}, START_MS - (START_MS % (60 * MINUTE_MS)));
const startMs = exchange.clock.ms;
const { clock, plain } = exchange;
const [yes, no] = plain.tokenIds;
const [ada, ben] = [await exchange.trader(1), await exchange.trader(2)];
const market = plain.conditionId;

// Minute 0: accounts open. 5: ada buys 10 YES at 0.4 from ben's NO. 10: the midpoint becomes 0.5.
// 20: ada gets 100. 30: the market resolves to YES. 40: ada redeems.
clock.ms = startMs + 5 * MINUTE_MS;
await done(ada.place({ tokenId: yes, priceTicks: 4000, lots: 1000 }));
await done(ben.place({ tokenId: no, priceTicks: 6000, lots: 1000 }));
clock.ms = startMs + 10 * MINUTE_MS;
await done(ben.place({ tokenId: yes, priceTicks: 4500, lots: 1000 }));
await done(ben.place({ tokenId: no, priceTicks: 4500, lots: 1000 }));
clock.ms = startMs + 20 * MINUTE_MS;
const deposit = { account: ada.address, amount: '100', key: 'deposit-1' };
await done(exchange.operator('POST', '/deposits', deposit));
clock.ms = startMs + 30 * MINUTE_MS;
await done(
  exchange.operator('POST', `/markets/${market}/resolve`, { payout: '1', redeem_all: false }),
);
clock.ms = startMs + 40 * MINUTE_MS;
await done(ada.signed('POST', '/sets/redeem', { market, key: 'redeem-1' }));
clock.ms = startMs + 60 * MINUTE_MS - 1;

function balances(query: string) {
  return explored<typeof BalanceHistory>(exchange, `accounts/${ada.address}/balances${query}`);
}

/** Minutes since the start, with cash and the value of tokens. */
function shortened({ history }: BalanceHistory) {
  return history.map(({ t: at, balance_cash, value_cash, total_cash }) => [
    (at * 1_000 - startMs) / MINUTE_MS,
    balance_cash,
    value_cash,
    total_cash,
  ]);
}

t.test('each step has the cash and the value of tokens at its end', async (t) => {
  const shown = await balances('?interval=1h&fidelity=5');
  t.match(shown, { account: ada.address, step_seconds: 300 });
  t.strictSame(shortened(shown), [
    [0, '10000', '0', '10000'],
    [5, '9996', '4', '10000'],
    [10, '9996', '5', '10001'],
    [15, '9996', '5', '10001'],
    [20, '10096', '5', '10101'],
    [25, '10096', '5', '10101'],
    [30, '10096', '10', '10106'],
    [35, '10096', '10', '10106'],
    [40, '10106', '0', '10106'],
    [45, '10106', '0', '10106'],
    [50, '10106', '0', '10106'],
    [55, '10106', '0', '10106'],
  ]);
  t.equal(shown.history.at(-1)?.balance_micros, 10_106_000_000);
});

t.test('a coarser or shorter history has the same values at the same ends', async (t) => {
  const minutes = shortened(await balances('?interval=1h&fidelity=1'));
  t.equal(minutes.length, 60);
  const coarse = shortened(await balances('?fidelity=30'));
  t.strictSame(
    coarse.map(([, ...values]) => values),
    [29, 59].map((minute) => minutes[minute]?.slice(1)),
  );
  const seconds = (minute: number): number => (startMs + minute * MINUTE_MS) / 1_000;
  const part = await balances(`?fidelity=1&startTs=${seconds(19)}&endTs=${seconds(22)}`);
  t.strictSame(shortened(part), minutes.slice(19, 23));
});

t.test('owners see the history of their own accounts only', async (t) => {
  const query = '?interval=1h&fidelity=5';
  const { history } = await balances(query);
  for (const path of [query, `${query}&user=${ada.address}`]) {
    const { text } = await done(ada.signed('GET', `/balance-history${path}`));
    t.strictSame(JSON.parse(text).history, history);
  }
  const others = await ben.signed('GET', `/balance-history${query}&user=${ada.address}`);
  t.match([others.status, others.body], [403, { code: 'account_not_yours', field: 'user' }]);
  t.equal((await exchange.send('GET', `/balance-history${query}`)).status, 401);
});

t.test('an account without a balance has no history', async (t) => {
  const path = `accounts/0x${'77'.repeat(20)}/balances`;
  const shown = await explored<typeof BalanceHistory>(exchange, path);
  t.strictSame(shown.history, []);
  t.strictSame((await balances('?endTs=1000000')).history, []);
});

const FAULTS: readonly (readonly [query: string, code: string, field: string])[] = [
  ['interval=2h', 'invalid_parameter', 'interval'],
  ['fidelity=0', 'invalid_parameter', 'fidelity'],
  ['fidelity=10081', 'invalid_parameter', 'fidelity'],
  ['startTs=yesterday', 'invalid_parameter', 'startTs'],
  ['startTs=2000000000&endTs=1', 'invalid_parameter', 'startTs'],
  ['min_seq=999999', 'invalid_parameter', 'min_seq'],
  ['user=me', 'invalid_parameter', 'user'],
];

t.test('faults in the window are refused with their field', async (t) => {
  for (const [query, code, field] of FAULTS) {
    const { status, body } = await ada.signed('GET', `/balance-history?${query}`);
    t.match([status, body], [400, { code, field }], query);
  }
  clock.ms = startMs + 3 * 24 * 60 * MINUTE_MS;
  const { body } = await ada.signed('GET', '/balance-history?fidelity=1');
  t.match(body, { code: 'too_many_items', field: 'fidelity', limit: 2000, actual: 4321 });
});
