/** Answers of the naive engine, and patterns for the texts in commands. */
import type { Command, Known, RejectCode, RejectDetails, Rejected } from '../../../engine/index.ts';

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
