/** Whether the exchange answers, as the newest request of the page saw it, and its refusals. */
import { type ReadonlySignal, signal } from '@preact/signals';

export type Reach = 'ready' | 'starting' | 'unreachable';

const seen = signal<Reach>('ready');

export const reach: ReadonlySignal<Reach> = seen;

export function noteReach(next: Reach): void {
  seen.value = next;
}

/** Asks whether the exchange answers now. It is not logged: a page asks again and again. */
export async function probe(): Promise<void> {
  try {
    const { ok } = await fetch('facts.json', { credentials: 'omit', cache: 'no-store' });
    noteReach(ok ? 'ready' : 'starting');
  } catch {
    noteReach('unreachable');
  }
}

/** What a failure's body says besides its sentence and its code. */
export type ErrorFacts = Readonly<Record<string, unknown>>;

const KEYS_OF_SENTENCE = ['error', 'code', 'errorMsg', 'success'];

export class ExchangeError extends Error {
  /** 0 where no answer came. */
  readonly status: number;
  /** Stable, such as `not_enough_balance`; `no_answer` where none came. */
  readonly code: string;
  /** What must change in the request: usually `field`, `limit` and `actual`. */
  readonly facts: ErrorFacts;
  readonly requestId: string;

  constructor(status: number, body: unknown, requestId: string) {
    const record: ErrorFacts = typeof body === 'object' && body !== null ? { ...body } : {};
    super(String(record.error ?? record.errorMsg ?? `the exchange answered with status ${status}`));
    this.status = status;
    this.code = String(record.code ?? 'unknown');
    this.facts = Object.fromEntries(
      Object.entries(record).filter(([key]) => !KEYS_OF_SENTENCE.includes(key)),
    );
    this.requestId = requestId;
  }
}
