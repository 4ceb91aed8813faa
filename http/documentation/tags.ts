/** The areas by which the document groups its routes. */
import areas from './openapi/areas.json' with { type: 'json' };
import type { JsonObject } from './schema.ts';

interface Area {
  readonly name: string;
  readonly description: string;
  /** The first segments of its paths; two where one is not enough. */
  readonly segments: readonly string[];
}

const PUBLIC_AREAS: readonly Area[] = areas;

/** The area of a path of the public listener; undefined for a path without an area. */
export function publicTagOf(path: string): string | undefined {
  const [first = '', second = ''] = path.split('/').slice(1);
  const starts = [first === '' ? '/' : first, `${first}/${second}`];
  return PUBLIC_AREAS.find(({ segments }) => starts.some((start) => segments.includes(start)))
    ?.name;
}

export const PUBLIC_TAGS: readonly JsonObject[] = PUBLIC_AREAS.map(({ name, description }) => ({
  name,
  description,
}));
export const OPERATOR_TAG = {
  name: 'Operator',
  description: 'Accounts, money, markets and audits',
} as const satisfies JsonObject;
