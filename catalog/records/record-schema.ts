/** Checks one JSON record of unknown content against a compiled schema. */
import { Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { CATALOG_BOUNDS, describeValue, type RefusalList } from '../model/index.ts';
import type { RecordField } from './fields.ts';

/** A value of an import, and where its faults are reported. */
export interface Candidate {
  readonly value: unknown;
  readonly path: string;
  readonly refusals: RefusalList;
}

type Fields = Readonly<Record<string, RecordField<unknown>>>;

type Stored<Named extends Fields> = {
  readonly [Name in keyof Named]: ReturnType<Named[Name]['stored']>;
};

export interface CheckedRecord<Columns extends Fields, Others extends Fields> {
  readonly row: Stored<Columns> & {
    /** The fields that the schema does not name, as a JSON object. They are stored as they came. */
    readonly record: string;
  };
  readonly others: Stored<Others>;
}

/** Checks records: `columns` are fields that have a column, `others` are fields that have none. */
export class RecordSchema<Columns extends Fields, Others extends Fields> {
  readonly #columns: readonly [string, RecordField<unknown>][];
  readonly #others: readonly [string, RecordField<unknown>][];
  readonly #fields: ReadonlyMap<string, RecordField<unknown>>;
  #validator: Validator | undefined;

  constructor(columns: Columns, others: Others) {
    this.#columns = Object.entries(columns);
    this.#others = Object.entries(others);
    this.#fields = new Map([...this.#columns, ...this.#others]);
  }

  /** Undefined for a record that is refused: each field at fault is added to the refusals. */
  check(candidate: Candidate): CheckedRecord<Columns, Others> | undefined {
    const { value, path, refusals } = candidate;
    this.#validator ??= this.#compile();
    if (!this.#validator.Check(value)) {
      this.#refuse(candidate, this.#validator);
      return undefined;
    }
    // Safe: the validator has just accepted it.
    const given = value as Readonly<Record<string, unknown>>;
    const further = Object.entries(given).filter(([name]) => !this.#fields.has(name));
    const record = further.length === 0 ? '{}' : JSON.stringify(Object.fromEntries(further));
    if (record.length <= CATALOG_BOUNDS.recordChars) {
      const row = storedOf(this.#columns, given);
      row.record = record;
      // Safe: both have what each field stores.
      return { row, others: storedOf(this.#others, given) } as CheckedRecord<Columns, Others>;
    }
    const limit = `at most ${CATALOG_BOUNDS.recordChars} characters of further fields`;
    refusals.add(path, limit, `${record.length} characters`);
    return undefined;
  }

  #compile(): Validator {
    const schemas = Array.from(this.#fields, ([name, { schema }]) => [name, schema]);
    return Compile(Type.Object(Object.fromEntries(schemas)));
  }

  #refuse({ value, path, refusals }: Candidate, validator: Validator): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      refusals.add(path, 'an object', describeValue(value));
      return;
    }
    const names = validator.Errors(value).flatMap(({ keyword, params, instancePath }) => {
      const isMissing = keyword === 'required' && instancePath === '';
      return isMissing ? params.requiredProperties : [instancePath.split('/')[1] ?? ''];
    });
    const values: Readonly<Record<string, unknown>> = { ...value };
    for (const name of new Set(names)) {
      const limit: unknown = Object(this.#fields.get(name)?.schema).description;
      refusals.add(`${path}.${name}`, `${limit}`, describeValue(values[name] ?? undefined));
    }
  }
}

/** Loops over a list that is made once, because an import checks millions of fields. */
function storedOf(
  fields: readonly (readonly [string, RecordField<unknown>])[],
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const stored: Record<string, unknown> = {};
  // Safe: the schema of each field has accepted its value.
  for (const [name, field] of fields) stored[name] = field.stored(given[name] as never);
  return stored;
}

/** Reads each element of an array field. A field of another form was refused before. */
export function readList<Row>(
  { value, path, refusals }: Candidate,
  { name, most }: { readonly name: string; readonly most: number },
  read: (element: Candidate) => Row | undefined,
): Row[] {
  const elements: unknown = Object(value)[name];
  if (!Array.isArray(elements) || elements.length > most) return [];
  return elements
    .map((element: unknown, index) =>
      read({ value: element, path: `${path}.${name}[${index}]`, refusals }),
    )
    .filter((row) => row !== undefined);
}
