/**
 * What a page of the exchange has to know of it before anyone has proved who they are.
 *
 * Invariant: nothing here is secret. The keys of the dev accounts are publicly known; even so, they
 * are shown only where `mayShowDevKeys` allows it, so that no other exchange looks like one where
 * keys may be typed into a page.
 */
import { type Static, Type } from 'typebox';
import { FEE_ACCOUNT } from '../engine/model/index.ts';
import { hostNameOf, isForeignPage, type RequestInfo } from '../http/api/index.ts';
import { OrNull, Text, TrueFalse } from '../http/parameters/index.ts';
import { VenueProfile } from '../http/profiles/profile-schema.ts';
import { defineRoute, type Services } from '../http/services/index.ts';
import { isSandbox, type Settings } from '../http/settings/settings.ts';
import { toChecksumAddress } from '../http/signing/address.ts';
import { walletOf } from '../http/signing/wrapped-signature.ts';
import { isLoopbackHost } from '../http/socket/client-address.ts';
import { PROGRAM_VERSION } from '../persistence/shared/index.ts';

const ExchangeFacts = Type.Object({
  listener: Type.Enum(['public', 'operator'], { description: 'Which listener answers' }),
  version: Text('The version of the program'),
  timeMs: Type.Integer({ description: "The exchange's clock, milliseconds since the epoch" }),
  funding: Type.Enum(['paper', 'ledger'], { description: 'paper: play money' }),
  sandbox: TrueFalse('Whether the functions of the sandbox exist'),
  madeUpUntilMs: OrNull(
    Type.Integer(),
    'What simulated participants did before is made up (milliseconds); null: nothing is',
  ),
  explorer: TrueFalse('Whether this listener has the explorer'),
  faucet: Type.Enum(['open', 'once', 'daily', 'off'], {
    description: 'How often an owner gets play money from the faucet',
  }),
  newOwners: Type.Enum(['anyone', 'operator'], {
    description: 'Who may get a first API key: anyone, or whom the operator lets in',
  }),
  profile: VenueProfile,
  chainIds: Type.Array(Type.Integer(), {
    description: 'Chains that credential requests may be signed for; sign for the first one',
  }),
  domains: Type.Array(
    Type.Object({
      name: Type.String(),
      version: Type.String(),
      chainId: Type.Integer(),
      contract: Text('The verifying contract'),
      negRisk: OrNull(Type.Boolean(), 'Which markets it is for; null: all'),
      struct: Type.Enum(['order11', 'order12'], { description: 'The struct of its orders' }),
    }),
    { description: 'EIP-712 domains that orders may be signed for' },
  ),
  feeAccount: Text('The account that collects fees'),
  acceptsKeys: TrueFalse(
    'Whether a page may ask for a private key: only on this machine, for play money',
  ),
  devAccounts: Type.Array(Type.Object({ address: Text('EIP-55'), privateKey: Type.String() }), {
    description: 'Accounts whose keys are publicly known; none unless `acceptsKeys`',
  }),
  publicUrl: OrNull(Type.String(), 'The public listener; null if its address here is not known'),
  operatorUrl: OrNull(Type.String(), "The operator's listener; null except on this machine"),
});

export type ExchangeFacts = Static<typeof ExchangeFacts>;

/** What proxies add. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'];

type Asking = Pick<RequestInfo, 'host' | 'headers'>;

/** Whether a request names this machine, and neither a foreign page nor a proxy sent it. */
function isFromHere({ host, headers }: Asking): boolean {
  const isProxied = PROXY_HEADERS.some((name) => (headers[name] ?? '') !== '');
  const isForeign = isForeignPage(headers.origin ?? '', host);
  return isLoopbackHost(hostNameOf(host)) && !isProxied && !isForeign;
}

/**
 * Whether a page of the public listener may show the keys of the dev accounts and ask for others:
 * only for play money, if the listener can be reached from this machine alone, and if the request
 * names this machine and came straight from it. A proxy makes a listener reachable from elsewhere,
 * and a name of a foreign site may lead here too (DNS rebinding).
 */
export function mayShowDevKeys(
  request: Asking,
  settings: Pick<Settings, 'host' | 'funding' | 'strict'>,
): boolean {
  return isSandbox(settings) && isLoopbackHost(settings.host) && isFromHere(request);
}

const ANY_ADDRESS = ['0.0.0.0', '::'];

/** The URL of a listener for a client that reached this machine as `asked`; null if not known. */
function urlOf(
  { host, port, isSecure }: { host: string; port: number; isSecure: boolean },
  asked: string,
): string | null {
  const isLocal = isLoopbackHost(host);
  if (isLocal && !isLoopbackHost(asked)) return null;
  const name = isLocal || ANY_ADDRESS.includes(host) ? asked : host;
  if (name === '') return null;
  const inUrl = name.includes(':') ? `[${name}]` : name;
  return `${isSecure ? 'https' : 'http'}://${inUrl}:${port}`;
}

type FactSources = Pick<Services, 'settings' | 'ports' | 'simulated'>;

function factsOf(
  listener: ExchangeFacts['listener'],
  request: RequestInfo,
  { settings, ports, simulated }: FactSources,
): ExchangeFacts {
  const { host, adminHost, tls, funding, profile, chainIds, domains, devKeys } = settings;
  const { explorer, faucet, newOwners } = settings;
  const asked = hostNameOf(request.host);
  const acceptsKeys = listener === 'public' && mayShowDevKeys(request, settings);
  return {
    listener,
    version: PROGRAM_VERSION,
    timeMs: request.nowMs,
    funding,
    sandbox: isSandbox(settings),
    madeUpUntilMs: simulated.madeUpUntilMs,
    explorer: listener === 'operator' || (isSandbox(settings) && explorer === 'everyone'),
    faucet: isSandbox(settings) ? faucet : 'off',
    newOwners,
    profile,
    chainIds: [...chainIds],
    domains: [...domains],
    feeAccount: FEE_ACCOUNT,
    acceptsKeys,
    devAccounts: (acceptsKeys ? devKeys : []).map((privateKey) => ({
      address: toChecksumAddress(walletOf(privateKey).address),
      privateKey,
    })),
    publicUrl: urlOf({ host, port: ports.public, isSecure: tls !== undefined }, asked),
    operatorUrl: isFromHere(request)
      ? urlOf({ host: adminHost, port: ports.operator, isSecure: false }, asked)
      : null,
  };
}

/** GET /ui/facts.json: what the pages of a listener need to know. */
export function factsRoute(listener: ExchangeFacts['listener']) {
  return defineRoute({
    method: 'GET',
    path: '/ui/facts.json',
    summary: 'What a page has to know of this exchange',
    auth: 'none',
    response: ExchangeFacts,
    readsHost: true,
    readsHeaders: ['origin', ...PROXY_HEADERS],
    needs: ['settings', 'ports', 'simulated'],
    handler: ({ request, services }) => factsOf(listener, request, services),
  });
}
