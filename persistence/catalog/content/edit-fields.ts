// Which fields of the catalog's records the operator edits, how each is read and where it is kept.
// What the engine owns of a market (token ids, terms, state) is none of them. By CATALOG_BOUNDS.

import type { CatalogEdit } from '../model/index.ts';
import { CATALOG_BOUNDS } from '../model/index.ts';
import {
  describeValue,
  type RecordReader,
  readDate,
  readFlag,
  readRequiredText,
  readText,
} from '../records/index.ts';

/** A member of the record, or a list of slugs or sites in a table of its own, or a column. */
export type EditPlace = 'column' | 'member' | 'tags' | 'series' | 'sites';

export interface EditField {
  readonly place: EditPlace;
  /** In the form in which it is stored. */
  readonly read: (reader: RecordReader, field: string) => unknown;
}

type Read = EditField['read'];

const { lineChars, addressChars, descriptionChars, tagsAnEvent, seriesAnEvent } = CATALOG_BOUNDS;

function column(read: Read): EditField {
  return { place: 'column', read };
}
const line = column((reader, field) => readText(reader, field, lineChars));
const name = column((reader, field) => readRequiredText(reader, field, lineChars));
const address = column((reader, field) => readText(reader, field, addressChars));
const prose = column((reader, field) => readText(reader, field, descriptionChars));
const date = column(readDate);
const flag = column((reader, field) => readFlag(reader, field, false));

function texts(most: number): Read {
  return (reader, field) => {
    const value = reader.take(field);
    const isText = (one: unknown) => typeof one === 'string' && one !== '' && one.length <= 300;
    if (Array.isArray(value) && value.length <= most && value.every(isText)) {
      return [...new Set<string>(value)];
    }
    reader.refuse(field, `at most ${most} texts`, describeValue(value));
    return [];
  };
}

const SHARED = {
  description: prose,
  resolutionSource: address,
  image: address,
  icon: address,
  startDate: date,
  endDate: date,
} as const;

type Fields = Readonly<Record<string, EditField>>;

/** By the kind of record. */
export const EDIT_FIELDS: Readonly<Record<CatalogEdit['kind'], Fields>> = {
  event: {
    title: name,
    ticker: line,
    creationDate: date,
    creator: line,
    archived: flag,
    featured: {
      place: 'member',
      read: (reader, field) => readFlag(reader, field, false) === 1,
    },
    tags: { place: 'tags', read: texts(tagsAnEvent) },
    series: { place: 'series', read: texts(seriesAnEvent) },
    ...SHARED,
  },
  market: { question: name, groupItemTitle: line, ...SHARED },
  series: {
    title: name,
    ticker: line,
    seriesType: line,
    recurrence: line,
    image: address,
    icon: address,
    active: flag,
    closed: flag,
    archived: flag,
  },
  tag: { label: name, requiresTranslation: flag },
  creator: {
    creatorName: line,
    creatorHandle: line,
    creatorUrl: address,
    creatorImage: address,
    wallet: line,
    sites: { place: 'sites', read: texts(tagsAnEvent) },
  },
};

export const EDIT_TABLES: Readonly<Record<CatalogEdit['kind'], string>> = {
  event: 'events',
  market: 'markets',
  series: 'series',
  tag: 'tags',
  creator: 'creators',
};
