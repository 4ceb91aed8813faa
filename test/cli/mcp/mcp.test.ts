/** The command `mcp`, driven by the client of the protocol's own SDK. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import t, { type Test } from 'tap';
import { callTool } from '../../../cli/mcp/calls.ts';
import { runMcp } from '../../../cli/mcp/index.ts';
import { toolsOf } from '../../../cli/mcp/tools.ts';
import { DEV_KEYS } from '../../../cli/options/dev-keys.ts';
import { walletOf } from '../../../http/signing/wrapped-signature.ts';
import { OPERATOR_ROUTES, ROUTES } from '../../all-routes.ts';
import { shareTestExchange } from '../../http/exchange-fixture.ts';
import { MAIN, ProgramProcess, seenVariables } from '../../program-process.ts';

class Agent {
  readonly client = new Client({ name: 'test', version: '1' });
  /** All that the server has answered. */
  readonly seen: string[] = [];

  static async open(t: Pick<Test, 'teardown'>, transport: unknown): Promise<Agent> {
    const agent = new Agent();
    // Safe: the SDK's transports have optional members that its own interface has as undefined.
    await agent.client.connect(transport as Transport);
    t.teardown(() => agent.client.close());
    return agent;
  }

  /** The texts of an answer, and whether it is a fault. */
  async texts(name: string, given: object = {}) {
    const { content, isError = false } = await this.client.callTool({
      name,
      arguments: { ...given },
    });
    // Safe: this server answers with texts.
    const texts = (content as { readonly text: string }[]).map(({ text }) => text);
    this.seen.push(...texts);
    return { texts, isError };
  }

  /** The answer as JSON; throws for a fault. */
  async call(name: string, given: object = {}) {
    const { texts, isError } = await this.texts(name, given);
    if (isError) throw new Error(texts.join('\n'));
    return JSON.parse(texts[0] ?? '');
  }
}

/** From a search to the payout. Somebody's asks are in the book of the market, or come there. */
async function tradeWhole(t: Test, agent: Agent, words: string): Promise<void> {
  const { events } = await agent.call('search_markets', { q: words, limit_per_type: 1 });
  const [market] = events[0].markets;
  const [token] = JSON.parse(market.clobTokenIds);
  const readBook = () => agent.call('get_book', { token_id: token });
  let book = await readBook();
  // Simulated traders need a moment after the start.
  while (book.asks.length === 0) book = await readBook();
  const [best, tick] = [book.asks.at(-1), book.tick_size];
  const order = { token, side: 'BUY', price: best.price, size: '5' };
  t.match(await agent.call('preview_order', order), { wouldBeAccepted: true, answer: null });
  t.match(await agent.call('list_orders'), { data: [] }, 'a preview places nothing');
  t.match(await agent.call('place_order', order), { success: true, status: 'matched' });
  t.match(await agent.call('list_positions'), [{ asset: token, size: 5 }]);
  t.match(await agent.call('list_trades'), { data: [{ asset_id: token, size: '5' }] });

  const low = { token, side: 'BUY', price: tick, size: '10' };
  const { orderID } = await agent.call('place_order', low);
  t.match(await agent.call('get_order', { id: orderID }), { status: 'LIVE' });
  t.match(await agent.call('cancel_order', { orderID }), { canceled: [orderID] });
  await agent.call('place_order', low);
  const all = await agent.call('cancel_all_orders');
  t.match(all, { done: false, would: /DELETE \/cancel-all/, now: { data: [{ price: tick }] } });
  t.equal((await agent.call('list_orders')).data.length, 1, 'nothing was cancelled');
  t.equal((await agent.call('cancel_all_orders', { confirm: true })).canceled.length, 1);

  const end = { condition_id: market.conditionId, payout: '1', reason: 'it came true' };
  const dry = await agent.call('resolve_market', end);
  t.match(dry, { done: false, would: /"payout":"1"/, now: { status: 'open' } });
  t.match(await agent.call('resolve_market', { ...end, confirm: true }), { status: 'resolved' });
  const cash = async () => BigInt((await agent.call('get_balance', COLLATERAL)).balance);
  const before = await cash();
  await agent.call('redeem_tokens', { market: market.conditionId, key: 'redeem-1' });
  t.equal((await cash()) - before, 5_000_000n, 'each token paid 1');
}

