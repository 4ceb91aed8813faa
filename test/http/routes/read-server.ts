// A real listener with the read routes. A test feeds its views with commands and fills the fakes
// of catalog and reader.
import { pino } from 'pino';
import type { Test } from 'tap';
import { createAuthentication } from '../../../http/auth/authentication.ts';
import { KeyRing } from '../../../http/auth/key-ring.ts';
import { OperatorGate, oneOperator } from '../../../http/operators/operator-gate.ts';
import { Server } from '../../../http/server/server.ts';
import type { Route } from '../../../http/services/define-route.ts';
import type { Services } from '../../../http/services/services.ts';
import { signL2 } from '../../../http/signing/l2.ts';
import { BookViews } from '../../../http/views/books.ts';
import { Registry } from '../../../http/views/registry.ts';
import type {
  CatalogMarket,
  DurableCommand,
  LiveOrdersQuery,
  OrderRecord,
  TradeRecord,
  TradesQuery,
} from '../../../persistence/index.ts';
import { TEST_SETTINGS } from '../../default-settings.ts';
import { CREATED_MS } from '../durable-commands.ts';
import { TAKER, TAKER_CHECKSUM } from '../format/records.ts';

const NOW_MS = CREATED_MS + 60_000;

/** The contents of the fake databases. */
export interface Stored {
  readonly markets: readonly CatalogMarket[];
  readonly orders: readonly OrderRecord[];
  readonly trades: readonly TradeRecord[];
  /** Whether the reader says that there is more than it returned. */
  readonly more: boolean;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
  // Tests look into bodies of every shape.
  readonly body: unknown;
}

export interface ReadServer {
  readonly url: string;
  consume(commands: readonly DurableCommand[]): void;
  /** The queries that the reader got, in order. */
  readonly asked: (LiveOrdersQuery | TradesQuery)[];
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  /** Sends a GET with L2 headers of the taker of records.ts. They do not sign the query. */
  getSigned(path: string, userAgent?: string): Promise<Answer>;
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) };
}

/** Fake databases with what the read routes use. */
function fakeExchange(
  { markets = [], orders = [], trades = [], more = false }: Partial<Stored>,
  asked: (LiveOrdersQuery | TradesQuery)[],
) {
  return {
    catalog: {
      lookup: {
        marketByCondition: (id: string) => markets.find((market) => market.conditionId === id),
        marketPage: (from: number | { readonly after: number }, limit: number) => {
          const begin =
            typeof from === 'number'
              ? from
              : markets.findIndex(({ id }) => id === `${from.after}`) + 1;
          return markets.slice(begin, begin + limit);
        },
        marketCount: () => markets.length,
      },
    },
    reader: {
      order: async (orderId: string) => orders.find((order) => order.orderId === orderId),
      liveOrders: async (query: LiveOrdersQuery) => {
        asked.push(query);
        return { records: orders, more };
      },
      trades: async (query: TradesQuery) => {
        asked.push(query);
        return { records: trades, more };
      },
    },
  };
}

/** Issues the taker's key, and signs with it. */
function signerOf(keyRing: KeyRing, registry: Registry) {
  const { apiKey, secret, passphrase } = keyRing.credentialsOf(TAKER, '0');
  const issued = { owner: TAKER, nonce: '0', apiKey, purpose: 'trading' } as const;
  registry.consume([
    {
      seq: 0,
      timeMs: CREATED_MS,
      command: { kind: 'issue_api_key', ...issued },
      events: [{ kind: 'api_key_issued', ...issued }],
    },
  ]);
  return (path: string): Record<string, string> => {
    const timestamp = `${Math.floor(NOW_MS / 1_000)}`;
    return {
      KUEST_ADDRESS: TAKER_CHECKSUM,
      KUEST_API_KEY: apiKey,
      KUEST_PASSPHRASE: passphrase,
      KUEST_TIMESTAMP: timestamp,
      KUEST_SIGNATURE: signL2(secret, { timestamp, method: 'GET', path }),
    };
  };
}

/** Starts a listener on a free port; it closes with the test. */
export async function startReadServer(
  t: Test,
  routes: readonly Route[],
  { stored = {}, settings = {} }: { stored?: Partial<Stored>; settings?: object } = {},
): Promise<ReadServer> {
  const registry = new Registry();
  const books = new BookViews();
  const keyRing = new KeyRing(Buffer.alloc(32, 7), registry);
  const headersOf = signerOf(keyRing, registry);
  const asked: (LiveOrdersQuery | TradesQuery)[] = [];
  // Safe: the read routes use no other service; one that did would fail its test.
  const services = {
    settings: { ...TEST_SETTINGS, ...settings },
    exchange: fakeExchange(stored, asked),
    registry,
    books,
    keyRing,
    toldTrades: { toldOf: () => undefined },
  } as unknown as Services;
  const { dialect } = services.settings.profile;
  const log = pino({ level: 'silent' });
  const server = new Server<Services>({ routes, cors: true, log, dialect });
  const url = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  const operators = new OperatorGate(oneOperator(''));
  const authentication = createAuthentication({ ...services, operators });
  server.open({ services, authentication, clock: { shownMs: () => NOW_MS, offsetMs: 0 } });
  t.teardown(() => server.close());
  return {
    url,
    asked,
    consume: (commands) => {
      registry.consume(commands);
      books.consume(commands);
    },
    get: async (path) => answerOf(await fetch(url + path)),
    post: async (path, body) =>
      answerOf(await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })),
    getSigned: async (path, userAgent = 'a test') => {
      const headers = { ...headersOf(path.split('?')[0] ?? ''), 'user-agent': userAgent };
      return answerOf(await fetch(url + path, { headers }));
    },
  };
}
