// The pictures of the built-in catalog: small files of our own beside this one, read once.
// Invariant: a name is one of a closed list, so nobody's path is ever opened.

import { readFileSync } from 'node:fs';

const NAMES = [
  'politics',
  'sports',
  'crypto',
  'weather',
  'economy',
  'culture',
  'science',
  'house',
  'otter',
  'heron',
] as const;
export type BuiltinImage = (typeof NAMES)[number];

/** Where the exchange serves them: below its own address. */
export function imagePath(name: BuiltinImage): string {
  return `/images/${name}.svg`;
}

const files = new Map<string, Buffer>();

/** The SVG of a file's name, such as `weather.svg`; undefined for any other name. */
export function builtinImage(file: string): Buffer | undefined {
  const name = NAMES.find((one) => file === `${one}.svg`);
  if (name === undefined) return undefined;
  const known = files.get(name) ?? readFileSync(new URL(`./images/${name}.svg`, import.meta.url));
  files.set(name, known);
  return known;
}
