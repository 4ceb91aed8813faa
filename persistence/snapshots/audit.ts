/**
 * An audit adds up an engine's whole state again and reports the first fault. Invariant: it changes
 * nothing. Bound: one walk over the state for hash and sums together, and that of `validate`.
 */
import {
  type Engine,
  FEE_ACCOUNT,
  type StateView,
  stateHash,
  type Totals,
} from '../../engine/index.ts';
import { type AuditReport, type AuditTotals, messageOf } from '../shared/index.ts';

export type AuditedEngine = Pick<Engine, 'validate' | 'state' | 'totals'>;

/** The last command that the audited engine has replayed; both 0 for none. */
export interface AuditPlace {
  readonly seq: number;
  readonly timeMs: number;
}

/** The totals of the live engine after `seq`. */
export interface LivePoint {
  readonly seq: number;
  readonly totals: Totals;
}

/**
 * Audits an engine that has replayed the journal up to the live point. It compares the live
 * engine's totals and not its state, because hashing that state would stop trading.
 */
export function auditEngine(
  engine: AuditedEngine,
  place: AuditPlace,
  live: LivePoint,
): AuditReport {
  const broken = brokenInvariant(engine);
  const report = auditReport(engine, place, broken);
  if (broken !== '') return report;
  const fault = wrongSum(report.totals, engine.totals()) || differenceFrom(live, engine.totals());
  return { ...report, ok: fault === '', fault };
}

/** A report on the state as it is, with `fault` ('' for none). */
export function auditReport(
  engine: AuditedEngine,
  { seq, timeMs }: AuditPlace,
  fault: string,
): AuditReport {
  const { lockedMicros, depositedMicros, withdrawnMicros, liveOrders } = engine.totals();
  const sums = { markets: 0, accounts: 0, availableMicros: 0, heldMicros: 0, feesMicros: 0 };
  const hash = stateHash(summing(engine.state(), sums));
  const totals = { ...sums, lockedMicros, depositedMicros, withdrawnMicros, liveOrders };
  return { ok: fault === '', fault, seq, timeMs, stateHash: hash, totals };
}

type SumName = 'markets' | 'accounts' | 'availableMicros' | 'heldMicros' | 'feesMicros';
type Sums = Record<SumName, number>;

/** Returns the same state, but adds it up during the iteration: a large state is read only once. */
function summing(state: StateView, sums: Sums): StateView {
  return { ...state, markets: markets(), accounts: accounts() };

  function* markets() {
    for (const market of state.markets) {
      sums.markets += 1;
      yield market;
    }
  }

  function* accounts() {
    for (const account of state.accounts) {
      sums.accounts += 1;
      sums.availableMicros += account.availableMicros;
      sums.heldMicros += account.heldMicros;
      if (account.address === FEE_ACCOUNT) {
        sums.feesMicros = account.availableMicros + account.heldMicros;
      }
      yield account;
    }
  }
}

function brokenInvariant(engine: AuditedEngine): string {
  try {
    engine.validate();
    return '';
  } catch (error) {
    // A broken invariant is the result of an audit, not its failure.
    return messageOf(error);
  }
}

/** Compares the sum of balances with the engine's total, and cash plus collateral with deposits. */
function wrongSum(totals: AuditTotals, { cashMicros }: Totals): string {
  const { availableMicros, heldMicros, lockedMicros, depositedMicros, withdrawnMicros } = totals;
  const cash = availableMicros + heldMicros;
  if (cash !== cashMicros) {
    return (
      `the cash of all accounts adds up to ${cash} micros, but the engine's total is ` +
      `${cashMicros}`
    );
  }
  const funded = depositedMicros - withdrawnMicros;
  if (cash + lockedMicros === funded) return '';
  return (
    `cash and locked collateral are ${cash + lockedMicros} micros, but net deposits are ` +
    `${funded}`
  );
}

function differenceFrom(live: LivePoint, replayed: Totals): string {
  const counted = new Map(Object.entries(live.totals));
  for (const [name, total] of Object.entries(replayed)) {
    if (counted.get(name) === total) continue;
    return (
      `${name} at seq ${live.seq}: the journal gives ${total}, the live engine has ` +
      `${counted.get(name)}`
    );
  }
  return '';
}
