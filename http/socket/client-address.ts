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
const MAPPED_IPV4 = /^(?:::ffff:|(?:0{1,4}:){5}ffff:)/i;
/** Of an address or a range: a zone such as `%eth0` means nothing here. */
const RANGE = /^([\d.]+|[\da-f:]+(?::[\d.]+)?)(?:\/(\d{1,3}))?$/i;
const LONGEST_PREFIX = { ipv4: 32, ipv6: 128 } as const;
/** Some proxies write the port too: `1.2.3.4:5678`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/** Nobody's address. */
const UNKNOWN = '0.0.0.0';
const LOOPBACK_HOST = /^(localhost|::1|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

/** Whether a listener on this host can be reached from this machine alone. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_HOST.test(host);
}

/** Gives the address that a request counts against; the header's lines in one, by commas. */
export interface AddressReader {
  /** Whether the header is of any use: it is not asked for otherwise. */
  readonly readsHeader: boolean;
  addressOf(peer: string, forwardedFor: string): string;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

/** IPv4 that came over an IPv6 socket, as IPv4: `::ffff:7f00:1` and `::ffff:127.0.0.1` too. */
export function plainAddress(text: string): string {
  const rest = text.replace(MAPPED_IPV4, '');
  if (rest === text || isIP(rest) === 4) return rest;
  const groups = rest.split(':').map((group) => Number.parseInt(group, 16));
  const [high, low] = groups;
  if (groups.length !== 2 || high === undefined || low === undefined) return text;
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

interface AddressRange {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefix: number;
}

function rangeOf(text: string): AddressRange | undefined {
  const [, written = '', digits] = RANGE.exec(text) ?? [];
  // Peers are compared by their plain address; a range of mapped ones would never match.
  const address = digits === undefined ? plainAddress(written) : written;
  const family = familyOf(address);
  if (family === undefined || plainAddress(address) !== address) return undefined;
  const prefix = digits === undefined ? LONGEST_PREFIX[family] : Number(digits);
  return prefix <= LONGEST_PREFIX[family] ? { address, family, prefix } : undefined;
}

/** Whether a text is an address, or a range such as `10.0.0.0/8`. */
export function isAddressRange(text: string): boolean {
  return rangeOf(text) !== undefined;
}

function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const range = rangeOf(entry);
    if (range === undefined) throw new Error(`"${entry}" is no address or range of addresses`);
    list.addSubnet(range.address, range.prefix, range.family);
  }
  return list;
}

function isIn(list: BlockList, address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && list.check(address, family);
}

/** The address that one proxy named; '' where it named none. */
function hopIn(text: string): string {
  const [, bracketed, plain] = WITH_PORT.exec(text) ?? [];
  const address = plainAddress(bracketed ?? plain ?? text);
  return isIP(address) === 0 ? '' : address;
}

/** Throws for an entry that is no address or range. */
export function createAddressReader(trustedProxies: readonly string[]): AddressReader {
  const trusted = addressList(trustedProxies);
  return {
    readsHeader: trustedProxies.length > 0,
    addressOf: (peer, forwardedFor) => {
      let client = plainAddress(peer);
      if (trustedProxies.length === 0) return client;
      const hops = forwardedFor.slice(-HEADER_CHARACTERS).split(',');
      while (isIn(trusted, client)) {
        const text = hops.pop()?.trim() ?? '';
        const hop = hopIn(text);
        // A proxy that names nobody asks for itself; one whose word can't be read asks for somebody
        // unknown, who is not this machine and shares a budget with all such.
        if (hop === '') return text === '' ? client : UNKNOWN;
        client = hop;
      }
      return client;
    },
  };
}
