// A session with an exchange whose clock and secrets are fixed. Its requests and answers become the
// examples of the documentation, so that they are always true.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { DEV_KEYS } from '../../../cli/options/dev-keys.ts';
import {
  type Example,
  type Examples,
  isJsonObject,
  type Json,
  type JsonObject,
} from '../../../http/documentation/schema.ts';
import { signL2 } from '../../../http/signing/l2.ts';
import { startTestExchange, withOwnSalts } from '../exchange-fixture.ts';
import { KeepAliveClient } from '../keep-alive-client.ts';
import type { Step, World } from './example-step.ts';
import { STEPS } from './example-steps.ts';

export interface RecordedExamples {
  readonly public: Examples;
  readonly operator: Examples;
}

const MASTER_SECRET = Buffer.alloc(32, 0x5e);
const OPERATOR_TOKEN = 'a-token-of-the-examples';
/** Lists in answers are cut to this many elements, so that examples are readable. */
const SHOWN_ELEMENTS = 2;

/** Starts an exchange in `folder`, which is empty, and runs every step. */
export function recordExamples(
  t: Pick<Test, 'teardown'>,
  folder: string,
): Promise<RecordedExamples> {
  return withOwnSalts(() => runSteps(t, folder));
}

async function runSteps(t: Pick<Test, 'teardown'>, folder: string): Promise<RecordedExamples> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'master.secret'), MASTER_SECRET);
  const exchange = await startTestExchange(t, {
    temporary: false,
    dataDir: folder,
    adminToken: OPERATOR_TOKEN,
    // One is made on request only, so no two runs differ.
    snapshotMs: 0,
    // On a busy machine the session takes longer than the usual window, and the switch would trip.
    heartbeatWindowMs: 600_000,
    devKeys: DEV_KEYS.slice(0, 1),
  });
  const { url, adminPort } = exchange.running;
  const clients = {
    public: new KeepAliveClient(url),
    operator: new KeepAliveClient(`http://127.0.0.1:${adminPort}`),
  };
  t.teardown(() => {
    clients.public.close();
    clients.operator.close();
  });
  const world = {
    exchange,
    maker: await exchange.trader(1, 'SERVICE'),
    taker: await exchange.trader(2, 'SERVICE'),
    notes: new Map<string, string>(),
  };
  const recorded = { public: {}, operator: {} } satisfies RecordedExamples;
  for (const step of STEPS) {
    const listener = step.by === 'operator' ? 'operator' : 'public';
    const example = await perform(step, world, clients[listener]);
    if (step.route !== undefined) Object.assign(recorded[listener], { [step.route]: example });
  }
  return recorded;
}

async function perform(step: Step, world: World, client: KeepAliveClient): Promise<Example> {
  if (step.route === undefined) {
    await step.prepare?.(world);
    return { response: null };
  }
  const [method = '', pattern = ''] = step.route.split(' ');
  const asked = step.ask?.(world) ?? {};
  const path = pathOf(pattern, asked);
  const body = asked.body === undefined ? undefined : JSON.stringify(asked.body);
  const headers = headersOf(step, world, { method, path: path.split('?')[0] ?? '', body });
  const answer = await client.send({ method, path, headers, body });
  if (answer.status !== (step.status ?? 200))
    throw new Error(`${step.route}: ${answer.status} ${answer.text}`);
  const isJson = answer.contentType === 'application/json';
  const response: Json = isJson ? JSON.parse(answer.text) : answer.text;
  step.note?.(response, world);
  const shown = step.shownBody === undefined ? asked : { ...asked, body: step.shownBody };
  return { ...shown, response: step.show?.(response) ?? cut(response) };
}

export function pathOf(
  pattern: string,
  { params = {}, query = {} }: Pick<Example, 'params' | 'query'>,
): string {
  const path = pattern.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

interface Signed {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

function headersOf(
  { by = 'nobody' }: Step,
  world: World,
  { method, path, body }: Signed,
): Record<string, string> {
  switch (by) {
    case 'nobody':
      return {};
    case 'operator':
      return { authorization: `Bearer ${OPERATOR_TOKEN}` };
    case 'wallet':
      return world.maker.walletHeaders();
    case 'builder':
      return builderHeaders(world, { method, path, body });
    default:
      return world[by].keyHeaders(method, path, body);
  }
}

/** Headers of the builder key that an earlier step received (wire 2.6). */
function builderHeaders(
  { exchange, notes }: World,
  { method, path, body = '' }: Signed,
): Record<string, string> {
  const timestamp = `${Math.floor(exchange.clock.ms / 1000)}`;
  const head = { timestamp, method, path };
  return {
    SERVICE_BUILDER_API_KEY: notes.get('builder.key') ?? '',
    SERVICE_BUILDER_PASSPHRASE: notes.get('builder.passphrase') ?? '',
    SERVICE_BUILDER_TIMESTAMP: timestamp,
    SERVICE_BUILDER_SIGNATURE: signL2(notes.get('builder.secret') ?? '', head, Buffer.from(body)),
  };
}

function cut(value: Json): Json {
  if (Array.isArray(value)) return value.slice(0, SHOWN_ELEMENTS).map(cut);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, part]): [string, Json] => [key, cut(part)]);
  return Object.fromEntries(entries) satisfies JsonObject;
}
