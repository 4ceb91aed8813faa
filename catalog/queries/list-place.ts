/**
 * The place of a row in an order, and the clause that rows come after it. Invariant: NULL is less
 * than any value, as in SQLite's orders, and places are compared by value: rows that appear or
 * disappear before a place move nothing. Pure.
 */
import assert from 'node:assert';
import type { ListPlace } from '../model/index.ts';
import { columnText, type ListTable, type OrderColumn } from './list-tables.ts';

export interface PlaceSearch {
  readonly ascending: boolean;
  /** The values of the order's fields, and then the id. */
  readonly after?: ListPlace | undefined;
}

export function placeValues({ after = [] }: PlaceSearch): Record<string, unknown> {
  return Object.fromEntries(after.map((value, index) => [`after${index}`, value]));
}

/**
 * The clause that one value of a row follows that of the place, and the values before it are the
 * same. None if the search has no place. `textOf`: a key as SQL, or the value of a known flag.
 */
export function afterPlace(
  { after, ascending }: PlaceSearch,
  keys: readonly OrderColumn[],
  textOf: (key: OrderColumn) => string,
): readonly string[] {
  if (after === undefined) return [];
  assert(after.length === keys.length, `the place must have ${keys.length} values`);
  const [follows, from] = ascending ? ['>', '>='] : ['<', '<='];
  const first = keys.find(({ of }) => of !== 'flag');
  const clause = keys.reduceRight((rest, key, index) => {
    const [text, value, bound] = [textOf(key), after[index] ?? null, `@after${index}`];
    if (key.of === 'id') return `${text} ${follows} ${bound}`;
    if (key.of === 'flag' && (text === '0' || text === '1')) {
      if (text === `${value}`) return rest;
      return (text === '1') === ascending ? 'TRUE' : 'FALSE';
    }
    const isSame = `${text} IS ${bound} AND ${rest}`;
    if (value === null) return ascending ? `(${text} IS NOT NULL OR ${isSame})` : `(${isSame})`;
    const mayBeNull = !ascending && key.of === 'row';
    const isLater = `${text} ${follows} ${bound}${mayBeNull ? ` OR ${text} IS NULL` : ''}`;
    // The range lets the index begin at the place.
    const range = key === first && !mayBeNull ? `${text} ${from} ${bound} AND ` : '';
    return `${range}(${isLater} OR (${isSame}))`;
  }, '');
  return [clause];
}

/** Selects the place of the row of an id, value by value. */
export function placeSql(
  { table, figures, figuresId }: ListTable,
  keys: readonly OrderColumn[],
): string {
  const values = keys.map((key, index) => `${columnText(key)} AS k${index}`);
  return `SELECT ${values.join(', ')}
    FROM ${table} m CROSS JOIN ${figures} f ON f.${figuresId} = m.id WHERE m.id = ?`;
}
