/**
 * Who is asking, by address: the peer of the socket, or behind a proxy that is trusted the client
 * it names in `X-Forwarded-For`.
 *
 * Invariant: the header is believed from trusted peers alone, and read from its right end, where
 * the nearest proxy wrote; what a client itself put in front is never reached.
 */
import { BlockList, isIP } from 'node:net';

/** The longest header that is looked at; more than a few proxies in a row is nobody's setup. */
const HEADER_CHARACTERS = 1_024;
const MAPPED_IPV4 = /^(?:::ffff:|0{4}:0{4}:0{4}:0{4}:0{4}:ffff:)/i;

/** Gives the address that a request counts against. */
export type AddressReader = (peer: string, forwardedFor: string) => string;

const familyOf = (address: string): 'ipv4' | 'ipv6' | undefined => {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
};

/** IPv4 that came over an IPv6 socket, as IPv4: `::ffff:7f00:1` and `::ffff:127.0.0.1` too. */
export const plainAddress = (text: string): string => {
  const rest = text.replace(MAPPED_IPV4, '');
  if (rest === text || isIP(rest) === 4) return rest;
  const groups = rest.split(':').map((group) => Number.parseInt(group, 16));
  const [high, low] = groups;
  if (groups.length !== 2 || high === undefined || low === undefined) return text;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
};

/** Throws for a text that is neither an address nor a range such as `10.0.0.0/8`. */
export const addressList = (entries: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/');
    const family = familyOf(address);
    if (family === undefined) throw new Error(`"${entry}" is no address or range of addresses`);
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
};

const isIn = (list: BlockList, address: string): boolean => {
  const family = familyOf(address);
  return family !== undefined && list.check(address, family);
};

export const createAddressReader = (trustedProxies: readonly string[]): AddressReader => {
  if (trustedProxies.length === 0) return (peer) => plainAddress(peer);
  const trusted = addressList(trustedProxies);
  return (peer, forwardedFor) => {
    let client = plainAddress(peer);
    const hops = forwardedFor.slice(-HEADER_CHARACTERS).split(',');
    while (isIn(trusted, client)) {
      const hop = plainAddress(hops.pop()?.trim() ?? '');
      if (isIP(hop) === 0) break;
      client = hop;
    }
    return client;
  };
};
