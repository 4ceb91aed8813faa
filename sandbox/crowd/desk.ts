/**
 * How the crowd reaches the exchange: it opens accounts, signs orders with their keys, and places
 * and cancels them through the intake, as every client's.
 *
 * Invariant: a refusal is counted and changes nothing else. No order and no idempotency key is used
 * twice, also after a restart.
 * Bound: `TOP_UPS` deposits for all accounts together.
 */
import { type Lots, type Micros, micros, type OwnedOrder } from '../../engine/model/index.ts';
import type { Caller } from '../../http/api/index.ts';
import { issueCredentials, usableNonce } from '../../http/auth/issue.ts';
import type { KeyRing } from '../../http/auth/key-ring.ts';
import { Counts, isoTime } from '../../http/codec/index.ts';
import { ApiError, throwReject, toApiError } from '../../http/errors/index.ts';
import type { OrderIntake } from '../../http/orders/intake.ts';
import type { Settings } from '../../http/settings/settings.ts';
import { toChecksumAddress } from '../../http/signing/address.ts';
import { type OrderRequest, orderDomain } from '../../http/signing/order-struct.ts';
import { signOrder } from '../../http/signing/sign-order.ts';
import type { MarketEntry, Registry } from '../../http/views/index.ts';
import type { Attribution, Exchange } from '../../persistence/index.ts';
import type { Participant } from './roster.ts';

export interface DeskParts {
  readonly exchange: Exchange;
  readonly registry: Registry;
  readonly intake: OrderIntake;
  readonly keyRing: KeyRing;
  readonly settings: Settings;
  /** Milliseconds since the epoch, for the timestamps of orders. */
  readonly now: () => number;
}

export interface DeskCounts {
  readonly orders: number;
  readonly cancels: number;
  readonly merges: number;
  readonly deposits: number;
}

/** An order to place, at a price of its own token. */
export type DeskOrder = Omit<OrderRequest, 'expirationSeconds'>;

/** What an account starts with, and gets again when little is left. */
const FUNDS: Micros = micros(1_000_000_000_000);
const LITTLE = FUNDS / 10;
const TOP_UPS = 1_000;
/** A start that places more may repeat salts of the next one; the timestamps differ then. */
const ORDERS_OF_A_SALT_RANGE = 1_048_576;
const SAID = { by: 'sandbox', reason: 'play money of the crowd' } as const;
/** Counted in place of an error's code: `--domains` has none that fits a kind of market. */
const NO_DOMAIN = 'no_signing_domain';
const BIO = 'A simulated participant of this sandbox: nothing of it is real';

/** Opens an account with its money and its name. */
export async function openParticipant(
  { exchange, now }: Pick<DeskParts, 'exchange' | 'now'>,
  { wallet: { address }, name }: Participant,
  said: Attribution,
): Promise<void> {
  const account = { address, owner: address, wallet: 'eoa', paperMicros: FUNDS } as const;
  const { events } = await exchange.submit({ kind: 'open_account', ...account }, said);
  throwReject(events);
  const nowIso = isoTime(now());
  await exchange.catalog.write.setProfile({
    address: toChecksumAddress(address),
    name,
    bio: BIO,
    nowIso,
  });
}

function callerFor({ wallet }: Participant, apiKey: string): Caller {
  return {
    owner: wallet.address,
    apiKey,
    purpose: 'trading',
    nonce: '',
    hmac: new Uint8Array(0),
  };
}

/** What the crowd uses of its desk. */
export type CrowdDesk = Pick<Desk, keyof Desk>;

export class Desk {
  readonly #parts: DeskParts;
  readonly #callers = new Map<Participant, Caller>();
  /** A start that used a number has raised the seq, so the next start uses others. */
  readonly #startSeq: number;
  #used = 0;
  #orders = 0;
  #cancels = 0;
  #merges = 0;
  #deposits = 0;
  readonly refusals = new Counts();

  constructor(parts: DeskParts) {
    this.#parts = parts;
    this.#startSeq = parts.exchange.appliedSeq;
  }

