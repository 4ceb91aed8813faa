/** Checks one JSON record of unknown content against a compiled schema. */
import { type Static, type TObject, type TProperties, Type } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { CATALOG_BOUNDS, describeValue, type RefusalList } from '../model/index.ts';

/** A value of an import, and where its faults are reported. */
export interface Candidate {
  readonly value: unknown;
  readonly path: string;
  readonly refusals: RefusalList;
}

export interface CheckedRecord<Properties extends TProperties> {
  readonly fields: Static<TObject<Properties>>;
  /** The fields that the schema does not name, as a JSON object. They are stored as they came. */
  readonly record: string;
}

export class RecordSchema<Properties extends TProperties> {
  readonly #schema: TObject<Properties>;
  #validator: Validator | undefined;

  constructor(properties: Properties) {
    this.#schema = Type.Object(properties);
  }

  /** Undefined for a record that is refused: each field at fault is added to the refusals. */
  check(candidate: Candidate): CheckedRecord<Properties> | undefined {
    const { value, path, refusals } = candidate;
    this.#validator ??= Compile(this.#schema);
    if (!this.#validator.Check(value)) {
      this.#refuse(candidate, this.#validator);
      return undefined;
    }
    // Safe: the validator has just accepted it.
    const fields = value as Static<TObject<Properties>> & object;
    const others = Object.entries(fields).filter(([name]) => !this.#isKnown(name));
    const record = others.length === 0 ? '{}' : JSON.stringify(Object.fromEntries(others));
    if (record.length <= CATALOG_BOUNDS.recordChars) return { fields, record };
    const limit = `at most ${CATALOG_BOUNDS.recordChars} characters of further fields`;
    refusals.add(path, limit, `${record.length} characters`);
    return undefined;
  }

  #isKnown(name: string): boolean {
    return Object.hasOwn(this.#schema.properties, name);
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
      const limit: unknown = Object(this.#schema.properties[name]).description;
      refusals.add(`${path}.${name}`, `${limit}`, describeValue(values[name] ?? undefined));
    }
  }
}

/** Reads each element of an array field. A field that is no such array was refused before. */
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
