/**
 * A program that uses a running venue as its operator and two traders do, in a process of its own,
 * so that it can run in the network namespace of the exchange:
 *
 *   venue-session.ts trade URL ADMIN_URL TOKEN [SLUG]  opens a market and trades once
 *   venue-session.ts look URL ADMIN_URL TOKEN MARKET   only looks
 *   venue-session.ts backup URL ADMIN_URL TOKEN MARKET has a backup made, and looks
 *
 * All print what the venue shows of that market as one line of JSON, for the parts of test:deploy
 * to compare.
 */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { OrderType, Side } from '@polymarket/clob-client-v2';
import { newTrader } from '../published-client.ts';

/** What must be the same after a restart. */
export interface VenueFacts {
  readonly market: string;
  readonly lastTrade: unknown;
  readonly book: unknown;
  readonly collateral: unknown;
}

interface CreatedMarket {
  readonly condition_id: string;
  readonly token_ids: readonly string[];
}

const CHAIN = 137;
const BACKUP_WITHIN_MS = 60_000;
const POLL_MS = 100;
const [mode = '', url = '', adminUrl = '', token = '', known = ''] = process.argv.slice(2);
const SAID = { by: 'test', reason: 'test:deploy' };

async function json(address: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(address, init);
  const text = await response.text();
  assert.ok(response.ok, `${address} answered ${response.status}: ${text}`);
  // Safe: each caller looks at what it needs.
  return JSON.parse(text) as Record<string, unknown>;
}

function operator(path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  if (body === undefined) return json(`${adminUrl}${path}`, { headers });
  const init = { method: 'POST', headers, body: JSON.stringify({ ...body, ...SAID }) };
  return json(`${adminUrl}${path}`, init);
}

async function trade(slug: string): Promise<string> {
  const created = await operator('/events', {
    slug,
    title: 'Deploy',
    markets: [
      {
        slug: `${slug}-works`,
        question: 'Does it work?',
        tick_size: '0.01',
        minimum_order_size: '5',
      },
    ],
  });
  const [market] = created.markets as readonly CreatedMarket[]; // Safe: one was asked for.
  const [yes = '', no = ''] = market?.token_ids ?? [];
  const [ada, ben] = await Promise.all([
    newTrader('ada', url, CHAIN),
    newTrader('ben', url, CHAIN),
  ]);
  for (const { name, address } of [ada, ben]) {
    await operator('/deposits', { account: address, amount: '100', key: `${slug}-${name}` });
  }
  const wishes = [
    { trader: ada, tokenID: yes, price: 0.42, size: 15, status: 'live' },
    { trader: ben, tokenID: no, price: 0.58, size: 10, status: 'matched' },
  ];
  for (const { trader, status, ...wish } of wishes) {
    const order = { ...wish, side: Side.BUY };
    const answer = await trader.client.createAndPostOrder(order, {}, OrderType.GTC);
    assert.equal(answer.status, status);
  }
  return market?.condition_id ?? '';
}

async function makeBackup(): Promise<void> {
  await operator('/backups', {});
  const signal = AbortSignal.timeout(BACKUP_WITHIN_MS);
  for (;;) {
    const { running, last } = await operator('/backups');
    if (running === null) {
      // Safe: one has ended.
      assert.equal((last as { readonly error: string }).error, '');
      return;
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}

async function look(market: string): Promise<VenueFacts> {
  const [{ tokens }, { ok, collateral }] = await Promise.all([
    json(`${url}/markets/${market}`),
    operator('/audit'),
  ]);
  const [{ token_id: id } = { token_id: '' }] = tokens as readonly { token_id: string }[];
  const { bids, asks } = await json(`${url}/book?token_id=${id}`);
  const lastTrade = await json(`${url}/last-trade-price?token_id=${id}`);
  assert.equal(ok, true, 'every invariant holds');
  return { market, lastTrade, book: { bids, asks }, collateral };
}

if (mode === 'backup') await makeBackup();
const facts = await look(mode === 'trade' ? await trade(known || 'deploy') : known);
process.stdout.write(`${JSON.stringify(facts)}\n`);
