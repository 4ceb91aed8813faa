/** Price histories of the last day, for sparklines and movements. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { courseOf, type PricePoint } from '../charts/history-columns.ts';
import { reach, send } from '../wire/index.ts';
import { MARKETS_BOUNDS } from './list-terms.ts';
import type { MarketRow } from './market-row.ts';

export type Histories = ReadonlyMap<string, readonly PricePoint[]>;

/** As many as the exchange answers in one request. */
const HISTORIES_PER_REQUEST = 20;
/** Minutes from point to point: so late is the first known price of a market that is new. */
const FIDELITY = 5;

function groupsOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, group) => items.slice(group * size, (group + 1) * size));
}

/** The histories of the first outcomes, by condition id. */
export async function fetchHistories(
  markets: readonly Pick<MarketRow, 'conditionId'>[],
  signal: AbortSignal,
): Promise<Histories> {
  const groups = groupsOf(
    [...new Set(markets.map(({ conditionId }) => conditionId))],
    HISTORIES_PER_REQUEST,
  );
  const nowS = await send({ method: 'GET', path: '/time', signal });
  const answers = await Promise.all(
    groups.map((group) =>
      send({
        method: 'POST',
        path: '/batch-prices-history',
        body: { markets: group, interval: '1d', fidelity: FIDELITY },
        signal,
      }),
    ),
  );
  const histories = answers.flatMap(({ history }) => Object.entries(history));
  return new Map(
    histories.map(([market, points]) => [market, courseOf(points, 60 * FIDELITY, nowS)]),
  );
}

/** How far a price has come since the beginning of its history; undefined without one. */
export function movementOf(
  history: readonly PricePoint[] | undefined,
  price: number | undefined,
): number | undefined {
  const [first] = history ?? [];
  return first === undefined || price === undefined ? undefined : price - first.p;
}

/** A course that goes on to the price of now, which is known at least a second after its end. */
export function withPrice(
  history: readonly PricePoint[],
  price: number | undefined,
): readonly PricePoint[] {
  const last = history.at(-1);
  if (last === undefined || price === undefined) return history;
  return [...history, { t: last.t + 1, p: price }];
}

/**
 * The histories of markets, which are fetched after the page shows the markets. Those that are
 * there stay. Without one, a market has no sparkline.
 */
export function useHistories(markets: readonly MarketRow[]): ReadonlySignal<Histories> {
  const known = useSignal<Histories>(new Map());
  const names = markets.map(({ conditionId }) => conditionId).join();
  useEffect(() => {
    const controller = new AbortController();
    const missing = markets.filter(({ conditionId }) => !known.peek().has(conditionId));
    if (missing.length === 0) return undefined;
    fetchHistories(missing, controller.signal).then(
      (fetched) => {
        const all = [...known.peek(), ...fetched];
        known.value = new Map(all.slice(-MARKETS_BOUNDS.histories));
      },
      // The lines are then missing; the request log has the cause.
      () => {},
    );
    return () => controller.abort();
    // Also when an exchange is back that was gone.
  }, [names, reach.value]);
  return known;
}
