// The figures of Data API v2 for one scripted history, added up by hand, next to version 1, to the
// rows of its activity, and to what the journal's commands do when they are applied again. The
// engine pays no rebates, so there are none to add up.
import { join } from 'node:path';
import t from 'tap';
import { Engine, type EngineEvent } from '../../../../engine/index.ts';
import { toChecksumAddress } from '../../../../http/signing/address.ts';
import { JournalReader } from '../../../../persistence/journal/reader.ts';
import { recover } from '../../../../persistence/recovery/recovery.ts';
import { temporaryFolder } from '../../../temporary-folder.ts';
import { shareTestExchange, startTestExchange, type TestExchange } from '../../exchange-fixture.ts';
import { askData, type Row, walkData } from './ask-data.ts';

const share = await shareTestExchange(t);

type Body = { readonly data: Row };

/**
 * Alice, in a market with a taker fee of 0.04 x size x p(1 - p):
 *
 * | does                   | cash   | fee  | YES (cost)     | NO (cost) |
 * |------------------------|--------|------|----------------|-----------|
 * | splits 20 sets         | -20    |      | 20 (10)        | 20 (10)   |
 * | buys 100 YES at 0.4    | -40    | 0.96 | 120 (50)       | 20 (10)   |
 * | sells 50 YES at 0.5    | +25    | 0.5  | 70 (29.166667) | 20 (10)   |
 * | merges 10 sets         | +10    |      | 60 (25.000001) | 10 (5)    |
 *
 * A token leaves with the average cost, rounded down to micros: 50 x 50 / 120 = 20.833333, and then
 * 10 x 29.166667 / 70 = 4.166666. YES has realized 25 - 20.833333 + 5 - 4.166666 - 1.46 = 3.540001.
 */
async function history(exchange = share()) {
  const [alice, bob] = [await exchange.trader(1), await exchange.trader(2)];
  const { conditionId, tokenIds } = exchange.plain;
  const [yes, no] = tokenIds;
  const terms = { taker_fee_bps: 400, maker_fee_bps: 0, fee_exponent: 1 };
  t.equal((await exchange.operator('POST', `/markets/${conditionId}/terms`, terms)).status, 200);
  const sets = async (kind: string, amount: string, market = conditionId) => {
    const body = { market, amount, key: `${kind}${amount}` };
    const { status, text } = await alice.signed('POST', `/sets/${kind}`, body);
    t.equal(status, 200, text);
  };
  await sets('split', '20');
  await bob.place({ tokenId: no, priceTicks: 6_000, lots: 10_000 });
  await alice.place({ tokenId: yes, priceTicks: 4_000, lots: 10_000 });
  await bob.place({ tokenId: yes, priceTicks: 5_000, lots: 5_000 });
  await alice.place({ tokenId: yes, side: 'SELL', priceTicks: 5_000, lots: 5_000 });
  await sets('merge', '10');
  const ofAlice = `user=${alice.address}`;
  const positions = async (query: string) =>
    (await askData(exchange, `/v2/positions?${ofAlice}&${query}`)).data;
  return { exchange, alice, bob, conditionId, yes, no, sets, ofAlice, positions };
}

/** The cash of each row of an account's activity, the newest first. */
async function flowsOf(exchange: Pick<TestExchange, 'send'>, query: string): Promise<number[]> {
  const signs: Readonly<Record<string, number>> = { SPLIT: -1, BUY: -1, WITHDRAWAL: -1 };
  return (await walkData(exchange, `/v2/activity?${query}&limit=2`)).map((row) => {
    const sign = signs[`${row.side === '' ? row.type : row.side}`] ?? 1;
    return sign * Number(row.usdc_size);
  });
}

t.test('open positions add up, and agree with version 1', async (t) => {
  const { exchange, alice, conditionId, yes, no, ofAlice, positions } = await history();
  const timestamp = Math.floor(exchange.clock.ms / 1_000);
  const shared = { proxy_wallet: toChecksumAddress(alice.address), condition_id: conditionId };
  const [first = {}, second = {}, ...others] = await positions('sort_by=TOKENS');
  t.equal(Object.keys(first).length, 36, 'the documented fields');
  t.same(others, []);
  t.match(first, {
    ...shared,
    token_id: yes,
    current_size: 60,
    avg_price: 0.416667,
    entry_cost_usdc: 25.000001,
    entry_fees_usdc: 0.96,
    total_cost_usdc: 25.960001,
    total_size: 120,
    realized_pnl: 3.540001,
    status: 'OPEN',
    mergeable: true,
    redeemable: false,
    opposite_token_id: no,
    last_event_at: timestamp,
    first_entry_at: timestamp,
  });
  t.match(second, {
    ...shared,
    token_id: no,
    current_size: 10,
    entry_cost_usdc: 5,
    entry_fees_usdc: 0,
    realized_pnl: 0,
  });
  const known = (await exchange.send('GET', `/positions?${ofAlice}`)).body as unknown as Row[];
  t.match(
    [first, second],
    known.map((row) => ({
      current_size: row.size,
      avg_price: row.avgPrice,
      entry_cost_usdc: row.initialValue,
      current_price: row.curPrice,
      current_value: row.currentValue,
      unrealized_pnl: row.cashPnl,
      percent_pnl: row.percentPnl,
      total_size: row.totalBought,
      realized_pnl: row.realizedPnl,
    })),
  );
  t.equal((await positions('status=MERGEABLE')).length, 2);
  t.same(await positions('status=REDEEMABLE'), []);
  t.same(await positions('filter_amount=61'), []);
  t.equal((await positions('title=no such')).length, 0);
});

