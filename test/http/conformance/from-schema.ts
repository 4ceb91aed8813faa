// Values that fit a schema of the document, and the same values with something wrong in them.
import fc from 'fast-check';
import { isJsonObject, type Json, type JsonObject } from '../../../http/documentation/schema.ts';
import { hostileValue } from './hostile.ts';

/** Existing values for parameters and keys of a name, so that requests get past "not found". */
export type Pool = (name: string) => readonly string[];

function readNumericId(schema: JsonObject, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

function schemasIn(schema: JsonObject, keyword: string): readonly JsonObject[] {
  const parts = schema[keyword];
  return Array.isArray(parts) ? parts.filter(isJsonObject) : [];
}

const MAX_ITEMS = 4;
const DEFAULT_RANGE = 1_000;

function texts(schema: JsonObject, name: string, pool: Pool): fc.Arbitrary<Json> {
  const real = pool(name);
  const random =
    typeof schema.pattern === 'string'
      ? fc.stringMatching(new RegExp(schema.pattern))
      : fc.string({
          unit: 'grapheme',
          minLength: readNumericId(schema, 'minLength') ?? 0,
          maxLength: Math.min(readNumericId(schema, 'maxLength') ?? 20, 20),
        });
  if (real.length === 0 || typeof schema.pattern === 'string') return random;
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...real) },
    { weight: 1, arbitrary: random },
  );
}

function numbers(schema: JsonObject): fc.Arbitrary<number> {
  const min = readNumericId(schema, 'minimum') ?? -DEFAULT_RANGE;
  const max = readNumericId(schema, 'maximum') ?? Math.max(min, 0) + DEFAULT_RANGE;
  return schema.type === 'integer'
    ? fc.integer({ min: Math.ceil(min), max: Math.min(max, Number.MAX_SAFE_INTEGER) })
    : fc.double({ min, max, noNaN: true });
}

function lists(schema: JsonObject, name: string, pool: Pool): fc.Arbitrary<Json> {
  const { items } = schema;
  const item = fromSchema(items !== undefined && isJsonObject(items) ? items : {}, name, pool);
  const minLength = readNumericId(schema, 'minItems') ?? 0;
  const most = readNumericId(schema, 'maxItems') ?? MAX_ITEMS;
  const maxLength = Math.max(minLength, Math.min(most, MAX_ITEMS));
  return fc.array(item, { minLength, maxLength });
}

function objects(schema: JsonObject, pool: Pool): fc.Arbitrary<Json> {
  const properties =
    schema.properties !== undefined && isJsonObject(schema.properties) ? schema.properties : {};
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [
      name,
      fromSchema(isJsonObject(part) ? part : {}, name, pool),
    ]),
  );
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  // `by` may be left out only where each operator has a token, and here they share one.
  const by = Object.hasOwn(model, 'by') ? ['by'] : [];
  return fc.record(model, { requiredKeys: [...required, ...by], noNullPrototype: true });
}

/** Values of a schema without references; `name` is that of the key or parameter they are for. */
export function fromSchema(schema: JsonObject, name: string, pool: Pool): fc.Arbitrary<Json> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom<Json>(...schema.enum);
  const members = schemasIn(schema, 'anyOf');
  if (members.length > 0) return fc.oneof(...members.map((one) => fromSchema(one, name, pool)));
  switch (schema.type) {
    case 'string':
      return texts(schema, name, pool);
    case 'integer':
    case 'number':
      return numbers(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return lists(schema, name, pool);
    case 'object':
      return objects(schema, pool);
    default:
      return hostileValue;
  }
}

type Step = string | number;
const MANY = 40;

/** Deeper places exist only in hostile values, not in schemas, and are not worth the time. */
const DEEPEST = 6;

/** Every place in a value, the value itself first. */
function placesIn(value: Json, place: readonly Step[] = []): (readonly Step[])[] {
  if (place.length === DEEPEST) return [place];
  const parts: [Step, Json][] = Array.isArray(value)
    ? value.map((item, index): [Step, Json] => [index, item])
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : [];
  return [place, ...parts.flatMap(([step, part]) => placesIn(part, [...place, step]))];
}

/** The value with `change` applied to the part at a place; undefined removes the part. */
function changedAt(
  value: Json,
  place: readonly Step[],
  change: (part: Json) => Json | undefined,
): Json | undefined {
  const [step, ...rest] = place;
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const changed = index === step ? changedAt(item, rest, change) : item;
      return changed === undefined ? [] : [changed];
    });
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, part]): [string, Json][] => {
    const changed = key === step ? changedAt(part, rest, change) : part;
    return changed === undefined ? [] : [[key, changed]];
  });
  return Object.fromEntries(entries);
}

const CHANGES = ['replace', 'remove', 'repeat', 'wrap', 'add'] as const;

interface Mutation {
  readonly where: number;
  readonly how: (typeof CHANGES)[number];
  readonly what: Json;
}

function changeOf({ how, what }: Mutation) {
  return (part: Json): Json | undefined => {
    switch (how) {
      case 'replace':
        return what;
      case 'remove':
        return undefined;
      case 'repeat':
        return Array.isArray(part) ? Array.from({ length: MANY }, () => part).flat() : [part, part];
      case 'wrap':
        return [part];
      case 'add':
        return isJsonObject(part) ? { ...part, [String(what)]: what } : what;
    }
  };
}

function mutate(value: Json, mutation: Mutation): Json {
  const places = placesIn(value);
  const place = places[mutation.where % places.length] ?? [];
  return changedAt(value, place, changeOf(mutation)) ?? null;
}

/** Values with one to three faults. */
export function faulty(values: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc
    .tuple(
      values,
      fc.array(
        fc.record({ where: fc.nat(500), how: fc.constantFrom(...CHANGES), what: hostileValue }),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([value, mutations]) => mutations.reduce(mutate, value));
}
