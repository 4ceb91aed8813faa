/** Lists that are loaded page by page, and loads that follow what happens to an account. */
import { type ReadonlySignal, signal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Resource, useResource } from '../kit/index.ts';
import { send } from '../wire/index.ts';

/** How much of a portfolio a page asks for and shows. The exchange bounds each answer too. */
export const PORTFOLIO_BOUNDS = {
  /** Positions in one answer: the most that `GET /positions` gives. */
  positionsPerAnswer: 500,
  /** Answers with positions that are added up. */
  positionAnswers: 20,
  /** Pages of a list that grows by a button. */
  listPages: 10,
  /** Orders that are shown before the button for more. */
  ordersPerPage: 100,
  /** Ids in one `DELETE /orders`. */
  idsPerCancel: 1_000,
  /** Markets whose names one request asks for. */
  namesPerRequest: 100,
} as const;

export const PORTFOLIO_TIMES = {
  /** Prices move without the account: how often its positions are asked for. */
  pricesMs: 5_000,
  /** The least time between two loads because of what happened to the account. */
  reloadMs: 1_000,
  historyMs: 60_000,
} as const;

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins; undefined after the last one. */
  readonly next: string | undefined;
}

interface List<Row> extends ListPage<Row> {
  /** Whether there are more rows than a page of the console loads. */
  readonly isCut: boolean;
}

export interface Pages<Row> {
  readonly resource: Resource<List<Row>>;
  /** Loads one page more than before. */
  more(): void;
}

export type LoadPage<Row> = (cursor: string, signal: AbortSignal) => Promise<ListPage<Row>>;

/**
 * The first pages of a list. All of them are loaded again when something changed, so no row is
 * shown twice or is missing when the list moves. The first cursor is ''.
 */
export function usePages<Row>(load: LoadPage<Row>, inputs: readonly unknown[]): Pages<Row> {
  const wanted = useRef(1);
  const last = useRef(inputs);
  if (inputs.some((input, place) => input !== last.current[place])) wanted.current = 1;
  last.current = inputs;
  const resource = useResource(async (signal): Promise<List<Row>> => {
    let page = await load('', signal);
    const rows = [...page.rows];
    for (let count = 1; count < wanted.current && page.next !== undefined; count += 1) {
      page = await load(page.next, signal);
      rows.push(...page.rows);
    }
    const isCut = page.next !== undefined && wanted.current === PORTFOLIO_BOUNDS.listPages;
    return { rows, next: isCut ? undefined : page.next, isCut };
  }, inputs);
  return {
    resource,
    more: () => {
      wanted.current += 1;
      resource.reload();
    },
  };
}

/** A page of a list that is asked for by its offset: a full one may have a successor. */
export function pageByOffset<Row>(
  cursor: string,
  rows: readonly Row[],
  pageSize: number,
): ListPage<Row> {
  const next = rows.length === pageSize ? String(Number(cursor) + pageSize) : undefined;
  return { rows, next };
}

/**
 * Loads again when one of the signals changes: at once, and while they keep changing once in
 * `PORTFOLIO_TIMES.reloadMs`. The signals must stay the same.
 */
export function useReload(reload: () => void, changes: readonly ReadonlySignal<unknown>[]): void {
  const lastMs = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const isFirst = useRef(true);
  useSignalEffect(() => {
    for (const change of changes) void change.value;
    const isChange = !isFirst.current;
    isFirst.current = false;
    if (!isChange || timer.current !== undefined) return;
    const waitMs = Math.max(0, lastMs.current + PORTFOLIO_TIMES.reloadMs - performance.now());
    timer.current = setTimeout(() => {
      timer.current = undefined;
      lastMs.current = performance.now();
      reload();
    }, waitMs);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

// The questions of markets by their condition ids, for records that have no texts. They are asked
// for once, many at a time.
//
// Bound: the markets that the page meets.

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
