/** Finds the first difference between two JSON values. */

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * The path of the first difference, such as `markets.3.slug`, in the order of the keys of
 * `requested`; undefined for equal values. Lists of different lengths differ as a whole.
 */
export function firstDifference(requested: unknown, stored: unknown): string | undefined {
  if (!isContainer(requested) || !isContainer(stored)) return requested === stored ? undefined : '';
  const names = Object.keys(requested);
  if (Array.isArray(requested) && names.length !== Object.keys(stored).length) return '';
  for (const name of new Set([...names, ...Object.keys(stored)])) {
    const rest = firstDifference(requested[name], stored[name]);
    if (rest !== undefined) return rest === '' ? name : `${name}.${rest}`;
  }
  return undefined;
}
