/**
 * Counts requests and refuses those beyond the table of limits.
 *
 * Invariant: a request is counted in each row that covers it, or refused and counted in none. Rules
 * may be replaced at any time; the counts of a row whose window stays are kept.
 * Bound: each row that was ever used has a table of `HTTP_BOUNDS.limitCounters` counters.
 */
import { strict as assert } from 'node:assert';
import type { Admission, Counted, RouteDefinition, Sender } from '../api/index.ts';
import { parseQuery } from '../api/index.ts';
import { HTTP_BOUNDS } from '../bounds/index.ts';
import type { HeaderList } from '../codec/index.ts';
import { ApiError } from '../errors/index.ts';
import { CounterTable } from './counter-table.ts';
import {
  FAILURES_ROW,
  isCounted,
  type LimitRow,
  type LimitRules,
  NETWORK_ROW,
  NETWORK_SIGNATURES_ROW,
  OPERATOR_FAILURES_ROW,
  SIGNATURES_ROW,
} from './limit-table.ts';
import { groupOf, isOrderBookForm, type RouteGroup, TWO_FORMS } from './route-groups.ts';
import { isLoopback, networkOf, subjectOf } from './subject.ts';

const MS_PER_SECOND = 1_000;
const CURSOR = 'next_cursor';
const NO_HEADERS: HeaderList = [];

/** A row with its counters, which are made when they are first needed. */
interface Budget {
  readonly row: LimitRow;
  readonly counters: () => CounterTable;
}

/** Where a subject stands with one row. */
interface Standing {
  readonly subject: string;
  readonly budget: Budget;
  readonly counters: CounterTable;
  /** Another one once it is charged for the first time. */
  place: number;
  readonly weight: number;
}

function remainingOf({ budget, counters, place }: Standing): number {
  return Math.max(0, budget.row.capacity - counters.used(place));
}

/** Until its weight fits; for one above the capacity, until nothing is counted any more. */
function waitMsOf({ budget, counters, place, weight }: Standing, nowMs: number): number {
  return counters.msUntil(place, budget.row.capacity - weight, nowMs);
}

/** Rounded up, so that whoever waits so long has waited long enough. */
function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / MS_PER_SECOND));
}

/** Where a client stands with a row; `Reset` is when `Remaining` next grows. */
function headersOf(standing: Standing, nowMs: number): HeaderList {
  const { budget, counters, place } = standing;
  const growsMs = counters.msUntil(place, counters.used(place) - 1, nowMs);
  return [
    ['x-ratelimit-limit', String(budget.row.capacity)],
    ['x-ratelimit-remaining', String(remainingOf(standing))],
    ['x-ratelimit-reset', String(wholeSeconds(growsMs))],
  ];
}

function refusalOf(standing: Standing, nowMs: number): ApiError {
  const { name, scope, capacity, windowMs } = standing.budget.row;
  const retryAfterSeconds = wholeSeconds(waitMsOf(standing, nowMs));
  return new ApiError(
    'too_many_requests',
    {
      limit: capacity,
      windowSeconds: windowMs / MS_PER_SECOND,
      scope,
      row: name,
      retryAfterSeconds,
    },
    [['retry-after', String(retryAfterSeconds)], ...headersOf(standing, nowMs)],
  );
}

/** Throws for the row that makes the client wait longest, if any is full. */
function refuseWhereFull(standings: readonly Standing[], nowMs: number): void {
  let worst: Standing | undefined;
  for (const standing of standings) {
    if (standing.weight <= remainingOf(standing)) continue;
    if (worst === undefined || waitMsOf(standing, nowMs) > waitMsOf(worst, nowMs)) worst = standing;
  }
  if (worst !== undefined) throw refusalOf(worst, nowMs);
}

/** The row with the fewest requests left. */
function tightestOf(standings: readonly Standing[]): Standing | undefined {
  let tightest: Standing | undefined;
  for (const standing of standings) {
    if (tightest === undefined || remainingOf(standing) < remainingOf(tightest)) {
      tightest = standing;
    }
  }
  return tightest;
}

function standingOf(of: Pick<Standing, 'budget' | 'subject' | 'weight'>, nowMs: number): Standing {
  const counters = of.budget.counters();
  return { ...of, counters, place: counters.locate(of.subject, nowMs) };
}

function budgetOf(row: LimitRow): Budget {
  let counters: CounterTable | undefined;
  return {
    row,
    counters: () => {
      const { limitCounters: size, sharedLimitCounters: shared } = HTTP_BOUNDS;
      counters ??= new CounterTable(row.windowMs, { size, shared });
      return counters;
    },
  };
}

export interface LimitsOptions {
  readonly rules: LimitRules;
  /** A clock that never goes back, in milliseconds since about the start of the process. */
  readonly monotonicMs: () => number;
}

/** The limits of the public listener; `operator` are those of the operator's. */
export class Limits implements Admission {
  readonly #monotonicMs: () => number;
  #rules: LimitRules;
  #budgets: ReadonlyMap<string, Budget>;
  /** The rows of a route, found when it is first asked for. */
  #found = new WeakMap<RouteDefinition, readonly Budget[]>();
  /** The same of GET /markets in its order-book form. */
  #foundOther = new WeakMap<RouteDefinition, readonly Budget[]>();

  constructor({ rules, monotonicMs }: LimitsOptions) {
    this.#monotonicMs = monotonicMs;
    this.#rules = rules;
    this.#budgets = new Map(rules.rows.map((row) => [row.name, budgetOf(row)]));
  }

  get rules(): LimitRules {
    return this.#rules;
  }

