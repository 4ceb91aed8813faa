// Thousands of valid and invalid requests on every route, generated from the document. Each gets an
// answer that the document allows and never a 500, and a refused request changes nothing.
// The variables CONFORMANCE_SEED and CONFORMANCE_RUNS set another seed and more requests.
import fc from 'fast-check';
import t from 'tap';
import { PUBLIC_READS } from '../../../http/admin/get-audit.ts';
import type { RouteDefinition } from '../../../http/api/route.ts';
import type { ListenerName } from '../../../http/documentation/documents.ts';
import { times } from '../../long-set.ts';
import {
  documentText,
  LISTENERS,
  type Operation,
  operationsOf,
  TABLES,
} from '../documentation/read-document.ts';
import type { PlainAnswer } from '../keep-alive-client.ts';
import { type Participants, startParticipants } from './participants.ts';
import { type RequestWish, requestsOf } from './requests.ts';
import { judgeOf } from './verdict.ts';

const SEED = Number(process.env.CONFORMANCE_SEED ?? 20_261_121);
/** With 5 a round, fast-check draws only small values: some routes never succeed. */
const RUNS = Number(process.env.CONFORMANCE_RUNS ?? times(8, 20));

/** So many that a route of which one request in a hundred succeeds has a success. */
const MAX_ROUNDS = Math.ceil(1_500 / RUNS);

function routeOf(listener: ListenerName, { method, path }: Operation): RouteDefinition {
  const route = TABLES[listener].find((one) => one.method === method && one.path === path);
  if (route === undefined) throw new Error(`${method} ${path} is no route`);
  return route;
}

/** Whether a route only leads elsewhere, or needs a disk: this exchange is in memory. */
/** A transaction needs a signature over its calls: test/sandbox/relay has some. */
function isOfRelayer(path: string): boolean {
  return path === '/submit' || /\/transactions?(\/\{id\})?$/.test(path);
}

function neverSucceeds({ path, status = 200 }: RouteDefinition): boolean {
  return (
    status >= 300 || /^\/(backups|snapshots|invitations\/accept)\b/.test(path) || isOfRelayer(path)
  );
}

/** Reads change nothing, and neither does a batch whose orders are all refused (status 200). */
function mayNotChange({ method, auth, sandbox }: RouteDefinition, answer: PlainAnswer): boolean {
  // The faucet of the sandbox is the one public route that changes something.
  const isRead = method === 'GET' || (auth === 'none' && sandbox !== true);
  return isRead || answer.status >= 400 || /^\[\{(?!.*"success":true)/.test(answer.text);
}

/** How often each route answered with a success. */
type Successes = Map<string, number>;

function propertyOf(
  operation: Operation,
  route: RouteDefinition,
  participants: Participants,
  successes: Successes,
) {
  const { method, path } = operation;
  const { pool } = participants;
  const judge = judgeOf(operation);
  // Without auth headers such a route has the answers of another one.
  const publicOne = operationsOf(documentText('public')).find(
    (one) => one.method === 'GET' && one.path === route.publicPath,
  );
  const judgePublic = publicOne === undefined ? judge : judgeOf(publicOne);
  return fc.asyncProperty(requestsOf(operation, pool), async (wish: RequestWish) => {
    const before = await participants.prepare();
    const answer = await participants.send(method, route.auth, wish);
    const faults = [...(wish.credentials.kind === 'none' ? judgePublic : judge)(answer)];
    // The state after all GETs of a route is checked once: a hash costs more than a GET.
    const after = route.method === 'GET' ? before : participants.readHash();
    if (mayNotChange(route, answer) && after !== before) {
      faults.push('it changed the state and may not');
    }
    const name = `${method} ${path}`;
    if (answer.status < 300) successes.set(name, (successes.get(name) ?? 0) + 1);
    if (faults.length === 0) return;
    const seen = `${answer.status} ${answer.contentType} ${answer.text.slice(0, 600)}`;
    throw new Error(`${faults.slice(0, 5).join('; ')}\n${seen}`);
  });
}

/** The shrunk request, what was wrong with its answer, and the seed that repeats it. */
function described(result: fc.RunDetails<[RequestWish]>): string {
  const { counterexample, errorInstance } = result;
  const fault = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return `${fault}\n${fc.stringify(counterexample)}\nCONFORMANCE_SEED ${SEED}`;
}

t.test(`every route keeps to the document (seed ${SEED})`, async (t) => {
  const participants = await startParticipants(t);
  const successes: Successes = new Map();
  let seed = SEED;
  for (const listener of LISTENERS) {
    for (const operation of operationsOf(documentText(listener))) {
      const route = routeOf(listener, operation);
      const property = propertyOf(operation, route, participants, successes);
      const name = `${operation.method} ${operation.path}`;
      // The operator's reads of the public listener have the same handlers.
      if (PUBLIC_READS.some(({ handler }) => handler === route.handler) && successes.has(name)) {
        continue;
      }
      const before = await participants.prepare();
      if (name === 'DELETE /faults/{fault_id}') participants.addFaults();
      if (name.includes('{checkpoint_id}')) await participants.addCheckpoints();
      // Routes with many rules get more rounds, until one request succeeds.
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        // A new seed: otherwise routes with equal schemas would all get the same requests.
        seed += 1;
        const result = await fc.check(property, { seed, numRuns: RUNS });
        t.notOk(result.failed, result.failed ? `${name}: ${described(result)}` : name);
        if (result.failed || successes.has(name) || neverSucceeds(route)) break;
      }
      if (route.method !== 'GET') continue;
      t.equal(participants.readHash(), before, `${name} changed nothing`);
    }
  }
  const silent = LISTENERS.flatMap((listener) =>
    TABLES[listener]
      .filter((route) => !neverSucceeds(route))
      .map(({ method, path }) => `${method} ${path}`)
      .filter((name) => !successes.has(name)),
  );
  t.strictSame(silent, [], 'every route had a successful request');
  t.equal((await participants.exchange.send('GET', '/ok')).status, 200, 'it still answers');
});

t.test('an answer that the document does not allow is found', async (t) => {
  const price = operationsOf(documentText('public')).find(({ path }) => path === '/price');
  if (price === undefined) throw new Error('GET /price is gone');
  const judge = judgeOf(price);
  const json = 'application/json';
  const rows: [status: number, contentType: string, text: string, fault: RegExp | undefined][] = [
    [200, json, '{"price":"0.5"}', undefined],
    [200, json, '{"price":0.5}', /price must be string/],
    [200, json, '{"price":"0.5","size":"1"}', /size is not in the schema/],
    [200, json, '{"price":"0.5"', /no JSON/],
    [200, 'text/html', '{"price":"0.5"}', /content type/],
    [201, json, '{"price":"0.5"}', /201 is not documented/],
    [404, json, '{"error":"x","code":"book_not_found"}', undefined],
    [404, json, '{"error":"x","code":"nonsense"}', /code/],
    [404, json, '{"code":"book_not_found"}', /required/],
    [400, json, '{"error":"x","code":"book_not_found"}', /book_not_found has status 404/],
    [500, json, '{"error":"x","code":"internal_error"}', /status 500/],
    [503, json, '{"error":"x","code":"overloaded"}', /status 503/],
  ];
  for (const [status, contentType, text, fault] of rows) {
    const faults = judge({ status, contentType, text }).join('; ');
    if (fault === undefined) t.equal(faults, '', text);
    else t.match(faults, fault, `${status} ${text}`);
  }
});
