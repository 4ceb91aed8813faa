/**
 * Rate limits: counts requests and refuses those beyond the table of limits.
 *
 * Invariant: a request is counted in each row that covers it, or refused and counted in none. Rules
 * may be replaced at any time; a row whose window stays the same keeps its counts.
 * Bound: each row that was used has a table of `HTTP_BOUNDS.limitCounters` counters.
 */

import { strict as assert } from 'node:assert';
import { SECOND_MS } from '../../engine/model/index.ts';
import {
  type Admission,
  type Counted,
  hasParameter,
  type RouteDefinition,
  type Sender,
} from '../api/index.ts';
import { HTTP_BOUNDS } from '../bounds/sizes.ts';
import { type HeaderList, wholeSeconds } from '../codec/index.ts';
import { ApiError } from '../errors/index.ts';
import type { SignerTier } from '../profiles/profile-schema.ts';
import { CounterTable } from './counter-table.ts';
import {
  COMMENTS_NETWORK_ROW,
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
import type { SignerBuckets, VolumeOf } from './signer-buckets.ts';
import { isLoopback, networkOf, subjectOf } from './subject.ts';

function isComment({ route }: Counted): boolean {
  return route?.method === 'POST' && route.path === '/comments';
}

const CURSOR = 'next_cursor';
const NO_HEADERS: HeaderList = [];

/** A row with its counters, which are made when they are first needed. */
interface Budget {
  readonly row: LimitRow;
  readonly counters: () => CounterTable;
}

/** What one subject has used of one row. */
interface Allowance {
  readonly subject: string;
  readonly budget: Budget;
  readonly counters: CounterTable;
  /** Changes when the subject is charged for the first time. */
  place: number;
  readonly weight: number;
}

function remainingOf({ budget, counters, place }: Allowance): number {
  return Math.max(0, budget.row.capacity - counters.used(place));
}

/** Time until the request's weight fits; if it never does, until the counter is empty. */
function waitMsOf({ budget, counters, place, weight }: Allowance, nowMs: number): number {
  return counters.msUntil(place, budget.row.capacity - weight, nowMs);
}

/** `x-ratelimit-reset` is the number of seconds until `x-ratelimit-remaining` next grows. */
function headersOf(allowance: Allowance, nowMs: number): HeaderList {
  const { budget, counters, place } = allowance;
  const growsMs = counters.msUntil(place, counters.used(place) - 1, nowMs);
  return [
    ['x-ratelimit-limit', String(budget.row.capacity)],
    ['x-ratelimit-remaining', String(remainingOf(allowance))],
    ['x-ratelimit-reset', String(wholeSeconds(growsMs))],
  ];
}

function refusalOf(allowance: Allowance, nowMs: number): ApiError {
  const { name, scope, capacity, windowMs } = allowance.budget.row;
  const retryAfterSeconds = wholeSeconds(waitMsOf(allowance, nowMs));
  return new ApiError(
    'too_many_requests',
    {
      limit: capacity,
      windowSeconds: windowMs / SECOND_MS,
      scope,
      row: name,
      retryAfterSeconds,
    },
    [['retry-after', String(retryAfterSeconds)], ...headersOf(allowance, nowMs)],
  );
}

/** Throws for the row that makes the client wait longest, if any is full. */
function refuseWhereFull(allowances: readonly Allowance[], nowMs: number): void {
  let worst: Allowance | undefined;
  for (const allowance of allowances) {
    if (allowance.weight <= remainingOf(allowance)) continue;
    if (worst === undefined || waitMsOf(allowance, nowMs) > waitMsOf(worst, nowMs))
      worst = allowance;
  }
  if (worst !== undefined) throw refusalOf(worst, nowMs);
}

/** The row with the fewest requests left. */
function tightestOf(allowances: readonly Allowance[]): Allowance | undefined {
  let tightest: Allowance | undefined;
  for (const allowance of allowances) {
    if (tightest === undefined || remainingOf(allowance) < remainingOf(tightest)) {
      tightest = allowance;
    }
  }
  return tightest;
}

function allowanceOf(
  of: Pick<Allowance, 'budget' | 'subject' | 'weight'>,
  nowMs: number,
): Allowance {
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
  /** The limits of each signer, if the venue has any. */
  readonly signers?: SignerBuckets | undefined;
}

/** The limits of the public listener; `operator` has those of the operator's listener. */
export class Limits implements Admission {
  readonly #monotonicMs: () => number;
  readonly #signers: SignerBuckets | undefined;
  #rules: LimitRules;
  #budgets: ReadonlyMap<string, Budget>;
  /** The rows of a route, found at its first request. */
  #found = new WeakMap<RouteDefinition, readonly Budget[]>();
  /** The rows of GET /markets in its order-book form. */
  #foundOther = new WeakMap<RouteDefinition, readonly Budget[]>();

  constructor({ rules, monotonicMs, signers }: LimitsOptions) {
    this.#monotonicMs = monotonicMs;
    this.#signers = signers;
    this.#rules = rules;
    this.#budgets = new Map(rules.rows.map((row) => [row.name, budgetOf(row)]));
  }

  get rules(): LimitRules {
    return this.#rules;
  }

  /** Replaces the rules. Rows whose window changes start to count from zero. */
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
    const allowances = this.#allowances(counted, nowMs);
    refuseWhereFull(allowances, nowMs);
    const ofSigner = this.#signers?.take(counted, nowMs) ?? NO_HEADERS;
    for (const allowance of allowances) {
      const { counters, place, subject, weight } = allowance;
      allowance.place = counters.charge(place, subject, weight);
    }
    const tightest = tightestOf(allowances);
    return tightest === undefined ? ofSigner : [...headersOf(tightest, nowMs), ...ofSigner];
  }

  /** Charges a signer whose requests are counted for the orders that one of them canceled. */
  chargeCanceled(owner: string, count: number): void {
    this.#signers?.chargeCanceled(owner, count);
  }

  /** The tier of a signer; null where signers have no limits. */
  async tierOf(owner: string): Promise<SignerTier | null> {
    return (await this.#signers?.tierOf(owner, this.#monotonicMs())) ?? null;
  }

  /** Tiers of signers follow from these volumes. */
  readVolumes(volumeOf: VolumeOf): void {
    this.#signers?.readVolumes(volumeOf);
  }

  check(counted: Counted): void {
    if (!this.#isLimited(counted.address)) return;
    const nowMs = this.#monotonicMs();
    refuseWhereFull(this.#allowances(counted, nowMs), nowMs);
  }

  admitAttempt(address: string): void {
    this.#admitAttempt(FAILURES_ROW, address);
  }

  countFailure(address: string): void {
    this.#countFailure(FAILURES_ROW, address);
  }

  /**
   * Counts wrong credentials that came over a socket. Returns false, and counts nothing, when the
   * address has failed too often already.
   */
  takeFailure(address: string): boolean {
    if (!this.#isLimited(address)) return true;
    const allowance = this.#ofNetwork(FAILURES_ROW, address, this.#monotonicMs());
    if (allowance.weight > remainingOf(allowance)) return false;
    this.#countFailure(FAILURES_ROW, address);
    return true;
  }

  /**
   * Called before signatures of orders are checked. Throws when too many signatures of the owner,
   * or from its network, were wrong.
   */
  checkSigner(sender: Sender): void {
    if (!this.#rules.isOn || !this.#isLimited(sender.address)) return;
    const nowMs = this.#monotonicMs();
    refuseWhereFull(this.#ofSigner(sender, nowMs), nowMs);
  }

  /** Counts an order of the sender whose signature was wrong. */
  countWrongSignature(sender: Sender): void {
    if (!this.#rules.isOn || !this.#isLimited(sender.address)) return;
    for (const { counters, place, subject } of this.#ofSigner(sender, this.#monotonicMs())) {
      counters.chargeOwn(place, subject, 1);
    }
  }

  #ofSigner({ address, owner }: Sender, nowMs: number): readonly Allowance[] {
    return [
      this.#of(SIGNATURES_ROW, owner, nowMs),
      this.#ofNetwork(NETWORK_SIGNATURES_ROW, address, nowMs),
    ];
  }

  /**
   * The limits of the operator's listener, which counts only wrong tokens. Loopback is exempt under
   * all rules: everybody on the machine shares that address, the operator too.
   */
  get operator(): Admission {
    return {
      admit: () => NO_HEADERS,
      check: () => {},
      admitAttempt: (address) => {
        if (!isLoopback(address)) this.#admitAttempt(OPERATOR_FAILURES_ROW, address);
      },
      countFailure: (address) => {
        if (!isLoopback(address)) this.#countFailure(OPERATOR_FAILURES_ROW, address);
      },
    };
  }

  #isLimited(address: string): boolean {
    return this.#rules.countsLoopback || !isLoopback(address);
  }

  #allowances(counted: Counted, nowMs: number): readonly Allowance[] {
    const subject = subjectOf(counted);
    const allowances = this.#budgetsOf(counted).map((budget) => {
      const weight = budget.row.countsItems === true ? counted.weight : 1;
      return allowanceOf({ budget, subject, weight }, nowMs);
    });
    if (counted.apiKey === '') return allowances;
    const rows = isComment(counted) ? [NETWORK_ROW, COMMENTS_NETWORK_ROW] : [NETWORK_ROW];
    const ofNetwork = rows.map((name) => this.#ofNetwork(name, counted.address, nowMs));
    return [...allowances, ...ofNetwork];
  }

  #budgetsOf({ route, path, surface, query }: Counted): readonly Budget[] {
    if (route === undefined) return this.#covering('', groupOf(path));
    const isOther =
      route.path === TWO_FORMS && isOrderBookForm(surface, hasParameter(query, CURSOR));
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

  #ofNetwork(name: string, address: string, nowMs: number): Allowance {
    return this.#of(name, networkOf(address), nowMs);
  }

  #of(name: string, subject: string, nowMs: number): Allowance {
    const budget = this.#budgets.get(name);
    assert(budget !== undefined, 'the table has each row that code names');
    return allowanceOf({ budget, subject, weight: 1 }, nowMs);
  }

  #admitAttempt(name: string, address: string): void {
    if (!this.#isLimited(address)) return;
    const nowMs = this.#monotonicMs();
    refuseWhereFull([this.#ofNetwork(name, address, nowMs)], nowMs);
  }

  /**
   * Addresses that share a counter are not counted. Otherwise an attacker who fails from many
   * addresses could cause refusals of clients that never failed.
   */
  #countFailure(name: string, address: string): void {
    if (!this.#isLimited(address)) return;
    const { counters, place, subject } = this.#ofNetwork(name, address, this.#monotonicMs());
    counters.chargeOwn(place, subject, 1);
  }
}
