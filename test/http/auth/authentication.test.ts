import t from 'tap';
import type { KeyPurpose } from '../../../engine/index.ts';
import { readAuthHeaders } from '../../../http/api/header-names.ts';
import type { Auth } from '../../../http/api/request.ts';
import { createAuthentication } from '../../../http/auth/authentication.ts';
import { KeyRing } from '../../../http/auth/key-ring.ts';
import { OperatorGate, oneOperator } from '../../../http/operators/operator-gate.ts';
import { signL2 } from '../../../http/signing/l2.ts';
import { Registry } from '../../../http/views/registry.ts';
import { TEST_SETTINGS } from '../../default-settings.ts';
import { builderHeaders } from './key-fixture.ts';

const OWNER = `0x${'11'.repeat(20)}`;
const NOW_MS = 1_780_449_126_930;
const TIMESTAMP = '1780449126';
const PATH = '/builder/trades';

const registry = new Registry();
const keyRing = new KeyRing(Buffer.alloc(32, 7), registry);
const { callerOf } = createAuthentication({
  settings: TEST_SETTINGS,
  keyRing,
  operators: new OperatorGate(oneOperator('the token')),
  registry,
});

function issued(purpose: KeyPurpose) {
  const key = { owner: OWNER, nonce: '0', ...keyRing.credentialsOf(OWNER, '0', purpose) };
  const { secret: _, passphrase: __, ...entry } = { ...key, purpose };
  registry.consume([
    {
      seq: 1,
      timeMs: NOW_MS,
      command: { kind: 'issue_api_key', ...entry },
      events: [{ kind: 'api_key_issued', ...entry }],
    },
  ]);
  return key;
}

const trading = issued('trading');
const builder = issued('builder');

type Headers = Readonly<Record<string, string>>;

function keyHeaders(prefix: string): Headers {
  return {
    [`${prefix}_ADDRESS`]: OWNER,
    [`${prefix}_API_KEY`]: trading.apiKey,
    [`${prefix}_PASSPHRASE`]: trading.passphrase,
    [`${prefix}_TIMESTAMP`]: TIMESTAMP,
    [`${prefix}_SIGNATURE`]: signL2(trading.secret, {
      timestamp: TIMESTAMP,
      method: 'GET',
      path: PATH,
    }),
  };
}

function buildersOf(prefix: string): Headers {
  return builderHeaders(builder, { prefix, timestamp: TIMESTAMP, method: 'GET', path: PATH });
}

/** The caller, with the length of its HMAC, or the code of the refusal. */
function ask(auth: Auth, given: Headers): object | undefined | string {
  const headers = new Map(
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const read = readAuthHeaders(auth, (name) => headers.get(name) ?? '');
  const time = { nowMs: NOW_MS, wallMs: NOW_MS };
  const request = { method: 'GET', paths: [PATH], body: new Uint8Array(0), ...time };
  try {
    const caller = callerOf({ auth }, read, request);
    if (caller === undefined || !('hmac' in caller)) return caller;
    return { ...caller, hmac: caller.hmac.length };
  } catch (failure) {
    return failure instanceof Error ? failure.message : 'no error';
  }
}

const TRADER = { owner: OWNER, apiKey: trading.apiKey, purpose: 'trading', nonce: '', hmac: 32 };
const BUILDER = { owner: OWNER, apiKey: builder.apiKey, purpose: 'builder', nonce: '', hmac: 32 };

t.test('builder headers come first; L2 headers are the fallback where allowed', async (t) => {
  const both = { ...keyHeaders('POLY'), ...buildersOf('KUEST') };
  const broken = { ...keyHeaders('POLY'), KUEST_BUILDER_TIMESTAMP: TIMESTAMP };
  const rows: readonly (readonly [Auth, string, Headers, object | string | undefined])[] = [
    ['builder', 'nothing', {}, 'missing_header'],
    ['builder', 'L2', keyHeaders('POLY'), TRADER],
    ['builder', 'builder headers', buildersOf('POLY'), BUILDER],
    ['builder', 'both, of two prefixes', both, BUILDER],
    ['builder', 'L2 and a part of the others', broken, 'missing_header'],
    ['may_builder', 'nothing', {}, undefined],
    ['may_builder', 'L2', keyHeaders('POLY'), undefined],
    ['may_builder', 'wrong L2', { POLY_API_KEY: 'x' }, undefined],
    ['may_builder', 'builder headers', buildersOf('SERVICE'), BUILDER],
    ['may_builder', 'both, of two prefixes', both, BUILDER],
    ['may_builder', 'L2 and a part of the others', broken, 'missing_header'],
    ['l2', 'both', both, TRADER],
    ['l2', 'builder headers', buildersOf('POLY'), 'missing_header'],
  ];
  for (const [auth, what, headers, expected] of rows) {
    t.strictSame(ask(auth, headers), expected, `${auth}: ${what}`);
  }
});

t.test('an error has the wording of the clients that use its header prefix', async (t) => {
  const headers = new Map(
    Object.entries({ ...keyHeaders('POLY'), ...buildersOf('KUEST') }).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const header = (name: string): string => headers.get(name) ?? '';
  t.match(readAuthHeaders('may_builder', header), { prefix: 'KUEST', isBuilder: true });
  t.match(readAuthHeaders('l2', header), { prefix: 'POLY', isBuilder: false });
  t.match(readAuthHeaders('none', header), { prefix: 'SERVICE', isBuilder: false });
});
