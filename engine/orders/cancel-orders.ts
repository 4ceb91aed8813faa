/**
 * Cancels orders by id, or all orders of an owner, or all those in one market or token, in order of
 * acceptance. A cancel of all is a step that stops after some orders; its sender then sends the
 * next one. An order of another owner is treated as unknown. Orders in a halted market and
 * delayed orders stay. See docs/decisions/0009-what-owners-can-take-back.md.
 */
import { ID_WORDS, NONE } from '../book/index.ts';
import {
  ADDRESS,
  type ArmSwitch,
  type CancelAll,
  type CancelInput,
  type CancelStep,
  type CloseReason,
  HALTED,
  isWhole,
  type OrderId,
  type SetStanding,
  STANDINGS,
  type TripSwitch,
  UUID,
} from '../model/index.ts';
import { isExchangeRunning } from '../state/checks.ts';
import { answerKnown, type EngineState, findMarket, reject } from '../state/engine-state.ts';
import { cancelResting } from '../state/live-orders.ts';
import { clearOwner } from './clearing.ts';
import { endOrder, tripDelayed } from './delayed-orders.ts';

/**
 * Setting an owner's standing: closed-only mode cancels its BUYs, a ban all its orders. The owner
 * need not have an account yet. `accounts/open-account.ts` checks standings. Bound: `standings`
 * owners whose standing is not good.
 */
export function setStanding(state: EngineState, command: SetStanding): void {
  const { owner, standing } = command;
  if (!checkStanding(state, command)) return;
  if (!clearOrders(state, command)) {
    state.clearing = command;
    return;
  }
  state.ledger.setStanding(owner, standing);
  state.events.push({ kind: 'standing_changed', owner, standing });
}

/** Ends the orders that the standing does not permit. Returns whether none is left. */
function clearOrders(state: EngineState, { owner, standing }: SetStanding): boolean {
  if (standing === 'banned') return clearOwner(state, owner, 'owner_banned');
  const isBuy = (handle: number): boolean => !state.orders.isSell(handle);
  return standing !== 'closed_only' || clearOwner(state, owner, 'closed_only', isBuy);
}

/** Checks, in order: the forms of owner and standing; the present standing; the bound. */
function checkStanding(state: EngineState, { owner, standing }: SetStanding): boolean {
  if (!ADDRESS.test(owner)) {
    return reject(state, 'address_malformed', { field: 'owner', actual: owner });
  }
  if (!STANDINGS.includes(standing)) {
    return reject(state, 'standing_malformed', { field: 'standing', actual: standing });
  }
  const before = state.ledger.standingOf(owner);
  if (before === standing) return answerKnown(state, 'set_standing');
  const limit = state.bounds.standings;
  const actual = state.ledger.standings.size;
  if (before !== 'good' || actual < limit) return true;
  return reject(state, 'too_many_standings', { field: 'owner', limit, actual });
}

export function cancelOrders(state: EngineState, { owner, orderIds }: CancelInput): void {
  const { orders } = state;
  const limit = state.bounds.cancelsPerCommand;
  const actual = orderIds.length / ID_WORDS;
  if (actual > limit) {
    reject(state, 'too_many_order_ids', { field: 'orderIds', limit, actual });
    return;
  }
  if (!isExchangeRunning(state)) return;
  if (actual === 1) {
    const handle = findCancelable(state, owner, orderIds);
    if (handle !== NONE) cancelResting(state, handle, 'canceled');
    return;
  }
  const handles: number[] = [];
  for (let at = 0; at < orderIds.length; at += ID_WORDS) {
    const handle = findCancelable(state, owner, orderIds.subarray(at, at + ID_WORDS));
    if (handle !== NONE) handles.push(handle);
  }
  handles.sort((a, b) => orders.acceptedSeq(a) - orders.acceptedSeq(b));
  for (const handle of handles) {
    // The list may contain an id twice.
    if (orders.isLive(handle)) cancelResting(state, handle, 'canceled');
  }
}

/** The handle of an order that this owner can cancel; NONE for any other id. */
function findCancelable(state: EngineState, owner: number, orderId: OrderId): number {
  const { orders, ledger } = state;
  const handle = state.ids.find(orderId);
  // Entries below 0 are closed orders, and NONE.
  const isCancelable =
    handle >= 0 &&
    !orders.isDelayed(handle) &&
    !isHalted(state, handle) &&
    ledger.accounts[orders.account(handle)]!.ownerIndex === owner;
  return isCancelable ? handle : NONE;
}

