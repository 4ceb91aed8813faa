/**
 * The trace of one request: a tree of spans, with the request as its root.
 *
 *     POST /order
 *       receive: admission, body, authentication, validation
 *       handle
 *         verify: verify_wait, verify_work
 *         line
 *         queue
 *         apply
 *         durable: batch, commit, deliver
 *       write
 *
 * Invariant: the spans are complete when the trace is handed on; what happens to the request later
 * is not noted. A stage that has a metric has its name and is measured between the same two points.
 * Bound: `TRACING_BOUNDS.spansPerTrace`; further spans are counted, and the root says how many.
 */
import { type Command, isChange } from '../../engine/model/index.ts';
import type { Applied, StoreObserver } from '../../persistence/index.ts';
import type {
  IntakeStage,
  RequestTrace,
  TracedRoute,
  VerifierTimes,
  WrittenAnswer,
} from '../api/index.ts';
import { TRACING_BOUNDS } from './bounds.ts';

// The header `traceparent` of W3C Trace Context, level 1: https://www.w3.org/TR/trace-context/

/** A span of the caller, whose child the request is. */
export interface TraceContext {
  /** 32 digits of lower-case hex. */
  readonly traceId: string;
  /** 16 digits of lower-case hex. */
  readonly spanId: string;
}

/** A version later than 00 may add further parts. */
const FORM =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * undefined for a text that the standard does not allow: a trace then begins with the request. The
 * flags count for nothing, because the operator decides which requests are traced, not the client.
 */
export function parseTraceparent(text: string): TraceContext | undefined {
  const [, version, traceId, spanId, further] = FORM.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return version === '00' && further !== undefined ? undefined : { traceId, spanId };
}

export type Attributes = Readonly<Record<string, string | number>>;

/** Times are those of `performance.now()`. */
export interface Span {
  readonly name: string;
  readonly startMs: number;
  endMs: number;
  /** The place of its parent among the spans of the trace; -1 for the root. */
  readonly parent: number;
  attributes?: Attributes;
}

export interface FinishedTrace {
  /** The span that the client named as the parent of the request. */
  readonly parent: TraceContext | undefined;
  /** The root comes first, and each parent before its children. */
  readonly spans: readonly Span[];
  /** To be added to the times of spans, for milliseconds since the epoch. */
  readonly epochMs: number;
}

export interface TraceParts {
  readonly requestId: string;
  readonly arrivedMs: number;
  readonly parent: TraceContext | undefined;
  readonly commands: CommandTimes;
  readonly onEnd: (trace: FinishedTrace) => void;
}

const ROOT = 0;
const RECEIVE = 1;

export class Trace implements RequestTrace {
  readonly #parts: TraceParts;
  readonly #spans: Span[];
  #route: TracedRoute | undefined;
  /** When the last stage of the intake ended. */
  #passedMs: number;
  /** The place of the span `handle`; `ROOT` before the handler runs. */
  #handle = ROOT;
  #droppedSpans = 0;
  #isOver = false;

