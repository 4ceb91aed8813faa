/**
 * Tables of faults for random commands, one function for each fault, so that every check fails at
 * times.
 */
import type {
  ArmSwitch,
  ChangeMarket,
  CreateMarket,
  Deposit,
  DismissNotifications,
  IssueApiKey,
  KeyPurpose,
  OpenAccount,
  PlaceOrder,
  ResolveMarket,
  SetBuilder,
  SetStanding,
  SetTradingState,
  Split,
  TakerDelay,
  Ticks,
  Withdraw,
} from '../../../engine/index.ts';
import { FEE_ACCOUNT, lots, micros, ticks } from '../../../engine/index.ts';
import type { Random } from '../../../http/codec/random.ts';

type Fault<T> = (random: Random, command: T) => Partial<T>;

const BAD_NUMBERS = [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 10_000, 1e17];
const BAD_IDS = ['', '0x', 'zz', `0x${'g'.repeat(64)}`, `0x${'A'.repeat(64)}`];
const BAD_ADDRESSES = ['', '0x12', `0x${'A'.repeat(40)}`, `0x${'f'.repeat(41)}`];
const BAD_DECIMALS = ['', '01', '-1', '1.5', '0x1', '9'.repeat(79)];
const BAD_KEYS = ['', 'a b', 'é', 'k'.repeat(129), 'k\n', 'k'.repeat(300)];
const UNKNOWN_ADDRESS = `0x${'e'.repeat(40)}`;

export function badNumber(random: Random): number {
  return random.pick(BAD_NUMBERS);
}

/** An id with a small or a large fault. */
function badId(random: Random, good: string): string {
  return random.pick([...BAD_IDS, good.slice(0, -1), `${good}0`, `${good}\n`, good.toUpperCase()]);
}

/** A value that is not a tick, or a tick too coarse to refine that of any market. */
function badFinerTick(random: Random): Ticks {
  return ticks(random.pick([-1, 0.5, Number.NaN, 2, 20, 1_000]));
}

function badDelay(random: Random): Partial<TakerDelay> {
  return random.pick([
    { delaySeconds: random.pick([-1, 0.5, Number.NaN, 61]) },
    { takerDelayMs: random.pick([-1, 0.5, Number.NaN, 60_001]) },
  ]);
}
function badRate(random: Random): number {
  return random.pick([-1, 0.5, Number.NaN, 5_001]);
}

const ORDER_FAULTS: readonly Fault<PlaceOrder>[] = [
  (random, { orderId }) => ({ orderId: badId(random, orderId) }),
  (random) => ({ account: random.pick([UNKNOWN_ADDRESS, '']) }),
  (random) => ({ owner: random.pick([UNKNOWN_ADDRESS, '']) }),
  (random) => ({
    account: random.pick(BAD_ADDRESSES),
    opens: { wallet: 'safe', paperMicros: micros(0) },
  }),
  (random) => ({
    account: UNKNOWN_ADDRESS,
    opens: { wallet: random.pick(['eoa', 'proxy']), paperMicros: micros(badNumber(random)) },
  }),
  (random) => ({ tokenId: random.pick(['', '0', '12345', '999999999999999999999']) }),
  (random) => ({ postOnly: true, type: random.pick(['FOK', 'FAK']) }),
  (random) => ({ type: random.pick(['GTC', 'FOK', 'FAK']), expiresAtMs: random.between(1, 1e6) }),
  (random) => ({ type: 'GTD', expiresAtMs: badNumber(random) }),
  (random) => ({ type: 'GTD', expiresAtMs: random.between(1, 1000) }),
  (_, { expiresAtMs }) => ({ type: 'GTD', expiresAtMs, minimumLeadMs: 1e9 }),
  (random) => ({ priceTicks: ticks(badNumber(random)) }),
  (_, { priceTicks }) => ({ priceTicks: ticks(priceTicks + 1) }),
  (_, { priceTicks }) => ({ priceTicks: ticks(priceTicks + 5) }),
  (random) => ({ lots: lots(badNumber(random)) }),
  (random) => ({ budgetMicros: micros(badNumber(random)) }),
  (random) => ({ lots: lots(random.between(1, 3)), budgetMicros: micros(random.between(1, 3)) }),
  () => ({ lots: lots(100_000_000_000), budgetMicros: micros(0) }),
  (random) => ({ idCheckedSeq: random.pick([0, -1, 1]) }),
];

