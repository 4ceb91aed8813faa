/**
 * Leaves points out of a line that has too many, so that it looks the same.
 *
 * Each of several parts of the line keeps its lowest and its highest value: a short spike stays
 * visible. Invariant: the first and the last point stay, and so does the order.
 */

/** The places to keep, ascending, at most `most`. A column may have gaps (null). */
export function placesToKeep(
  columns: readonly (readonly (number | null)[])[],
  length: number,
  most: number,
): readonly number[] {
  if (length <= most) return Array.from({ length }, (_, place) => place);
  const kept = new Set([0, length - 1]);
  const parts = Math.max(1, Math.floor((most - 2) / (2 * Math.max(1, columns.length))));
  for (let part = 0; part < parts; part += 1) {
    const start = Math.floor((part * length) / parts);
    const end = Math.floor(((part + 1) * length) / parts);
    for (const column of columns) {
      for (const place of extremes(column, start, end)) kept.add(place);
    }
  }
  return [...kept].sort((one, other) => one - other);
}

/** The places of the lowest and of the highest value; none where all are gaps. */
function extremes(column: readonly (number | null)[], start: number, end: number): number[] {
  let lowest: number | undefined;
  let highest: number | undefined;
  for (let place = start; place < end; place += 1) {
    const value = column[place] ?? null;
    if (value === null) continue;
    if (lowest === undefined || value < (column[lowest] ?? 0)) lowest = place;
    if (highest === undefined || value > (column[highest] ?? 0)) highest = place;
  }
  return lowest === undefined || highest === undefined ? [] : [lowest, highest];
}