const COLLATERAL = { asset_type: 'COLLATERAL' };

t.test('a whole trade over standard input and output, on an exchange of its own', async (t) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', '--memory'],
    env: seenVariables(),
  });
  const agent = await Agent.open(t, transport);
  t.match(agent.client.getServerVersion(), { name: 'outcome-exchange' });
  t.match(agent.client.getInstructions(), /You act for the account 0x/);
  const { tools } = await agent.client.listTools();
  t.strictSame(
    tools.map(({ name, inputSchema: { type } }) => [name, type]),
    toolsOf({ public: ROUTES, operator: OPERATOR_ROUTES }).map(({ name }) => [name, 'object']),
  );
  await tradeWhole(t, agent, 'rain oslo');
});

const exchange = (await shareTestExchange(t, { devKeys: DEV_KEYS.slice(0, 2) }))();
const { running, plain } = exchange;

const KEY = DEV_KEYS[1] ?? '';

/** A server over HTTP for the exchange of this file, which acts for the owner of KEY. */
function startHttp(t: Test): ProgramProcess {
  const place = ['--url', running.url, '--admin-url', `http://127.0.0.1:${running.adminPort}`];
  const environment = { ADMIN_TOKEN: running.adminToken, PRIVATE_KEY: KEY };
  return new ProgramProcess(t, ['mcp', '--http', '0', ...place], environment);
}

/** Calls of tools, each with what its answer says. */
function badInput(token: string): readonly (readonly [name: string, given: object, RegExp])[] {
  const order = { token, side: 'BUY', price: '0.5', size: '5' };
  return [
    ['no_tool', {}, /^there is no tool "no_tool"; the tools are search_markets, /],
    ['get_book', {}, /^get_book needs token_id$/],
    ['get_book', { tokenid: token }, /^get_book has no argument "tokenid"; .* is token_id$/],
    ['get_book', { token_id: '5' }, /^GET \/book was refused \(404 book_not_found\)/],
    ['list_positions', { limit: 'many' }, /400 invalid_parameter\).*\n +field: limit/s],
    ['list_positions', { limit: 1e6 }, /limit: .*500.*\n +actual: 1000000/s],
    ['place_order', { ...order, price: '2' }, /^price is "2"; it must be a decimal from 0.0001/],
    ['place_order', { ...order, size: undefined }, /^size/],
    ['place_order', { ...order, price: '0.505' }, /price_off_tick/],
    ['place_order', { ...order, expiresIn: 5 }, /^expiresIn/],
    ['cancel_order', { orderID: 5 }, /invalid_order_id/],
    ['add_fault', { kind: 'none' }, /400 invalid_payload\).*\n +field: kind/s],
    ['move_time', { seconds: -1, confirm: true }, /field: seconds/],
  ];
}

