/**
 * The base of the URLs of another server, or undefined for a text that is none: an HTTP or HTTPS
 * URL without name, password, query and fragment.
 */
export function parseBaseUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  const isPlain = url.username === '' && url.password === '' && url.hash === '';
  return isHttp && isPlain && url.search === '' ? url : undefined;
}
