/**
 * The naive twin's judgement of the small commands: which answer they get instead of a change.
 * Each function is one flat run of checks in the documented order of precedence and gives
 * undefined when the command is good. It changes nothing.
 */
import type {
  Answer,
  ArmSwitch,
  CancelAll,
  CancelOrders,
  Command,
  CreateMarket,
  Deposit,
  DismissNotifications,
  IssueApiKey,
  KeyPurpose,
  Known,
  OpenAccount,
  RejectCode,
  RejectDetails,
  Rejected,
  RevokeApiKey,
  TripSwitch,
  Withdraw,
} from '../../../engine/index.ts';
import { FEE_ACCOUNT, isWhole } from '../../../engine/index.ts';
import { judgeCollecting, opensFeeAccount } from './fees.ts';
import { judgeBan, judgeRunning } from './operator.ts';
import type { NaiveState } from './state.ts';
import { accountAt, heldMicros, liveOrdersOf, marketOfToken } from './state.ts';

const WORD = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const DECIMAL = /^(0|[1-9][0-9]{0,77})$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MONEY_KEY = /^[\x21-\x7e]{1,128}$/;
const MARKET_TICKS: readonly number[] = [1000, 100, 50, 25, 10, 1];
const KEY_PURPOSES: readonly string[] = ['trading', 'readonly', 'builder'];
const SELF_TRADE_MODES: readonly string[] = ['cancel_maker', 'cancel_taker', 'cancel_both'];

export function isWord(text: string): boolean {
  return WORD.test(text);
}
export function isAddress(text: string): boolean {
  return ADDRESS.test(text);
}

export function reject(code: RejectCode, details: RejectDetails): Rejected {
  return { kind: 'rejected', code, ...details };
}

export function known(command: Command): Known {
  return { kind: 'known', command: command.kind };
}

export function judgeMarket(state: NaiveState, command: CreateMarket): Answer | undefined {
  const { bounds, markets } = state;
  const fault = marketFault(state, command);
  if (fault !== undefined) return reject('market_malformed', fault);
  const same = markets.find((market) => market.terms.conditionId === command.conditionId);
  if (same !== undefined) {
    if (termsText(same.created) === termsText(command)) return known(command);
    return reject('market_exists', { field: 'conditionId', actual: command.conditionId });
  }
  const taken = command.tokenIds.find((tokenId) => marketOfToken(state, tokenId) !== undefined);
  if (taken !== undefined) return reject('market_exists', { field: 'tokenIds', actual: taken });
  const isSealed = state.events.some((event) => event.eventId === command.eventId);
  if (isSealed) return reject('event_sealed', { field: 'eventId', actual: command.eventId });
  if (markets.length >= bounds.markets) {
    const details = { field: 'conditionId', limit: bounds.markets, actual: markets.length };
    return reject('too_many_markets', details);
  }
  return opensFeeAccount(command) ? judgeCollecting(state) : undefined;
}

export function marketFault(
  { bounds }: NaiveState,
  command: CreateMarket,
): RejectDetails | undefined {
  const { conditionId, tokenIds, tickTicks, minimumLots, minimumBudgetMicros } = command;
  const { eventId, selfTrade } = command;
  if (!WORD.test(conditionId)) return { field: 'conditionId', actual: conditionId };
  if (!tokenIds.every((tokenId) => DECIMAL.test(tokenId)) || tokenIds[0] === tokenIds[1]) {
    return { field: 'tokenIds', actual: tokenIds.join(',') };
  }
  if (!MARKET_TICKS.includes(tickTicks)) return { field: 'tickTicks', actual: tickTicks };
  if (!isWhole(minimumLots, 1, bounds.orderLots)) {
    return { field: 'minimumLots', actual: minimumLots };
  }
  if (!isWhole(minimumBudgetMicros, 1, bounds.amountMicros)) {
    return { field: 'minimumBudgetMicros', actual: minimumBudgetMicros };
  }
  if (eventId.length > 128) return { field: 'eventId', actual: eventId.length };
  if (!SELF_TRADE_MODES.includes(selfTrade)) return { field: 'selfTrade', actual: selfTrade };
  return chargeFault(command);
}

const MOSTS = { takerFeeBps: 5_000, makerFeeBps: 5_000, feeExponent: 2, delaySeconds: 60 };

function chargeFault(terms: CreateMarket): RejectDetails | undefined {
  const { tickTicks, finerTickTicks: finer = 0 } = terms;
  for (const [name, most] of Object.entries({ ...MOSTS, takerDelayMs: 60_000 })) {
    // Safe: the names are those above.
    const actual = terms[name as keyof typeof MOSTS | 'takerDelayMs'] ?? 0;
    if (!isWhole(actual, 0, most)) return { field: name, limit: `0..${most}`, actual };
  }
  if (finer === 0) return undefined;
  const divides = MARKET_TICKS.includes(finer) && tickTicks > finer && tickTicks % finer === 0;
  return divides ? undefined : { field: 'finerTickTicks', limit: tickTicks, actual: finer };
}

