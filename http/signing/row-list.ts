/** Lists of records in files of the settings (`--domains`, `--wallets`), checked field by field. */
import { parseAddress } from './address.ts';

/** What a field must be, in words and as a check. Not typebox: verifier threads load this file. */
type Rule = readonly [must: string, check: (value: unknown) => boolean];

export interface RowList<Row> {
  /** The place in messages, such as `domains`. */
  readonly place: string;
  /** What the rows are, such as `signing domains`. */
  readonly noun: string;
  readonly most: number;
  readonly rules: Readonly<Record<keyof Row, Rule>>;
  /** The values of fields that a row may leave out. */
  readonly defaults: Partial<Row>;
}

export const ADDRESS_RULE: Rule = [
  'an address: 0x and 40 hex digits, all lower case or with a correct EIP-55 checksum',
  (value) => typeof value === 'string' && parseAddress(value).ok,
];

/** `null`, or as another rule says. */
export function orNull([must, check]: Rule): Rule {
  return [`null or ${must}`, (value) => value === null || check(value)];
}

export function oneOf(...words: readonly string[]): Rule {
  const must = words.map((word) => JSON.stringify(word)).join(' or ');
  return [must, (value) => typeof value === 'string' && words.includes(value)];
}

function parseRow<Row>(entry: unknown, place: string, { rules, defaults }: RowList<Row>): Row {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw new Error(`${place} is ${JSON.stringify(entry)}; it must be an object`);
  }
  const record: Readonly<Record<string, unknown>> = { ...defaults, ...entry };
  const unknown = Object.keys(record).find((key) => !Object.hasOwn(rules, key));
  if (unknown !== undefined) {
    const actual = JSON.stringify(record[unknown]);
    const names = Object.keys(rules).join(', ');
    throw new Error(
      `${place}.${unknown} is ${actual}, which is not a known field; the fields are ${names}`,
    );
  }
  for (const [field, [must, check]] of Object.entries<Rule>(rules)) {
    if (check(record[field])) continue;
    throw new Error(`${place}.${field} is ${JSON.stringify(record[field])}; it must be ${must}`);
  }
  // Safe: each field has passed its check.
  return record as Row;
}

/** Parses a list. Throws an Error that names the index, field and value. */
export function parseRows<Row>(json: unknown, list: RowList<Row>): Row[] {
  const { place, noun, most } = list;
  if (!Array.isArray(json)) throw new Error(`the ${noun} must be an array of objects`);
  if (json.length === 0 || json.length > most) {
    throw new Error(`there are ${json.length} ${noun}; there must be 1 to ${most}`);
  }
  return json.map((entry, index) => parseRow(entry, `${place}[${index}]`, list));
}
