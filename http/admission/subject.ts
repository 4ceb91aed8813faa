/**
 * Who a request is counted against.
 *
 * A request with a proved API key counts against the key's owner, all whose keys share one budget:
 * keys are free, and a budget for each would be one without end. Every other request counts against
 * the client's address, of IPv6 its network of 64 bits, which is what one customer is given. Also a
 * request that a wallet signed: wallets are free too.
 */

const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;
const GROUP_DIGITS = 4;
/** Of an IPv6 address with all its digits, those of the network. */
const FULL_LENGTH = 39;
const FULL_NETWORK_LENGTH = 19;
const FULL_LOOPBACK = '0000:0000:0000:0000:0000:0000:0000:0001';

/** Whether an address is of this machine itself. */
export function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1' || address === FULL_LOOPBACK;
}

function groupsOf(text: string): readonly string[] {
  return text === ''
    ? []
    : text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [group]));
}

/** The first 64 bits of an IPv6 address, each of their digits written; IPv4 as it is. */
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

interface Asking {
  readonly address: string;
  readonly apiKey: string;
  readonly owner: string;
}

export function subjectOf({ address, apiKey, owner }: Asking): string {
  return apiKey === '' ? networkOf(address) : owner;
}
