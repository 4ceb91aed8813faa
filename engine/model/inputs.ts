/**
 * Inputs: commands in the form that the engine works with. Nearly all commands of a busy exchange
 * place or cancel orders, and these have no text: an order id is eight words, and an account, an
 * owner, a token or a builder is the number that the engine gave it when it first appeared. Each
 * of the four counts from 0 in the order of the journal, so a replay gives the same numbers. All
 * other commands are rare, and are inputs as they are.
 */
import type { CancelOrders, Command, OpenAccount, PlaceOrder } from './commands.ts';

/** The 32 bytes of an order id, as eight words of the machine's byte order. */
export type OrderId = Int32Array;

type SharedFields =
  | ('kind' | 'side' | 'type' | 'postOnly' | 'priceTicks' | 'lots' | 'budgetMicros')
  | ('expiresAtMs' | 'minimumLeadMs' | 'earlyEndMs' | 'idCheckedSeq');

export interface OrderInput extends Pick<PlaceOrder, SharedFields> {
  /** Any other length than eight words is refused as malformed. */
  readonly orderId: OrderId;
  /** -1 for an account that does not exist. */
  readonly account: number;
  /** The recovered signer, who must own the account; -1 for one without accounts. */
  readonly owner: number;
  /** Twice the number of the market, plus the outcome; -1 for an unknown token. */
  readonly token: number;
  /** The builder that was signed; -1 for none, or for a code without terms. */
  readonly builder: number;
  /** How to open the account if it does not exist; see `PlaceOrder.opens`. */
  readonly opens: Omit<OpenAccount, 'kind'> | undefined;
  /** What a refusal quotes; undefined for an order whose numbers all stand for something. */
  readonly names: Pick<PlaceOrder, 'orderId' | 'account' | 'tokenId'> | undefined;
}

export interface CancelInput {
  readonly kind: 'cancel_orders';
  /** -1 for an owner without accounts. */
  readonly owner: number;
  /** The words of all ids, one after the other. */
  readonly orderIds: Int32Array;
}

/** What `Engine.apply` takes. */
export type Input = OrderInput | CancelInput | Exclude<Command, PlaceOrder | CancelOrders>;

/** What the engine's numbers stand for. A number keeps its name for good. */
export interface EngineNames {
  account(index: number): string;
  owner(index: number): string;
  token(index: number): string;
}

/** What executing an order needs to know of it, whether it arrives or was delayed. */
export type OrderTerms = Pick<
  OrderInput,
  'side' | 'type' | 'postOnly' | 'priceTicks' | 'lots' | 'budgetMicros'
>;
