/**
 * Compares the catalog with the journal: each market has a row with its tokens, and exactly the
 * ended markets are recorded as ended. Invariant: if only the last ends are not recorded, a crash
 * came before them; this is no fault, because the next start records them. A gap before a recorded
 * end is a fault. Bound: the ids of all markets.
 */
import { existsSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { utcText } from '../../catalog/model/index.ts';
import type { EngineEvent } from '../../engine/index.ts';
import type { DurableCommand } from '../shared/index.ts';
import { readDatabase } from '../shared/index.ts';
import type { Findings } from './findings.ts';
import { checkCatalogTables } from './verify-catalog-tables.ts';

const FILE = 'catalog.db';

const SELECT_ENDS = 'SELECT condition_id, ended_at FROM ended_markets';
const SELECT_OPEN_ENDED =
  'SELECT condition_id FROM ended_markets JOIN markets USING (condition_id) ' +
  'WHERE NOT closed OR accepting_orders ORDER BY condition_id LIMIT 1';
const SELECT_TOKENS =
  'SELECT token_id FROM market_tokens JOIN markets ON markets.id = market_id ' +
  'WHERE condition_id = ? ORDER BY outcome_index';

export class CatalogCheck {
  readonly #findings: Findings;
  readonly #path: string;
  /** Tokens by condition id, from the journal. */
  readonly #markets = new Map<string, readonly [string, string]>();
  /** When each market ended, in that order. */
  readonly #ends = new Map<string, string>();
  /** Whether the journal has commands. A start makes the catalog of a journal without any. */
  #isNeeded = false;

  constructor(path: string, findings: Findings) {
    this.#path = path;
    this.#findings = findings;
  }

  take({ command, events, timeMs }: DurableCommand): void {
    this.#isNeeded = true;
    for (const event of events) {
      if (event.kind === 'market_created' && command.kind === 'create_market') {
        this.#markets.set(event.conditionId, command.tokenIds);
      }
      const ended = endedMarket(event);
      if (ended !== undefined && !this.#ends.has(ended)) this.#ends.set(ended, utcText(timeMs));
    }
  }

  /** The ends that the catalog has. Call it before the journal's end is read. */
  readEnds(): ReadonlyMap<string, string> {
    return this.#look((database) => {
      const open = database.prepare<[], string>(SELECT_OPEN_ENDED).pluck().get();
      if (open !== undefined) {
        const what = `market ${open} is recorded as ended, and its row says that it is open`;
        this.#findings.add('catalog', 'markets', `${FILE}: ${what}`);
      }
      return new Map(database.prepare<[], [string, string]>(SELECT_ENDS).raw().all());
    }, new Map<string, string>());
  }

  /** Call it after the replay. */
  compare(recorded: ReadonlyMap<string, string>): void {
    if (!existsSync(this.#path)) {
      const consequence = 'a start is refused without it. Put it back from a backup';
      if (this.#isNeeded) this.#findings.add('catalog', FILE, `${FILE} is missing: ${consequence}`);
      return;
    }
    this.#compareEnds(recorded);
    this.#look((database) => this.#compareMarkets(database), undefined);
    this.#look((database) => {
      // In one transaction, so that concurrent writes do not look like faults.
      database.transaction(() => checkCatalogTables(database, this.#findings))();
    }, undefined);
  }

  #compareEnds(recorded: ReadonlyMap<string, string>): void {
    for (const [conditionId, recordedAt] of recorded) {
      const endedAt = this.#ends.get(conditionId);
      if (endedAt === recordedAt) continue;
      const truth = endedAt === undefined ? 'it did not end' : `it ended at ${endedAt}`;
      const what = `market ${conditionId} is recorded as ended at ${recordedAt}`;
      const sentence = `${FILE}: ${what}, and by the journal ${truth}`;
      this.#findings.add('catalog', 'ended_markets', sentence);
    }
    const ended = [...this.#ends.keys()];
    const lastRecorded = ended.findLastIndex((conditionId) => recorded.has(conditionId));
    const gap = ended.slice(0, lastRecorded + 1).find((conditionId) => !recorded.has(conditionId));
    if (gap !== undefined) {
      const what = `market ${gap} ended at ${this.#ends.get(gap)} and is not recorded as ended`;
      this.#findings.add('catalog', 'ended_markets', `${FILE}: ${what}`);
    }
    const unrecorded = ended.length - lastRecorded - 1;
    if (unrecorded === 0) return;
    const first = ended[lastRecorded + 1];
    this.#findings.note(
      `${FILE} does not record yet that the last ${unrecorded} markets ended, beginning with ` +
        `${first}: the exchange records this at its next start or earlier`,
    );
  }

  #compareMarkets(database: Database): void {
    const count = database.prepare<[], number>('SELECT count(*) FROM markets').pluck().get();
    if (count === 0 && this.#markets.size > 0) {
      this.#findings.note(
        `${FILE} has no markets: the next start adds those of the journal, with placeholder texts`,
      );
      return;
    }
    const selectTokens = database.prepare<[string], string>(SELECT_TOKENS).pluck();
    for (const [conditionId, tokenIds] of this.#markets) {
      const stored = selectTokens.all(conditionId);
      if (stored[0] === tokenIds[0] && stored[1] === tokenIds[1]) continue;
      const what =
        stored.length === 0
          ? 'of the journal has no row'
          : `has tokens ${stored.join(' and ')}, and in the journal ${tokenIds.join(' and ')}`;
      this.#findings.add('catalog', 'markets', `${FILE}: market ${conditionId} ${what}`);
      return;
    }
  }

  #look<Result>(look: (database: Database) => Result, otherwise: Result): Result {
    if (!existsSync(this.#path)) return otherwise;
    const looked = this.#findings.attempt('catalog', FILE, () => readDatabase(this.#path, look));
    return looked ?? otherwise;
  }
}

function endedMarket(event: EngineEvent): string | undefined {
  return event.kind === 'market_closed' || event.kind === 'market_resolved'
    ? event.conditionId
    : undefined;
}
