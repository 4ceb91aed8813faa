/**
 * Payloads as JSON: {command, evidence} with field names. In formats 5 and 6 orders and cancels
 * were arrays of values in a fixed order, which are still read. Invariant: a command is read as it
 * was written.
 *
 * An order:  [orderId, account, owner, tokenId, side, type, postOnly, priceTicks, lots,
 *            budgetMicros, expiresAtMs, minimumLeadMs, idCheckedSeq, opens, apiKey, builder,
 *            broughtBy]; without `broughtBy` where there is none
 * A cancel:  [owner, orderIds]
 * An owner that equals the account is null, as are `opens` and `builder` if there are none. `opens`
 * is [wallet, paperMicros]. The evidence, if any, follows as a last value {"evidence": ...}.
 */
import { strict as assert } from 'node:assert';
import type { CancelOrders, Command, PlaceOrder } from '../../engine/index.ts';

type Opens = NonNullable<PlaceOrder['opens']>;

type OrderValues = readonly [
  orderId: string,
  account: string,
  owner: string | null,
  tokenId: string,
  side: PlaceOrder['side'],
  type: PlaceOrder['type'],
  postOnly: boolean,
  priceTicks: PlaceOrder['priceTicks'],
  lots: PlaceOrder['lots'],
  budgetMicros: PlaceOrder['budgetMicros'],
  expiresAtMs: number,
  minimumLeadMs: number,
  idCheckedSeq: number,
  opens: readonly [Opens['wallet'], Opens['paperMicros']] | null,
  apiKey: string,
  builder: string | null,
  broughtBy?: string,
];

type CancelValues = readonly [owner: string, orderIds: readonly string[]];

const EVIDENCE = '"evidence":';
/** The text before the command and before the evidence, with and without field names. */
const NAMED = { beginning: '{"command":', evidence: `,${EVIDENCE}` } as const;
const VALUES_ONLY = { beginning: '[', evidence: `,{${EVIDENCE}` } as const;

/** `evidence`: any JSON value, or undefined for none. */
export function jsonPayload(command: Command, evidence: unknown): string {
  return JSON.stringify({ command, evidence });
}

/**
 * The command of a payload; its evidence is not parsed, because replay does not need it. Returns
 * undefined if the payload is not of the row's `kind`.
 */
export function commandIn(kind: string, payload: string): Command | undefined {
  if (payload.startsWith(NAMED.beginning)) {
    const command = JSON.parse(beforeEvidence(payload, NAMED.evidence, '}')).command as Command;
    return command.kind === kind ? command : undefined;
  }
  // The checksum says that this text is what a program made of a command of this kind.
  const values: unknown = JSON.parse(beforeEvidence(payload, VALUES_ONLY.evidence, ']'));
  if (kind === 'place_order') return orderOf(values as OrderValues);
  return kind === 'cancel_orders' ? cancelOf(values as CancelValues) : undefined;
}

/** Returns undefined if there is none. */
export function evidenceIn(payload: string): unknown {
  const whole: unknown = JSON.parse(payload);
  const holder = Array.isArray(whole) ? whole.at(-1) : whole;
  return isHolder(holder) ? holder.evidence : undefined;
}

/**
 * The first occurrence of the border is the payload's own: no command has a field of that name, and
 * within a string its quotation marks would be escaped.
 */
function beforeEvidence(payload: string, border: string, end: string): string {
  const at = payload.indexOf(border);
  return at < 0 ? payload : payload.slice(0, at) + end;
}

interface Holder {
  readonly evidence: unknown;
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && 'evidence' in value;
}

function orderOf(values: OrderValues): PlaceOrder {
  const extra = values.length - ORDER_VALUES;
  assert(extra === 0 || extra === 1, 'an order has its fixed number of values, or one more');
  const [account, owner, opens, builder] = [values[1], values[2], values[13], values[15]];
  const broughtBy = values[16];
  return {
    kind: 'place_order',
    orderId: values[0],
    account,
    owner: owner ?? account,
    tokenId: values[3],
    side: values[4],
    type: values[5],
    postOnly: values[6],
    priceTicks: values[7],
    lots: values[8],
    budgetMicros: values[9],
    expiresAtMs: values[10],
    minimumLeadMs: values[11],
    idCheckedSeq: values[12],
    ...(opens === null ? undefined : { opens: { wallet: opens[0], paperMicros: opens[1] } }),
    apiKey: values[14],
    ...(builder === null ? undefined : { builder }),
    ...(broughtBy === undefined ? undefined : { broughtBy }),
  };
}

/** Without `broughtBy`. */
const ORDER_VALUES = 16;

function cancelOf(values: CancelValues): CancelOrders {
  const [owner, orderIds] = values;
  const isCancel = values.length === CANCEL_VALUES && Array.isArray(orderIds);
  assert(isCancel, 'a cancel has an owner and order ids');
  return { kind: 'cancel_orders', owner, orderIds };
}

const CANCEL_VALUES = 2;
