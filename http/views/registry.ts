/**
 * The durable markets with their terms and status, tokens, accounts, API keys, standings of owners,
 * and builders.
 *
 * Invariant: fed by durable commands alone, in seq order, or by the state of a start and the
 * commands after it. Entries are never removed and never change: a change makes a new entry, so a
 * reader that keeps one keeps the state of that time. Bound: the engine's bounds on markets,
 * accounts, keys of an owner, standings and builders.
 */
import assert from 'node:assert/strict';
import {
  type ApiKeyIssued,
  type ApiKeyRevoked,
  type BuilderChanged,
  type Command,
  type CreateMarket,
  DEFAULT_TERMS,
  type EngineEvent,
  type KeyPurpose,
  type MarketChanged,
  type MarketResolved,
  type MarketStatus,
  type Outcome,
  type Standing,
  type Ticks,
  type TradingState,
  type TradingStateChanged,
  type TradingTerms,
  type WalletKind,
} from '../../engine/index.ts';
import type {
  DurableCommand,
  RestoredKey,
  RestoredMarket,
  RestoredState,
} from '../../persistence/index.ts';
import { HexMap } from '../codec/index.ts';

/** A market with its present terms; terms that its creation left out are zero. */
export interface RegisteredTerms
  extends Omit<CreateMarket, 'kind' | keyof TradingTerms>,
    TradingTerms {
  readonly createdMs: number;
}

export interface MarketEntry extends RegisteredTerms {
  readonly status: MarketStatus;
  /** The payout of a YES token of a resolved market; a NO token pays the rest of 10,000. */
  readonly payoutTicks: Ticks | undefined;
  /** Whether its resolution redeems all tokens at once. */
  readonly redeemsAll: boolean;
}

export interface TokenEntry {
  readonly market: MarketEntry;
  readonly outcome: Outcome;
}

/** An account; addresses are lower case. */
export interface AccountEntry {
  readonly address: string;
  readonly owner: string;
  readonly wallet: WalletKind;
}

export interface IssuedKey {
  readonly owner: string;
  /** Decimal uint256. */
  readonly nonce: string;
  /** UUID. */
  readonly apiKey: string;
  readonly purpose: KeyPurpose;
  readonly issuedMs: number;
  /** undefined while the key is active. */
  readonly revokedMs: number | undefined;
}

/** The fees of a builder code, which is 0x and 64 lower-case hex digits. */
export type BuilderEntry = Omit<BuilderChanged, 'kind'>;

/** The keys of one owner for one purpose. */
interface KeySet {
  /** In order of issue. */
  readonly byNonce: Map<string, IssuedKey>;
  /** The least whole number without a key. */
  nextNonce: number;
}

/** The market of a durable command that has a `market_created` event. */
export function createdMarketOf({ command, timeMs }: DurableCommand): RegisteredTerms {
  assert(command.kind === 'create_market', 'only a create_market creates a market');
  const { kind: _, ...fields } = command;
  return { ...DEFAULT_TERMS, ...fields, createdMs: timeMs };
}

/** The present terms of a market in the state of a start. */
export function restoredTerms(market: RestoredMarket): Required<RegisteredTerms> {
  return {
    conditionId: market.conditionId,
    tokenIds: market.tokenIds,
    tickTicks: market.tickTicks,
    minimumLots: market.minimumLots,
    minimumBudgetMicros: market.minimumBudgetMicros,
    negRisk: market.negRisk,
    eventId: market.eventId,
    selfTrade: market.selfTrade,
    takerFeeBps: market.takerFeeBps,
    makerFeeBps: market.makerFeeBps,
    feeExponent: market.feeExponent,
    delaySeconds: market.delaySeconds,
    takerDelayMs: market.takerDelayMs,
    finerTickTicks: market.finerTickTicks,
    createdMs: market.createdMs,
  };
}

/** A market after its terms were changed. */
export function withTerms<M extends RegisteredTerms>(market: M, changed: MarketChanged): M {
  const { kind: _, ...terms } = changed;
  return { ...market, ...terms };
}

function keySetName(owner: string, purpose: KeyPurpose): string {
  return `${owner}/${purpose}`;
}

export class Registry {
  readonly #markets = new Map<string, MarketEntry>();
  readonly #tokens = new Map<string, TokenEntry>();
  readonly #accounts = new HexMap<AccountEntry>();
  /** In the order in which they were opened. */
  readonly #accountList: AccountEntry[] = [];
  readonly #accountsOfOwners = new HexMap<AccountEntry[]>();
  readonly #keys = new HexMap<IssuedKey>();
  /** By owner and purpose. */
  readonly #keySets = new Map<string, KeySet>();
  /** The owners whose standing is not `good`. */
  readonly #standings = new Map<string, Standing>();
  /** The markets of each opened neg-risk event. */
  readonly #openedEvents = new Map<string, readonly string[]>();
  /** By code. */
  readonly #builders = new Map<string, BuilderEntry>();
  /** Condition ids of halted markets. */
  readonly #halted = new Set<string>();
  /** Condition ids of markets that are closed and not resolved. */
  readonly #closed = new Set<string>();
  #tradingState: TradingState = 'open';