t.test('value, volume and profit add up after the resolution', async (t) => {
  const scene = await history();
  const { exchange, alice, conditionId, yes, no, sets, ofAlice, positions } = scene;
  const timestamp = Math.floor(exchange.clock.ms / 1_000);
  const end = { payout: '1', redeem_all: false };
  const resolved = await exchange.operator('POST', `/markets/${conditionId}/resolve`, end);
  t.equal(resolved.status, 200, resolved.text);
  const won = { token_id: yes, status: 'REDEEMABLE', current_value: 60, redeemable: true };
  t.match(await positions('status=REDEEMABLE'), [won]);
  t.match(await positions(''), [won], 'what lost is not open');
  const lost = { token_id: no, status: 'REDEEMABLE', current_value: 0, realized_pnl: -5 };
  t.match(await positions('status=REDEEMABLE_LOST'), [{ ...lost, current_size: 10 }]);
  t.match(await askData<Body>(exchange, `/v2/value?${ofAlice}`), { data: { value: 60 } });
  const inVersion1 = async (path: string) => (await exchange.send('GET', path)).body as unknown;
  t.match(await inVersion1(`/value?${ofAlice}`), [{ value: 60 }]);

  // 10 + 40 + 0.96 for tokens; 25 - 0.5 + 5 for some, and 60 for the others.
  const amounts = { pnl: 38.54, initial_value: 50.96, final_value: 89.5 };
  const win = { kind: 'market', position_id: yes, resolved_at: timestamp, ...amounts };
  const wins = async () =>
    (await askData(exchange, '/v2/biggest-winners')).data.filter((row) => row.position_id === yes);
  t.match(await wins(), [{ user_id: toChecksumAddress(alice.address), ...win }]);

  await sets('redeem', '');
  t.match(await wins(), [win], 'nothing changes when it is redeemed');
  t.same(await positions(''), []);
  t.same(await positions('status=REDEEMABLE_LOST'), []);
  t.match(await positions('status=CLOSED&sort_by=TOKENS'), [
    // 3.540001 + 60 - 25.000001.
    { token_id: yes, status: 'CLOSED', current_size: 0, realized_pnl: 38.54, total_pnl: 38.54 },
    { token_id: no, status: 'CLOSED', current_size: 0, realized_pnl: -5, avg_price: 0.5 },
  ]);
  // -20 - 40 - 0.96 + 25 - 0.5 + 10 + 60.
  const profit = { realized_pnl: 33.54, unrealized_pnl: 0, position_pnl: 33.54, fees: -1.46 };
  const volume = { volume: 150, volume_usdc: 65, trade_count: 2 };
  const point = { ...profit, ...volume, trade_pnl: 35, deposits: null, maker_rebate: null };
  const stats = await askData<Body>(exchange, `/v2/user-stats?${ofAlice}`);
  t.match(stats.data, { trades: 1, biggest_win: 38.54, join_date: null, all_time_pnl: point });
  t.same((await askData<Body>(exchange, `/v2/user-volume?${ofAlice}`)).data, volume);
  t.match(await inVersion1(`/volume?${ofAlice}`), { volume: '65' });
  t.match(await inVersion1(`/traded?${ofAlice}`), { traded: 1 });
  const board = `/v1/leaderboard?${ofAlice}&timePeriod=ALL`;
  t.match(await inVersion1(board), [{ pnl: profit.realized_pnl, vol: volume.volume_usdc }]);
  const closed = (await inVersion1(`/closed-positions?${ofAlice}`)) as readonly Row[];
  const gains = closed.map(({ realizedPnl }) => Number(realizedPnl));
  t.same(gains, [38.54, -5], 'profits of version 1');
  const flows = await flowsOf(exchange, ofAlice);
  t.same(flows, [0, 60, 10, 25, -40, -20], 'what moved, the newest first; a lost token pays 0');
  const cash = flows.reduce((sum, flow) => sum + flow, 0);
  t.equal(cash - 1.46, profit.realized_pnl, 'all cash that moved, less the fees');
  const later = `/v2/user-volume?${ofAlice}&start=${timestamp + 86_400}`;
  t.same((await askData<Body>(exchange, later)).data, {
    volume: 0,
    volume_usdc: 0,
    trade_count: 0,
  });
  const series = await askData<Body>(exchange, `/v2/user-pnl?${ofAlice}&interval=6h`);
  const points = series.data.points as readonly Row[];
  t.equal(points.length, 7);
  t.match(points.at(-1), point, 'the last point is now');
  t.match(points[0], { realized_pnl: 0, unrealized_pnl: null, fees: null }, 'the day before');
  const ever = await askData<Body>(
    exchange,
    `/v2/user-pnl?user_address=${alice.address}&interval=max`,
  );
  t.match((ever.data.points as readonly Row[]).at(-1), point);
  t.same((await askData<Body>(exchange, `/v2/user-stats?user=0x${'12'.repeat(20)}`)).data, null);
});