  /** From now on other rules hold. Rows whose window is another begin to count anew. */
  replace(rules: LimitRules): void {
    const before = this.#budgets;
    this.#rules = rules;
    this.#found = new WeakMap();
    this.#foundOther = new WeakMap();
    this.#budgets = new Map(
      rules.rows.map((row) => {
        const known = before.get(row.name);
        const stays = known !== undefined && known.row.windowMs === row.windowMs;
        return [row.name, stays ? { row, counters: known.counters } : budgetOf(row)];
      }),
    );
  }

  admit(counted: Counted): HeaderList {
    if (!this.#isLimited(counted.address)) return NO_HEADERS;
    const nowMs = this.#monotonicMs();
    const standings = this.#standings(counted, nowMs);
    refuseWhereFull(standings, nowMs);
    for (const standing of standings) {
      const { counters, place, subject, weight } = standing;
      standing.place = counters.charge(place, subject, weight);
    }
    const tightest = tightestOf(standings);
    return tightest === undefined ? NO_HEADERS : headersOf(tightest, nowMs);
  }

  check(counted: Counted): void {
    if (!this.#isLimited(counted.address)) return;
    const nowMs = this.#monotonicMs();
    refuseWhereFull(this.#standings(counted, nowMs), nowMs);
  }

  admitAttempt(address: string): void {
    this.#admitAttempt(FAILURES_ROW, address);
  }

  countFailure(address: string): void {
    this.#countFailure(FAILURES_ROW, address);
  }

  /**
   * Counts wrong credentials that came over a socket; false, and nothing is counted, where the
   * address has failed too often already.
   */
  takeFailure(address: string): boolean {
    if (!this.#isLimited(address)) return true;
    const standing = this.#ofNetwork(FAILURES_ROW, address, this.#monotonicMs());
    if (standing.weight > remainingOf(standing)) return false;
    this.#countFailure(FAILURES_ROW, address);
    return true;
  }

  /**
   * Before signatures of orders are checked: throws for an owner, or an address, of which too many
   * were wrong.
   */
  checkSigner(sender: Sender): void {
    if (!this.#rules.isOn || !this.#isLimited(sender.address)) return;
    const nowMs = this.#monotonicMs();
    refuseWhereFull(this.#ofSigner(sender, nowMs), nowMs);
  }

  /** An order of theirs had a wrong signature. */
  countWrongSignature(sender: Sender): void {
    if (!this.#rules.isOn || !this.#isLimited(sender.address)) return;
    for (const { counters, place, subject } of this.#ofSigner(sender, this.#monotonicMs())) {
      counters.chargeOwn(place, subject, 1);
    }
  }

  #ofSigner({ address, owner }: Sender, nowMs: number): readonly Standing[] {
    return [
      this.#of(SIGNATURES_ROW, owner, nowMs),
      this.#ofNetwork(NETWORK_SIGNATURES_ROW, address, nowMs),
    ];
  }

  /** Only wrong tokens are counted there: whoever has the right one is the operator. */
  get operator(): Admission {
    return {
      admit: () => NO_HEADERS,
      check: () => {},
      admitAttempt: (address) => this.#admitAttempt(OPERATOR_FAILURES_ROW, address),
      countFailure: (address) => this.#countFailure(OPERATOR_FAILURES_ROW, address),
    };
  }

  #isLimited(address: string): boolean {
    return this.#rules.countsLoopback || !isLoopback(address);
  }

  #standings(counted: Counted, nowMs: number): readonly Standing[] {
    const subject = subjectOf(counted);
    const standings = this.#budgetsOf(counted).map((budget) => {
      const weight = budget.row.countsItems === true ? counted.weight : 1;
      return standingOf({ budget, subject, weight }, nowMs);
    });
    if (counted.apiKey === '') return standings;
    return [...standings, this.#ofNetwork(NETWORK_ROW, counted.address, nowMs)];
  }

  #budgetsOf({ route, path, surface, query }: Counted): readonly Budget[] {
    if (route === undefined) return this.#covering('', groupOf(path));
    const isOther =
      route.path === TWO_FORMS && isOrderBookForm(surface, parseQuery(query).has(CURSOR));
    const found = isOther ? this.#foundOther : this.#found;
    const known = found.get(route);
    if (known !== undefined) return known;
    const group = isOther ? 'order_book' : groupOf(route.path);
    const budgets = this.#covering(`${route.method} ${route.path}`, group);
    found.set(route, budgets);
    return budgets;
  }

  #covering(route: string, group: RouteGroup): readonly Budget[] {
    return [...this.#budgets.values()].filter(({ row }) => isCounted(row, route, group));
  }

  #ofNetwork(name: string, address: string, nowMs: number): Standing {
    return this.#of(name, networkOf(address), nowMs);
  }

  #of(name: string, subject: string, nowMs: number): Standing {
    const budget = this.#budgets.get(name);
    assert(budget !== undefined, 'the table has all rows that are asked for by name');
    return standingOf({ budget, subject, weight: 1 }, nowMs);
  }

  #admitAttempt(name: string, address: string): void {
    if (!this.#isLimited(address)) return;
    const nowMs = this.#monotonicMs();
    refuseWhereFull([this.#ofNetwork(name, address, nowMs)], nowMs);
  }

  /**
   * Failures of addresses that would have to share a counter are not counted. Else whoever fails
   * from many addresses would have everybody refused who never failed, with the right keys too.
   */
  #countFailure(name: string, address: string): void {
    if (!this.#isLimited(address)) return;
    const { counters, place, subject } = this.#ofNetwork(name, address, this.#monotonicMs());
    counters.chargeOwn(place, subject, 1);
  }
}
