/**
 * Decides which requests a node of a cluster answers, by the services that a route names.
 *
 * Invariant: a route that shows or changes trading state is refused while the node has no current
 * core. A core and a standby, which run no public API, refuse what only gateways have.
 */

import type { RouteDefinition, StateGate } from '../http/api/index.ts';
import { ApiError } from '../http/errors/index.ts';
import type { ClusterNode } from './cluster.ts';

/** Services that show nothing of the trading state: of this node alone, or of its settings. */
const OF_THE_NODE: readonly string[] = [
  'settings',
  'ports',
  'log',
  'limits',
  'operators',
  'health',
  'metrics',
  'exposition',
  'backups',
];

/** Services that only a node with the public API feeds. */
const OF_GATEWAYS: readonly string[] = [
  'books',
  'liveMarkets',
  'comments',
  'orderExplainer',
  'toldTrades',
];

/** Keys are looked up in the trading state; the tokens of operators are not. */
const WITHOUT_STATE: readonly string[] = ['none', 'operator'];

type Place = 'any_time' | 'with_core' | 'at_gateways';

export interface NodeGateOptions {
  readonly node: Pick<ClusterNode, 'isCurrent'>;
  readonly runsPublicApi: boolean;
}

export class NodeGate implements StateGate {
  readonly #options: NodeGateOptions;
  /** Each route is judged once. */
  readonly #places = new Map<RouteDefinition, Place>();

  constructor(options: NodeGateOptions) {
    this.#options = options;
  }

  get isCurrent(): boolean {
    return this.#options.node.isCurrent;
  }

  check(route: RouteDefinition): void {
    const place = this.#places.get(route) ?? this.#judge(route);
    if (place === 'any_time') return;
    if (place === 'at_gateways') throw new ApiError('other_node');
    if (!this.isCurrent) throw new ApiError('service_not_ready');
  }

  #judge(route: RouteDefinition): Place {
    const place = this.#placeOf(route);
    this.#places.set(route, place);
    return place;
  }

  #placeOf({ needs = [], auth }: RouteDefinition): Place {
    const isForGateways = needs.some((name) => OF_GATEWAYS.includes(name));
    if (isForGateways && !this.#options.runsPublicApi) return 'at_gateways';
    const isFree = needs.every((name) => OF_THE_NODE.includes(name));
    return isFree && WITHOUT_STATE.includes(auth) ? 'any_time' : 'with_core';
  }
}
