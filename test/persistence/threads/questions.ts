/** The questions of worker-client.test.ts to its worker. */
import type { ErrorCodec } from '../../../persistence/threads/index.ts';

export interface Kinds {
  readonly echo: { ask: string; answer: string };
  readonly sum: { ask: Uint8Array<ArrayBuffer>; answer: number };
  readonly zeros: { ask: number; answer: Uint8Array<ArrayBuffer> };
  readonly fail: { ask: 'coded' | 'store' | 'database' | 'mistake'; answer: never };
  readonly exit: { ask: undefined; answer: undefined };
  /** Waits until `gate[0]` is not 0. */
  readonly wait: { ask: Int32Array; answer: 'waited' };
}

export class CodedError extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`code ${code}`);
    this.code = code;
  }
}

export const CODED_ERRORS: ErrorCodec = {
  encode: (error) => (error instanceof CodedError ? error.code : undefined),
  decode: (encoded) => new CodedError(Number(encoded)),
};
