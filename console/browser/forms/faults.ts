/** Which fields of a form are wrong: those that are empty, or the one that a refusal names. */
import { type BodySchema, ExchangeError } from '../wire/index.ts';
import { type Draft, isGroup } from './body-value.ts';

export interface FieldFault {
  /** From the body to the field, such as `markets.0.slug`. */
  readonly path: string;
  readonly text: string;
}

export function joined(path: string, name: string | number): string {
  return path === '' ? String(name) : `${path}.${name}`;
}

/** The required fields that are empty, also within groups that were not left out. */
export function missingIn(
  schema: BodySchema,
  draft: Draft | undefined,
  path = '',
): readonly FieldFault[] {
  if (Array.isArray(draft)) {
    return draft.flatMap((item, index) => missingIn(schema.items ?? {}, item, joined(path, index)));
  }
  if (!isGroup(draft)) return [];
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, property]) => {
    const value = draft[name];
    const at = joined(path, name);
    const isEmpty = value === undefined || value === '';
    const isWanted = required.includes(name) && property.const === undefined;
    if (isEmpty && isWanted && property.type !== 'boolean') {
      return [{ path: at, text: 'Fill this in.' }];
    }
    return missingIn(property, value, at);
  });
}

/** The field that a refusal names, with what it must be; none if it names none. */
export function faultsIn(refusal: unknown): readonly FieldFault[] {
  if (!(refusal instanceof ExchangeError)) return [];
  const { field, limit } = refusal.facts;
  if (typeof field !== 'string') return [];
  if (limit === undefined) return [{ path: field, text: `${refusal.message}.` }];
  const isPattern = String(limit).startsWith('^');
  const must = isPattern
    ? 'It is too long, or has characters that it must not have'
    : String(limit);
  return [{ path: field, text: `${refusal.message}: ${must}.` }];
}
