// An exchange with a catalog of the test's own, for tests that read lists of markets over HTTP.
import type { Test } from 'tap';
import type { Settings } from '../../../http/settings/settings.ts';
import { type Running, runExchange } from '../../../venue/program.ts';
import { TEST_SETTINGS } from '../../default-settings.ts';
import { START_MS } from '../exchange-fixture.ts';

export interface MarketAnswer {
  readonly status: number;
  readonly contentType: string | null;
  /** The parameters that the answer says it ignored; null for none. */
  readonly ignored: string | null;
  // Of any shape: each test checks its own.
  readonly body: unknown;
}

export interface MarketServer {
  readonly running: Running;
  get(path: string): Promise<MarketAnswer>;
}

/** Starts an exchange that closes with the test; a file whose tests only read needs one. */
export async function startMarketServer(
  t: Pick<Test, 'teardown'>,
  catalog: unknown,
  changes: Partial<Settings> = {},
): Promise<MarketServer> {
  const settings = { ...TEST_SETTINGS, port: 0, adminPort: 0, temporary: true, ...changes };
  const running = await runExchange(
    {
      ...settings,
      logLevel: 'silent',
      now: () => START_MS,
      clockJumpMs: Number.POSITIVE_INFINITY,
      snapshotMs: Number.POSITIVE_INFINITY,
    },
    {
      catalog,
      onFatal: (error) => {
        throw error;
      },
    },
  );
  t.teardown(() => running.close());
  return {
    running,
    get: async (path) => {
      const response = await fetch(running.url + path);
      const contentType = response.headers.get('content-type');
      const ignored = response.headers.get('x-ignored-parameters');
      return { status: response.status, contentType, ignored, body: await response.json() };
    },
  };
}