const MARKET_FAULTS: readonly Fault<CreateMarket>[] = [
  (random, { conditionId }) => ({ conditionId: badId(random, conditionId) }),
  (random, { tokenIds }) => ({ tokenIds: [tokenIds[0], random.pick(BAD_DECIMALS)] }),
  (random, { tokenIds }) => ({ tokenIds: [random.pick(BAD_DECIMALS), tokenIds[1]] }),
  (_, { tokenIds }) => ({ tokenIds: [tokenIds[0], tokenIds[0]] }),
  (random) => ({ tickTicks: ticks(random.pick([...BAD_NUMBERS, 2, 20, 500, 2000])) }),
  (random) => ({ minimumLots: lots(badNumber(random)) }),
  (random) => ({ minimumBudgetMicros: micros(badNumber(random)) }),
  (random) => ({ finerTickTicks: badFinerTick(random) }),
  (random) => ({ takerFeeBps: badRate(random) }),
  (random) => ({ makerFeeBps: badRate(random) }),
  (random) => ({ feeExponent: random.pick([3, -1, 0.5]) as 2 }),
  badDelay,
  () => ({ eventId: 'e'.repeat(129) }),
  // The cast admits a value that the type forbids, because its refusal is tested.
  () => ({ selfTrade: 'allow' as CreateMarket['selfTrade'] }),
];

const ACCOUNT_FAULTS: readonly Fault<OpenAccount>[] = [
  (random) => ({ address: random.pick(BAD_ADDRESSES) }),
  (random) => ({ owner: random.pick(BAD_ADDRESSES) }),
  () => ({ address: FEE_ACCOUNT }),
  () => ({ owner: FEE_ACCOUNT, wallet: 'safe' }),
  () => ({ wallet: 'eoa', owner: UNKNOWN_ADDRESS }),
  (random) => ({ paperMicros: micros(badNumber(random)) }),
];

const MONEY_FAULTS: readonly Fault<Deposit | Withdraw>[] = [
  (random) => ({ key: random.pick(BAD_KEYS) }),
  (random) => ({ amountMicros: micros(badNumber(random)) }),
  () => ({ account: UNKNOWN_ADDRESS }),
];

const API_KEY_FAULTS: readonly Fault<IssueApiKey>[] = [
  (random) => ({ owner: random.pick(BAD_ADDRESSES) }),
  (random) => ({ nonce: random.pick(BAD_DECIMALS) }),
  (random, { apiKey }) => ({
    apiKey: random.pick(['', 'key', apiKey.toUpperCase(), `${apiKey}0`]),
  }),
  // The cast admits a value that the type forbids, because its refusal is tested.
  () => ({ purpose: 'admin' as KeyPurpose }),
];

const ARMING_FAULTS: readonly Fault<ArmSwitch>[] = [
  (random) => ({ owner: random.pick([UNKNOWN_ADDRESS, '']) }),
  (random, { heartbeatId }) => ({
    heartbeatId: random.pick(['', heartbeatId.slice(1), `${heartbeatId}\n`, `${heartbeatId}0`]),
  }),
];

const DISMISSAL_FAULTS: readonly Fault<DismissNotifications>[] = [
  (random) => ({ owner: random.pick([UNKNOWN_ADDRESS, '']) }),
  () => ({ ids: [] }),
  (_, { ids }) => ({ ids: Array.from({ length: 101 }, () => ids[0] ?? 1) }),
  (random, { ids }) => ({ ids: [...ids.slice(1), badNumber(random)] }),
];

const STATE_FAULTS: readonly Fault<SetTradingState>[] = [
  (random, { conditionId }) => ({ conditionId: badId(random, conditionId) }),
  // The cast admits a value that the type forbids, because its refusal is tested.
  () => ({ state: 'closed' as SetTradingState['state'] }),
];

/** Faults for commands that name an account and an idempotency key. */
const KEYED_FAULTS: readonly Fault<Pick<Split, 'account' | 'owner' | 'key'>>[] = [
  (random) => ({ key: random.pick(BAD_KEYS) }),
  (random) => ({ account: random.pick([UNKNOWN_ADDRESS, '']) }),
  () => ({ owner: UNKNOWN_ADDRESS }),
];

