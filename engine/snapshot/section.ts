/**
 * A snapshot is a sequence of sections. A section is a number of records or rows of one kind, in
 * parts that have its name. It writes its records from one EngineState and puts them into another
 * with the functions that commands use. Invariant: data that other records imply is not written.
 */

import { ID_WORDS, NONE, writeOrderId } from '../book/index.ts';
import type { OrderSchedule } from '../fees/order-fees.ts';
import { type Bounds, SnapshotError } from '../model/index.ts';
import type { EngineState } from '../state/engine-state.ts';
import { columnParts, type Layout, readColumns } from './columns.ts';
import { type Field, RecordReader, readRecords, recordParts } from './records.ts';

export interface Restoring {
  readonly state: EngineState;
  /** The fee schedules of live orders. */
  readonly schedules: OrderSchedule[];
  /** Indexes of markets in automatic redemption, in order. */
  readonly redeeming: Set<number>;
  /** Number of resting orders; their handles count from 0. */
  readonly restingOrders: number;
  readonly positionCount: number;
}

export interface Section {
  readonly name: string;
  /** The maximum number of records. */
  readonly maximum: (bounds: Bounds) => number;
  readonly count: (state: EngineState) => number;
  readonly write: (state: EngineState) => Iterable<Uint8Array>;
  /** Starts reading and returns the function that takes the parts. */
  readonly read: (restoring: Restoring) => TakePart;
}

/** Restores the records of a part; `index` is the first one's place. Returns their number. */
export type TakePart = (bytes: Uint8Array, index: number) => number;

interface RecordForm extends Pick<Section, 'name' | 'maximum' | 'count'> {
  readonly records: (state: EngineState) => Iterable<readonly Field[]>;
  readonly begin: (restoring: Restoring) => (record: RecordReader, index: number) => void;
}

/** A section of JSON records. */
export function recordSection({ records, begin, ...rest }: RecordForm): Section {
  return {
    ...rest,
    write: (state) => recordParts(records(state)),
    read: (restoring) => {
      const put = begin(restoring);
      return (bytes, index) => {
        const list = readRecords(bytes, rest.name);
        for (const [place, fields] of list.entries()) {
          const record = new RecordReader(`${rest.name} ${index + place}`, fields);
          put(record, index + place);
          record.end();
        }
        return list.length;
      };
    },
  };
}

interface ColumnForm<Columns> extends Pick<Section, 'name' | 'maximum' | 'count'> {
  readonly layout: Layout<Columns>;
  /** Returns the function that fills a row with the record of an index. */
  readonly writer: (state: EngineState) => (columns: Columns, row: number, index: number) => void;
  /** Returns the function that restores the record of a row. */
  readonly reader: (restoring: Restoring) => (columns: Columns, row: number, index: number) => void;
}

/** A section of columns. */
export function columnSection<Columns>(form: ColumnForm<Columns>): Section {
  return partSection({
    ...form,
    reader: (restoring) => {
      const put = form.reader(restoring);
      return (columns, rows, index) => {
        for (let row = 0; row < rows; row += 1) put(columns, row, index + row);
      };
    },
  });
}

interface PartForm<Columns> extends Omit<ColumnForm<Columns>, 'reader'> {
  /** Returns the function that restores the records of a part; `index` is the first one's place. */
  readonly reader: (
    restoring: Restoring,
  ) => (columns: Columns, rows: number, index: number) => void;
}

/** A section of columns with so many rows that its reader takes a part at once. */
export function partSection<Columns>(form: PartForm<Columns>): Section {
  const { layout, writer, reader, name, maximum, count } = form;
  return {
    name,
    maximum,
    count,
    write: (state) => (count(state) === 0 ? [] : columnParts(layout, count(state), writer(state))),
    read: (restoring) => {
      const takeColumns = reader(restoring);
      return (bytes, index) => {
        const { rows, columns } = readColumns(layout, bytes, name);
        takeColumns(columns, rows, index);
        return rows;
      };
    },
  };
}

/**
 * Throws SnapshotError unless `holds`. Without `value`, `fault` is the whole sentence; otherwise it
 * names the field with that value. The sentence is built only for an error, since rows are many.
 */
export function need(
  holds: boolean,
  name: string,
  index: number,
  fault: string,
  value?: string | number,
): asserts holds {
  if (holds) return;
  const sentence = value === undefined ? fault : `${fault} must not be ${value}`;
  throw new SnapshotError(`${name} ${index}: ${sentence}`);
}

/**
 * Adds orders with the handles from `index` on to the table of ids; their ids are the first `rows`
 * in `words`. Throws SnapshotError if an earlier order has one of them.
 */
export function addNewIds(
  { ids }: EngineState,
  words: Int32Array,
  { name, rows, index }: { readonly name: string; readonly rows: number; readonly index: number },
): void {
  const repeated = ids.addAll(words, rows, index);
  if (repeated === NONE) return;
  const id = writeOrderId(words, repeated * ID_WORDS);
  throw new SnapshotError(`${name} ${index + repeated}: an earlier order has the id ${id}`);
}

/** Throws SnapshotError if an order has the id in `state.idWords`. */
export function needNewId({ ids, idWords }: EngineState, name: string, index: number): void {
  if (ids.find(idWords) === NONE) return;
  throw new SnapshotError(
    `${name} ${index}: an earlier order has the id ${writeOrderId(idWords, 0)}`,
  );
}