  constructor(parts: TraceParts) {
    const { arrivedMs } = parts;
    this.#parts = parts;
    this.#passedMs = arrivedMs;
    this.#spans = [
      { name: '', startMs: arrivedMs, endMs: arrivedMs, parent: -1 },
      { name: 'receive', startMs: arrivedMs, endMs: arrivedMs, parent: ROOT },
    ];
  }

  routed(route: TracedRoute): void {
    this.#route = route;
  }

  passed(stage: IntakeStage): void {
    const nowMs = performance.now();
    this.#add(RECEIVE, stage, this.#passedMs, nowMs);
    this.#end(RECEIVE, nowMs);
    this.#passedMs = nowMs;
    if (stage === 'validation') this.#handle = this.#add(ROOT, 'handle', nowMs, nowMs);
  }

  verified({ queuedMs, work, endMs }: VerifierTimes): void {
    const verify = this.#add(this.#handle, 'verify', queuedMs, endMs);
    if (work === undefined) return;
    this.#add(verify, 'verify_wait', queuedMs, work.startMs);
    this.#add(verify, 'verify_work', work.startMs, work.endMs);
  }

  waited(startMs: number, endMs: number): void {
    this.#add(this.#handle, 'line', startMs, endMs);
  }

  async follow(command: Command, submit: () => Promise<Applied>): Promise<Applied> {
    const { commands } = this.#parts;
    const submittedMs = performance.now();
    const times = commands.watch(command);
    try {
      const submitted = submit();
      const waited = times.endMs === 0;
      const applied = await submitted;
      // A command that did nothing else has the number of the last change before it.
      const seq = applied.events.some(isChange) ? { 'journal.seq': applied.seq } : {};
      if (waited) this.#add(this.#handle, 'queue', submittedMs, times.startMs);
      const attributes = { 'command.kind': command.kind, 'command.outcome': times.outcome, ...seq };
      this.#add(this.#handle, 'apply', times.startMs, times.endMs, attributes);
      this.#noteDurable(times.endMs);
      return applied;
    } finally {
      commands.forget(command);
    }
  }

  /** A command was answered now. The last commit is then the one that made its state durable. */
  #noteDurable(appliedMs: number): void {
    const { commit } = this.#parts.commands;
    const nowMs = performance.now();
    const durable = this.#add(this.#handle, 'durable', appliedMs, nowMs);
    // Nothing had to be made durable.
    if (commit.endMs < appliedMs) return;
    // A command that changes nothing may wait for a commit that was already running.
    if (commit.startMs > appliedMs) this.#add(durable, 'batch', appliedMs, commit.startMs);
    const attributes = { 'commit.commands': commit.commands };
    this.#add(durable, 'commit', commit.startMs, commit.endMs, attributes);
    this.#add(durable, 'deliver', commit.endMs, nowMs);
  }

  answered({ status, code, startMs, endMs }: WrittenAnswer): void {
    this.#end(this.#handle, startMs);
    this.#add(ROOT, 'write', startMs, endMs);
    const failed = code === '' ? {} : { 'error.type': code };
    this.#finish(endMs, { 'http.response.status_code': status, ...failed });
  }

  left(): void {
    if (this.#handle === ROOT) this.unanswered();
  }

  unanswered(): void {
    const nowMs = performance.now();
    this.#end(this.#handle, nowMs);
    this.#finish(nowMs, { 'error.type': 'aborted' });
  }

  #finish(endMs: number, outcome: Attributes): void {
    const { requestId, parent, onEnd } = this.#parts;
    const [root] = this.#spans;
    if (this.#isOver || root === undefined) return;
    this.#isOver = true;
    root.endMs = endMs;
    root.attributes = {
      'request.id': requestId,
      ...(this.#route && {
        'http.request.method': this.#route.method,
        'http.route': this.#route.path,
      }),
      ...outcome,
      ...(this.#droppedSpans > 0 && { 'trace.dropped_spans': this.#droppedSpans }),
    };
    const epochMs = Date.now() - performance.now();
    const name = this.#route === undefined ? 'HTTP' : `${this.#route.method} ${this.#route.path}`;
    const spans = [{ ...root, name }, ...this.#spans.slice(RECEIVE)];
    onEnd({ parent, spans, epochMs });
  }

  /** Returns the place of the span; that of its parent if there is no room for it. */
  #add(
    parent: number,
    name: string,
    startMs: number,
    endMs: number,
    attributes?: Attributes,
  ): number {
    if (this.#spans.length >= TRACING_BOUNDS.spansPerTrace) {
      this.#droppedSpans += 1;
      return parent;
    }
    this.#spans.push({ name, startMs, endMs, parent, ...(attributes && { attributes }) });
    return this.#spans.length - 1;
  }

  #end(place: number, endMs: number): void {
    const span = this.#spans[place];
    if (span !== undefined) span.endMs = endMs;
  }
}

// When the commands of traced requests were applied, and when the last commit was: what the store's
// observer tells. A command is known by its object, which the exchange hands through unchanged.
//
// Bound: one entry for each command of a traced request that is not answered.

/** Times are those of `performance.now()`; 0 until the command is applied. */
interface Times {
  startMs: number;
  endMs: number;
  outcome: string;
}

export class CommandTimes implements StoreObserver {
  readonly #watched = new Map<Pick<Command, 'kind'>, Times>();
  readonly commit = { startMs: 0, endMs: 0, commands: 0 };

  get watchedCount(): number {
    return this.#watched.size;
  }

  /** Notes when the command is applied, from now until `forget`. */
  watch(command: Command): Readonly<Times> {
    const times = { startMs: 0, endMs: 0, outcome: '' };
    this.#watched.set(command, times);
    return times;
  }

  forget(command: Command): void {
    this.#watched.delete(command);
  }

  applied(command: Pick<Command, 'kind'>, outcome: string, durationMs: number): void {
    const times = this.#watched.get(command);
    if (times === undefined) return;
    times.endMs = performance.now();
    times.startMs = times.endMs - durationMs;
    times.outcome = outcome;
  }

  committed(commands: number, durationMs: number): void {
    const { commit } = this;
    commit.endMs = performance.now();
    commit.startMs = commit.endMs - durationMs;
    commit.commands = commands;
  }
}
