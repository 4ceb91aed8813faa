// A catalog source whose answers a test writes: a plain node:http server on 127.0.0.1.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import type { SyncPace } from '../../../catalog/sync/bounds.ts';
import { Source, type SourceOptions } from '../../../catalog/sync/source.ts';

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

/** Short waits, so that tests are fast. */
export const QUICK_PACE: SyncPace = {
  pauseMs: 0,
  headMs: 2_000,
  bodyMs: 4_000,
  backoffMs: 1,
  backoffMostMs: 4,
  retryAfterMostMs: 2_000,
};

export interface HostileServer {
  readonly url: URL;
  /** The requested paths, with their queries. */
  readonly asked: string[];
}

export async function startHostileServer(
  t: Pick<Test, 'teardown'>,
  behave: Behaviour,
): Promise<HostileServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    behave(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  // Safe: it listens on a port, not on a pipe.
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}`), asked };
}

/** A `Source` that reads from the server, with short waits. */
export function sourceOf(
  t: Pick<Test, 'teardown'>,
  { url }: HostileServer,
  options: Partial<SourceOptions> = {},
): Source {
  const ending = new AbortController();
  t.teardown(() => ending.abort());
  const { signal } = ending;
  return new Source({ url, userAgent: 'test', pace: QUICK_PACE, signal, ...options });
}

export function answer(
  response: ServerResponse,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}

/** The query parameters of a request that choose a page. */
export function queryOf({ url = '' }: IncomingMessage) {
  const query = new URL(url, 'http://source').searchParams;
  return {
    limit: Number(query.get('limit')),
    offset: Number(query.get('offset')),
    order: query.get('order') ?? '',
    ascending: query.get('ascending') === 'true',
  };
}
