/**
 * The head of a snapshot: its format, how many records each section has, and the single values of
 * the state. Invariant: sections have a fixed order, in which each follows those that it refers to.
 */

import { NONE } from '../book/index.ts';
import { type Bounds, HALTED, SNAPSHOT_FORMAT, SnapshotError } from '../model/index.ts';
import type { EngineState } from '../state/engine-state.ts';
import { DELAYED } from './delayed.ts';
import { ORDER_FEES, SCHEDULES } from './fees.ts';
import { ACCOUNTS, POSITIONS, REDEEMING, STANDING_SECTION } from './holdings.ts';
import { API_KEYS, BUILDERS, IDEMPOTENCY_KEYS, SWITCHES } from './keys.ts';
import { EVENT_SECTION, MARKET_SECTION } from './markets.ts';
import { ORDERS } from './orders.ts';
import { RECENT } from './recent.ts';
import { type Field, RecordReader, readRecords } from './records.ts';
import type { Section } from './section.ts';

export const HEAD = 'head';

export const SECTIONS: readonly Section[] = [
  MARKET_SECTION,
  EVENT_SECTION,
  STANDING_SECTION,
  ACCOUNTS,
  POSITIONS,
  REDEEMING,
  API_KEYS,
  SWITCHES,
  BUILDERS,
  IDEMPOTENCY_KEYS,
  RECENT,
  SCHEDULES,
  ORDERS,
  ORDER_FEES,
  DELAYED,
];

export interface Head {
  /** Records of each section, in the order of SECTIONS. */
  readonly counts: readonly number[];
  readonly changedSeq: number;
  readonly changedMs: number;
  readonly status: number;
  readonly feeAccount: number;
  readonly forgottenSeq: number;
  readonly forgottenKeySeq: number;
  readonly depositedMicros: number;
  readonly withdrawnMicros: number;
  readonly lockedMicros: number;
}

export function headFields(state: EngineState): Field[] {
  return [
    SNAPSHOT_FORMAT,
    SECTIONS.map(({ count }) => count(state)),
    state.changedSeq,
    state.changedMs,
    state.status,
    state.feeAccount,
    state.recent.forgottenSeq,
    state.ledger.depositedMicros,
    state.ledger.withdrawnMicros,
    state.lockedMicros,
    state.moneyKeys.forgottenSeq,
  ];
}

/** Throws SnapshotError for another format, or for a count that exceeds its bound. */
export function readHead(bytes: Uint8Array, bounds: Bounds): Head {
  const [fields, ...more] = readRecords(bytes, HEAD);
  if (more.length > 0)
    throw new SnapshotError(`${HEAD}: it must have 1 record, not ${more.length + 1}`);
  const record = new RecordReader(HEAD, fields);
  const version = record.whole('version');
  if (version !== SNAPSHOT_FORMAT) record.fail('version', String(SNAPSHOT_FORMAT), version);
  const numbers = record.inner('counts') ?? record.fail('counts', 'a list', null);
  const counts = SECTIONS.map(({ name, maximum }) => {
    return numbers.whole(name, 0, Math.min(maximum(bounds), Number.MAX_SAFE_INTEGER));
  });
  numbers.end();
  const head: Head = {
    counts,
    changedSeq: record.whole('changedSeq'),
    changedMs: record.whole('changedMs'),
    status: record.whole('status', 0, HALTED),
    feeAccount: record.whole('feeAccount', NONE, counts[SECTIONS.indexOf(ACCOUNTS)]! - 1),
    forgottenSeq: record.whole('forgottenSeq'),
    depositedMicros: record.whole('depositedMicros'),
    withdrawnMicros: record.whole('withdrawnMicros'),
    lockedMicros: record.whole('lockedMicros'),
    forgottenKeySeq: record.whole('forgottenKeySeq'),
  };
  record.end();
  return head;
}

export function countOf({ counts }: Head, section: Section): number {
  return counts[SECTIONS.indexOf(section)]!;
}
