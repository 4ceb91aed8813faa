/** Serves small pages to the browser, for the tests of what the tests of pages find. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Scope } from '../temporary-folder.ts';

const STRICT = "default-src 'none'; script-src 'self'; img-src 'self'; connect-src 'self'";

export interface PageParts {
  readonly head?: string;
  readonly body?: string;
  /** The page's script, which the policy allows because it is a file. */
  readonly script?: string;
  readonly policy?: string;
}

/** A page without a fault if its parts have none. */
function pageOf({ head = '', body = '', script }: PageParts): string {
  const load = script === undefined ? '' : '<script src="/script.js"></script>';
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title>
<link rel="icon" href="/icon.png">${head}${load}</head>
<body><main><h1>A page</h1>${body}</main></body></html>`;
}

/** Answers requests until the end of `t`. Resolves with the address, an origin without a path. */
export async function serve(t: Scope, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  // Safe: a server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Serves one page and its script; every other path but that of its icon is not found. */
export function servePage(t: Scope, parts: PageParts): Promise<string> {
  const policy = parts.policy ?? STRICT;
  const script = { 'content-type': 'text/javascript' };
  return serve(t, ({ url }, response) => {
    if (url === '/script.js') response.writeHead(200, script).end(parts.script);
    else if (url === '/icon.png') response.writeHead(204).end();
    else if (url !== '/') response.writeHead(404).end();
    else {
      response.writeHead(200, {
        'content-type': 'text/html',
        'content-security-policy': policy,
      });
      response.end(pageOf(parts));
    }
  });
}
