/**
 * The questions of markets by their condition ids, for records that have no texts. They are asked
 * for once, many at a time.
 *
 * Bound: the markets that the page meets.
 */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { send } from '../wire/index.ts';
import { PORTFOLIO_BOUNDS } from './bounds.ts';

const names = signal<ReadonlyMap<string, string>>(new Map());
/** What is being asked for, or was answered. */
const asked = new Set<string>();

async function ask(conditionIds: readonly string[]): Promise<void> {
  const body = { conditionIds, limit: PORTFOLIO_BOUNDS.namesPerRequest };
  try {
    const path = '/markets/information';
    const markets = await send({ method: 'POST', path, body });
    const found = markets.map(({ conditionId, question }) => [conditionId, question] as const);
    names.value = new Map([...names.peek(), ...found]);
  } catch {
    // Ids stand in for the names, and the request log has the cause. The next look asks again.
    for (const conditionId of conditionIds) asked.delete(conditionId);
  }
}

/** The known questions. Those of `conditionIds` are asked for. */
export function useNames(conditionIds: readonly string[]): ReadonlyMap<string, string> {
  const missing = [...new Set(conditionIds)].filter((conditionId) => !asked.has(conditionId));
  useEffect(() => {
    for (const conditionId of missing) asked.add(conditionId);
    for (let first = 0; first < missing.length; first += PORTFOLIO_BOUNDS.namesPerRequest) {
      void ask(missing.slice(first, first + PORTFOLIO_BOUNDS.namesPerRequest));
    }
  }, [missing.join()]);
  return names.value;
}
