/** Which field of a form is wrong: one that was left empty, or the one that a refusal names. */
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

/** The first required field that is empty, also within a group that was not left out. */
export function missingIn(
  schema: BodySchema,
  draft: Draft | undefined,
  path = '',
): FieldFault | undefined {
  if (Array.isArray(draft)) {
    const faults = draft.map((item, index) =>
      missingIn(schema.items ?? {}, item, joined(path, index)),
    );
    return faults.find((fault) => fault !== undefined);
  }
  if (!isGroup(draft)) return undefined;
  const { properties = {}, required = [] } = schema;
  for (const [name, property] of Object.entries(properties)) {
    const value = draft[name];
    const at = joined(path, name);
    const isEmpty = value === undefined || value === '';
    if (isEmpty && required.includes(name) && property.const === undefined) {
      if (property.type !== 'boolean') return { path: at, text: 'Fill this in.' };
    }
    const inner = missingIn(property, value, at);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** The field that a refusal names, with what it must be. */
export function faultIn(refusal: unknown): FieldFault | undefined {
  if (!(refusal instanceof ExchangeError)) return undefined;
  const { field, limit } = refusal.facts;
  if (typeof field !== 'string') return undefined;
  if (limit === undefined) return { path: field, text: `${refusal.message}.` };
  const isPattern = String(limit).startsWith('^');
  const must = isPattern
    ? 'It is too long, or has characters that it must not have'
    : String(limit);
  return { path: field, text: `${refusal.message}: ${must}.` };
}
