/**
 * The subject that a request counts against.
 *
 * A request with a proved API key counts against the key's owner. All keys of an owner share one
 * budget, because keys cost nothing. Every other request counts against the client's address (for
 * IPv6 the network of 64 bits that one customer gets), also one that a wallet signed, because
 * wallets cost nothing either.
 */
import type { Counted } from '../api/index.ts';

const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;
const GROUP_DIGITS = 4;
/** Lengths of an IPv6 address with all its digits, and of its network. */
const FULL_LENGTH = 39;
const FULL_NETWORK_LENGTH = 19;
const FULL_LOOPBACK = '0000:0000:0000:0000:0000:0000:0000:0001';

/** Whether an address is this machine's. */
export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1' || address === FULL_LOOPBACK;
}

function groupsOf(text: string): readonly string[] {
  return text === ''
    ? []
    : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}

/** The first 64 bits of an IPv6 address with all digits; an IPv4 address unchanged. */
export function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const digits = address.toLowerCase();
  if (digits.length === FULL_LENGTH) return digits.slice(0, FULL_NETWORK_LENGTH);
  const [head = '', tail = ''] = digits.split('::');
  const [first, last] = [groupsOf(head), groupsOf(tail)];
  const zeros = Array<string>(Math.max(0, IPV6_GROUPS - first.length - last.length)).fill('0');
  return [...first, ...zeros, ...last]
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.padStart(GROUP_DIGITS, '0'))
    .join(':');
}

export function subjectOf({
  address,
  apiKey,
  owner,
}: Pick<Counted, 'address' | 'apiKey' | 'owner'>): string {
  return apiKey === '' ? networkOf(address) : owner;
}