const CHANGE_FAULTS: readonly Fault<ChangeMarket>[] = [
  (random, { conditionId }) => ({ conditionId: badId(random, conditionId) }),
  (random) => ({ tickTicks: ticks(random.pick([...BAD_NUMBERS, 2, 20, 500, 2000])) }),
  (random) => ({ minimumLots: lots(badNumber(random)) }),
  (random) => ({ minimumBudgetMicros: micros(badNumber(random)) }),
  () => ({ selfTrade: 'allow' as CreateMarket['selfTrade'] }),
  (random) => ({ finerTickTicks: badFinerTick(random) }),
  badDelay,
  (random) => ({ takerFeeBps: badRate(random), makerFeeBps: badRate(random) }),
];

const BUILDER_FAULTS: readonly Fault<SetBuilder>[] = [
  (random, { builder }) => ({ builder: badId(random, builder) }),
  () => ({ builder: `0x${'0'.repeat(64)}` }),
  (random) => ({ account: random.pick([UNKNOWN_ADDRESS, '']) }),
  (random) => ({ shareBps: badRate(random) }),
  (random) => ({ takerRateBps: random.pick([-1, 0.5, 1_001]) }),
  (random) => ({ makerRateBps: random.pick([-1, 0.5, 101]) }),
];

const RESOLUTION_FAULTS: readonly Fault<ResolveMarket>[] = [
  (random, { conditionId }) => ({ conditionId: badId(random, conditionId) }),
  (random) => ({ payoutTicks: ticks(random.pick([-1, 0.5, 10_001, Number.NaN])) }),
];

const STANDING_FAULTS: readonly Fault<SetStanding>[] = [
  (random) => ({ owner: random.pick(BAD_ADDRESSES) }),
  () => ({ standing: '' as SetStanding['standing'] }),
];

function spoil<T>(random: Random, command: T, faults: readonly Fault<T>[]): T {
  return { ...command, ...random.pick(faults)(random, command) };
}

export function spoilOrder(random: Random, order: PlaceOrder): PlaceOrder {
  return spoil(random, order, ORDER_FAULTS);
}
export function spoilMarket(random: Random, market: CreateMarket): CreateMarket {
  return spoil(random, market, MARKET_FAULTS);
}
export function spoilAccount(random: Random, account: OpenAccount): OpenAccount {
  return spoil(random, account, ACCOUNT_FAULTS);
}
export function spoilMoney<T extends Deposit | Withdraw>(random: Random, money: T): T {
  return {
    ...money,
    ...random.pick(MONEY_FAULTS)(random, money),
    kind: money.kind,
  };
}
export function spoilArming(random: Random, arming: ArmSwitch): ArmSwitch {
  return spoil(random, arming, ARMING_FAULTS);
}
export function spoilState(random: Random, command: SetTradingState): SetTradingState {
  return spoil(random, command, STATE_FAULTS);
}
export function spoilKeyed<T extends Pick<Split, 'account' | 'owner' | 'key'>>(
  random: Random,
  command: T,
): T {
  return { ...command, ...random.pick(KEYED_FAULTS)(random, command) };
}
/** A fault of commands with a key, or a wrong size or market. */
export function spoilSets<T extends Omit<Split, 'kind'>>(random: Random, command: T): T {
  return random.chance(50)
    ? spoilKeyed(random, command)
    : {
        ...command,
        ...(random.chance(50)
          ? { lots: lots(badNumber(random)) }
          : { conditionId: badId(random, command.conditionId) }),
      };
}
export function spoilResolution(random: Random, command: ResolveMarket): ResolveMarket {
  return spoil(random, command, RESOLUTION_FAULTS);
}
export function spoilChange(random: Random, command: ChangeMarket): ChangeMarket {
  return spoil(random, command, CHANGE_FAULTS);
}
export function spoilBuilder(random: Random, command: SetBuilder): SetBuilder {
  return spoil(random, command, BUILDER_FAULTS);
}
export function spoilStanding(random: Random, command: SetStanding): SetStanding {
  return spoil(random, command, STANDING_FAULTS);
}
export function spoilDismissal(
  random: Random,
  dismissal: DismissNotifications,
): DismissNotifications {
  return spoil(random, dismissal, DISMISSAL_FAULTS);
}
export function spoilApiKey(random: Random, issue: IssueApiKey): IssueApiKey {
  return spoil(random, issue, API_KEY_FAULTS);
}
