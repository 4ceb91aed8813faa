/**
 * The address of a client: the peer of the socket or, behind a trusted proxy, the client that the
 * proxy names in `X-Forwarded-For`.
 *
 * Invariant: the header is believed only from trusted peers, and read from its right end, where the
 * nearest proxy wrote. Entries that a client wrote itself are never reached.
 */
import { BlockList, isIP } from 'node:net';

/** Only the end of a longer header is read: enough for a chain of many proxies. */
const HEADER_CHARACTERS = 1_024;
const MAPPED_IPV4 = /^(?:::ffff:|(?:0{1,4}:){5}ffff:)/i;
/** An address or a range, without a zone such as `%eth0`, which has no meaning here. */
const RANGE = /^([\d.]+|[\da-f:]+(?::[\d.]+)?)(?:\/(\d{1,3}))?$/i;
const LONGEST_PREFIX = { ipv4: 32, ipv6: 128 } as const;
/** Some proxies write the port too: `1.2.3.4:5678`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/;

/** Stands for a client whose address can't be read. */
const UNKNOWN = '0.0.0.0';
const LOOPBACK_HOST = /^(localhost|::1|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;

/** Whether a listener on this host can only be reached from this machine. */
export function isLoopbackHost(host: string): boolean {
  return LOOPBACK_HOST.test(host);
}

export interface AddressReader {
  /** Whether `addressOf` uses the header; if not, it need not be read. */
  readonly readsHeader: boolean;
  /** `forwardedFor`: all lines of the header, joined by commas. */
  addressOf(peer: string, forwardedFor: string): string;
  /** Whether the peer is a trusted proxy, whose other headers are believed too. */
  isProxy(peer: string): boolean;
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? 'ipv4' : 'ipv6';
}

/** Turns an IPv4-mapped IPv6 address (`::ffff:7f00:1`, `::ffff:127.0.0.1`) into IPv4. */
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
  // Peers are compared by their plain address, so a range of mapped ones would never match.
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
    if (range === undefined)
      throw new Error(`"${entry}" is not an address or a range of addresses`);
    list.addSubnet(range.address, range.prefix, range.family);
  }
  return list;
}

function isIn(list: BlockList, address: string): boolean {
  const family = familyOf(address);
  return family !== undefined && list.check(address, family);
}

/** The address in one entry of the header; '' for none. */
function hopIn(text: string): string {
  const [, bracketed, plain] = WITH_PORT.exec(text) ?? [];
  const address = plainAddress(bracketed ?? plain ?? text);
  return isIP(address) === 0 ? '' : address;
}

/** Throws for an entry that is not an address or a range. */
export function createAddressReader(trustedProxies: readonly string[]): AddressReader {
  const trusted = addressList(trustedProxies);
  return {
    readsHeader: trustedProxies.length > 0,
    isProxy: (peer) => isIn(trusted, plainAddress(peer)),
    addressOf: (peer, forwardedFor) => {
      let client = plainAddress(peer);
      if (trustedProxies.length === 0) return client;
      const hops = forwardedFor.slice(-HEADER_CHARACTERS).split(',');
      while (isIn(trusted, client)) {
        const text = hops.pop()?.trim() ?? '';
        const hop = hopIn(text);
        // If no entry is left, the proxy itself is the client. An unreadable entry stands for an
        // unknown client, which is not this machine; all such clients share one budget.
        if (hop === '') return text === '' ? client : UNKNOWN;
        client = hop;
      }
      return client;
    },
  };
}
