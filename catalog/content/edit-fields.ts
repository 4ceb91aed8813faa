/**
 * The fields of catalog records that the operator may edit: how each is checked, and how and where
 * it is stored. Fields of a market that the engine owns (token ids, terms, state) can't be edited.
 * Bounds: CATALOG_BOUNDS.
 */
import { Type } from 'typebox';
import { CATALOG_BOUNDS, type CatalogEdit } from '../model/index.ts';
import {
  date,
  flag,
  line,
  prose,
  type RecordField,
  requiredLine,
  webAddress,
} from '../records/fields.ts';
import { RecordSchema } from '../records/record-schema.ts';

/** A column, a member of the `record` column, or a list of slugs or sites in its own table. */
export type EditPlace = 'column' | 'member' | 'tags' | 'series' | 'sites';

export interface EditField extends RecordField<unknown> {
  readonly place: EditPlace;
}

const { tagsAnEvent, seriesAnEvent } = CATALOG_BOUNDS;

function column(field: RecordField<unknown>): EditField {
  return { place: 'column', ...field };
}

const shortText = column(line);
const name = column(requiredLine);
const address = column(webAddress);
const time = column(date);
const state = column(flag(false));

function names(place: EditPlace, maxItems: number): EditField {
  const element = Type.Refine(Type.String(), (text) => text !== '' && text.length <= 300);
  return {
    place,
    schema: Type.Array(element, { maxItems, description: `at most ${maxItems} texts` }),
    stored: (texts: readonly string[]) => [...new Set(texts)],
  };
}

const SHARED = {
  description: column(prose),
  resolutionSource: address,
  image: address,
  icon: address,
  startDate: time,
  endDate: time,
} as const;

type Fields = Readonly<Record<string, EditField>>;

export const EDIT_FIELDS: Readonly<Record<CatalogEdit['kind'], Fields>> = {
  event: {
    title: name,
    ticker: shortText,
    creationDate: time,
    creator: shortText,
    archived: state,
    featured: { place: 'member', schema: flag(false).schema, stored: (value) => value === true },
    tags: names('tags', tagsAnEvent),
    series: names('series', seriesAnEvent),
    ...SHARED,
  },
  market: { question: name, groupItemTitle: shortText, ...SHARED },
  series: {
    title: name,
    ticker: shortText,
    seriesType: shortText,
    recurrence: shortText,
    image: address,
    icon: address,
    active: state,
    closed: state,
    archived: state,
  },
  tag: { label: name, requiresTranslation: state },
  creator: {
    creatorName: shortText,
    creatorHandle: shortText,
    creatorUrl: address,
    creatorImage: address,
    wallet: shortText,
    sites: names('sites', tagsAnEvent),
  },
};

function schemaOf(fields: Fields) {
  const some = Object.entries(fields).map(([field, kind]) => [
    field,
    { ...kind, schema: Type.Optional(kind.schema) },
  ]);
  return new RecordSchema(Object.fromEntries(some), {});
}

export const EDIT_SCHEMAS: Readonly<Record<CatalogEdit['kind'], ReturnType<typeof schemaOf>>> = {
  event: schemaOf(EDIT_FIELDS.event),
  market: schemaOf(EDIT_FIELDS.market),
  series: schemaOf(EDIT_FIELDS.series),
  tag: schemaOf(EDIT_FIELDS.tag),
  creator: schemaOf(EDIT_FIELDS.creator),
};

export const EDIT_TABLES: Readonly<Record<CatalogEdit['kind'], string>> = {
  event: 'events',
  market: 'markets',
  series: 'series',
  tag: 'tags',
  creator: 'creators',
};
