/**
 * The columns of the table `fills`: one list, from which follows how a fill is sent to the
 * journal's thread, inserted, read, compared with its replay, and read as an event. Pure.
 */
import type { Fill } from '../../engine/index.ts';
import { snakeCase } from '../shared/index.ts';

/** Ids and addresses, each with the number of its hex digits. */
const NAMES = {
  conditionId: 64,
  takerOrderId: 64,
  makerOrderId: 64,
  takerAccount: 40,
  makerAccount: 40,
} as const;

const TERMS = [
  'bucket',
  'match',
  'takerOutcome',
  'takerSide',
  'makerOutcome',
  'makerSide',
  'takerPriceTicks',
  'makerPriceTicks',
  'lots',
] as const;

/** The columns of the fees, each with the field of `Fill.fees` that it holds. */
const FEES = {
  takerFeeMicros: 'takerMicros',
  makerFeeMicros: 'makerMicros',
  takerBuilderMicros: 'takerBuilderMicros',
  makerBuilderMicros: 'makerBuilderMicros',
  takerFeeBps: 'takerFeeBps',
  makerFeeBps: 'makerFeeBps',
} as const;

// Safe: the keys of an object literal are those of its type.
const names = Object.keys(NAMES) as (keyof typeof NAMES)[];
const fees = Object.entries(FEES);
const others = [...TERMS, ...Object.keys(FEES)];

/**
 * The values of a fill, in the order of the columns. All ids and addresses are one text, without
 * their 0x: five texts, or buffers, take longer to send and to read.
 */
export type FillValues = readonly [
  seq: number,
  ordinal: number,
  names: string,
  ...(number | string)[],
];

export const FILL_VALUES = 3 + others.length;

function unhexed(): string[] {
  let from = 1;
  return names.map((name) => {
    const sql = `unhex(substr(names, ${from}, ${NAMES[name]}))`;
    from += NAMES[name];
    return sql;
  });
}

function listed(columns: readonly string[]): string {
  return columns.map(snakeCase).join(', ');
}

/** Inserts a row, given its values. */
export const INSERT_FILL = `
INSERT INTO fills (seq, ordinal, ${listed(names)}, ${listed(others)})
SELECT seq, ordinal, ${unhexed().join(', ')}, ${listed(others)}
FROM (SELECT ${['seq', 'ordinal', 'names', ...others].map((name) => `? AS ${snakeCase(name)}`)})`;

export const FILL_COLUMNS = `seq, ordinal,
  lower(${names.map((name) => `hex(${snakeCase(name)})`).join(' || ')}), ${listed(others)}`;

export function fillValues(seq: number, ordinal: number, fill: Fill): FillValues {
  return [
    seq,
    ordinal,
    names.map((name) => fill[name].slice(2)).join(''),
    ...TERMS.map((name) => fill[name]),
    ...fees.map(([, name]) => fill.fees?.[name] ?? 0),
  ];
}

/** The fields of a fill by the names of its columns. */
export type FillFields = Readonly<Record<string, number | string>> & {
  readonly seq: number;
  readonly ordinal: number;
};

export function fillFields([seq, ordinal, text, ...values]: FillValues): FillFields {
  const fields: Record<string, number | string> = {};
  let from = 0;
  for (const name of names) {
    fields[name] = `0x${text.slice(from, from + NAMES[name])}`;
    from += NAMES[name];
  }
  for (const [index, name] of others.entries()) fields[name] = values[index] ?? 0;
  return { seq, ordinal, ...fields };
}

/** Where neither order was charged anything, the row does not say whether it had fees. */
export function fillEvent(values: FillValues): Fill {
  const fields = fillFields(values);
  const pick = (entries: readonly (readonly [string, string])[]) =>
    Object.fromEntries(entries.map(([column, name]) => [name, fields[column]]));
  const event = pick([...names, ...TERMS].map((name) => [name, name]));
  const charged = fees.some(([column]) => fields[column] !== 0) && { fees: pick(fees) };
  // Safe: `fillValues` wrote the row, and it has a value for each field of the event.
  return { kind: 'fill', ...event, ...charged } as unknown as Fill;
}
