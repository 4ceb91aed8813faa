/**
 * The targets that requests to a source may have. Invariant: a public source can't direct a request
 * to this machine or its private network, neither by a redirect nor by a host name that resolves
 * there. No source can redirect from TLS to plain text, or to a protocol other than HTTP.
 */
import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { plainAddress } from '../../http/socket/client-address.ts';
import { SourceError } from './source-error.ts';

const PRIVATE_RANGES: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 128, 'ipv6'],
  ['::1', 128, 'ipv6'],
  ['64:ff9b:1::', 48, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
];

const privateAddresses = new BlockList();
for (const [address, prefix, family] of PRIVATE_RANGES) {
  privateAddresses.addSubnet(address, prefix, family);
  // The well-known prefix of gateways from IPv6 to IPv4 (RFC 6052), which leads to the same place.
  if (family === 'ipv4') privateAddresses.addSubnet(`64:ff9b::${address}`, 96 + prefix, 'ipv6');
}

/** Whether an IP address can't be reached from the public internet. */
export function isPrivateAddress(address: string): boolean {
  const plain = plainAddress(address);
  const version = isIP(plain);
  return version !== 0 && privateAddresses.check(plain, version === 4 ? 'ipv4' : 'ipv6');
}

/** A URL's host, without the brackets of an IPv6 address. */
function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

export class TargetRule {
  readonly #source: URL;
  /** Whether the operator's source is in the private network; redirects may then go there too. */
  readonly #isPrivate: boolean;

  constructor(source: URL) {
    this.#source = source;
    const host = bareHost(source);
    this.#isPrivate = host === 'localhost' || isPrivateAddress(host);
  }

  /** The target of a redirect. Throws SourceError `redirected`. */
  redirect(from: URL, location: string | undefined): URL {
    const refuse = (why: string): never => {
      const shown = (location ?? '').slice(0, 200);
      throw new SourceError('redirected', `${from.href} redirects to "${shown}", ${why}`);
    };
    if (location === undefined || !URL.canParse(location, from.href))
      return refuse('which is no URL');
    const to = new URL(location, from);
    if (to.protocol !== 'http:' && to.protocol !== 'https:') return refuse('which is not HTTP');
    if (from.protocol === 'https:' && to.protocol === 'http:') return refuse('without TLS');
    if (to.username !== '' || to.password !== '') return refuse('with a name or password');
    if (!this.#mayBePrivate(to) && (bareHost(to) === 'localhost' || isPrivateAddress(bareHost(to))))
      return refuse('which is on this machine or in its network');
    return to;
  }

  /** The host lookup of a target. It refuses private addresses unless the target may be private. */
  lookupFor(target: URL): LookupFunction {
    if (this.#mayBePrivate(target)) return lookup;
    return (host, options, callback) => {
      lookup(host, { ...options, all: true }, (error, found) => {
        const odd =
          error === null ? found.find(({ address }) => isPrivateAddress(address)) : undefined;
        if (error !== null || odd !== undefined) {
          callback(error ?? new Error(`${host} is ${odd?.address}, in this machine's network`), []);
        } else if (options.all === true) callback(null, found);
        else callback(null, found[0]?.address ?? '', found[0]?.family ?? 0);
      });
    };
  }

  /** Whether the target may be private: the source is, or the operator named this host. */
  #mayBePrivate(target: URL): boolean {
    return this.#isPrivate || target.hostname === this.#source.hostname;
  }
}