function termsText(terms: CreateMarket): string {
  return JSON.stringify([
    terms.conditionId,
    terms.tokenIds,
    terms.tickTicks,
    terms.minimumLots,
    terms.minimumBudgetMicros,
    terms.negRisk,
    terms.eventId,
    terms.selfTrade,
    terms.takerFeeBps ?? 0,
    terms.makerFeeBps ?? 0,
    terms.feeExponent ?? 0,
    terms.delaySeconds ?? 0,
    terms.takerDelayMs ?? 0,
    terms.finerTickTicks ?? 0,
  ]);
}

export function judgeAccount(state: NaiveState, command: OpenAccount): Answer | undefined {
  const { bounds } = state;
  const { address, owner, wallet, paperMicros } = command;
  if (!ADDRESS.test(address)) return reject('address_malformed', malformed('address', address));
  if (!ADDRESS.test(owner)) return reject('address_malformed', malformed('owner', owner));
  if (address === FEE_ACCOUNT) return reject('address_reserved', malformed('address', address));
  if (owner === FEE_ACCOUNT) return reject('address_reserved', malformed('owner', owner));
  if (wallet === 'eoa' && owner !== address) {
    return reject('address_malformed', malformed('owner', owner));
  }
  if (!isWhole(paperMicros, 0, bounds.amountMicros)) {
    const limit = `0..${bounds.amountMicros}`;
    return reject('amount_out_of_bounds', { field: 'paperMicros', limit, actual: paperMicros });
  }
  const same = accountAt(state, address);
  if (same !== undefined) {
    if (same.terms.owner === owner) return known(command);
    return reject('account_bound_to_other', malformed('address', address));
  }
  return judgeRoom(state, paperMicros);
}

/** Whether one more account fits, with its play money. */
export function judgeRoom(state: NaiveState, paperMicros: number): Answer | undefined {
  const { bounds, accounts, depositedMicros } = state;
  if (accounts.length >= bounds.accounts) {
    const details = { field: 'address', limit: bounds.accounts, actual: accounts.length };
    return reject('too_many_accounts', details);
  }
  if (depositedMicros + paperMicros > bounds.totalMicros) {
    const limit = bounds.totalMicros - depositedMicros;
    return reject('deposits_exhausted', { field: 'paperMicros', limit, actual: paperMicros });
  }
  return undefined;
}

function malformed(field: string, actual: string): RejectDetails {
  return { field, actual };
}

/** The signed amount of a money command, as its key remembers it. */
export function signedAmount(command: Deposit | Withdraw): number {
  return command.kind === 'deposit' ? command.amountMicros : -command.amountMicros;
}

export function judgeMoney(state: NaiveState, command: Deposit | Withdraw): Answer | undefined {
  const { bounds, idempotencyKeys, depositedMicros } = state;
  const { account, amountMicros, key } = command;
  if (!MONEY_KEY.test(key)) {
    return reject('money_key_malformed', malformed('key', key.slice(0, 128)));
  }
  if (!isWhole(amountMicros, 1, bounds.amountMicros)) {
    const limit = `1..${bounds.amountMicros}`;
    return reject('amount_out_of_bounds', { field: 'amountMicros', limit, actual: amountMicros });
  }
  const holder = accountAt(state, account);
  if (holder === undefined) return reject('account_unknown', malformed('account', account));
  const used = idempotencyKeys.find((one) => one.owner === '' && one.key === key);
  if (used !== undefined) {
    const same = used.account === account && used.amountMicros === signedAmount(command);
    const isCash = used.command === 'deposit' || used.command === 'withdraw';
    return same && isCash ? known(command) : reject('money_key_reused', malformed('key', key));
  }
  const bound = idempotencyKeys.filter((one) => one.command !== 'redeem').length;
  if (bound >= bounds.idempotencyKeys) {
    const details = { field: 'key', limit: bounds.idempotencyKeys, actual: bound };
    return reject('too_many_money_keys', details);
  }
  if (command.kind === 'deposit') {
    const limit = bounds.totalMicros - depositedMicros;
    if (amountMicros <= limit) return undefined;
    return reject('deposits_exhausted', { field: 'amountMicros', limit, actual: amountMicros });
  }
  const held = heldMicros(liveOrdersOf(state, account));
  const available = holder.cashMicros - held;
  if (available >= amountMicros) return undefined;
  const required = amountMicros;
  return reject('not_enough_cash', { field: 'account', asset: 'cash', required, available, held });
}

