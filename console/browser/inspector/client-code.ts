/**
 * A logged request as a program with the published client, `@polymarket/clob-client-v2`, where it
 * has a method for the route; with `fetch` otherwise.
 */
import type { LoggedRequest } from '../wire/index.ts';
import { asFetch } from './copies.ts';
import { orderCall } from './order-call.ts';

/** What a row of the table reads of a request. */
interface Asked {
  readonly query: Readonly<Record<string, string>>;
  /** The part of the path that the row's pattern captures; '' without one. */
  readonly id: string;
  /** Parsed; undefined for none. */
  readonly body: unknown;
}

/** An expression with `client`; undefined where the client can't ask the same. */
type Call = (asked: Asked) => string | undefined;

function literal(value: unknown): string {
  return JSON.stringify(value);
}

/** A method that takes one parameter of the query. */
function byQuery(method: string, name: string): Call {
  return ({ query: { [name]: value = '', ...others } }) =>
    Object.keys(others).length > 0 ? undefined : `client.${method}(${literal(value)})`;
}

function byRecord(method: string, part: 'query' | 'body'): Call {
  return (asked) => `client.${method}(${literal(asked[part])})`;
}

const NUMBERS = ['startTs', 'endTs', 'fidelity'];

function historyCall({ query }: Asked): string {
  const entries = Object.entries(query).map(([name, value]) => [
    name,
    NUMBERS.includes(name) ? Number(value) : value,
  ]);
  return `client.getPricesHistory(${literal(Object.fromEntries(entries))})`;
}

function priceCall({ query: { token_id = '', side = '' } }: Asked): string {
  return `client.getPrice(${literal(token_id)}, ${literal(side)})`;
}

/** The list of the order book; without a cursor the route answers in the form of the catalog. */
function marketsCall({ query }: Asked): string | undefined {
  const { next_cursor: cursor } = query;
  return cursor === undefined ? undefined : `client.getMarkets(${literal(cursor)})`;
}

type Row = readonly [request: RegExp, needsAccount: boolean, call: Call];

const ROWS: readonly Row[] = [
  [/^GET \/time$/, false, () => 'client.getServerTime()'],
  [/^GET \/book$/, false, byQuery('getOrderBook', 'token_id')],
  [/^POST \/books$/, false, byRecord('getOrderBooks', 'body')],
  [/^GET \/midpoint$/, false, byQuery('getMidpoint', 'token_id')],
  [/^POST \/midpoints$/, false, byRecord('getMidpoints', 'body')],
  [/^GET \/price$/, false, priceCall],
  [/^POST \/prices$/, false, byRecord('getPrices', 'body')],
  [/^GET \/spread$/, false, byQuery('getSpread', 'token_id')],
  [/^POST \/spreads$/, false, byRecord('getSpreads', 'body')],
  [/^GET \/last-trade-price$/, false, byQuery('getLastTradePrice', 'token_id')],
  [/^POST \/last-trades-prices$/, false, byRecord('getLastTradesPrices', 'body')],
  [/^GET \/prices-history$/, false, historyCall],
  [/^GET \/tick-size$/, false, byQuery('getTickSize', 'token_id')],
  [/^GET \/neg-risk$/, false, byQuery('getNegRisk', 'token_id')],
  [/^GET \/markets$/, false, marketsCall],
  [/^GET \/sampling-markets$/, false, byQuery('getSamplingMarkets', 'next_cursor')],
  [/^GET \/markets\/(0x[0-9a-f]{64})$/i, false, ({ id }) => `client.getMarket(${literal(id)})`],
  [/^GET \/clob-markets\/(0x.*)$/, false, ({ id }) => `client.getClobMarketInfo(${literal(id)})`],
  [/^GET \/data\/orders$/, true, byRecord('getOpenOrders', 'query')],
  [/^GET \/data\/order\/(0x.*)$/, true, ({ id }) => `client.getOrder(${literal(id)})`],
  [/^GET \/data\/trades$/, true, byRecord('getTrades', 'query')],
  [/^GET \/balance-allowance$/, true, byRecord('getBalanceAllowance', 'query')],
  [/^POST \/order$/, true, ({ body }) => orderCall(body)],
  [/^DELETE \/order$/, true, byRecord('cancelOrder', 'body')],
  [/^DELETE \/orders$/, true, byRecord('cancelOrders', 'body')],
  [/^DELETE \/cancel-all$/, true, () => 'client.cancelAll()'],
  [/^DELETE \/cancel-market-orders$/, true, byRecord('cancelMarketOrders', 'body')],
];

function parsed(body: string): unknown {
  return body === '' ? undefined : JSON.parse(body);
}

function callOf({ method, address, body }: LoggedRequest): readonly [string, boolean] | undefined {
  const [path = '', search = ''] = address.split('?');
  const query = Object.fromEntries(new URLSearchParams(search));
  for (const [pattern, needsAccount, call] of ROWS) {
    const match = pattern.exec(`${method} ${path}`);
    if (match === null) continue;
    const id = decodeURIComponent(match[1] ?? '');
    const expression = call({ query, id, body: parsed(body) });
    if (expression !== undefined) return [expression, needsAccount];
  }
  return undefined;
}

export interface CodeTarget {
  /** The origin of the exchange, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** The chain that credentials are signed for. */
  readonly chainId: number;
}

const ACCOUNT_IMPORTS = [
  "import { createWalletClient, http } from 'viem';",
  "import { privateKeyToAccount } from 'viem/accounts';",
];

/** Statements that make `client`. */
function clientOf({ origin, chainId }: CodeTarget, needsAccount: boolean): readonly string[] {
  const host = `const host = ${literal(origin)};`;
  if (!needsAccount) {
    return [
      host,
      `const client = new ClobClient({ host, chain: ${chainId}, throwOnError: true });`,
    ];
  }
  return [
    host,
    'const account = privateKeyToAccount(process.env.PRIVATE_KEY);',
    'const signer = createWalletClient({ account, transport: http(host) });',
    `const base = { host, chain: ${chainId}, signer, throwOnError: true };`,
    'const creds = await new ClobClient(base).createOrDeriveApiKey();',
    'const client = new ClobClient({ ...base, creds });',
  ];
}

export function asClientCode(request: LoggedRequest, target: CodeTarget): string {
  const found = 'authorization' in request.headers ? undefined : callOf(request);
  if (found === undefined) return asFetch(request, target.origin);
  const [expression, needsAccount] = found;
  const names = ['ClobClient', 'OrderType', 'Side'].filter(
    (name) => name === 'ClobClient' || expression.includes(`${name}.`),
  );
  return [
    `import { ${names.join(', ')} } from '@polymarket/clob-client-v2';`,
    ...(needsAccount ? ACCOUNT_IMPORTS : []),
    '',
    ...clientOf(target, needsAccount),
    `console.log(await ${expression});`,
  ].join('\n');
}