  get counts(): DeskCounts {
    const [orders, cancels] = [this.#orders, this.#cancels];
    return { orders, cancels, merges: this.#merges, deposits: this.#deposits };
  }

  /** Whether a participant's account existed before. */
  isKnown({ wallet }: Participant): boolean {
    return this.#parts.registry.accountOwner(wallet.address) !== undefined;
  }

  /** Opens the account with its money, key and name, unless a start before did. */
  async open(participant: Participant): Promise<void> {
    const { registry } = this.#parts;
    const { address } = participant.wallet;
    if (!this.isKnown(participant)) await openParticipant(this.#parts, participant, SAID);
    const nonce = usableNonce(registry, address);
    const { apiKey } = await issueCredentials(this.#parts, address, nonce);
    this.#callers.set(participant, callerFor(participant, apiKey));
  }

  /** Places orders in a market. The id of each that is open afterwards; '' for the others. */
  async place(
    participant: Participant,
    orders: readonly DeskOrder[],
    { negRisk }: Pick<MarketEntry, 'negRisk'>,
  ): Promise<{ readonly resting: readonly string[]; readonly accepted: number }> {
    const { intake, settings, now } = this.#parts;
    const { wallet } = participant;
    const domain = orderDomain(settings.domains, { negRisk });
    if (orders.length === 0) return { resting: [], accepted: 0 };
    if (domain === undefined) {
      this.refusals.add(NO_DOMAIN);
      return { resting: [], accepted: 0 };
    }
    const caller = this.#callerOf(participant);
    const payloads = orders.map((order) => {
      const context = { wallet, domain, salt: this.#nextSalt(), nowMs: now() };
      return { ...signOrder({ ...order, expirationSeconds: 0 }, context), owner: caller.apiKey };
    });
    const placed = await this.#counted(intake.place(caller, payloads));
    let accepted = 0;
    const resting = (placed ?? []).map((placement) => {
      if (placement instanceof ApiError) {
        this.refusals.add(placement.code);
        return '';
      }
      accepted += 1;
      const isOpen = placement.status === 'live' || placement.status === 'delayed';
      return isOpen ? placement.orderID : '';
    });
    this.#orders += accepted;
    return { resting, accepted };
  }

  /**
   * Cancels orders; those that are gone already are no fault. Returns those that stay: the ones
   * that their market delays, and all if the cancel is refused.
   */
  async cancel(participant: Participant, orderIds: readonly string[]): Promise<readonly string[]> {
    if (orderIds.length === 0) return [];
    const caller = this.#callerOf(participant);
    const done = await this.#counted(this.#parts.intake.cancel(caller, orderIds));
    this.#cancels += done?.canceled.length ?? 0;
    return done?.delayed ?? orderIds;
  }

  /** Cancels all orders of a participant in a market, '' for all markets. Returns their number. */
  async cancelAll(participant: Participant, conditionId: string): Promise<number> {
    if (!this.isKnown(participant)) return 0;
    // An account of an earlier start may have orders before this start has opened it.
    const caller = this.#callers.get(participant) ?? callerFor(participant, '');
    const filter = { conditionId, tokenId: '' };
    const done = await this.#counted(this.#parts.intake.cancelAll(caller, filter));
    const count = done?.canceled.length ?? 0;
    this.#cancels += count;
    return count;
  }

  /** The live orders of a participant, delayed ones included. */
  ordersOf({ wallet }: Participant): readonly OwnedOrder[] {
    return this.#parts.exchange.state.owner(wallet.address).orders;
  }

  /** Whether an order rests or waits for its delay. */
  isLive(orderId: string): boolean {
    return this.#parts.exchange.state.isLive(orderId);
  }

  /** Lots of a token that a participant has and that no order holds. */
  lotsOf({ wallet }: Participant, tokenId: string): number {
    return this.#parts.exchange.state.balance(wallet.address, tokenId)?.available ?? 0;
  }

  /** Turns complete sets back into cash. */
  async merge(participant: Participant, conditionId: string, lots: Lots): Promise<void> {
    const { address } = participant.wallet;
    const acting = { account: address, owner: address };
    const moved = this.#parts.intake.moveTokens(this.#callerOf(participant), {
      kind: 'merge',
      ...acting,
      conditionId,
      lots,
      key: this.#nextKey(),
    });
    if ((await this.#counted(moved)) !== undefined) this.#merges += 1;
  }

  /** Gives new play money to a participant that has little left. */
  async topUp({ wallet }: Participant): Promise<void> {
    const { exchange } = this.#parts;
    const account = wallet.address;
    const { available = 0 } = exchange.state.balance(account, '') ?? {};
    if (available >= LITTLE || this.#deposits >= TOP_UPS) return;
    const key = this.#nextKey();
    const deposit = async (): Promise<void> => {
      const found = await exchange.lookUpKey({ owner: '', key });
      const command = { kind: 'deposit', account, amountMicros: FUNDS, key, ...found } as const;
      const { events } = await exchange.submit(command, SAID);
      throwReject(events);
      this.#deposits += 1;
    };
    await this.#counted(deposit());
  }

  /** Below 2^53, and different for each order of a start and of the next ones. */
  #nextSalt(): number {
    this.#used += 1;
    return this.#startSeq * ORDERS_OF_A_SALT_RANGE + this.#used;
  }

  #nextKey(): string {
    this.#used += 1;
    return `crowd/${this.#startSeq}/${this.#used}`;
  }

  #callerOf(participant: Participant): Caller {
    const caller = this.#callers.get(participant);
    if (caller === undefined) throw new Error(`${participant.name} has no account yet`);
    return caller;
  }

  /** The result, or undefined for a refusal, which is counted. */
  async #counted<Result>(work: Promise<Result>): Promise<Result | undefined> {
    try {
      return await work;
    } catch (failure) {
      const refusal = toApiError(failure);
      if (refusal === undefined) throw failure;
      this.refusals.add(refusal.code);
      return undefined;
    }
  }
}