/** What the events of an account add up to: micros of cash, and lots of each token. */
class JournalSums {
  readonly tokens = new Map<string, number>();
  readonly traded = { lots: 0, micros: 0, fees: 0 };
  cash = 0;
  readonly #account: string;

  constructor(account: string) {
    this.#account = account;
  }

  add(event: EngineEvent): void {
    if (event.kind === 'fill') this.#addFill(event);
    else if (!('account' in event) || event.account !== this.#account) return;
    else if (event.kind === 'sets_moved') {
      this.cash += event.amountMicros;
      for (const outcome of [0, 1]) this.#move(event.conditionId, outcome, event.splitLots);
    } else if (event.kind === 'redeemed') {
      this.cash += event.amountMicros;
      this.#move(event.conditionId, 0, -event.yesLots);
      this.#move(event.conditionId, 1, -event.noLots);
    } else if (event.kind === 'converted') {
      this.cash += event.amountMicros;
      for (const market of event.conditionIds) this.#move(market, 1, -event.lots);
    }
  }

  #addFill(event: Extract<EngineEvent, { kind: 'fill' }>): void {
    const { conditionId, lots, fees } = event;
    for (const party of ['taker', 'maker'] as const) {
      if (event[`${party}Account`] !== this.#account) continue;
      const sign = event[`${party}Side`] === 'BUY' ? 1 : -1;
      const micros = lots * event[`${party}PriceTicks`];
      const fee = fees?.[`${party}Micros`] ?? 0;
      this.cash -= sign * micros + fee;
      this.traded.fees += fee;
      this.traded.lots += lots;
      this.traded.micros += micros;
      this.#move(conditionId, event[`${party}Outcome`], sign * lots);
    }
  }

  #move(conditionId: string, outcome: number, lots: number): void {
    const name = `${conditionId} ${outcome}`;
    this.tokens.set(name, (this.tokens.get(name) ?? 0) + lots);
  }
}

async function journalSums(journalPath: string, account: string): Promise<JournalSums> {
  const journal = new JournalReader(journalPath);
  const { lastSeq } = journal;
  journal.close();
  const sums = new JournalSums(account);
  const engine = new Engine();
  await recover({
    ...{ journalPath, engine, lastSeq },
    onDurable: (commands) => {
      for (const { events } of commands) for (const event of events) sums.add(event);
    },
  });
  return sums;
}

