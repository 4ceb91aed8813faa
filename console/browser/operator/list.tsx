/**
 * A list of the operator's listener as a table: what a page says of it is data, and its rows have
 * the type of the route's answer.
 */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import {
  type ColumnTerms,
  Field,
  Loaded,
  Segments,
  set,
  setter,
  Table,
  Tabs,
  useResource,
} from '../kit/index.ts';
import { type Answer, type PathOf, sendAny } from '../wire/index.ts';
import { type Write, Writes } from './writes.tsx';

const PAGE = 50;

type ListPath = PathOf<'GET', 'operator'>;
type RowsIn<Whole> = Whole extends readonly (infer Row)[]
  ? Row
  : Whole extends { readonly data: readonly (infer Row)[] }
    ? Row
    : never;
export type RowOf<Path extends ListPath> = RowsIn<Answer<'GET', Path, 'operator'>>;

export interface OperatorListTerms<Row> {
  readonly label: string;
  readonly keyOf: (row: Row) => string | number;
  readonly columns: readonly ColumnTerms<Row>[];
  readonly empty: ComponentChildren;
  readonly query?: Readonly<Record<string, string | number>>;
  /** The parameter that says where the next page begins; absent: all is in one answer. */
  readonly next?: 'offset' | 'before_seq' | 'before_id';
  readonly everyMs?: number;
  /** What can be done to a row, and its name for screen readers. */
  readonly writes?: (row: Row) => readonly Write[];
  readonly subject?: (row: Row) => string;
  /** Whether many writes are folded into one button. */
  readonly isFolded?: boolean;
  /** What can be done beside the list. */
  readonly tools?: () => readonly Write[];
  /** A parameter with a few values. */
  readonly choice?: {
    readonly name: string;
    readonly label: string;
    readonly options: readonly (readonly [value: string, text: string])[];
  };
  /** A parameter with a text that is typed. A text that can't fit is not asked for. */
  readonly search?: {
    readonly name: string;
    readonly pattern: RegExp;
    readonly fault: string;
    readonly hint: string;
  };
  readonly note?: (rows: readonly Row[]) => ComponentChildren;
}

interface ListProps {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  /** The list is loaded again when it changes. */
  readonly turn?: number;
  /** Called after each write. */
  readonly onDone?: () => void;
}

function readPage<Row>(answer: unknown, next: OperatorListTerms<Row>['next']) {
  // Safe: the routes of lists answer with a list, or with one in `data`.
  const { data = answer, ...marks } = answer as Readonly<Record<string, unknown>>;
  const rows = data as readonly Row[];
  if (next !== 'before_id') return { rows, mark: marks[`next_${next}`] };
  // Safe: rows that are paged by their ids have one.
  const last = rows.at(-1) as { readonly id?: string } | undefined;
  return { rows, mark: rows.length < PAGE ? undefined : Number(last?.id) };
}

interface ToolsProps {
  readonly terms: Pick<OperatorListTerms<never>, 'search' | 'choice' | 'tools'>;
  readonly chosen: Signal<string>;
  readonly sought: Signal<string>;
  readonly isFit: boolean;
  readonly onDone: () => void;
}

function Tools({ terms, chosen, sought, isFit, onDone }: ToolsProps) {
  const { search, choice, tools } = terms;
  if (search === undefined && choice === undefined && tools === undefined) return null;
  return (
    <div class="row apart">
      {search !== undefined && (
        <Field
          label="Search"
          type="search"
          value={sought.value}
          placeholder="0x…"
          maxLength={42}
          fault={isFit ? '' : search.fault}
          hint={search.hint}
          onInput={setter(sought)}
        />
      )}
      {choice !== undefined && (
        <Segments
          label={choice.label}
          value={chosen.value}
          options={choice.options}
          onChange={setter(chosen)}
        />
      )}
      {tools !== undefined && <Writes writes={tools()} onDone={onDone} />}
    </div>
  );
}

export function listOf<const Path extends ListPath>(
  path: Path,
  terms: OperatorListTerms<RowOf<Path>>,
): ComponentType<ListProps> {
  type Row = RowOf<Path>;
  const { label, keyOf, empty, next, choice, search, writes, subject } = terms;
  return function List({ params = {}, query = {}, turn = 0, onDone }: ListProps) {
    const begin = useSignal<number | undefined>(undefined);
    const chosen = useSignal(choice?.options[0]?.[0] ?? '');
    const sought = useSignal('');
    const text = sought.value.trim();
    const isFit = search === undefined || text === '' || search.pattern.test(text);
    const asked = {
      ...{ ...terms.query, ...query },
      ...(choice === undefined ? {} : { [choice.name]: chosen.value }),
      ...(search === undefined || text === '' || !isFit ? {} : { [search.name]: text }),
    };
    const key = JSON.stringify([params, asked]);
    const shownFor = useSignal(key);
    // Another list begins with its first page.
    if (shownFor.peek() !== key) {
      shownFor.value = key;
      begin.value = undefined;
    }
    const page = useResource(
      async (signal) => {
        const paged = next === undefined ? {} : { limit: PAGE, [next]: begin.value };
        const request = { path, params, query: { ...asked, ...paged }, signal };
        const answer = await sendAny({ ...request, method: 'GET', auth: 'operator' });
        return readPage<Row>(answer, next);
      },
      [key, begin.value, turn],
      terms.everyMs === undefined ? {} : { everyMs: terms.everyMs },
    );
    const done = (): void => {
      page.reload();
      onDone?.();
    };
    const actions = (row: Row) => (
      <Writes
        writes={writes?.(row) ?? []}
        isFolded={terms.isFolded ?? false}
        subject={subject?.(row) ?? ''}
        onDone={done}
      />
    );
    return (
      <>
        <Tools terms={terms} chosen={chosen} sought={sought} isFit={isFit} onDone={done} />
        <Loaded resource={page} lines={8}>
          {({ rows, mark }) => (
            <>
              <Table
                {...{ label, rows, keyOf, empty }}
                columns={
                  writes === undefined ? terms.columns : [...terms.columns, ['Actions', actions]]
                }
              />
              {terms.note?.(rows)}
              <div class="row">
                {begin.value !== undefined && (
                  <button type="button" onClick={() => set(begin, undefined)}>
                    First page
                  </button>
                )}
                {typeof mark === 'number' && (
                  <button type="button" onClick={() => set(begin, mark)}>
                    Next page
                  </button>
                )}
              </div>
            </>
          )}
        </Loaded>
      </>
    );
  };
}

/** ListViews of which one is shown. */
export function ListViews({
  views,
}: {
  readonly views: readonly (readonly [text: string, view: ComponentType])[];
}) {
  const chosen = useSignal('0');
  const [, View] = views[Number(chosen.value)] ?? [];
  return (
    <Tabs
      label="What is shown"
      tabs={views.map(([text], index) => [String(index), text] as const)}
      chosen={chosen.value}
      onChoose={setter(chosen)}
    >
      <div class="stack">{View !== undefined && <View key={chosen.value} />}</div>
    </Tabs>
  );
}
