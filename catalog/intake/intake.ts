/**
 * Stores records from elsewhere in the catalog, one by one: a page of a sync, in which a refused
 * record does not stop the others, or a file of an import, which is stored completely or not at
 * all.
 *
 * A sync changes the records that it brought, and stored ones with the same id and name unless the
 * operator of this exchange made them. It never opens or closes a market that trades here. An
 * import is an act of the operator, so it changes any stored record with the same id; an event must
 * also have the same slug or a market in common. Neither changes the identity of a market
 * (conflicts.ts).
 * Invariant: a refused record changes nothing. Bounds: CATALOG_BOUNDS, INTAKE_BOUNDS.
 */
import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import {
  CatalogImportError,
  describeValue,
  type EventRow,
  type Fields,
  type ImportRefusal,
  type IntakePage,
  isFields,
  listOf,
  memberOf,
  type PageReport,
  RECORD_KINDS,
  type RecordBatch,
  type RecordKind,
} from '../model/index.ts';
import { foreignComments } from './foreign-comments.ts';
import { OwnEvents } from './own-events.ts';
import { NAME_FIELDS, type StoredMarketFacts, StoredRows } from './stored-rows.ts';
import { type Count, type IncomingRecord, keyOf, recordIdOf, Tally, textOf } from './tally.ts';

const INTAKE_BOUNDS = {
  /** Levels of nesting in a record. */
  depth: 64,
  /** How often an event is tried, each time without the parts refused before. */
  tries: 4,
} as const;

type SeenRecords = ReadonlyMap<RecordKind, Map<number, number>>;

interface Storing {
  /** The record with the fields that a shorter form of it leaves out. */
  readonly filled: Fields;
  readonly store: (batch: RecordBatch) => void;
}

const NESTED = ['markets', 'tags', 'series'] as const;

/** Uses no recursion, because a source may nest a record as deep as its bytes allow. */
function isDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
  }
  return false;
}

/** The name by which two catalogs identify the same record; for comments, author and time. */
function nameOf(kind: RecordKind, value: unknown): string {
  if (kind !== 'comments') return textOf(value, NAME_FIELDS[kind] ?? '');
  const writtenMs = Date.parse(textOf(value, 'createdAt'));
  const written = Number.isNaN(writtenMs) ? '' : new Date(writtenMs).toISOString();
  return `${textOf(value, 'userAddress').toLowerCase()} ${written.replace('.000Z', 'Z')}`;
}

export interface IntakeOptions {
  readonly database: Database;
  /** Stores records of one kind, all or none: throws `CatalogImportError`. */
  readonly putRecords: (batch: RecordBatch) => void;
  /** Runs work that stores many records, and indexes them afterwards. */
  readonly deferIndexing: (work: () => void) => void;
}

export class RecordIntake {
  readonly #options: IntakeOptions;
  readonly #rows: StoredRows;

  constructor(options: IntakeOptions) {
    this.#options = options;
    this.#rows = new StoredRows(options.database);
  }

  /** The mark after the last stored page of a source's list. */
  mark(source: string, kind: RecordKind): string | undefined {
    return this.#rows.mark(source, kind);
  }

  /** These imported markets trade here from now on. */
  markTraded(conditionIds: readonly string[]): void {
    this.#options.database.transaction(() => this.#rows.markTraded(conditionIds)).immediate();
  }

