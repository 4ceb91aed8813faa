/** The address that a client used for the exchange, and the page that its request comes from. */
import type { RequestInfo } from './request.ts';
import { RawReply } from './route.ts';

// Pictures in answers. The built-in catalog names them by a path of this exchange. A page of
// another origin would look for that path at its own address, so its answers have whole URLs.

/** A quote in a text is escaped, so only a whole value begins like this. */
const PICTURE = ':"/images/';

/** The answer of a handler with whole URLs of pictures, where its client needs them. */
export function withPictures(
  value: unknown,
  { request: { pictureBase } }: { readonly request: RequestInfo },
): unknown {
  if (pictureBase === '') return value;
  const reply = value instanceof RawReply ? value : new RawReply(200, JSON.stringify(value));
  const { status, body, contentType, headers } = reply;
  const text = typeof body === 'string' ? body : Buffer.from(body).toString();
  const whole = text.replaceAll(PICTURE, `:"${pictureBase}/images/`);
  return new RawReply(status, whole, contentType, headers);
}

export interface Site {
  /** The Host header; '' for one that could not stand in a URL as it is. */
  readonly host: string;
  /** Where this exchange's pictures are, for a page of another origin; '' for all other clients. */
  readonly pictureBase: string;
}

/** What may stand in a URL, and in JSON, as it is. */
const HOST = /^[\w.-]{1,253}(:\d{1,5})?$|^\[[\da-fA-F:.]{2,45}\](:\d{1,5})?$/;

/**
 * Whether a page of another origin sends a request. Browsers name the origin with each request of a
 * script of another origin, and with each one that may change something.
 */
export function isForeignPage(origin: string, host: string): boolean {
  return origin !== '' && (host === '' || !origin.endsWith(`//${host}`));
}

/** `isSecure` says whether the client uses TLS. */
export function siteOf(header: (name: string) => string, isSecure: () => boolean): Site {
  const host = HOST.test(header('host')) ? header('host') : '';
  if (host === '' || !isForeignPage(header('origin'), host)) return { host, pictureBase: '' };
  return { host, pictureBase: `${isSecure() ? 'https' : 'http'}://${host}` };
}

/** The host of a Host header without its port and without the brackets of an IPv6 address. */
export function hostNameOf(host: string): string {
  return host
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .toLowerCase();
}
