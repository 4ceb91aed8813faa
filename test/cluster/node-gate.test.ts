import t from 'tap';
import { NodeGate } from '../../cluster/node-gate.ts';
import type { RouteDefinition } from '../../http/api/route.ts';
import { ApiError } from '../../http/errors/errors.ts';
import { OPERATOR_ROUTES, ROUTES } from '../all-routes.ts';
import { fakeNode } from './fake-node.ts';

/** What the gate says to a route: '' if it lets it pass. */
function answerOf(gate: NodeGate, route: RouteDefinition): string {
  try {
    gate.check(route);
    return '';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

/** The answers to all routes, each with the routes that get it. */
function answers(gate: NodeGate, routes: readonly RouteDefinition[]) {
  const found = new Map<string, string[]>();
  for (const route of routes) {
    const answer = answerOf(gate, route);
    found.set(answer, [...(found.get(answer) ?? []), `${route.method} ${route.path}`]);
  }
  return found;
}

t.test(
  'a gateway without a core answers what shows no trading state, and nothing else',
  async (t) => {
    const node = fakeNode('gateway-a');
    const gate = new NodeGate({ node, runsPublicApi: true });
    t.strictSame([...answers(gate, ROUTES).keys()], [''], 'with a core it answers all routes');
    node.isCurrent = false;
    const found = answers(gate, ROUTES);
    t.strictSame([...found.keys()].toSorted(), ['', 'service_not_ready']);
    const free = found.get('') ?? [];
    for (const route of ['GET /healthz', 'GET /readyz', 'GET /time', 'GET /limits', 'GET /docs']) {
      t.ok(free.includes(route), route);
    }
    for (const route of [
      'GET /',
      'GET /ok',
      'GET /status',
      'GET /book',
      'GET /events',
      'GET /data/trades',
      'GET /order-scoring',
      'POST /order',
      'DELETE /order',
      'POST /auth/api-key',
      'POST /v1/heartbeats',
    ]) {
      t.ok(found.get('service_not_ready')?.includes(route), route);
    }
    node.isCurrent = true;
    t.strictSame([...answers(gate, ROUTES).keys()], [''], 'it is asked at each request');
  },
);

t.test('a core and a standby send for a gateway where they have no views', async (t) => {
  const node = fakeNode('core-a', 'leading');
  const gate = new NodeGate({ node, runsPublicApi: false });
  const found = answers(gate, OPERATOR_ROUTES);
  t.strictSame([...found.keys()].toSorted(), ['', 'other_node']);
  t.ok(found.get('other_node')?.includes('GET /book'));
  for (const route of ['POST /deposits', 'POST /exchange/state', 'GET /metrics', 'POST /backups']) {
    t.ok(found.get('')?.includes(route), route);
  }
  node.isCurrent = false;
  const without = answers(gate, OPERATOR_ROUTES);
  t.ok(without.get('')?.includes('GET /metrics'), 'metrics go on');
  t.ok(without.get('')?.includes('POST /backups'), 'and so do backups');
  t.ok(without.get('service_not_ready')?.includes('POST /deposits'));
});
