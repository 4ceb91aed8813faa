/** Why a source's answer is none: a closed set of codes, each with a sentence for the operator. */

export type SourceErrorCode =
  /** Nobody answers, or the connection breaks. */
  | 'unreachable'
  /** The head or the end of the answer took too long. */
  | 'slow'
  /** 429, 408, 425 and 5xx: another time. */
  | 'busy'
  /** Another status than 200 that will not change by itself. */
  | 'refused'
  /** More bytes than an answer may have. */
  | 'too_large'
  /** Not JSON, or not said to be. */
  | 'not_json'
  /** JSON, but no list. */
  | 'not_a_list'
  /** A redirect that is not followed. */
  | 'redirected'
  /** The list does not end: its pages come again and again. */
  | 'endless'
  /** It was asked to stop. */
  | 'stopped';

/** What may go better at the next try. */
const PASSING: ReadonlySet<SourceErrorCode> = new Set(['unreachable', 'slow', 'busy', 'not_json']);

export class SourceError extends Error {
  readonly code: SourceErrorCode;
  /** Of 'refused' and 'busy'; else 0. */
  readonly status: number;
  /** How long the source asks to be left alone; 0 if it says nothing. */
  readonly retryAfterMs: number;

  constructor(code: SourceErrorCode, message: string, { status = 0, retryAfterMs = 0 } = {}) {
    super(message);
    this.name = 'SourceError';
    this.code = code;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  get isPassing(): boolean {
    return PASSING.has(this.code);
  }
}