export function judgeApiKey(state: NaiveState, command: IssueApiKey): Answer | undefined {
  const { bounds, apiKeys } = state;
  const { owner, nonce, apiKey } = command;
  const purpose = purposeOf(command);
  if (!ADDRESS.test(owner)) return reject('address_malformed', malformed('owner', owner));
  if (!DECIMAL.test(nonce)) return reject('api_key_malformed', malformed('nonce', nonce));
  if (!UUID.test(apiKey)) return reject('api_key_malformed', malformed('apiKey', apiKey));
  if (!KEY_PURPOSES.includes(purpose)) {
    return reject('api_key_malformed', malformed('purpose', purpose));
  }
  const ofOwner = apiKeys.filter((issued) => issued.owner === owner);
  const same = ofOwner.find((issued) => issued.purpose === purpose && issued.nonce === nonce);
  if (same !== undefined) {
    if (same.isRevoked) return reject('api_key_revoked', malformed('nonce', nonce));
    if (same.apiKey === apiKey) return known(command);
    return reject('api_key_reused', malformed('nonce', nonce));
  }
  if (apiKeys.some((issued) => issued.apiKey === apiKey)) {
    return reject('api_key_reused', malformed('apiKey', apiKey));
  }
  const ban = judgeBan(state, owner);
  if (ban !== undefined) return ban;
  if (ofOwner.length >= bounds.keysEverPerOwner) {
    const details = { field: 'nonce', limit: bounds.keysEverPerOwner, actual: ofOwner.length };
    return reject('too_many_api_keys', details);
  }
  const live = ofOwner.filter((issued) => !issued.isRevoked).length;
  if (live >= bounds.keysPerOwner) {
    const details = { field: 'owner', limit: bounds.keysPerOwner, actual: live };
    return reject('too_many_api_keys', details);
  }
  return undefined;
}

/** Commands from before there were other purposes name none. */
export function purposeOf({ purpose = 'trading' }: IssueApiKey): KeyPurpose {
  return purpose;
}

export function judgeRevocation(state: NaiveState, command: RevokeApiKey): Answer | undefined {
  const { owner, apiKey } = command;
  const own = state.apiKeys.filter((issued) => issued.owner === owner);
  const same = own.find((issued) => issued.apiKey === apiKey);
  if (same === undefined) return reject('api_key_unknown', malformed('apiKey', apiKey));
  return same.isRevoked ? known(command) : undefined;
}

function ownsSomething({ accounts }: NaiveState, owner: string): boolean {
  return accounts.some((account) => account.terms.owner === owner);
}

export function judgeArming(state: NaiveState, command: ArmSwitch): Answer | undefined {
  const { owner, heartbeatId } = command;
  if (!UUID.test(heartbeatId)) {
    return reject('heartbeat_malformed', malformed('heartbeatId', heartbeatId));
  }
  if (!ownsSomething(state, owner)) return reject('account_unknown', malformed('owner', owner));
  return isArmed(state, command) ? known(command) : undefined;
}

export function judgeTripping(state: NaiveState, command: TripSwitch): Answer | undefined {
  return isArmed(state, command) ? undefined : known(command);
}

function isArmed({ switches }: NaiveState, command: ArmSwitch | TripSwitch): boolean {
  const { owner, heartbeatId } = command;
  return switches.some((armed) => armed.owner === owner && armed.heartbeatId === heartbeatId);
}

export function judgeDismissal(
  state: NaiveState,
  { owner, ids }: DismissNotifications,
): Answer | undefined {
  const most = state.bounds.dismissalsPerCommand;
  if (ids.length < 1 || ids.length > most) {
    const details = { field: 'ids', limit: `1..${most}`, actual: ids.length };
    return reject('notification_ids_malformed', details);
  }
  for (const actual of ids) {
    if (Number.isSafeInteger(actual) && actual >= 0) continue;
    return reject('notification_ids_malformed', { field: 'ids', actual });
  }
  return ownsSomething(state, owner)
    ? undefined
    : reject('account_unknown', malformed('owner', owner));
}

export function judgeCancels(state: NaiveState, command: CancelOrders): Answer | undefined {
  const actual = command.orderIds.length;
  const limit = state.bounds.cancelsPerCommand;
  if (actual <= limit) return judgeRunning(state);
  return reject('too_many_order_ids', { field: 'orderIds', limit, actual });
}

export function judgeCancelAll(state: NaiveState, command: CancelAll): Answer | undefined {
  const { conditionId, tokenId } = command;
  const isMarket = state.markets.some((market) => market.terms.conditionId === conditionId);
  if (conditionId !== '' && !isMarket) {
    return reject('market_unknown', malformed('conditionId', conditionId));
  }
  if (tokenId !== '' && marketOfToken(state, tokenId) === undefined) {
    return reject('token_unknown', malformed('tokenId', tokenId));
  }
  return judgeRunning(state);
}
