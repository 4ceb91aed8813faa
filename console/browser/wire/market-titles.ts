/** The questions of markets, for the operator's lists of condition ids. */
import { send } from './send.ts';

/** In one request, so that its address stays short. */
const IDS_EACH = 50;

/** Questions by condition id; a market that the catalog does not have is left out. */
export async function marketTitles(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>();
  for (let start = 0; start < ids.length; start += IDS_EACH) {
    const answer = await send({
      ...{ method: 'GET', path: '/markets', auth: 'operator', signal },
      query: { condition_ids: ids.slice(start, start + IDS_EACH).join(','), limit: IDS_EACH },
    });
    // Without a cursor, the markets are a list.
    const markets = Array.isArray(answer) ? answer : [];
    for (const { conditionId, question } of markets) titles.set(conditionId, question);
  }
  return titles;
}
