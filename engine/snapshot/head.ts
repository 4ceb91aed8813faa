/**
 * The first record of an image: its form, how many of everything follow, and what there is one of.
 * Invariant: the sections stand in one order, each behind those that it names things of.
 */

import { NONE } from '../book/index.ts';
import type { Bounds } from '../model/index.ts';
import { HALTED, SNAPSHOT_FORMAT, SnapshotError } from '../model/index.ts';
import type { Core } from '../state/index.ts';
import { DELAYED } from './delayed.ts';
import { ORDER_FEES, SCHEDULES } from './fees.ts';
import { ACCOUNTS, POSITIONS, REDEEMING, STANDINGS } from './holdings.ts';
import { API_KEYS, BUILDERS, MONEY_KEYS, SWITCHES } from './keys.ts';
import { EVENTS, MARKETS } from './markets.ts';
import { ORDERS } from './orders.ts';
import { RECENT } from './recent.ts';
import { type Field, ImageRecord, readRecords } from './records.ts';
import type { Section } from './section.ts';

export const HEAD = 'head';

export const SECTIONS: readonly Section[] = [
  MARKETS,
  EVENTS,
  STANDINGS,
  ACCOUNTS,
  POSITIONS,
  REDEEMING,
  API_KEYS,
  SWITCHES,
  BUILDERS,
  MONEY_KEYS,
  RECENT,
  SCHEDULES,
  ORDERS,
  ORDER_FEES,
  DELAYED,
];

const MOST = Number.MAX_SAFE_INTEGER;

export interface Head {
  /** Of the sections, in their order. */
  readonly counts: readonly number[];
  readonly changedSeq: number;
  readonly changedMs: number;
  readonly status: number;
  readonly feeAccount: number;
  readonly forgottenSeq: number;
  readonly depositedMicros: number;
  readonly withdrawnMicros: number;
  readonly lockedMicros: number;
}

export function headFields(core: Core): Field[] {
  return [
    SNAPSHOT_FORMAT,
    SECTIONS.map(({ count }) => count(core)),
    core.changedSeq,
    core.changedMs,
    core.status,
    core.feeAccount,
    core.recent.forgottenSeq,
    core.ledger.depositedMicros,
    core.ledger.withdrawnMicros,
    core.lockedMicros,
  ];
}

/** Throws ImageError for one of another version, or with more of anything than there can be. */
export function readHead(bytes: Uint8Array, bounds: Bounds): Head {
  const [fields, ...more] = readRecords(bytes, HEAD);
  if (more.length > 0)
    throw new SnapshotError(`${HEAD}: ${more.length + 1} records instead of one`);
  const record = new ImageRecord(HEAD, fields);
  const version = record.whole('version', 0, MOST);
  if (version !== SNAPSHOT_FORMAT) record.fail('version', String(SNAPSHOT_FORMAT), version);
  const numbers = record.inner('counts') ?? record.fail('counts', 'a list', null);
  const counts = SECTIONS.map(({ name, most }) => {
    return numbers.whole(name, 0, Math.min(most(bounds), MOST));
  });
  numbers.end();
  const head: Head = {
    counts,
    changedSeq: record.whole('changedSeq', 0, MOST),
    changedMs: record.whole('changedMs', 0, MOST),
    status: record.whole('status', 0, HALTED),
    feeAccount: record.whole('feeAccount', NONE, counts[SECTIONS.indexOf(ACCOUNTS)]! - 1),
    forgottenSeq: record.whole('forgottenSeq', 0, MOST),
    depositedMicros: record.whole('depositedMicros', 0, bounds.totalMicros),
    withdrawnMicros: record.whole('withdrawnMicros', 0, bounds.totalMicros),
    lockedMicros: record.whole('lockedMicros', 0, MOST),
  };
  record.end();
  return head;
}

export function countOf({ counts }: Head, section: Section): number {
  return counts[SECTIONS.indexOf(section)]!;
}
