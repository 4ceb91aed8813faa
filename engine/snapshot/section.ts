/**
 * An image is a row of sections, each of so many records or rows of one kind, in parts of its name.
 * A section writes what it is about from a `Core` and puts it back into another, by the functions
 * that commands use too. Invariant: what can be reckoned from the rest is not written twice.
 */

import { NONE, writeOrderId } from '../book/index.ts';
import type { Bounds } from '../model/index.ts';
import { SnapshotError } from '../model/index.ts';
import type { Core, OrderSchedule } from '../state/index.ts';
import { columnParts, type Layout, readColumns } from './columns.ts';
import { type Field, ImageRecord, readRecords, recordParts } from './records.ts';

/** A state that is put back section by section. */
export interface Restoring {
  readonly core: Core;
  /** What orders are charged by, each once. */
  readonly schedules: OrderSchedule[];
  /** Markets that wait to be paid, in order. */
  readonly redeeming: Set<number>;
  /** How many orders rest: they have the first handles. */
  readonly restingOrders: number;
}

export interface Section {
  /** Of its parts. */
  readonly name: string;
  /** How many there can be. */
  readonly most: (bounds: Bounds) => number;
  readonly count: (core: Core) => number;
  readonly write: (core: Core) => Iterable<Uint8Array>;
  /** Begins to read; what it returns takes the parts. */
  readonly read: (restoring: Restoring) => TakePart;
}

/** Puts back what a part holds, behind `index` that are there; returns how many those are. */
export type TakePart = (bytes: Uint8Array, index: number) => number;

interface RecordForm extends Pick<Section, 'name' | 'most' | 'count'> {
  readonly records: (core: Core) => Iterable<readonly Field[]>;
  readonly begin: (restoring: Restoring) => (record: ImageRecord, index: number) => void;
}

/** One of records. */
export function recordSection({ records, begin, ...rest }: RecordForm): Section {
  return {
    ...rest,
    write: (core) => recordParts(records(core)),
    read: (restoring) => {
      const put = begin(restoring);
      return (bytes, index) => {
        const list = readRecords(bytes, rest.name);
        for (const [place, fields] of list.entries()) {
          const record = new ImageRecord(`${rest.name} ${index + place}`, fields);
          put(record, index + place);
          record.end();
        }
        return list.length;
      };
    },
  };
}

interface ColumnForm<Columns> extends Pick<Section, 'name' | 'most' | 'count'> {
  readonly layout: Layout<Columns>;
  /** Called only if there are some; what it returns fills a row with the one of that index. */
  readonly writer: (core: Core) => (columns: Columns, row: number, index: number) => void;
  /** What it returns puts back what a row holds. */
  readonly reader: (restoring: Restoring) => (columns: Columns, row: number, index: number) => void;
}

/** One of columns. */
export function columnSection<Columns>(form: ColumnForm<Columns>): Section {
  const { layout, writer, reader, name, most, count } = form;
  return {
    name,
    most,
    count,
    write: (core) => (count(core) === 0 ? [] : columnParts(layout, count(core), writer(core))),
    read: (restoring) => {
      const put = reader(restoring);
      return (bytes, index) => {
        const { rows, columns } = readColumns(layout, bytes, name);
        for (let row = 0; row < rows; row += 1) put(columns, row, index + row);
        return rows;
      };
    },
  };
}

/** Throws ImageError unless it holds. The sentence is put together only then: rows are many. */
export function need(
  holds: boolean,
  name: string,
  index: number,
  fault: string,
  value: string | number = '',
): asserts holds {
  if (!holds) throw new SnapshotError(`${name} ${index}: ${fault} ${value}`.trimEnd());
}

/** The same for the order id in hand: that no order has it yet. */
export function needNewId({ ids, idWords }: Core, name: string, index: number): void {
  if (ids.find(idWords) === NONE) return;
  need(false, name, index, 'there already is', writeOrderId(idWords, 0));
}
