/** Lists that are loaded page by page, and loads that follow what happens to an account. */
import { type ReadonlySignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Resource, useResource } from '../kit/index.ts';
import { PORTFOLIO_BOUNDS, PORTFOLIO_TIMES } from './bounds.ts';

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
