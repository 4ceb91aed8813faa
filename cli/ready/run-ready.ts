/** Asks for `GET /readyz` and puts the answer into words. */
import { READY_OPTIONS } from '../options/commands.ts';
import { resolveOptions, type Sources } from '../parser/resolve-options.ts';
import { exchangeReply, fieldsOf } from '../place-order/index.ts';

const OK = 200;

/** `ok` is whether the exchange is ready. Throws if none answers. */
export async function runReady(
  sources: Sources,
): Promise<{ readonly text: string; readonly ok: boolean }> {
  const { url } = resolveOptions(READY_OPTIONS, sources).values;
  const { status, json } = await exchangeReply(url, { method: 'GET', path: '/readyz' });
  if (status === OK) return { text: `The exchange at ${url} is ready.`, ok: true };
  const { failed } = fieldsOf(json);
  const names = Array.isArray(failed) ? failed.join(', ') : `it answered ${status}`;
  return { text: `The exchange at ${url} is not ready: ${names}`, ok: false };
}
