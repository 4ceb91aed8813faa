/**
 * The table of all kinds of faults. To add one: define it with `defineFaultKind` in the file of its
 * group, list it here, and have its site call `fire` with it.
 */
import type { FaultKind } from './kind.ts';
import { MARKET_FAULT_KINDS } from './market-kinds.ts';
import { REQUEST_FAULT_KINDS } from './request-kinds.ts';
import { STREAM_FAULT_KINDS } from './stream-kinds.ts';

export const FAULT_KINDS: readonly FaultKind[] = [
  ...REQUEST_FAULT_KINDS,
  ...MARKET_FAULT_KINDS,
  ...STREAM_FAULT_KINDS,
];
