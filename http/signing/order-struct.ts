/**
 * What is signed, as tables and texts that need no cryptography: the structs of orders (wire 3.1),
 * the content of an order that a client makes (wire 3.9), and the message that proves control of a
 * wallet (wire 2.2). The pages in the browser use this file too.
 *
 * Invariant: amounts are whole base units and exactly on the grid, except that the tokens of a cash
 * budget are rounded down.
 */
import {
  cashFor,
  type Lots,
  MICRO_TOKENS_PER_LOT,
  type Micros,
  type OrderType,
  type Side,
  type Ticks,
} from '../../engine/model/index.ts';

export type OrderStruct = 'order11' | 'order12';

interface OrderBase {
  /** Decimal uint256, like all amounts here. */
  readonly salt: string;
  /** The account that trades. All addresses here are lower case. */
  readonly maker: string;
  /** The address that signs; for signature type 3 the wallet itself. */
  readonly signer: string;
  readonly tokenId: string;
  readonly makerAmount: string;
  readonly takerAmount: string;
  /** 0 BUY, 1 SELL. */
  readonly side: 0 | 1;
  /** 0 EOA, 1 proxy wallet, 2 Safe, 3 deposit wallet (11 fields only). */
  readonly signatureType: 0 | 1 | 2 | 3;
  /** Hex: 65 bytes, or for type 3 the wrapped form of wire 3.5. Not part of the hash. */
  readonly signature: string;
}

/** The current struct of 11 fields. `expiration` is not signed in it. */
export interface Order11 extends OrderBase {
  readonly struct: 'order11';
  /** Milliseconds since the epoch, decimal. */
  readonly timestamp: string;
  /** 0x and 64 hex digits. */
  readonly metadata: string;
  /** 0x and 64 hex digits. */
  readonly builder: string;
}

/** The legacy struct of 12 fields. */
export interface Order12 extends OrderBase {
  readonly struct: 'order12';
  readonly taker: string;
  /** Seconds since the epoch, decimal; 0 for none. */
  readonly expiration: string;
  readonly nonce: string;
  readonly feeRateBps: string;
}

/** The signed content of an order with its signature, in values that can be posted to a thread. */
export type SignedOrder = Order11 | Order12;

export type FieldType = 'uint256' | 'address' | 'uint8' | 'bytes32';
export type StructField<Order> = readonly [type: FieldType, name: keyof Order & string];

export const ORDER11_FIELDS: readonly StructField<Order11>[] = [
  ['uint256', 'salt'],
  ['address', 'maker'],
  ['address', 'signer'],
  ['uint256', 'tokenId'],
  ['uint256', 'makerAmount'],
  ['uint256', 'takerAmount'],
  ['uint8', 'side'],
  ['uint8', 'signatureType'],
  ['uint256', 'timestamp'],
  ['bytes32', 'metadata'],
  ['bytes32', 'builder'],
];

export const ORDER12_FIELDS: readonly StructField<Order12>[] = [
  ['uint256', 'salt'],
  ['address', 'maker'],
  ['address', 'signer'],
  ['address', 'taker'],
  ['uint256', 'tokenId'],
  ['uint256', 'makerAmount'],
  ['uint256', 'takerAmount'],
  ['uint256', 'expiration'],
  ['uint256', 'nonce'],
  ['uint256', 'feeRateBps'],
  ['uint8', 'side'],
  ['uint8', 'signatureType'],
];

function typeString(fields: readonly (readonly [string, string])[]): string {
  return `Order(${fields.map(([type, name]) => `${type} ${name}`).join(',')})`;
}

export const ORDER_STRUCT_TYPES: Readonly<Record<OrderStruct, string>> = {
  order11: typeString(ORDER11_FIELDS),
  order12: typeString(ORDER12_FIELDS),
};

