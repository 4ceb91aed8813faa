/**
 * How a request says where its body ends.
 *
 * Behind a proxy, the requests of many clients come over one connection. Where the proxy and we
 * read the end of a body differently, what one client sends in a body becomes the next request of
 * another. The library takes the first Content-Length of several, an empty one as none, and any
 * Transfer-Encoding that ends with chunks or begins with them; it reads the sizes of chunks with
 * leniency too. So what can be read in two ways is refused, and after chunks or a refusal nothing
 * more is read of the connection.
 *
 * Invariant: the answer to a request that is not plain is the last of its connection.
 */
import type { HttpRequest } from '../socket/index.ts';

export type Framing = 'plain' | 'chunked' | 'ambiguous';

const LENGTH = 'content-length';
const ENCODING = 'transfer-encoding';
/** Of whose requests few have a body: they are not looked at header by header. */
const WITHOUT_BODY: readonly string[] = ['GET', 'HEAD'];

/** A length and an encoding together the library has refused already. */
export function framingOf(request: HttpRequest, method: string): Framing {
  if (WITHOUT_BODY.includes(method) && !mentionsBody(request)) return 'plain';
  let lines = 0;
  let framing: Framing = 'plain';
  request.forEach((name, value) => {
    if (name !== LENGTH && name !== ENCODING) return;
    lines += 1;
    if (name === ENCODING) framing = value.toLowerCase() === 'chunked' ? 'chunked' : 'ambiguous';
    else if (value === '') framing = 'ambiguous';
  });
  return lines > 1 ? 'ambiguous' : framing;
}

function mentionsBody(request: HttpRequest): boolean {
  return request.getHeader(LENGTH) !== '' || request.getHeader(ENCODING) !== '';
}