  /** Stores the valid records of a page and the mark after it, in one transaction. */
  putPage({ source, kind, text, mark }: IntakePage): PageReport {
    // Safe: the reader of the source has parsed the same text as a list.
    const values = JSON.parse(new TextDecoder().decode(text)) as readonly unknown[];
    const tally = this.#newTally();
    const take = this.#options.database.transaction(() => {
      this.#options.deferIndexing(() => {
        values.forEach((value, place) => {
          for (const one of partsOf(source, { kind, value, place })) {
            this.#takeSynced(one, source, tally);
          }
        });
        tally.finish();
      });
      this.#rows.putMark(source, kind, mark);
    });
    take.immediate();
    return tally.report;
  }

  #newTally(): Tally {
    return new Tally(new OwnEvents(this.#options.database));
  }

  /**
   * Stores all records of a file, or none if one is refused, in one transaction that stays open
   * while `records` reads the file.
   */
  putFile(records: Iterable<IncomingRecord>): PageReport {
    const tally = this.#newTally();
    const seen: SeenRecords = new Map(RECORD_KINDS.map((kind) => [kind, new Map()]));
    const take = this.#options.database.transaction(() => {
      this.#options.deferIndexing(() => {
        for (const incoming of records) this.#takeImported(incoming, seen, tally);
        tally.finish();
        if (tally.refused > 0) throw ROLL_BACK;
      });
    });
    try {
      take.immediate();
    } catch (error) {
      if (error !== ROLL_BACK) throw error;
    }
    return tally.report;
  }

  #takeImported(incoming: IncomingRecord, seen: SeenRecords, tally: Tally): void {
    const { kind, value, place } = incoming;
    const id = recordIdOf(value);
    const earlier = id === 0 ? undefined : seen.get(kind)?.get(id);
    if (earlier !== undefined) {
      tally.refuse(kind, incoming, `it occurs twice, as record ${earlier} and ${place}`);
      return;
    }
    seen.get(kind)?.set(id, place);
    const fault = this.#formFault(incoming) ?? this.#otherEventFault(kind, value, id);
    if (fault !== undefined) {
      tally.refuse(kind, incoming, fault);
      return;
    }
    // No savepoint: one refusal rolls the whole file back.
    const store = (batch: RecordBatch) => this.#options.putRecords(batch);
    const whole = tally.completed(incoming);
    const filled = this.#completed(kind, whole.value, 'import');
    const { error } = this.#put(whole, { filled, store }, tally);
    if (error === undefined) {
      tally.countOwnEvent(incoming, whole);
      return;
    }
    for (const refusal of error.refusals) tally.refuse(kind, incoming, whyOf(refusal));
  }

  #takeSynced(incoming: IncomingRecord, source: string, tally: Tally): void {
    const { kind, value } = incoming;
    const id = recordIdOf(value);
    const fault = this.#formFault(incoming);
    if (fault !== undefined) {
      tally.refuse(kind, incoming, fault);
      return;
    }
    const digest = createHash('sha256').update(JSON.stringify(value)).digest().subarray(0, 16);
    const synced = this.#rows.synced(kind, id);
    const isKnown = synced?.source === source && synced.digest.equals(digest);
    if (isKnown && this.#rows.name(kind, id) !== undefined) {
      tally.count(kind, 'unchanged');
      return;
    }
    const whole = tally.completed(incoming);
    const protection = this.#protectedFault(kind, whole.value, {
      id,
      isSynced: synced?.source === source,
    });
    if (protection !== undefined) {
      tally.refuse(kind, incoming, protection);
      return;
    }
    if (!this.#putValidParts(whole, tally)) return;
    tally.countOwnEvent(incoming, whole);
    if (id > 0) {
      this.#rows.putSynced(kind, id, { source, digest });
    }
  }

  /** Stores a record without its refused parts. Returns whether nothing was refused. */
  #putValidParts(incoming: IncomingRecord, tally: Tally): boolean {
    const { kind } = incoming;
    let fields = this.#completed(kind, incoming.value, 'sync');
    // A savepoint, so that a refused record changes nothing.
    const store = this.#options.database.transaction((batch: RecordBatch) =>
      this.#options.putRecords(batch),
    );
    let isWhole = true;
    for (let attempt = 1; ; attempt += 1) {
      const { error } = this.#put(incoming, { filled: fields, store }, tally);
      if (error === undefined) return isWhole;
      const parts = attempt < INTAKE_BOUNDS.tries ? refusedParts(error) : undefined;
      if (parts === undefined) {
        const [first] = error.refusals;
        tally.refuse(kind, incoming, first === undefined ? error.message : whyOf(first));
        return false;
      }
      for (const { list, index, why } of parts) {
        const value = listOf(fields[list])[index];
        tally.refuse(list, { value, place: index }, `${why} (in ${kind} ${recordIdOf(fields)})`);
      }
      fields = without(fields, parts);
      isWhole = false;
    }
  }

  /** Stores one record and counts it and its markets, or returns why it is refused. */
  #put(
    { kind, value }: IncomingRecord,
    { filled, store }: Storing,
    tally: Tally,
  ): { readonly error?: CatalogImportError } {
    const key = keyOf(kind, value);
    const nested = kind === 'events' ? listOf(filled.markets) : [];
    const before = this.#rows.row(kind, key);
    const nestedBefore = nested.map((market) => this.#rows.row('markets', recordIdOf(market)));
    const conditionIds = (kind === 'markets' ? [filled] : nested).map((market) =>
      textOf(market, 'conditionId'),
    );
    const newIds = conditionIds.filter((one) => this.#rows.market(one) === undefined);
    try {
      // A market type is a text, which nothing fills.
      store({ kind, records: [kind === 'marketTypes' ? value : filled] });
    } catch (error) {
      if (error instanceof CatalogImportError) return { error };
      throw error;
    }
    for (const conditionId of newIds) this.#rows.markImported(conditionId);
    tally.count(kind, this.#changeOf(kind, key, before));
    nested.forEach((market, index) => {
      tally.count('markets', this.#changeOf('markets', recordIdOf(market), nestedBefore[index]));
    });
    return {};
  }

  #changeOf(kind: RecordKind, key: number | string, before: string | undefined): Count {
    if (before === undefined) return 'added';
    return before === this.#rows.row(kind, key) ? 'unchanged' : 'updated';
  }

  /** A fault in the record's form. It is checked before anything recurses into the record. */
  #formFault({ kind, value }: IncomingRecord): string | undefined {
    if (kind === 'marketTypes') return undefined;
    if (!isFields(value)) return `it must be an object, but is ${describeValue(value)}`;
    if (isDeeper(value, INTAKE_BOUNDS.depth)) {
      return `it must be nested at most ${INTAKE_BOUNDS.depth} levels deep`;
    }
    return undefined;
  }

  /** Why a sync must not change the stored record with that id. */
  #protectedFault(
    kind: RecordKind,
    value: unknown,
    { id, isSynced }: { readonly id: number; readonly isSynced: boolean },
  ): string | undefined {
    if (kind === 'markets') return this.#protectedEventFault(value);
    if (this.#rows.isOperators(kind, id)) {
      return "this exchange's operator added a record with this id, and a sync does not change it";
    }
    if (isSynced) return undefined;
    const stored = this.#rows.name(kind, id);
    if (stored === undefined) return undefined;
    const name = nameOf(kind, value);
    if (stored.name !== null && stored.name === name) return undefined;
    return `another record of this exchange has this id: ${stored.name ?? '(without a name)'}`;
  }

  #protectedEventFault(value: unknown): string | undefined {
    const [event] = listOf(memberOf(value, 'events'));
    const id = recordIdOf(event);
    const stored = this.#rows.event(id);
    const isKnown = this.#rows.market(textOf(value, 'conditionId')) !== undefined;
    if (stored === undefined || isKnown) return undefined;
    if (this.#rows.isOperators('events', id)) {
      return `this exchange's operator added its event ${id}, and a sync adds no market to it`;
    }
    const slug = textOf(event, 'slug');
    if (slug === stored.slug || this.#rows.synced('events', id) !== undefined) return undefined;
    return `its event ${id} is ${stored.slug} on this exchange, not ${slug}`;
  }

  /** Why the stored event with that id is not the imported one. */
  #otherEventFault(kind: RecordKind, value: unknown, id: number): string | undefined {
    const stored = kind === 'events' ? this.#rows.event(id) : undefined;
    if (stored === undefined || stored.slug === textOf(value, 'slug')) return undefined;
    const markets = listOf(memberOf(value, 'markets'));
    const isSame = markets.some(
      (market) => this.#rows.market(textOf(market, 'conditionId'))?.eventId === id,
    );
    if (isSame) return undefined;
    return `the stored event ${stored.slug} has the same id, but no market in common with this one`;
  }

  /** The record with fields that its form leaves out, and states that this exchange decides. */
  #completed(kind: RecordKind, value: unknown, by: 'sync' | 'import'): Fields {
    const fields = isFields(value) ? value : {};
    if (kind === 'markets') return this.#completedMarket(fields, by);
    if (kind !== 'events') return fields;
    const markets = fields.markets;
    const filled = Array.isArray(markets)
      ? markets.map((market) => (isFields(market) ? this.#completedMarket(market, by) : market))
      : markets;
    const stored = by === 'sync' ? this.#rows.event(recordIdOf(fields)) : undefined;
    const isOurs = stored?.trades === 1 && stored.closed === 0;
    return { ...fields, ...(isOurs && flagsOf(stored)), markets: filled };
  }

  #completedMarket(fields: Fields, by: 'sync' | 'import'): Fields {
    const stored = this.#rows.market(textOf(fields, 'conditionId'));
    if (stored === undefined) return fields;
    const isOurs = by === 'sync' && stored.isImported === 0;
    return { ...keptOf(stored), ...fields, ...(isOurs && marketFlagsOf(stored)) };
  }
}