export function cancelAll(state: EngineState, command: CancelAll): void {
  const { owner, conditionId, tokenId, step } = command;
  const { orders } = state;
  if (!isStepSize(state, step.most)) return;
  const market = conditionId === '' ? undefined : findMarket(state, conditionId);
  if (conditionId !== '' && market === undefined) return;
  const token = state.findToken(tokenId);
  if (tokenId !== '' && token === undefined) {
    reject(state, 'token_unknown', { field: 'tokenId', actual: tokenId });
    return;
  }
  if (!isExchangeRunning(state)) return;
  cancelWhere(
    state,
    owner,
    'canceled',
    (handle) => {
      const inMarket = market === undefined || orders.market(handle) === market.index;
      const inToken =
        token === undefined ||
        (orders.market(handle) === token.market.index && orders.outcome(handle) === token.outcome);
      return inMarket && inToken && !orders.isDelayed(handle) && !isHalted(state, handle);
    },
    step,
  );
}

function isHalted(state: EngineState, handle: number): boolean {
  return state.markets[state.orders.market(handle)]!.status === HALTED;
}

/** Whether a step may cancel so many orders. */
function isStepSize(state: EngineState, actual: number): boolean {
  const limit = state.bounds.cancelsPerCommand;
  if (isWhole(actual, 1, limit)) return true;
  return reject(state, 'too_many_order_ids', { field: 'most', limit, actual });
}

/**
 * Cancels the orders of an owner that satisfy a condition, in order of acceptance, as far as the
 * step goes. Returns their number.
 */
function cancelWhere(
  state: EngineState,
  owner: string,
  reason: CloseReason,
  condition: (handle: number) => boolean,
  { upToSeq = Number.POSITIVE_INFINITY, most }: CancelStep,
): number {
  const { orders } = state;
  let canceled = 0;
  let handle = state.ledger.findOwner(owner)?.firstOrder ?? NONE;
  while (handle !== NONE && canceled < most && orders.acceptedSeq(handle) <= upToSeq) {
    const next = orders.ownerNext(handle);
    if (condition(handle)) {
      endOrder(state, handle, reason);
      canceled += 1;
    }
    handle = next;
  }
  return canceled;
}

// Dead man's switches (wire 1.7). An owner arms one and sends heartbeats, which the engine never
// sees. When the server reports that the heartbeats stopped, the switch trips and cancels every
// order of the owner, except that a delayed one may still trade but not rest. Invariant: an owner
// has at most one armed switch. Bound: the owners.

export function armSwitch(state: EngineState, command: ArmSwitch): void {
  const { owner, heartbeatId } = command;
  if (!checkArming(state, command)) return;
  // Deleted first, so that the map stays in order of arming.
  state.switches.delete(owner);
  state.switches.set(owner, heartbeatId);
  state.events.push({ kind: 'switch_armed', owner, heartbeatId });
}

/** Checks, in order: the form of the id; that the owner has an account; that the id is new. */
function checkArming(state: EngineState, { owner, heartbeatId }: ArmSwitch): boolean {
  if (!UUID.test(heartbeatId)) {
    return reject(state, 'heartbeat_malformed', { field: 'heartbeatId', actual: heartbeatId });
  }
  if (state.ledger.findOwner(owner) === undefined) {
    return reject(state, 'account_unknown', { field: 'owner', actual: owner });
  }
  return state.switches.get(owner) !== heartbeatId || answerKnown(state, 'arm_switch');
}

/** Does nothing unless the switch is armed with this id: heartbeats with an older id may stop. */
export function tripSwitch(state: EngineState, command: TripSwitch): void {
  const { owner, heartbeatId, most } = command;
  if (!isStepSize(state, most)) return;
  if (state.switches.get(owner) !== heartbeatId) {
    answerKnown(state, 'trip_switch');
    return;
  }
  const isResting = (handle: number): boolean => !state.orders.isDelayed(handle);
  if (cancelWhere(state, owner, 'switch_tripped', isResting, { most }) === most) return;
  tripDelayed(state, owner);
  state.switches.delete(owner);
  state.events.push({ kind: 'switch_tripped', owner, heartbeatId });
}
