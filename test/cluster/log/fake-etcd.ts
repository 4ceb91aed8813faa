/** A server that answers as a node of etcd would, or as a test wants. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from '../../temporary-folder.ts';

/** Returns the answer to a request for a path: a JSON value, a text, or a status with a value. */
export type Answering = (path: string, body: string) => unknown;

export class FakeEtcd {
  readonly url: string;
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  answer: Answering;

  private constructor(url: string, answer: Answering) {
    this.url = url;
    this.answer = answer;
  }

  static async start(scope: Scope, answer: Answering): Promise<FakeEtcd> {
    const server = createServer((request, response) => {
      reply(fake, request, response).catch((error: unknown) => response.destroy(error as Error));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // Safe: it listens on a port, not on a pipe.
    const { port } = server.address() as AddressInfo;
    const fake = new FakeEtcd(`http://127.0.0.1:${port}`, answer);
    scope.teardown(() => {
      server.closeAllConnections();
      server.close();
    });
    return fake;
  }
}

/** An answer with another status than 200. */
export class Refusal {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    this.status = status;
    this.body = body;
  }
}

/** An answer that never comes. */
export const SILENCE = Symbol('silence');

async function reply(
  fake: FakeEtcd,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  fake.asked.push(request.url ?? '');
  const answer = fake.answer(request.url ?? '', Buffer.concat(parts).toString());
  if (answer === SILENCE) return;
  const { status, body } = answer instanceof Refusal ? answer : new Refusal(200, answer);
  response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
}

export const CLUSTER = '17';

/** The answers of a healthy node, some of them changed. */
export function healthy(
  changes: { readonly status?: object; readonly metrics?: string | undefined } = {},
): Answering {
  const header = { cluster_id: CLUSTER, member_id: '1', revision: '5' };
  const metrics =
    'etcd_disk_wal_fsync_duration_seconds_count 8\n' +
    'etcd_server_quota_backend_bytes 2.147483648e+09\n';
  return (path) => {
    if (path === '/metrics') return changes.metrics ?? metrics;
    if (path !== '/v3/maintenance/status') return { header };
    return { header, version: '3.4.23', dbSize: '20480', leader: '1', ...changes.status };
  };
}
