/**
 * The table of errors, errors.json: the status, sentence and meaning of each code. Codes are stable
 * and never get another meaning. Every reject code of the engine has an entry of the same name; the
 * type checks it.
 */
import type { RejectCode } from '../../engine/index.ts';
import table from './errors.json' with { type: 'json' };

export interface ErrorEntry {
  readonly status: number;
  /**
   * The sentence (wire 5.8). `{name}` stands for the detail of that name.
   */
  readonly text: string;
  /** The sentence in the dialect `polymarket`, where it differs. */
  readonly poly?: string;
  /** When it happens and what helps, for the documentation. */
  readonly docs: string;
  /** Sent as `Retry-After` where trying again helps. */
  readonly retryAfterSeconds?: number;
}

export const ERRORS = table satisfies Record<RejectCode, ErrorEntry> & Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;
