/**
 * What a request is about: its caller, and the accounts and markets that it names.
 *
 * A market counts as named by its condition id, by one of its tokens, or by the id of a live order
 * of the caller; an account by a key such as `maker`, or by such an order. A request that names no
 * account is about all accounts of its caller.
 */

import type { TProperties } from 'typebox';
import type { InterceptedRequest, RouteDefinition } from '../../http/api/index.ts';
import type { Registry } from '../../http/views/index.ts';
import type { AppliedState } from '../../persistence/index.ts';
import type { Fault } from '../faults/fault.ts';
import type { FaultKind } from '../faults/kind.ts';
import type { FaultSubject } from '../faults/match.ts';
import type { FaultCandidate, FaultSite, Firing } from '../faults/registry.ts';

export interface SubjectViews {
  readonly registry: Pick<Registry, 'market' | 'token' | 'accountsOf'>;
  readonly state: Pick<AppliedState, 'owner'>;
}

/** The keys that name an account, in the bodies and queries of published clients. */
const ACCOUNT_KEYS: ReadonlySet<string> = new Set(['maker', 'maker_address', 'account', 'user']);

/** Deeper values name nothing that an order or a query knows. */
const DEEPEST = 4;

/** Every text in a value, with the key that it stands under. */
function* textsIn(value: unknown, key = '', depth = 0): Generator<readonly [string, string]> {
  if (typeof value === 'string') yield [key, value.toLowerCase()];
  else if (typeof value === 'object' && value !== null && depth < DEEPEST) {
    for (const [name, part] of Object.entries(value)) {
      yield* textsIn(part, Array.isArray(value) ? key : name, depth + 1);
    }
  }
}

interface Named {
  readonly accounts: readonly string[];
  readonly markets: readonly string[];
}

class RequestSubject implements FaultSubject {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly pattern: string;
  readonly apiKey: string;
  readonly owner: string;
  readonly #request: InterceptedRequest;
  readonly #views: SubjectViews;
  #named: Named | undefined;

  constructor(request: InterceptedRequest, views: SubjectViews) {
    const { route, path, input } = request;
    this.requestId = input.request.requestId;
    this.method = route.method;
    this.path = path;
    this.pattern = route.path;
    const { caller } = input;
    const isKnown = caller !== undefined && 'owner' in caller;
    this.apiKey = isKnown ? caller.apiKey : '';
    this.owner = isKnown ? caller.owner : '';
    this.#request = request;
    this.#views = views;
  }

  get accounts(): readonly string[] {
    return this.#find().accounts;
  }

  get markets(): readonly string[] {
    return this.#find().markets;
  }

  /** Reads the request once, and only if a fault wants to know. */
  #find(): Named {
    this.#named ??= this.#read();
    return this.#named;
  }

  #read(): Named {
    const { params, query, body } = this.#request.input;
    const { registry, state } = this.#views;
    const accounts = new Set<string>();
    const markets = new Set<string>();
    const others = new Set<string>();
    for (const [key, text] of textsIn([params, query, body])) {
      const market = registry.market(text) ?? registry.token(text)?.market;
      if (market !== undefined) markets.add(market.conditionId);
      else if (ACCOUNT_KEYS.has(key)) accounts.add(text);
      else others.add(text);
    }
    if (this.owner !== '' && others.size > 0) {
      for (const order of state.owner(this.owner).orders) {
        if (!others.has(order.orderId)) continue;
        accounts.add(order.account);
        markets.add(order.conditionId);
      }
    }
    if (accounts.size === 0 && this.owner !== '') {
      for (const { address } of registry.accountsOf(this.owner)) accounts.add(address);
    }
    return { accounts: [...accounts], markets: [...markets] };
  }
}

// A request that asks for faults, and what all kinds of faults of requests share.

/** Names the fault in an answer that it changed or held back; a lost connection has no answer. */
const FAULT_HEADER = 'x-injected-fault';

export class AskedRequest {
  readonly request: InterceptedRequest;
  readonly subject: RequestSubject;
  readonly #site: FaultSite;

  constructor(request: InterceptedRequest, site: FaultSite, views: SubjectViews) {
    this.request = request;
    this.subject = new RequestSubject(request, views);
    this.#site = site;
  }

  /**
   * The fault of a kind that fires for this request. A fault that names no path is for the routes
   * that `isFor` accepts.
   */
  fire<Parameters extends TProperties>(
    kind: FaultKind<Parameters>,
    isFor: (route: RouteDefinition) => boolean,
    concerns: (candidate: FaultCandidate<Parameters>) => boolean = () => true,
  ): Firing<Parameters> | undefined {
    const isOwnRoute = isFor(this.request.route);
    return this.#site.fire(kind, this.subject, (candidate) => {
      const { path } = candidate.fault.definition.match;
      return (isOwnRoute || path !== undefined) && concerns(candidate);
    });
  }

  /** Calls the handler. A failure is a rejection, also if it came at once. */
  async call(body = this.request.input.body): Promise<unknown> {
    const { route, input } = this.request;
    return await route.handler({ ...input, body });
  }

  /** Marks the answer. */
  mark({ id }: Fault): void {
    const { answer } = this.request;
    answer.further = [...answer.further, [FAULT_HEADER, id]];
  }
}
