/** Answers of the naive engine, and patterns for the texts in commands. */
import type {
  Bounds,
  Command,
  Known,
  RejectCode,
  RejectDetails,
  Rejected,
} from '../../../engine/index.ts';
import { isWhole } from '../../../engine/index.ts';

export const WORD = /^0x[0-9a-f]{64}$/;

export const ADDRESS = /^0x[0-9a-f]{40}$/;

export const DECIMAL = /^(0|[1-9][0-9]{0,77})$/;

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isWord(text: string): boolean {
  return WORD.test(text);
}

export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

export function reject(code: RejectCode, details: RejectDetails): Rejected {
  return { kind: 'rejected', code, ...details };
}

export function known(command: Command): Known {
  return { kind: 'known', command: command.kind };
}

/** Checks how many orders a step of a cancel takes. */
export function checkStep(
  { bounds }: { readonly bounds: Bounds },
  actual: number,
): Rejected | undefined {
  const limit = bounds.cancelsPerCommand;
  if (isWhole(actual, 1, limit)) return undefined;
  return reject('too_many_order_ids', { field: 'most', limit, actual });
}