/** Splits a comment from the replies inside it. Other records are one part. */
function partsOf(source: string, incoming: IncomingRecord): readonly IncomingRecord[] {
  const { kind, value, place } = incoming;
  if (kind !== 'comments' || isDeeper(value, INTAKE_BOUNDS.depth)) return [incoming];
  return foreignComments(source, value).map((one) => ({ kind, value: one, place }));
}

const ROLL_BACK = new Error('a record of the file is refused');

/** Names the value by its path in the record: `markets[3].slug` of `$[0].markets[3].slug`. */
function whyOf({ path, limit, actual }: ImportRefusal): string {
  return `${path.replace(/^\$(\[0\])?\.?/, '') || 'it'} must be ${limit}, but is ${actual}`;
}

interface RefusedPart {
  readonly list: (typeof NESTED)[number];
  readonly index: number;
  readonly why: string;
}

/** The refused markets, tags and series of an event; undefined if the event itself is refused. */
function refusedParts({ refusals, count }: CatalogImportError): RefusedPart[] | undefined {
  const parts = new Map<string, RefusedPart>();
  for (const { path, limit, actual } of refusals) {
    const [, list, index, rest = ''] =
      /^\$\[0\]\.(markets|tags|series)\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
    const name = NESTED.find((one) => one === list);
    if (name === undefined) return undefined;
    const why = `${rest === '' ? 'it' : rest} must be ${limit}, but is ${actual}`;
    const key = `${list} ${index}`;
    if (!parts.has(key)) parts.set(key, { list: name, index: Number(index), why });
  }
  return count === 0 ? undefined : [...parts.values()];
}

