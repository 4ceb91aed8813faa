// A small catalog with markets and events of every kind, and a plain filter over it: the oracle of
// the catalog's lists.

import fc from 'fast-check';
import { EVENT_ORDER_ALIASES, MARKET_ORDER_ALIASES } from '../../../catalog/model/index.ts';
import type { EventRangeKind, ListCondition } from '../../../catalog/model/queries.ts';
import type { ListSearch } from '../../../catalog/queries/list.ts';
import { eventRecord, hex, marketRecord } from '../fixture.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A market or event as the oracle sees it. */
export interface Listed {
  readonly id: number;
  /** The values that each condition compares. */
  readonly names: Readonly<Record<string, readonly (string | number)[]>>;
  /** The values to sort by, by the name of the order. */
  readonly keys: Readonly<Record<string, string | number>>;
  /** The values of ranges that no order has. */
  readonly ranges?: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, boolean>>;
}

const TAGS = [1, 2, 3].map((id) => ({ id: `${id}`, slug: `tag-${id}`, label: `Tag ${id}` }));
const SERIES = [1, 2].map((id) => ({ id: `${id}`, slug: `series-${id}`, title: `Series ${id}` }));
const CREATORS = ['', '0xAbCd', '0xffff'];
const EVENTS = 24;
const MARKETS_AN_EVENT = 3;

function dayOf(number: number): string {
  return `2027-0${1 + (number % 5)}-11T00:00:00Z`;
}

/** Every combination of flags, some dates missing, and many equal values. */
function stateOf(id: number): Fields {
  return {
    active: id % 2 === 0,
    closed: id % 3 === 0,
    archived: id % 5 === 0,
    ...(id % 4 === 0 ? {} : { endDate: dayOf(id), startDate: dayOf(id * 2) }),
    createdAt: dayOf(id * 3),
    updatedAt: dayOf(id + 1),
    ...(id % 3 === 0 ? { closedTime: dayOf(id * 7) } : {}),
    volume: id % 6,
    volume24hr: `${(id * 5) % 7}`,
    volume1wk: id % 8,
    volume1mo: (id * 3) % 8,
    volume1yr: (id * 5) % 9,
    liquidity: (id * 3) % 4,
  };
}

function tagsOf(eventId: number): number[] {
  return [1, 2, 3].filter((tag) => eventId % (tag + 1) === 0);
}
function seriesOf(eventId: number): number[] {
  return [1, 2].filter((one) => eventId % (one + 2) === 0);
}
function mirrorOf(id: number): string {
  return id % 4 === 1 ? hex(1_000 + id) : '';
}

function marketFields(id: number): Fields {
  return {
    ...stateOf(id),
    creator: CREATORS[id % 3] ?? '',
    question: `Question ${(id * 7) % 5}?`,
    ...(id % 3 === 0 ? {} : { questionID: hex(5_000 + (id % 7)) }),
    ...sourceFields(id),
    ...(id % 3 === 2 ? { umaResolutionStatus: id % 2 === 0 ? 'proposed' : 'resolved' } : {}),
    ...(mirrorOf(id) === '' ? {} : { mirrorConditionId: mirrorOf(id) }),
    ...(id % 3 === 1 ? {} : { competitive: (id % 4) / 4 }),
  };
}

/** Members that only some sources give, as texts or as numbers. */
function sourceFields(id: number): Record<string, string | number> {
  if (id % 2 === 0) return {};
  const game = 70 + (id % 3);
  return {
    gameId: id % 4 === 1 ? game : `${game}`,
    gameStartTime: dayOf(id * 5)
      .replace('T', ' ')
      .replace('Z', '+00'),
    sportsMarketType: id % 5 === 0 ? 'totals' : 'spreads',
    marketMakerAddress: `0xAA${id % 3}`,
  };
}

function valuesIn(id: number, name: string): string[] {
  const value = sourceFields(id)[name];
  return value === undefined ? [] : [`${value}`];
}

/** Members of some events on games, as texts or as numbers. A few name times with an offset. */
function gameFields(id: number): Record<string, string | number> {
  if (id % 3 !== 0) return {};
  const startTime = dayOf(id * 4);
  return {
    startTime: id % 2 === 0 ? startTime : startTime.replace('Z', '+00:00'),
    gameId: id % 2 === 0 ? 70 + (id % 4) : `${70 + (id % 4)}`,
    parentEventId: 1 + (id % 5),
    eventWeek: id % 4,
    eventDate: dayOf(id).slice(0, id % 2 === 0 ? 10 : undefined),
    featuredOrder: id % 7,
  };
}

function isTradable({ active, closed, archived }: Readonly<Record<string, boolean>>): boolean {
  return active === true && closed !== true && archived !== true;
}

