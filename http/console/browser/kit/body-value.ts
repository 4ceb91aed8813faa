/**
 * What a form of a schema keeps, and the body that it sends.
 *
 * Invariant: a property that was left empty is not sent, so the exchange applies its default.
 */
import type { BodySchema } from '../wire/index.ts';

/** What a person has entered: texts, switches, lists and groups of them. */
export type Draft = string | boolean | readonly Draft[] | { readonly [name: string]: Draft };

/** The name of a property as a label: `taker_fee_bps` is "Taker fee bps". */
export function labelOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function isGroup(draft: Draft | undefined): draft is { readonly [name: string]: Draft } {
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
  const isNumber = ['number', 'integer'].includes(schema.type ?? typeof schema.enum?.[0]);
  return isNumber && !Number.isNaN(Number(draft)) ? Number(draft) : draft;
}