function without(fields: Fields, parts: readonly RefusedPart[]): Fields {
  const cut = (list: (typeof NESTED)[number]) => {
    const out = new Set(parts.filter((part) => part.list === list).map(({ index }) => index));
    return listOf(fields[list]).filter((_value, index) => !out.has(index));
  };
  const lists = NESTED.filter((list) => Array.isArray(fields[list]));
  return { ...fields, ...Object.fromEntries(lists.map((list) => [list, cut(list)])) };
}

function flagsOf({ active, closed, archived }: Pick<EventRow, 'active' | 'closed' | 'archived'>) {
  return { active: active === 1, closed: closed === 1, archived: archived === 1 };
}

function marketFlagsOf(stored: StoredMarketFacts): Fields {
  return {
    ...flagsOf(stored),
    enableOrderBook: stored.enableOrderBook === 1,
    acceptingOrders: stored.acceptingOrders === 1,
  };
}

/**
 * Stored fields that a shorter form of the record must not remove: a market in a list of markets
 * has fewer fields than in an event.
 */
function keptOf(stored: StoredMarketFacts): Fields {
  const { mirrorConditionId, mirrorTokens, groupItemTitle, creator } = stored;
  // Safe: the catalog wrote it as an object.
  const further = JSON.parse(stored.record) as Fields;
  return {
    ...further,
    ...(mirrorConditionId !== '' && { mirrorConditionId }),
    ...(mirrorTokens !== '' && { mirrorClobTokenIds: mirrorTokens }),
    groupItemTitle,
    creator,
    negRisk: stored.negRisk === 1,
    orderPriceMinTickSize: stored.tickTicks / 10_000,
    orderMinSize: stored.minimumLots / 100,
  };
}