function namesIn(fields: Readonly<Record<string, unknown>>, name: string): string[] {
  return fields[name] === undefined ? [] : [`${fields[name]}`];
}

function eventCreator(id: number): string {
  return CREATORS[(id + 1) % 3] ?? '';
}

function eventFields(id: number): Fields {
  return {
    ...stateOf(id + 1),
    ...gameFields(id),
    creator: eventCreator(id),
    title: `Title ${(id * 7) % 5}?`,
    ticker: `ticker-${(id * 11) % 4}`,
    creationDate: dayOf(id * 2 + 1),
    competitive: (id * 5) % 3,
    commentCount: (id * 7) % 6,
    featured: id % 5 === 2,
  };
}

function eventOf(marketId: number): number {
  return 1 + ((marketId - 1) % EVENTS);
}

/** Events in the form that an import takes. */
export const records: readonly Fields[] = Array.from({ length: EVENTS }, (_, index) => {
  const id = index + 1;
  const markets = Array.from({ length: MARKETS_AN_EVENT }, (_, nth) => {
    const market = id + nth * EVENTS;
    return marketRecord(market, marketFields(market));
  });
  return eventRecord(id, {
    ...eventFields(id),
    tags: TAGS.filter((tag) => tagsOf(id).includes(Number(tag.id))),
    series: SERIES.filter((one) => seriesOf(id).includes(Number(one.id))),
    markets,
  });
});

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
function flagsOf(fields: Fields): Record<string, boolean> {
  return {
    active: fields.active === true,
    closed: fields.closed === true,
    archived: fields.archived === true,
  };
}

/** The sort keys of markets and events alike. A missing date is less than any other. */
function sharedKeys(id: number, fields: Fields): Record<string, string | number> {
  return {
    id,
    startDate: text(fields.startDate),
    endDate: text(fields.endDate),
    createdAt: text(fields.createdAt),
    updatedAt: text(fields.updatedAt),
    closedTime: text(fields.closedTime),
    active: Number(fields.active),
    closed: Number(fields.closed),
    volume: Number(fields.volume),
    volume24hr: Number(fields.volume24hr),
    volume1wk: Number(fields.volume1wk),
    volume1mo: Number(fields.volume1mo),
    volume1yr: Number(fields.volume1yr),
    liquidity: Number(fields.liquidity),
  };
}

/** The values of fields that sort as others do. */
function aliasesOf(
  aliases: Readonly<Record<string, string>>,
  keys: Readonly<Record<string, string | number>>,
): Record<string, string | number> {
  return Object.fromEntries(Object.entries(aliases).map(([name, of]) => [name, keys[of] ?? '']));
}

export const markets: readonly Listed[] = Array.from(
  { length: EVENTS * MARKETS_AN_EVENT },
  (_, index) => {
    const id = index + 1;
    const fields = marketFields(id);
    const shared = sharedKeys(id, fields);
    const flags = flagsOf(fields);
    return {
      id,
      names: {
        id: [id],
        slug: [`market-${id}`],
        conditionId: [hex(id)],
        questionId: id % 3 === 0 ? [] : [hex(5_000 + (id % 7))],
        gameId: valuesIn(id, 'gameId'),
        // A market that may be traded here is shown as trading here goes.
        resolution: isTradable(flags) ? [] : namesIn(fields, 'umaResolutionStatus'),
        sportsType: valuesIn(id, 'sportsMarketType'),
        makerAddress: valuesIn(id, 'marketMakerAddress').map((address) => address.toLowerCase()),
        tokenId: [`${id}001`, `${id}002`],
        // A market without a creator has that of its event.
        creator: [(text(fields.creator) || eventCreator(eventOf(id))).toLowerCase()],
        eventId: [eventOf(id)],
        tagId: tagsOf(eventOf(id)),
      },
      keys: {
        ...shared,
        question: text(fields.question),
        slug: `market-${id}`,
        ...aliasesOf(MARKET_ORDER_ALIASES, shared),
        gameStartTime: text(fields.gameStartTime),
        competitive: Number(fields.competitive ?? 0),
      },
      flags: { ...flags, mirror: mirrorOf(id) !== '' },
    };
  },
);

