/** A table that scrolls sideways on narrow screens. */
import type { ComponentChildren } from 'preact';
import { LocalTime, Moment } from './cells.tsx';
import { Id } from './copy.tsx';
import { Empty } from './loaded.tsx';
import { linkTo } from './router.ts';
import { grouped, labelOf, sizeText } from './texts.ts';

function plain(value: unknown): ComponentChildren {
  // Safe: columns have texts, numbers or elements here.
  return value as ComponentChildren;
}

/** How the texts and numbers of answers are shown. */
const FORMATS = {
  text: plain,
  id: (value: unknown) => <Id text={String(value)} />,
  account: (value: unknown) => <Id text={String(value)} href={linkTo(['accounts', `${value}`])} />,
  owner: (value: unknown) => (
    <Id text={String(value)} href={linkTo(['accounts', 'owner', `${value}`])} />
  ),
  code: (value: unknown) => (value === '' ? '–' : <code>{String(value)}</code>),
  kind: (value: unknown) => labelOf(String(value)),
  time: (value: unknown) => <LocalTime time={String(value)} />,
  moment: (value: unknown) =>
    value ? <Moment timeMs={Date.parse(String(value))} /> : <span>–</span>,
  number: plain,
  units: (value: unknown) => grouped(String(value)),
  size: (value: unknown) => sizeText(Number(value)),
  bps: (value: unknown) => `${value} bps`,
} as const;
type Format = keyof typeof FORMATS;
const NUMBERS: readonly Format[] = ['number', 'units', 'size', 'bps'];

/**
 * A column: its head, the field of a row (or a function), how that is shown, and whether
 * narrow screens leave it out. Without a format, what the function makes is shown as it is.
 */
export type ColumnTerms<Row> = readonly [
  head: string,
  value: (keyof Row & string) | ((row: Row) => ComponentChildren),
  format?: Format | undefined,
  minor?: 'minor',
];

function contentOf<Row>([, value, format]: ColumnTerms<Row>, row: Row): ComponentChildren {
  // Safe: `FORMATS` take any value of a field.
  const found = typeof value === 'string' ? (row[value] as ComponentChildren) : value(row);
  return format === undefined ? found : FORMATS[format](found);
}

interface TableProps<Row> {
  /** What the table contains, for screen readers. */
  readonly label: string;
  readonly columns: readonly ColumnTerms<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** What is said when there are no rows. */
  readonly empty: ComponentChildren;
}

/** Numbers stand at the right, in digits of equal width. */
function classOf<Row>([, , format = 'text', minor]: ColumnTerms<Row>): string {
  return `${NUMBERS.includes(format) ? 'number' : ''} ${minor ?? ''}`.trim();
}

export function Table<Row>({ label, columns, rows, keyOf, empty }: TableProps<Row>) {
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="scroll" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column[0]} scope="col" class={classOf(column)}>
                {column[0]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column[0]} class={classOf(column)}>
                  {contentOf(column, row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