  /** Takes the next durable commands, in seq order. */
  consume(commands: readonly DurableCommand[]): void {
    for (const command of commands) {
      for (const event of command.events) this.#take(event, command);
    }
  }

  /** Loads the state of a start, before any command. */
  restore(state: RestoredState): void {
    assert(
      this.#markets.size + this.#accounts.size === 0,
      'the state of a start comes before all commands',
    );
    for (const market of state.markets) this.#restoreMarket(market);
    for (const { eventId, conditionIds } of state.events) {
      this.#openedEvents.set(eventId, conditionIds);
    }
    for (const account of state.accounts) this.#addAccount(account);
    for (const key of state.apiKeys) this.#restoreKey(key);
    for (const { owner, standing } of state.standings) this.#standings.set(owner, standing);
    for (const builder of state.builders) this.#setBuilder(builder);
    this.#tradingState = state.tradingState;
  }

  #take(event: EngineEvent, from: DurableCommand): void {
    switch (event.kind) {
      case 'market_created':
        this.#putMarket({
          ...createdMarketOf(from),
          status: 'open',
          payoutTicks: undefined,
          redeemsAll: false,
        });
        break;
      case 'market_changed':
        this.#putMarket(withTerms(this.#marketNamed(event.conditionId), event));
        break;
      case 'trading_state_changed':
        this.#changeState(event);
        break;
      case 'market_closed':
        this.#setStatus(event.conditionId, 'closed');
        break;
      case 'market_resolved':
        this.#resolve(event, from.command);
        break;
      case 'builder_changed':
        this.#changeBuilder(event);
        break;
      case 'event_opened':
        this.#openedEvents.set(event.eventId, event.conditionIds);
        break;
      case 'account_opened':
        this.#addAccount(event);
        break;
      case 'api_key_issued':
        this.#addKey(event, from.timeMs);
        break;
      case 'api_key_revoked':
        this.#revokeKey(event, from.timeMs);
        break;
      case 'standing_changed':
        if (event.standing === 'good') this.#standings.delete(event.owner);
        else this.#standings.set(event.owner, event.standing);
        break;
      default:
        // Orders, books and balances are in other views.
        break;
    }
  }

  /** The number of entries of each kind. Revoked keys count. */
  get counts(): { readonly markets: number; readonly accounts: number; readonly keys: number } {
    const [markets, accounts, keys] = [this.#markets.size, this.#accounts.size, this.#keys.size];
    return { markets, accounts, keys };
  }

  /** By condition id, 0x and 64 lower-case hex digits. */
  market(conditionId: string): MarketEntry | undefined {
    return this.#markets.get(conditionId);
  }

  /** By token id, decimal text. */
  token(tokenId: string): TokenEntry | undefined {
    return this.#tokens.get(tokenId);
  }

  /** All markets, in order of creation. */
  markets(): Iterable<MarketEntry> {
    return this.#markets.values();
  }

  /** The trading state of the whole exchange. */
  get tradingState(): TradingState {
    return this.#tradingState;
  }

  acceptsOrders({ status }: MarketEntry): boolean {
    return this.#tradingState === 'open' && status === 'open';
  }

  /** Condition ids of the halted markets, whose orders can't be cancelled. */
  get haltedMarkets(): ReadonlySet<string> {
    return this.#halted;
  }

  /** Condition ids of the markets that are closed and not resolved. */
  get closedMarkets(): ReadonlySet<string> {
    return this.#closed;
  }

  /** Condition ids of the markets of an opened neg-risk event; none for any other event. */
  marketsOfEvent(eventId: string): readonly string[] {
    return this.#openedEvents.get(eventId) ?? [];
  }

  /** By code, 0x and 64 lower-case hex digits; undefined for a code that was never set. */
  builder(code: string): BuilderEntry | undefined {
    return this.#builders.get(code);
  }

  /** Builders, in the order in which they were first set. */
  builders(): Iterable<BuilderEntry> {
    return this.#builders.values();
  }

  /** The owners whose standing is not `good`, the one that got it first at the front. */
  restrictedOwners(): Iterable<readonly [owner: string, standing: Standing]> {
    return this.#standings;
  }

  /** The standing of an owner, by lower-case address. */
  standingOf(owner: string): Standing {
    return this.#standings.get(owner) ?? 'good';
  }

  /** The owner of an account, both lower-case addresses. */
  accountOwner(address: string): string | undefined {
    return this.#accounts.get(address)?.owner;
  }

  /** All accounts, in the order in which they were opened. */
  get accounts(): readonly AccountEntry[] {
    return this.#accountList;
  }

  /** An owner's accounts, in the order in which they were opened. */
  accountsOf(owner: string): readonly AccountEntry[] {
    return this.#accountsOfOwners.get(owner) ?? [];
  }

  /** The key of a UUID, revoked or not. */
  apiKey(uuid: string): IssuedKey | undefined {
    return this.#keys.get(uuid);
  }

  /** The key that an owner got for a nonce, revoked or not. */
  issuedKey(owner: string, nonce: string, purpose: KeyPurpose = 'trading'): IssuedKey | undefined {
    return this.#keySets.get(keySetName(owner, purpose))?.byNonce.get(nonce);
  }

  /** An owner's keys of one purpose, revoked ones too, in order of issue. */
  keysOf(owner: string, purpose: KeyPurpose): Iterable<IssuedKey> {
    return this.#keySets.get(keySetName(owner, purpose))?.byNonce.values() ?? [];
  }

  /** The least nonce without a key of this purpose, as decimal text. */
  nextNonce(owner: string, purpose: KeyPurpose): string {
    return String(this.#keySets.get(keySetName(owner, purpose))?.nextNonce ?? 0);
  }

  #putMarket(market: MarketEntry): void {
    this.#markets.set(market.conditionId, market);
    if (market.status === 'closed') this.#closed.add(market.conditionId);
    else this.#closed.delete(market.conditionId);
    this.#tokens.set(market.tokenIds[0], { market, outcome: 0 });
    this.#tokens.set(market.tokenIds[1], { market, outcome: 1 });
  }

  #restoreMarket(market: RestoredMarket): void {
    const { conditionId, status, payoutTicks, redeemsAll } = market;
    const terms = restoredTerms(market);
    this.#putMarket({ ...terms, status, payoutTicks: payoutTicks ?? undefined, redeemsAll });
    if (status === 'halted') this.#halted.add(conditionId);
  }

  #marketNamed(conditionId: string): MarketEntry {
    const market = this.#markets.get(conditionId);
    assert(market !== undefined, 'a market is created before it changes');
    return market;
  }

  #changeState({ conditionId, state }: TradingStateChanged): void {
    if (conditionId === '') this.#tradingState = state;
    else this.#setStatus(conditionId, state);
  }

  #setStatus(conditionId: string, status: MarketStatus): void {
    if (status === 'halted') this.#halted.add(conditionId);
    else this.#halted.delete(conditionId);
    this.#putMarket({ ...this.#marketNamed(conditionId), status });
  }

  /** Resolves a market, alone or with its event. */
  #resolve({ conditionId, payoutTicks }: MarketResolved, command: Command): void {
    this.#setStatus(conditionId, 'resolved');
    const redeemsAll = 'redeemAll' in command && command.redeemAll;
    this.#putMarket({ ...this.#marketNamed(conditionId), payoutTicks, redeemsAll });
  }

  #changeBuilder({ kind: _, ...entry }: BuilderChanged): void {
    this.#setBuilder(entry);
  }

  #setBuilder(entry: BuilderEntry): void {
    this.#builders.set(entry.builder, entry);
  }

  #addAccount({ address, owner, wallet }: AccountEntry): void {
    const account: AccountEntry = { address, owner, wallet };
    this.#accounts.set(address, account);
    this.#accountList.push(account);
    const accounts = this.#accountsOfOwners.get(owner);
    if (accounts === undefined) this.#accountsOfOwners.set(owner, [account]);
    else accounts.push(account);
  }

  #addKey({ owner, nonce, apiKey, purpose }: ApiKeyIssued, issuedMs: number): void {
    this.#putNewKey({ owner, nonce, apiKey, purpose, issuedMs, revokedMs: undefined });
  }

  #restoreKey({ owner, nonce, apiKey, purpose, isRevoked, ...times }: RestoredKey): void {
    const revokedMs = isRevoked ? times.revokedMs : undefined;
    this.#putNewKey({ owner, nonce, apiKey, purpose, issuedMs: times.issuedMs, revokedMs });
  }

  #putNewKey(key: IssuedKey): void {
    const keys = this.#keySetOf(key.owner, key.purpose);
    this.#putKey(keys, key);
    while (keys.byNonce.has(String(keys.nextNonce))) keys.nextNonce += 1;
  }

  #revokeKey({ owner, apiKey, purpose }: ApiKeyRevoked, revokedMs: number): void {
    const key = this.#keys.get(apiKey);
    assert(key?.owner === owner, 'a revoked key was issued to the same owner before');
    this.#putKey(this.#keySetOf(owner, purpose), { ...key, revokedMs });
  }

  #putKey({ byNonce }: KeySet, key: IssuedKey): void {
    this.#keys.set(key.apiKey, key);
    byNonce.set(key.nonce, key);
  }

  #keySetOf(owner: string, purpose: KeyPurpose): KeySet {
    const name = keySetName(owner, purpose);
    const known = this.#keySets.get(name);
    if (known !== undefined) return known;
    const keys: KeySet = { byNonce: new Map(), nextNonce: 0 };
    this.#keySets.set(name, keys);
    return keys;
  }
}