t.test('positions, cash, fees, volume and profit are those of the journal', async (t) => {
  const dataDir = temporaryFolder(t);
  const started = await startTestExchange(t, { dataDir, temporary: false });
  const cashOf = async (account: string) =>
    (await started.running.services.exchange.balance(account.toLowerCase(), '')).available;
  const before = await cashOf((await started.trader(1)).address);
  const { exchange, alice, conditionId, sets, ofAlice, positions } = await history(started);
  const journal = () => journalSums(join(dataDir, 'journal.db'), alice.address.toLowerCase());
  /** Open positions must be what the journal has of each token. */
  const sameTokens = async ({ tokens }: JournalSums) => {
    const rows = await positions('status=OPEN');
    const held = rows.map((row): [string, number] => {
      return [`${row.condition_id} ${row.outcome_index}`, Number(row.current_size) * 100];
    });
    t.same(new Map(held), new Map([...tokens].filter(([, lots]) => lots > 0)));
    return rows.reduce((sum, row) => sum + Number(row.entry_cost_usdc), 0);
  };
  await sameTokens(await journal());

  const market = exchange.negRisk.conditionId;
  const event_id = exchange.running.services.registry.market(market)?.eventId ?? '';
  await exchange.operator('POST', `/events/${event_id}/open`, {});
  await sets('split', '8', market);
  const given = { event_id, markets: [market], amount: '3', key: 'convert' };
  const converted = await alice.signed('POST', '/sets/convert', given);
  t.equal(converted.status, 200, converted.text);
  const end = { payout: '1', redeem_all: false };
  await exchange.operator('POST', `/markets/${conditionId}/resolve`, end);
  await sets('redeem', '');

  const sums = await journal();
  const { cash, traded } = sums;
  // A conversion of NO gives YES of the other markets of the event.
  for (const other of exchange.running.services.registry.marketsOfEvent(event_id)) {
    if (other !== market) sums.tokens.set(`${other} 0`, 300);
  }
  const cost = await sameTokens(sums);
  const stats = await askData<Body>(exchange, `/v2/user-stats?${ofAlice}`);
  t.match(stats.data.all_time_pnl, {
    realized_pnl: (cash + Math.round(cost * 1e6)) / 1e6,
    fees: -traded.fees / 1e6,
    volume: traded.lots / 100,
    volume_usdc: traded.micros / 1e6,
  });
  const now = await cashOf(alice.address);
  t.equal(now - before, cash);
  for (const [path, amount] of [['deposits', '7.5'] as const, ['withdrawals', '0.25'] as const]) {
    const move = { account: alice.address, amount, key: path };
    const { status, text } = await exchange.operator('POST', `/${path}`, move);
    t.equal(status, 200, text);
  }
  const flows = await flowsOf(exchange, `${ofAlice}&exclude_deposits_withdrawals=false`);
  const total = flows.reduce((sum, flow) => sum + Math.round(flow * 1e6), -traded.fees);
  t.equal(total, now + 7_250_000, 'all that activity tells is the balance');
  t.equal(await cashOf(alice.address), total);
});

t.test('a conversion moves cost, and realizes nothing', async (t) => {
  const exchange = share();
  const alice = await exchange.trader(1);
  const made = await exchange.operator('POST', '/events', {
    slug: 'data-v2',
    title: 'Who wins?',
    negRisk: true,
    markets: [1, 2, 3].map((place) => ({ slug: `data-v2-${place}`, question: `${place}?` })),
  });
  const event_id: string = JSON.parse(made.text).event_id;
  t.equal((await exchange.operator('POST', `/events/${event_id}/open`, {})).status, 200);
  const entries = [...exchange.running.services.registry.markets()];
  const market = entries.find(({ eventId }) => eventId === event_id)?.conditionId;
  const split = { market, amount: '10', key: 'split' };
  t.equal((await alice.signed('POST', '/sets/split', split)).status, 200);
  const given = { event_id, markets: [market], amount: '10', key: 'convert' };
  const converted = await alice.signed('POST', '/sets/convert', given);
  t.equal(converted.status, 200, converted.text);
  const path = `/v2/positions?user=${alice.address}`;
  const rows = await walkData(exchange, `${path}&limit=2`);
  const cost = rows.reduce((sum, row) => sum + Number(row.entry_cost_usdc), 0);
  t.equal(Math.round(cost * 1e6), 10_000_000, 'all that was paid');
  t.ok(rows.every(({ outcome_index, realized_pnl }) => outcome_index === 0 && realized_pnl === 0));
  const activity = await askData(exchange, `/v2/activity?user=${alice.address}&type=CONVERSION`);
  t.equal(activity.data.length, rows.length, 'NO that was given, and each YES but its own');
});

t.test('every order of positions has whole pages, of an account and of a market', async (t) => {
  const { exchange, bob, conditionId, ofAlice } = await history();
  for (const anchor of [ofAlice, `condition=${conditionId}`]) {
    for (const direction of ['ASC', 'DESC']) {
      for (const sort of [
        'CURRENT_VALUE',
        'PRICE',
        'TOKENS',
        'UNREALIZED_PNL',
        'REALIZED_PNL',
        'TOTAL_PNL',
        'TIMESTAMP',
      ]) {
        const path = `/v2/positions?${anchor}&sortBy=${sort}&sortDirection=${direction}`;
        const whole = (await askData(exchange, path)).data;
        t.ok(whole.length >= 2, path);
        t.same(await walkData({ send: exchange.send }, `${path}&limit=1`), whole, path);
      }
    }
  }
  const held = await askData(exchange, `/v2/positions?condition=${conditionId}&sort_by=TOKENS`);
  const amounts = held.data.map(({ current_size }) => current_size);
  t.same(amounts, [100, 60, 50, 10], 'of both tokens and both accounts');
  const closed = await askData(exchange, `/v2/positions?condition=${conditionId}&status=CLOSED`);
  t.same(closed.data, []);
  t.ok(bob.address);
});
