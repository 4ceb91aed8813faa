/**
 * Between the names of the outside and the numbers of the engine: a command becomes the input that
 * the engine takes, and a number its name. What an engine has named once keeps its number for good.
 */
import { ID_WORDS, NONE, readOrderId } from './book/index.ts';
import type {
  CancelInput,
  CancelOrders,
  Command,
  EngineNames,
  Input,
  OrderInput,
  PlaceOrder,
} from './model/index.ts';
import type { EngineState } from './state/engine-state.ts';

const MALFORMED = new Int32Array(0);

/** The names that an engine's state gives for numbers. */
export function engineNames(state: EngineState): EngineNames {
  const { accounts, owners } = state.ledger;
  return {
    account: (index) => accounts[index]!.address,
    owner: (index) => owners[index]!.address,
    token: (index) => state.token(index)!.tokenId,
  };
}

/** The input that stands for a command in the present state. */
export function inputOf(state: EngineState, command: Command): Input {
  if (command.kind === 'place_order') return orderInput(state, command);
  return command.kind === 'cancel_orders' ? cancelInput(state, command) : command;
}

export function orderInput(state: EngineState, command: PlaceOrder): OrderInput {
  const { ledger, builders } = state;
  const { account: address, owner, opens, builder } = command;
  const orderId = new Int32Array(ID_WORDS);
  return {
    kind: 'place_order',
    orderId: readOrderId(command.orderId, orderId) ? orderId : MALFORMED,
    account: ledger.findAccount(address),
    owner: ledger.findOwnerIndex(owner),
    token: state.findTokenIndex(command.tokenId),
    side: command.side,
    type: command.type,
    postOnly: command.postOnly,
    priceTicks: command.priceTicks,
    lots: command.lots,
    budgetMicros: command.budgetMicros,
    expiresAtMs: command.expiresAtMs,
    minimumLeadMs: command.minimumLeadMs,
    earlyEndMs: command.earlyEndMs,
    idCheckedSeq: command.idCheckedSeq,
    builder: builder === undefined ? NONE : builders.indexOf(builder),
    opens: opens && { address, owner, ...opens },
    names: command,
  };
}

/** Malformed ids are left out, because no order has one, unless the list is too long anyway. */
function cancelInput(state: EngineState, { owner, orderIds }: CancelOrders): CancelInput {
  const words = new Int32Array(orderIds.length * ID_WORDS);
  const isTooLong = orderIds.length > state.bounds.cancelsPerCommand;
  let found = isTooLong ? words.length : 0;
  if (!isTooLong) {
    for (const orderId of orderIds) {
      if (!readOrderId(orderId, state.idWords)) continue;
      words.set(state.idWords, found);
      found += ID_WORDS;
    }
  }
  return {
    kind: 'cancel_orders',
    owner: state.ledger.findOwnerIndex(owner),
    orderIds: found === words.length ? words : words.subarray(0, found),
  };
}

/** Whether each number of an input stands for something in the present state. */
export function knowsNumbers(state: EngineState, input: Input): boolean {
  const { accounts, owners } = state.ledger;
  if (input.kind === 'cancel_orders') return owners[input.owner] !== undefined;
  if (input.kind !== 'place_order') return true;
  const { account, owner, token, builder } = input;
  if (accounts[account] === undefined || owners[owner] === undefined) return false;
  const isBuilder = builder === NONE || state.builders.at(builder) !== undefined;
  return isBuilder && state.token(token) !== undefined;
}
