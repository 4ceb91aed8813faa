/** Why a request to a source failed: a code, and a sentence for the operator. */

export type SourceErrorCode =
  /** No connection, or it broke. */
  | 'unreachable'
  /** The head or the end of the answer took too long. */
  | 'slow'
  /** 408, 425, 429, 500, 502, 503 or 504: retry later. */
  | 'busy'
  /** Another status than 200, which a retry would not change. */
  | 'refused'
  /** More bytes than an answer may have. */
  | 'too_large'
  | 'not_json'
  /** JSON, but not a list. */
  | 'not_a_list'
  | 'redirected'
  | 'stopped';

/** Errors that a retry may repair. */
const TRANSIENT: ReadonlySet<SourceErrorCode> = new Set([
  'unreachable',
  'slow',
  'busy',
  'not_json',
]);

export class SourceError extends Error {
  readonly code: SourceErrorCode;
  /** The HTTP status of `refused` and `busy`; else 0. */
  readonly status: number;
  /** The wait that the source asks for; 0 for none. */
  readonly retryAfterMs: number;

  constructor(code: SourceErrorCode, message: string, { status = 0, retryAfterMs = 0 } = {}) {
    super(message);
    this.name = 'SourceError';
    this.code = code;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }

  get isTransient(): boolean {
    return TRANSIENT.has(this.code);
  }
}
