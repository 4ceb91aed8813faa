/** Where two values that JSON can hold differ first. */

function isHolder(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * The path of the first difference, with points between its steps, in the order of the keys of
 * `asked`; undefined for equal values. A list of another length differs as a whole.
 */
export function firstDifference(asked: unknown, stored: unknown): string | undefined {
  if (!isHolder(asked) || !isHolder(stored)) return asked === stored ? undefined : '';
  const names = Object.keys(asked);
  const isOtherShape = names.length !== Object.keys(stored).length;
  if (isOtherShape && Array.isArray(asked)) return '';
  for (const name of new Set([...names, ...Object.keys(stored)])) {
    const rest = firstDifference(asked[name], stored[name]);
    if (rest !== undefined) return rest === '' ? name : `${name}.${rest}`;
  }
  return undefined;
}
