/**
 * Faults of requests: what the server asks before it calls a handler.
 *
 * 1. A fault that refuses (a page, 425, 500, 503, 429, not post-only) answers before anything is
 *    done.
 * 2. An order that is late waits; what comes meanwhile overtakes it.
 * 3. An act on the market is sequenced before the order that caused it.
 * 4. The handler does its work.
 * 5. An act on the market follows the order, and the answer is held back, or lost, or both.
 *
 * Invariant: what the handler did stays done; a fault changes what its client is told. An answer
 * is lost only if the request has changed something. Answers are held back by real time.
 * Bound: answers that are held back count among `HTTP_BOUNDS.pendingRequests`.
 */

import { strict as assert } from 'node:assert';
import { SECOND_MS } from '../../engine/model/index.ts';
import {
  ConnectionLost,
  type InterceptedRequest,
  type Interceptor,
  RawReply,
} from '../../http/api/index.ts';
import { ApiError } from '../../http/errors/index.ts';
import type { Logger } from '../../http/runtime/log.ts';
import type { Registry } from '../../http/views/index.ts';
import type { Exchange } from '../../persistence/index.ts';
import type { FaultRegistry, FaultSite, Firing } from '../faults/registry.ts';
import {
  EDGE_PAGE,
  LATE_ORDER,
  LOST_ACKNOWLEDGEMENT,
  SLOW_ANSWER,
} from '../faults/request-kinds.ts';
import { MarketActs, type Submit } from './market-acts.ts';
import { inPostOnlyMode, refuseOnDemand, waitUnlessAborted } from './refusals.ts';
import { isAnyRoute, placesOrders, writesOrders } from './request-scope.ts';
import { AskedRequest } from './request-subject.ts';
import { TriggeredActs } from './triggered-acts.ts';

export interface RequestFaultsOptions {
  readonly faults: FaultRegistry;
  readonly registry: Registry;
  readonly log: Pick<Logger, 'warn'>;
  /** Resolves after the time, or when the signal aborts; changed by tests. */
  readonly wait?: typeof waitUnlessAborted;
}

/** What faults need of the exchange. */
type FaultedExchange = Pick<Exchange, 'submit' | 'state'>;

type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: unknown };

/** What a server in front of the exchange answers by itself. */
function page(status: number, title: string): RawReply {
  const html = `<html><head><title>${title}</title></head><body>${title}</body></html>`;
  return new RawReply(status, html, 'text/html');
}

async function outcomeOf(result: Promise<unknown>): Promise<Outcome> {
  try {
    return { ok: true, value: await result };
  } catch (failure) {
    return { ok: false, failure };
  }
}

/** Whether the answer tells of something that was done: an order that is placed or cancelled. */
function hasChanged(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((one) => one?.success === true);
  if (typeof value !== 'object' || value === null || !('canceled' in value)) return true;
  return Array.isArray(value.canceled) && value.canceled.length > 0;
}

export class RequestFaults implements Interceptor {
  readonly #site: FaultSite;
  readonly #registry: Registry;
  readonly #acts: TriggeredActs;
  readonly #wait: typeof waitUnlessAborted;
  #exchange: FaultedExchange | undefined;

  constructor({ faults, registry, log, wait = waitUnlessAborted }: RequestFaultsOptions) {
    this.#site = faults.sites.request;
    this.#registry = registry;
    const submit: Submit = (command, evidence) => this.#opened().submit(command, evidence);
    this.#acts = new TriggeredActs(new MarketActs({ submit, faults, log }), registry);
    this.#wait = wait;
  }

  /** Called before the first request is handled. */
  open(exchange: FaultedExchange): void {
    this.#exchange = exchange;
  }

  get isActive(): boolean {
    return this.#site.isArmed;
  }

  #opened(): FaultedExchange {
    assert(this.#exchange !== undefined, 'requests are handled only when the exchange is open');
    return this.#exchange;
  }

  handle(request: InterceptedRequest): unknown {
    const { route, input } = request;
    // Probes tell the truth about the exchange.
    if (route.whenStarting !== undefined) return route.handler(input);
    const views = { registry: this.#registry, state: this.#opened().state };
    const asked = new AskedRequest(request, this.#site, views);
    const edge = asked.fire(EDGE_PAGE, isAnyRoute);
    if (edge !== undefined) {
      edge.note('answered 403 with a page');
      asked.mark(edge.fault);
      return page(403, '403 Forbidden');
    }
    refuseOnDemand(asked);
    const call = inPostOnlyMode(asked);
    const slow = asked.fire(SLOW_ANSWER, isAnyRoute);
    const late = asked.fire(LATE_ORDER, placesOrders);
    if (late === undefined) return this.#carryOut(asked, call, slow);
    return this.#delay(asked, late).then(() => this.#carryOut(asked, call, slow));
  }

  /** Waits before anything of an order is done. */
  async #delay(
    asked: AskedRequest,
    { fault, parameters, note }: Firing<typeof LATE_ORDER.parameters>,
  ): Promise<void> {
    const seconds = parameters.seconds + fault.draw() * parameters.spread_seconds;
    note(`kept the order for ${seconds.toFixed(3)} s`);
    asked.mark(fault);
    await this.#wait(seconds * SECOND_MS, fault.removal);
  }

  #carryOut(
    asked: AskedRequest,
    call: () => Promise<unknown>,
    slow: Firing<typeof SLOW_ANSWER.parameters> | undefined,
  ): Promise<unknown> {
    const before = this.#acts.run(asked, 'before');
    return this.#answer(asked, outcomeOf(call()), { before, slow });
  }

  async #answer(
    asked: AskedRequest,
    result: Promise<Outcome>,
    {
      before,
      slow,
    }: {
      readonly before: Promise<void>;
      readonly slow: Firing<typeof SLOW_ANSWER.parameters> | undefined;
    },
  ): Promise<unknown> {
    const [outcome] = await Promise.all([result, before]);
    const isChange = outcome.ok && hasChanged(outcome.value);
    if (isChange) await this.#acts.run(asked, 'after');
    const lost = isChange ? asked.fire(LOST_ACKNOWLEDGEMENT, writesOrders) : undefined;
    if (slow !== undefined) await this.#holdBack(asked, slow);
    if (lost !== undefined) return await this.#lose(asked, lost);
    if (outcome.ok) return outcome.value;
    throw outcome.failure;
  }

  async #holdBack(
    asked: AskedRequest,
    { fault, parameters, note }: Firing<typeof SLOW_ANSWER.parameters>,
  ): Promise<void> {
    note(`held the answer back for ${parameters.seconds} s`);
    asked.mark(fault);
    await this.#wait(parameters.seconds * SECOND_MS, fault.removal);
  }

  /** What the client sees of an answer that is lost. */
  async #lose(
    asked: AskedRequest,
    { fault, parameters, note }: Firing<typeof LOST_ACKNOWLEDGEMENT.parameters>,
  ): Promise<RawReply> {
    const { answer, timeout_seconds: seconds } = parameters;
    switch (answer) {
      case 'close':
        note('carried it out, and closed the connection');
        throw new ConnectionLost();
      case 'timeout':
        note(`carried it out, and closed the connection after ${seconds} s`);
        await this.#wait(seconds * SECOND_MS, fault.removal);
        throw new ConnectionLost();
      case '500': {
        note('carried it out, and answered 500');
        asked.mark(fault);
        throw new ApiError('internal_error', { requestId: asked.subject.requestId });
      }
      case '502':
        note('carried it out, and answered 502');
        asked.mark(fault);
        return page(502, '502 Bad Gateway');
    }
  }
}
