/**
 * A journaled command with its evidence as one text of JSON, and back. Orders and cancels are most
 * of what a journal holds: of those the values alone are written, in a fixed order, for each byte
 * is written and synced, checked and read again by two replays. Every other command, and every one
 * that a program of a format before 5 wrote, is {command, evidence} with all its names. Invariant:
 * what is read is what was written. Bound: the engine's, of one command.
 *
 * An order:  [orderId, account, owner, tokenId, side, type, postOnly, priceTicks, lots,
 *            budgetMicros, expiresAtMs, minimumLeadMs, idCheckedSeq, opens, apiKey, builder]
 * A cancel:  [owner, orderIds]
 * An owner that is the account itself is null, as are `opens` and `builder` where there are none;
 * `opens` is [wallet, paperMicros]. The evidence, if there is any, stands behind it all as
 * {"evidence": ...}.
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
];

type CancelValues = readonly [owner: string, orderIds: readonly string[]];

const EVIDENCE = '"evidence":';
/** What stands before the evidence where names are written, and where they are not. */
const NAMED = { beginning: '{"command":', evidence: `,${EVIDENCE}` } as const;
const UNNAMED = { beginning: '[', evidence: `,{${EVIDENCE}` } as const;

/** `evidence`: anything that JSON has, or undefined for none. */
export function writePayload(command: Command, evidence: unknown): string {
  if (command.kind === 'place_order') return writeValues(orderValues(command), evidence);
  if (command.kind === 'cancel_orders') return writeValues(cancelValues(command), evidence);
  return JSON.stringify({ command, evidence });
}

/**
 * What stands before the evidence, which a replay has no use for. `kind`: that of its row; for a
 * payload that is of no such kind undefined is returned.
 */
export function commandIn(kind: string, payload: string): Command | undefined {
  if (payload.startsWith(NAMED.beginning)) {
    const command = JSON.parse(beforeEvidence(payload, NAMED.evidence, '}')).command as Command;
    return command.kind === kind ? command : undefined;
  }
  // The checksum says that this text is what `writePayload` made of a command of this kind.
  const values: unknown = JSON.parse(beforeEvidence(payload, UNNAMED.evidence, ']'));
  if (kind === 'place_order') return orderOf(values as OrderValues);
  return kind === 'cancel_orders' ? cancelOf(values as CancelValues) : undefined;
}

/** undefined where there is none. */
export function evidenceIn(payload: string): unknown {
  const whole: unknown = JSON.parse(payload);
  const holder = Array.isArray(whole) ? whole.at(-1) : whole;
  return isHolder(holder) ? holder.evidence : undefined;
}

/**
 * The first such border is the payload's own: no command has a field of that name, and within a
 * text its quotation marks would have a backslash before them.
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

function writeValues(values: OrderValues | CancelValues, evidence: unknown): string {
  return JSON.stringify(evidence === undefined ? values : [...values, { evidence }]);
}

function orderValues(command: PlaceOrder): OrderValues {
  return [
    command.orderId,
    command.account,
    command.owner === command.account ? null : command.owner,
    command.tokenId,
    command.side,
    command.type,
    command.postOnly,
    command.priceTicks,
    command.lots,
    command.budgetMicros,
    command.expiresAtMs,
    command.minimumLeadMs,
    command.idCheckedSeq,
    command.opens === undefined ? null : [command.opens.wallet, command.opens.paperMicros],
    command.apiKey,
    command.builder ?? null,
  ];
}

function orderOf(values: OrderValues): PlaceOrder {
  assert(values.length === ORDER_VALUES, 'an order has as many values as were written');
  const [account, owner, opens, builder] = [values[1], values[2], values[13], values[15]];
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
  };
}

const ORDER_VALUES = 16;

function cancelValues({ owner, orderIds }: CancelOrders): CancelValues {
  return [owner, orderIds];
}

function cancelOf(values: CancelValues): CancelOrders {
  const [owner, orderIds] = values;
  const isCancel = values.length === CANCEL_VALUES && Array.isArray(orderIds);
  assert(isCancel, 'a cancel has the values that were written');
  return { kind: 'cancel_orders', owner, orderIds };
}

const CANCEL_VALUES = 2;
