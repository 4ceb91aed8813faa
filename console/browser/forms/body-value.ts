/**
 * What a form of a schema keeps, and the body that it sends.
 *
 * Invariant: a property that was left empty is not sent, so the exchange applies its default.
 */
import type { BodySchema } from '../wire/index.ts';

/** What a person has entered: texts, switches, lists and groups of them. */
export type Draft = string | boolean | readonly Draft[] | DraftGroup;

export interface DraftGroup {
  readonly [name: string]: Draft;
}

export function isGroup(draft: Draft | undefined): draft is DraftGroup {
  return typeof draft === 'object' && !Array.isArray(draft);
}

/**
 * The value of a draft as the body has it; undefined for what was left empty. Numbers that can't be
 * read stay texts: the exchange then names the field.
 */
export function bodyValueOf(schema: BodySchema, draft: Draft | undefined): unknown {
  if (schema.const !== undefined) return schema.const;
  if (draft === undefined || draft === '') return undefined;
  if (Array.isArray(draft)) {
    const items = draft.map((item) => bodyValueOf(schema.items ?? {}, item));
    return items.length === 0 ? undefined : items.filter((item) => item !== undefined);
  }
  if (isGroup(draft)) {
    const entries = Object.entries(schema.properties ?? {})
      .map(([name, property]) => [name, bodyValueOf(property, draft[name])] as const)
      .filter(([, value]) => value !== undefined);
    return entries.length === 0 ? undefined : Object.fromEntries(entries);
  }
  if (schema.type === 'boolean' && typeof draft === 'string') return draft === 'true';
  const isNumber = ['number', 'integer'].includes(schema.type ?? typeof schema.enum?.[0]);
  return isNumber && !Number.isNaN(Number(draft)) ? Number(draft) : draft;
}
