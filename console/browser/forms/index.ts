/**
 * Forms that are made from the schemas of the exchange's own description, so that a form never
 * lacks a field that its route has.
 *
 * Invariant: what was entered stays until the exchange has accepted it, and a field that it refuses
 * is marked with the reason.
 */
export type { Draft, DraftGroup } from './body-value.ts';
export type { FieldWords } from './part.tsx';
export { SchemaForm } from './schema-form.tsx';
