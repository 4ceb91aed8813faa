// The gate of requests without a server: requests, handlers, a clock and waits that a test makes.
import type { InterceptedRequest, Method } from '../../../http/api/index.ts';
import type { HeaderList } from '../../../http/codec/index.ts';
import { Registry } from '../../../http/views/registry.ts';
import { definitionIn } from '../../../sandbox/faults/definition.ts';
import { FaultRegistry } from '../../../sandbox/faults/registry.ts';
import { RequestFaults } from '../../../sandbox/request-faults/request-faults.ts';

export const OWNER = `0x${'a1'.repeat(20)}`;

interface Wish {
  /** What the handler returns; an error is thrown. */
  readonly result?: unknown;
  readonly body?: unknown;
}

export interface Told {
  /** What the server gets: the handler's result, or what a fault makes of it. */
  readonly outcome: unknown;
  readonly headers: HeaderList;
  /** The bodies with which the handler was called. */
  readonly calls: readonly unknown[];
}

export class Gate {
  nowMs = 0;
  readonly faults = new FaultRegistry(() => this.nowMs);
  /** How long answers were held back, in ms. Each wait lasts until the test ends it. */
  readonly waits: number[] = [];
  /** What was called, in order. */
  readonly steps: string[] = [];
  readonly #gate: RequestFaults;

  constructor() {
    this.#gate = new RequestFaults({
      faults: this.faults,
      registry: new Registry(),
      log: { warn: () => {} },
      wait: async (ms) => {
        this.waits.push(ms);
        this.steps.push('wait');
      },
    });
    this.#gate.open({
      submit: async () => {
        throw new Error('no act is expected');
      },
      // Safe: faults read only an owner's state.
      state: { owner: () => ({ accounts: [], orders: [] }) } as never,
    });
  }

  /** Adds a fault, as POST /faults does, and returns its id. */
  add(fault: object): string {
    return this.faults.add(definitionIn(fault, new Registry())).id;
  }

  /** Sends a request of an owner through the gate. */
  async ask(method: Method, path: string, { result = {}, body }: Wish = {}): Promise<Told> {
    const calls: unknown[] = [];
    const answer: { further: HeaderList } = { further: [] };
    const handler = async (input: { readonly body: unknown }): Promise<unknown> => {
      calls.push(input.body);
      this.steps.push('handler');
      if (result instanceof Error) throw result;
      return typeof result === 'function' ? result(input.body) : result;
    };
    const request = { requestId: 'r-1', dialect: 'polymarket' };
    const caller = { owner: OWNER, apiKey: 'key' };
    const input = { params: {}, query: {}, body, caller, request, services: {} };
    // Safe: the gate reads nothing else of a request.
    const gated = { route: { method, path, handler }, input, method, path, answer } as never;
    let outcome: unknown;
    try {
      outcome = this.#gate.isActive ? await this.#gate.handle(gated as InterceptedRequest) : result;
    } catch (failure) {
      outcome = failure;
    }
    return { outcome, headers: answer.further, calls };
  }
}