export const events: readonly Listed[] = Array.from({ length: EVENTS }, (_, index) => {
  const id = index + 1;
  const fields = eventFields(id);
  const shared = sharedKeys(id, fields);
  return {
    id,
    names: {
      id: [id],
      slug: [`event-${id}`],
      creator: [text(fields.creator).toLowerCase()],
      tagId: tagsOf(id),
      seriesId: seriesOf(id),
      gameId: namesIn(fields, 'gameId'),
      parentEventId: namesIn(fields, 'parentEventId'),
      eventWeek: namesIn(fields, 'eventWeek'),
      eventDay: namesIn(fields, 'eventDate').map((day) => day.slice(0, 10)),
    },
    keys: {
      ...shared,
      ...aliasesOf(EVENT_ORDER_ALIASES, shared),
      title: text(fields.title),
      slug: `event-${id}`,
      ticker: text(fields.ticker),
      creationDate: text(fields.creationDate),
      commentCount: Number(fields.commentCount),
      competitive: Number(fields.competitive),
      startTime: text(fields.startTime ?? fields.startDate),
      featuredOrder: Number(fields.featuredOrder ?? Number.MAX_SAFE_INTEGER),
    },
    ranges: { gameTime: text(fields.startTime).replace('+00:00', 'Z') },
    flags: { ...flagsOf(fields), featured: fields.featured === true },
  };
});

function holds({ kind, anyOf }: ListCondition<string>, { names }: Listed): boolean {
  const values = anyOf.map((value) => `${value}`.toLowerCase());
  const isOf = (name: string): boolean =>
    (names[name] ?? []).some((value) => values.includes(`${value}`.toLowerCase()));
  return kind === 'exceptTagId' ? !isOf('tagId') : isOf(kind);
}

function isWithin(
  { kind, min, max }: { kind: EventRangeKind; min?: unknown; max?: unknown },
  { keys, ranges = {} }: Listed,
): boolean {
  const value = ranges[kind] ?? keys[kind] ?? '';
  // An unknown value is in no range.
  if (value === '' && (min !== undefined || max !== undefined)) return false;
  const isAbove = min === undefined || value >= (min as string | number); // as the oracle made it
  return isAbove && (max === undefined || value <= (max as string | number)); // as above
}

function compare(search: ListSearch, a: Listed, b: Listed): number {
  for (const order of [...search.order, 'id']) {
    const [first, second] = [a.keys[order] ?? '', b.keys[order] ?? ''];
    if (first !== second) return first < second === search.ascending ? -1 : 1;
  }
  return 0;
}

/** What a plain filter finds. */
export function oracle(listed: readonly Listed[], search: ListSearch): number[] {
  return listed
    .filter((one) => search.conditions.every((condition) => holds(condition, one)))
    .filter((one) => (search.ranges ?? []).every((range) => isWithin(range, one)))
    .filter(({ flags }) =>
      Object.entries(search.flags).every(([flag, is]) => is === undefined || flags[flag] === is),
    )
    .toSorted((a, b) => compare(search, a, b))
    .slice(search.offset, search.offset + search.limit)
    .map(({ id }) => id);
}

export const ALL: ListSearch = {
  conditions: [],
  flags: {},
  order: [],
  ascending: true,
  offset: 0,
  limit: 500,
};

/** Mostly undefined, so that most searches find something. */
const flag = fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.boolean());
const amount = fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined });
const date = fc.option(
  fc.integer({ min: 0, max: 4 }).map((number) => dayOf(number)),
  { nil: undefined },
);
const rangesWith = (...further: 'gameTime'[]) =>
  fc.uniqueArray(
    fc.oneof(
      fc.record({
        kind: fc.constantFrom('volume' as const, 'liquidity' as const),
        min: amount,
        max: amount,
      }),
      fc.record({
        kind: fc.constantFrom('startDate' as const, 'endDate' as const, ...further),
        min: date,
        max: date,
      }),
    ),
    { maxLength: 1, selector: ({ kind }) => kind },
  );

/** Random searches, with conditions that some, few or no records meet. */
export function searches(
  listed: readonly Listed[],
  further: 'mirror' | 'featured',
): fc.Arbitrary<ListSearch> {
  const [first] = listed;
  const kinds = Object.keys(first?.names ?? {});
  const condition = fc.constantFrom(...kinds, 'exceptTagId').chain((kind) => {
    const name = kind === 'exceptTagId' ? 'tagId' : kind;
    const values = [...new Set(listed.flatMap(({ names }) => names[name] ?? []))];
    const known = fc.constantFrom(...values, kind === 'id' ? 99_999 : 'no such value');
    const anyOf = fc.uniqueArray(known, { minLength: 1, maxLength: 16 });
    return anyOf.map((some) => ({ kind, anyOf: some }));
  });
  return fc.record({
    conditions: fc.array(condition, { maxLength: 2 }),
    flags: fc.record({ active: flag, closed: flag, archived: flag, [further]: flag }),
    ranges: rangesWith(...(further === 'featured' ? (['gameTime'] as const) : [])),
    order: fc.uniqueArray(fc.constantFrom(...Object.keys(first?.keys ?? {})), { maxLength: 3 }),
    ascending: fc.boolean(),
    offset: fc.integer({ min: 0, max: 12 }),
    limit: fc.integer({ min: 1, max: 40 }),
  });
}