t.test('over HTTP, on an exchange that runs', async (t) => {
  const program = startHttp(t);
  const [url = ''] = /http:\S+/.exec(await program.firstOutput()) ?? [];
  const agent = await Agent.open(t, new StreamableHTTPClientTransport(new URL(url)));

  t.test('a whole trade', async (t) => {
    const maker = await exchange.trader(7);
    // A bid for NO at 0.6 is an ask for YES at 0.4.
    await maker.place({ tokenId: plain.tokenIds[1], priceTicks: 6_000, lots: 2_000 });
    const { lookup } = running.services.exchange.catalog;
    const { question = '' } = lookup.marketByCondition(plain.conditionId) ?? {};
    await tradeWhole(t, agent, question);
  });

  t.test('time and faults of the sandbox', async (t) => {
    const { time_ms: beforeMs } = await agent.call('get_time');
    t.match(await agent.call('move_time', { seconds: 60 }), { done: false, now: { offset_ms: 0 } });
    const { time_ms: afterMs } = await agent.call('move_time', { seconds: 60, confirm: true });
    t.equal(afterMs - beforeMs, 60_000);
    await agent.call('get_balance', COLLATERAL);
    const { id } = await agent.call('add_fault', { kind: 'unavailable', count: 1 });
    t.match(await agent.call('list_faults'), { data: [{ id, state: 'active' }] });
    await agent.call('remove_fault', { fault_id: id });
  });

  t.test('bad input is answered with what is wrong', async (t) => {
    for (const [name, given, expected] of badInput(plain.tokenIds[0])) {
      const { texts, isError } = await agent.texts(name, given);
      t.ok(isError, `${name} ${JSON.stringify(given)}`);
      t.match(texts[0], expected);
    }
  });

  t.test('no answer has the private key or the token', async (t) => {
    t.match(agent.client.getInstructions(), walletOf(KEY).address);
    const all = [...agent.seen, program.stderr].join('\n');
    for (const secret of [KEY.slice(2), running.adminToken]) t.notOk(all.includes(secret));
  });

  t.test('pages of other origins, other hosts, paths and large bodies are refused', async (t) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const { host } = new URL(url);
    const rows: readonly (readonly [number, object, string?, string?])[] = [
      [200, {}],
      [200, { origin: `http://${host}` }],
      [403, { origin: 'https://elsewhere.example' }],
      [403, { host: 'elsewhere.example' }],
      [404, {}, '/'],
      [413, {}, '/mcp', `"${'x'.repeat(70_000)}"`],
    ];
    for (const [status, headers, path = '/mcp', sent = body] of rows) {
      const asked = request(new URL(path, url), {
        method: 'POST',
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...headers,
        },
      }).end(sent);
      const [answer] = await once(asked, 'response');
      answer.resume();
      t.equal(answer.statusCode, status, JSON.stringify(headers) + path);
    }
  });
});

t.test('without an exchange there, each call says so', async (t) => {
  const context = {
    exchange: {
      ...{ url: 'http://127.0.0.1:1', adminUrl: 'http://127.0.0.1:1', adminToken: 'x' },
      ...{ wallet: walletOf(DEV_KEYS[0] ?? ''), chainId: 137 },
    },
    tools: toolsOf({ public: ROUTES, operator: OPERATOR_ROUTES }),
    sources: { flags: new Map(), environment: {} },
    readText: () => '',
  };
  const order = { token: '5', side: 'BUY', price: '0.5', size: '5' };
  for (const [name, given] of [
    ['get_book', { token_id: '5' }],
    ['place_order', order],
    ['get_time', {}],
  ] as const) {
    const { isError, content } = await callTool(name, given, context);
    t.match(
      { isError, content },
      { isError: true, content: [{ text: /^No exchange answers at/ }] },
    );
  }
});

t.test('wrong options are refused before anything is served', async (t) => {
  const context = {
    readText: (path: string) => readFileSync(path, 'utf8'),
    modeOf: () => 0,
    version: '1',
    fail: () => process.exit(1),
    print: () => {},
  };
  const rows: readonly (readonly [flag: string, text: string, environment: object, RegExp])[] = [
    ['--account', '1', { PRIVATE_KEY: DEV_KEYS[1] }, /^give --account or --key, not both$/],
    ['--admin-token-file', '/none', {}, /^--admin-token-file is "\/none", which can't be read/],
    ['--http', '65536', {}, /^--http is "65536"; it must be a whole number from 0 to 65535$/],
  ];
  for (const [flag, text, environment, message] of rows) {
    const sources = { flags: new Map([[flag, text]]), environment: { ...environment } };
    await t.rejects(runMcp(sources, context), { name: 'UsageError', message });
  }
});
