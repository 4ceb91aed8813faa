/**
 * What the exchange prints when it is ready: a banner for people, or one line of JSON for programs.
 *
 * Invariant: the only secrets in it are the credentials of dev accounts, whose keys are public.
 * Bound: 100 columns, except for longer addresses and folders.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { issueCredentials, usableNonce } from '../../http/auth/issue.ts';
import { objectAt, onlyKnown, refuseAt, toApiError } from '../../http/errors/index.ts';
import type { Services } from '../../http/services/index.ts';
import type { ClusterRole } from '../../http/settings/cluster.ts';
import {
  CROWD_MODEL_LIMITS,
  type CrowdModel,
  DEFAULT_CROWD_MODEL,
} from '../../http/settings/crowd.ts';
import { toChecksumAddress } from '../../http/signing/address.ts';
import type { Credentials } from '../../http/signing/credentials.ts';
import { walletOf } from '../../http/signing/wrapped-signature.ts';
import { PROGRAM } from '../options/commands.ts';
import { DEV_KEYS } from '../options/dev-keys.ts';

// Opens the accounts that a developer's exchange starts with (`../options/dev-keys.ts`).

/** What a developer needs to trade with an account. */
export interface DevAccount extends Credentials {
  /** The address with its EIP-55 checksum. */
  readonly address: string;
  readonly privateKey: string;
}

/**
 * Opens the first `count` dev accounts, with play money under paper funding, and issues their API
 * credentials, as `POST /auth/api-key` would. A later start finds both and changes nothing.
 */
export function openDevAccounts(services: Services, count: number): Promise<DevAccount[]> {
  return Promise.all(
    DEV_KEYS.slice(0, count)
      .map(walletOf)
      .map(async ({ address, privateKey }) => {
        const nonce = usableNonce(services.registry, address);
        const credentials = await issueCredentials(services, address, nonce);
        return { address: toChecksumAddress(address), privateKey, ...credentials };
      }),
  );
}

const RETRY_MS = 500;

/**
 * The same, tried again while a gateway has no core. Returns undefined if the exchange stops
 * meanwhile.
 */
export async function openDevAccountsSoon(
  services: Services,
  count: number,
  stopping: { readonly isStopping: boolean },
): Promise<DevAccount[] | undefined> {
  for (;;) {
    try {
      return await openDevAccounts(services, count);
    } catch (error) {
      if (stopping.isStopping) return undefined;
      const isLater = toApiError(error)?.code === 'service_not_ready';
      if (!isLater || services.settings.cluster === undefined) throw error;
      await sleep(RETRY_MS);
    }
  }
}

// A file that changes numbers of the crowd's model, by name. All keys are optional:
//
//     {"volatility": 5, "newsPerDay": 200}
//
// Invariant: an unknown key or a wrong value is refused with its place in the file.

// Safe: the keys of a constant.
const NAMES = Object.keys(CROWD_MODEL_LIMITS) as (keyof CrowdModel)[];

function numberAt(name: keyof CrowdModel, value: unknown): number {
  const [least, most] = CROWD_MODEL_LIMITS[name];
  const isWhole = name === 'orders';
  if (typeof value === 'number' && value >= least && value <= most) {
    if (!isWhole || Number.isInteger(value)) return value;
  }
  return refuseAt(name, value, `a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}`);
}

/** Throws an `Error` that names the place of the first fault. */
export function parseCrowdModel(json: unknown): CrowdModel {
  const file = objectAt('the file', json);
  onlyKnown('the file', file, NAMES);
  const changed = NAMES.filter((name) => file[name] !== undefined);
  const changes = changed.map((name) => [name, numberAt(name, file[name])] as const);
  return { ...DEFAULT_CROWD_MODEL, ...Object.fromEntries(changes) };
}

export interface ExampleMarket {
  readonly question: string;
  readonly tokenId: string;
}

export interface Ready {
  readonly version: string;
  /** undefined outside a cluster. */
  readonly node: { readonly name: string; readonly role: ClusterRole } | undefined;
  /** '' and 0 where there is no public listener. */
  readonly url: string;
  readonly port: number;
  readonly adminUrl: string;
  readonly adminPort: number;
  /** The place of the operator's token, in words. */
  readonly adminTokenPlace: string;
  /** The absolute path of the data folder; '' when data is only in memory. */
  readonly dataDir: string;
  readonly fundingText: string;
  readonly crowdText: string;
  readonly pid: number;
  /** Milliseconds from the start of the process. */
  readonly ms: number;
  readonly devAccounts: readonly DevAccount[];
  /** undefined when no market takes the example order. */
  readonly market: ExampleMarket | undefined;
}

/** The price and size of the example order: in ticks and lots, and as a person types them. */
export const EXAMPLE_ORDER = { priceTicks: 4_200, price: '0.42', lots: 1_000, size: '10' } as const;

const DEFAULT_URL = 'http://127.0.0.1:8080';

function accountLines(account: DevAccount, index: number): string[] {
  return [
    `${`(${index})`.padEnd(5)}address     ${account.address}`,
    `     key         ${account.privateKey}`,
    `     api key     ${account.apiKey}`,
    `     secret      ${account.secret}`,
    `     passphrase  ${account.passphrase}`,
  ];
}

function accountsText(accounts: readonly DevAccount[]): string[] {
  if (accounts.length === 0) return [];
  return [
    '',
    'Dev accounts. These keys are public: never use them for real money.',
    '',
    ...accounts.flatMap(accountLines),
  ];
}

function examplesText({ url, market, devAccounts }: Ready): string[] {
  // By this address a client can't check a certificate.
  if (market === undefined || url.startsWith('https:')) return [];
  const { tokenId, question } = market;
  const { price, size } = EXAMPLE_ORDER;
  const at = url === DEFAULT_URL ? '' : ` --url ${url}`;
  const book = [
    '',
    `See a book ("${question}"):`,
    '',
    `  curl -G ${url}/book \\`,
    `    -d token_id=${tokenId}`,
  ];
  if (devAccounts.length === 0) return book;
  return [
    ...book,
    '',
    'Place a signed order as account (0), from another terminal:',
    '',
    `  ${PROGRAM} place-order --side BUY --price ${price} --size ${size}${at} \\`,
    `    --token ${tokenId}`,
  ];
}

/** The banner for people. */
export function bannerText(ready: Ready): string {
  const { version, node, url, adminUrl, adminTokenPlace, dataDir, ms } = ready;
  return [
    `outcome-exchange ${version} is ready after ${ms} ms`,
    '',
    ...(node === undefined ? [] : [`Node      ${node.name}, started as ${node.role}`]),
    ...(url === ''
      ? []
      : [`Console   ${url}/ui/`, `API       ${url} (documentation: ${url}/docs)`]),
    `Operator  ${adminUrl}/ui/ (bearer token: ${adminTokenPlace})`,
    `Data      ${dataDir === '' ? 'in memory only' : dataDir}`,
    `Funding   ${ready.fundingText}`,
    ...(ready.crowdText === '' ? [] : [`Crowd     ${ready.crowdText}`]),
    ...accountsText(ready.devAccounts),
    ...examplesText(ready),
    '',
    `Stop: Ctrl-C. All settings: ${PROGRAM} --help`,
    '',
  ].join('\n');
}

/** The line of JSON for programs, without its line end. */
export function readyLine(ready: Ready): string {
  const { node, url, port, adminPort, dataDir, pid, ms, devAccounts } = ready;
  const facts = { ready: true, url, port, adminPort, dataDir, pid, ms, devAccounts };
  return JSON.stringify(node === undefined ? facts : { ...facts, node });
}
