/** Plans made from a command line, with the files that its options name. */
import { generateKeyPairSync, type KeyExportOptions } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UsageError } from '../../../cli/parser/parse-arguments.ts';
import { planServe, resolveServeOptions, type ServePlan } from '../../../cli/serve/serve-plan.ts';

export const DOMAIN = {
  name: 'Own Exchange',
  version: '1',
  chainId: 31_337,
  contract: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  negRisk: null,
  struct: 'order11',
};

export const WALLET = {
  kind: 'safe',
  factory: '0x5fbdb2315678afecb367f032d93f642f64180aa3',
  salt: 'owner',
  initHash: null,
  beacon: null,
  implementation: '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
};

function testFile(name: string): string {
  return readFileSync(new URL(`../../http/server/tls/${name}`, import.meta.url), 'utf8');
}

function makeKey(encoding: KeyExportOptions<'pem'>): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(encoding).toString();
}

/** The files that options can name. */
const FILES: Readonly<Record<string, string>> = {
  'domains.json': JSON.stringify([DOMAIN]),
  'wallets.json': JSON.stringify([WALLET]),
  'bad-wallets.json': JSON.stringify([{ ...WALLET, salt: 'none' }]),
  'bad-domains.json': JSON.stringify([{ ...DOMAIN, chainId: 0 }]),
  'settings.json': JSON.stringify({ port: 9000, strict: true, adminToken: 'a-token-in-a-file' }),
  'limits.json': JSON.stringify({ limits: { book: { capacity: 7 } } }),
  'own-limits.json': JSON.stringify({ loopback: true }),
  'exempt.json': JSON.stringify({ loopback: false }),
  'bad-limits.json': JSON.stringify({ limits: { bok: {} } }),
  'profile.json': JSON.stringify({ from: 'open', name: 'mine', gtdLeadSeconds: 5 }),
  'late-profile.json': JSON.stringify({ gtdLeadSeconds: -1 }),
  'model.json': JSON.stringify({ volatility: 0.5 }),
  'fractional-model.json': JSON.stringify({ orders: 1.5 }),
  'wide-model.json': JSON.stringify({ newsPerDay: 86_401 }),
  'text-model.json': JSON.stringify({ volatility: '1' }),
  'misspelt-model.json': JSON.stringify({ volatilty: 1 }),
  'list-model.json': '[]',
  'broken.json': '{',
  'operators.json': JSON.stringify({
    operators: [{ name: 'Ada', roles: ['admin'], tokenHashes: ['ab'.repeat(32)] }],
  }),
  'bad-operators.json': JSON.stringify({ operators: [] }),
  token: 'a-token-in-a-file\n',
  'short-token': 'hush\n',
  headers: 'X-Token=hush\n',
  'bad-headers': 'hush\n',
  'catalog.json': '[]',
  'server.pem': testFile('server.pem'),
  'server.key': testFile('server.key'),
  'other.key': makeKey({ type: 'pkcs8', format: 'pem' }),
  'renewed.pem': testFile('renewed.pem'),
  'two.pem': testFile('renewed.pem') + testFile('server.pem'),
  'master.hex': `${'ab'.repeat(32)}\n`,
  'locked.key': makeKey({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }),
};

export function readText(path: string): string {
  const text = FILES[path];
  if (text === undefined) throw new Error(`ENOENT: no such file, open '${path}'`);
  return text;
}

export function plan(line: string, environment: Record<string, string> = {}): ServePlan {
  const words = line === '' ? [] : line.split(' ');
  const flags = new Map(
    words.map((word) => {
      const [flag = '', ...text] = word.split('=');
      return [flag, text.length === 0 ? 'true' : text.join('=')];
    }),
  );
  return planServe(resolveServeOptions({ flags, environment }, readText), readText);
}

export function faultsOf(line: string, environment?: Record<string, string>): readonly string[] {
  try {
    plan(line, environment);
    return [];
  } catch (error) {
    if (error instanceof UsageError) return error.faults;
    throw error;
  }
}
