/**
 * Pictures in answers. The built-in catalog names them by a path of this exchange. A page of
 * another origin would look for that path at its own address, so its answers have whole URLs.
 */
import type { RequestInfo } from './request.ts';
import { RawReply } from './route.ts';

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
