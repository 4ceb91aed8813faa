// A proxy between a client and an exchange that forwards everything unchanged and notes the routes
// of the requests, so that tests know which routes a method of the client calls.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Test } from 'tap';
import { Router } from '../../http/server/router.ts';
import { ROUTES } from '../all-routes.ts';

export interface RequestRecorder {
  /** The URL that the client uses as its host. */
  readonly url: string;
  /** `METHOD /path/{parameter}` of each request since the last call, in order. */
  take(): readonly string[];
}

const routes = new Router<string>();
for (const route of ROUTES) routes.add(route, `${route.method} ${route.path}`);

/** The route of a request; the path itself if no route matches. */
function routeOf({ method = '', url = '' }: IncomingMessage): string {
  const path = url.split('?')[0] ?? '';
  const found = routes.find(method, path);
  return found.kind === 'route' ? found.target : `${method} ${path} (unknown)`;
}

function forward(incoming: IncomingMessage, answer: ServerResponse, port: number): void {
  const { method, url, headers } = incoming;
  const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  outgoing.on('error', () => answer.destroy());
  incoming.pipe(outgoing);
}

/** Starts a recorder in front of an exchange on this machine; it closes with the test. */
export async function startRecorder(
  t: Pick<Test, 'teardown'>,
  port: number,
): Promise<RequestRecorder> {
  let seen: string[] = [];
  const server = createServer((incoming, answer) => {
    seen.push(routeOf(incoming));
    forward(incoming, answer, port);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  // Safe: a server that listens on a port has an address of this form.
  const { port: ownPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${ownPort}`,
    take: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
  };
}
