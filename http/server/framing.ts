/**
 * How a request says where its body ends, to prevent request smuggling.
 *
 * Behind a proxy, the requests of many clients share one connection. If the proxy and this server
 * disagree about the end of a body, a part of one client's body becomes another client's request.
 * The library is lenient: it uses the first of several Content-Length headers, treats an empty one
 * as absent, accepts any Transfer-Encoding that begins or ends with `chunked`, and parses chunk
 * sizes loosely. So a request that can be read in two ways is refused, and after a chunked body or
 * a refusal nothing more is read from the connection.
 *
 * Invariant: the answer to a request that is not plain is the last of its connection.
 */
import { ApiError, echo } from '../errors/index.ts';
import type { HttpRequest } from '../socket/socket-library.ts';

export type Framing = 'plain' | 'chunked' | 'ambiguous';

const HOST = 'host';
const LENGTH = 'content-length';
const ENCODING = 'transfer-encoding';

export interface RequestHead {
  readonly framing: Framing;
  /** The number of Host headers. The library has refused a request without one. */
  readonly hosts: number;
  /** The first header of this lower-case name; '' if it is absent. */
  readonly header: (name: string) => string;
}

/** The library has already refused a length together with an encoding. */
export function readRequestHead(request: HttpRequest): RequestHead {
  // Kept, because a request needs a dozen of them, and each call of the library costs.
  const names: string[] = [];
  const values: string[] = [];
  let [hosts, lines] = [0, 0];
  let framing: Framing = 'plain';
  request.forEach((name, value) => {
    names.push(name);
    values.push(value);
    if (name === HOST) hosts += 1;
    if (name !== LENGTH && name !== ENCODING) return;
    lines += 1;
    if (name === ENCODING) framing = value.toLowerCase() === 'chunked' ? 'chunked' : 'ambiguous';
    else if (value === '') framing = 'ambiguous';
  });
  return {
    framing: lines > 1 ? 'ambiguous' : framing,
    hosts,
    header: (name) => values[names.indexOf(name)] ?? '',
  };
}

const VERSION = '13';

/** Why a request opens no WebSocket (RFC 6455, 4.2); the library looks at its key alone. */
export function handshakeFault(request: HttpRequest): ApiError | undefined {
  const version = request.getHeader('sec-websocket-version');
  const isUpgrade = request.getHeader('upgrade').toLowerCase() === 'websocket';
  if (isUpgrade && version === VERSION) return undefined;
  const field = isUpgrade ? 'Sec-WebSocket-Version' : 'Upgrade';
  const [limit, actual] = isUpgrade
    ? [VERSION, version]
    : ['websocket', request.getHeader('upgrade')];
  return new ApiError('handshake_invalid', { field, limit, actual: echo(actual) }, [
    ['upgrade', 'websocket'],
    ['sec-websocket-version', VERSION],
  ]);
}
