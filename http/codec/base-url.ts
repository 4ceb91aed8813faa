/**
 * Parses the base URL of another server: an HTTP or HTTPS URL without user name, password, query
 * and fragment. Returns undefined for any other text.
 */
export function parseBaseUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  const isPlain = url.username === '' && url.password === '' && url.hash === '';
  return isHttp && isPlain && url.search === '' ? url : undefined;
}