/** The EIP-712 type and values of the message that proves control of a wallet. */
export const CLOB_AUTH = {
  struct: 'ClobAuth(address address,string timestamp,uint256 nonce,string message)',
  message: 'This message attests that I control the given wallet',
  domainStruct: 'EIP712Domain(string name,string version,uint256 chainId)',
  domain: { name: 'ClobAuthDomain', version: '1' },
} as const;

/** The EIP-712 type of the domains that orders are signed for (wire 3.2). */
export const ORDER_DOMAIN_STRUCT =
  'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)';

/** The members of a struct's type, such as `Order(uint256 salt,address maker)`. */
export function structMembers(struct: string): { readonly name: string; readonly type: string }[] {
  const members = struct.slice(struct.indexOf('(') + 1, -1).split(',');
  return members.map((member) => {
    const [type = '', name = ''] = member.split(' ');
    return { name, type };
  });
}

export interface OrderRequest {
  readonly tokenId: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly priceTicks: Ticks;
  /** 0 when `budgetMicros` is given. */
  readonly lots: Lots;
  /** Cash of a FOK or FAK BUY; 0 otherwise. */
  readonly budgetMicros: Micros;
  /** Seconds since the epoch; 0 for none. */
  readonly expirationSeconds: number;
  readonly postOnly: boolean;
}

const ZERO_WORD = `0x${'0'.repeat(64)}`;

/** What a market order gets has at most 4 decimals, at every tick (wire 4.4). */
const MARKET_UNIT = 100n;

/**
 * The amounts that the maker gives and takes, in base units (wire 4.2, 4.5). What a market order
 * gets is rounded as its price allows: the tokens of a BUY down, the cash of a SELL up.
 */
function amountsOf({
  side,
  type,
  priceTicks,
  lots,
  budgetMicros,
}: OrderRequest): Pick<Order11, 'makerAmount' | 'takerAmount'> {
  if (budgetMicros > 0) {
    const tokens = (BigInt(budgetMicros) * BigInt(MICRO_TOKENS_PER_LOT)) / BigInt(priceTicks);
    const rounded = tokens - (tokens % MARKET_UNIT);
    return { makerAmount: String(budgetMicros), takerAmount: String(rounded) };
  }
  const cash = BigInt(cashFor(lots, priceTicks));
  const tokens = String(lots * MICRO_TOKENS_PER_LOT);
  if (side === 'BUY') return { makerAmount: String(cash), takerAmount: tokens };
  const isMarket = type === 'FOK' || type === 'FAK';
  const missing = isMarket ? (MARKET_UNIT - (cash % MARKET_UNIT)) % MARKET_UNIT : 0n;
  return { makerAmount: tokens, takerAmount: String(cash + missing) };
}

/** The order of a request whose maker signs it itself; its signature is still ''. */
export function orderContent(
  request: OrderRequest,
  { address, salt, nowMs }: { address: string; salt: number; nowMs: number },
): Order11 {
  return {
    struct: 'order11',
    salt: String(salt),
    maker: address,
    signer: address,
    tokenId: request.tokenId,
    ...amountsOf(request),
    side: request.side === 'BUY' ? 0 : 1,
    signatureType: 0,
    timestamp: String(nowMs),
    metadata: ZERO_WORD,
    builder: ZERO_WORD,
    signature: '',
  };
}

/** What the choice of a domain looks at. */
interface OrderDomain {
  readonly chainId: number;
  readonly negRisk: boolean | null;
  readonly struct: OrderStruct;
}

/**
 * The first domain of the 11-field struct for a kind of market and a chain, by default any;
 * undefined for none.
 */
export function orderDomain<Domain extends OrderDomain>(
  domains: readonly Domain[],
  { chainId, negRisk }: { readonly chainId?: number; readonly negRisk: boolean },
): Domain | undefined {
  return domains.find(
    (domain) =>
      domain.struct === 'order11' &&
      (chainId === undefined || domain.chainId === chainId) &&
      (domain.negRisk ?? negRisk) === negRisk,
  );
}
