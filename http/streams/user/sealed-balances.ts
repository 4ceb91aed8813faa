/**
 * The balances after each batch that is on its way to the disk, of the accounts that are followed.
 * The engine runs ahead of the disk; when a batch is sealed its state is the one after it, so they
 * are read then, and shown when the batch is durable.
 *
 * Invariant: batches come out as they went in, each once.
 * Bound: the batches on their way, and in each the assets that it touched.
 */
import { strict as assert } from 'node:assert';
import { lots, micros } from '../../../engine/model/index.ts';
import type { BalanceOf, DurableCommand, RestoredState } from '../../../persistence/index.ts';
import type { Registry } from '../../views/index.ts';
import { paysBuilder, touchedBy } from './account-assets.ts';
import type { AssetBalance } from './account-texts.ts';

interface SealedBatch {
  readonly lastSeq: number;
  readonly balances: readonly AssetBalance[];
}

export class SealedBalances {
  readonly #registry: Registry;
  readonly #batches: SealedBatch[] = [];
  /** Accounts that any builder code ever paid. */
  readonly #earners = new Set<string>();
  /** Markets and events that are not durable yet. */
  readonly #newTokens = new Map<string, readonly [string, string]>();
  readonly #newEvents = new Map<string, readonly string[]>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Takes the accounts of a snapshot that builder codes paid; the registry knows the rest. */
  restore(builderAccounts: RestoredState['builderAccounts']): void {
    for (const account of builderAccounts) this.#earners.add(account);
  }

  /** Reads what a sealed batch touched of the accounts that are followed. */
  seal(
    commands: readonly DurableCommand[],
    balanceOf: BalanceOf,
    isFollowed: (account: string) => boolean,
  ): void {
    this.#noteNames(commands);
    const touched = this.#touched(commands, isFollowed);
    const balances: AssetBalance[] = [];
    for (const [account, markets] of touched) {
      const cash = balanceOf(account, '');
      const [available, held] = [micros(cash.available), micros(cash.held)];
      balances.push({ account, tokenId: '', conditionId: '', available, held });
      for (const conditionId of markets) {
        for (const tokenId of this.#tokensOf(conditionId)) {
          const tokens = balanceOf(account, tokenId);
          const [free, bound] = [lots(tokens.available), lots(tokens.held)];
          balances.push({ account, tokenId, conditionId, available: free, held: bound });
        }
      }
    }
    this.#batches.push({ lastSeq: commands.at(-1)?.seq ?? 0, balances });
  }

  /**
   * What was read of a batch that is durable now, so that the registry knows its names; nothing of
   * those that are read from the journal at the start.
   */
  take(commands: readonly DurableCommand[]): readonly AssetBalance[] {
    const batch = this.#batches.shift();
    if (batch === undefined) {
      this.#noteNames(commands);
      this.#forgetNames(commands);
      return [];
    }
    const isNext = batch.lastSeq === commands.at(-1)?.seq;
    assert(isNext, 'batches become durable in the order of their sealing');
    this.#forgetNames(commands);
    return batch.balances;
  }

  #forgetNames(commands: readonly DurableCommand[]): void {
    for (const { command } of commands) {
      if (command.kind === 'create_market') this.#newTokens.delete(command.conditionId);
      else if (command.kind === 'open_event') this.#newEvents.delete(command.eventId);
    }
  }

  #noteNames(commands: readonly DurableCommand[]): void {
    for (const { command, events } of commands) {
      for (const event of events) {
        if (event.kind === 'builder_changed') this.#earners.add(event.account);
        else if (event.kind === 'event_opened') {
          this.#newEvents.set(event.eventId, event.conditionIds);
        } else if (event.kind === 'market_created' && command.kind === 'create_market') {
          this.#newTokens.set(command.conditionId, command.tokenIds);
        }
      }
    }
  }

  /** Markets by account. */
  #touched(
    commands: readonly DurableCommand[],
    isFollowed: (account: string) => boolean,
  ): ReadonlyMap<string, ReadonlySet<string>> {
    const touched = new Map<string, Set<string>>();
    const marketsIn = (account: string): Set<string> => {
      const markets = touched.get(account) ?? new Set();
      touched.set(account, markets);
      return markets;
    };
    const marketsOf = (eventId: string): readonly string[] =>
      this.#newEvents.get(eventId) ?? this.#registry.marketsOfEvent(eventId);
    let hasEarned = false;
    for (const { events } of commands) {
      for (const event of events) {
        hasEarned ||= paysBuilder(event);
        for (const { account, conditionId } of touchedBy(event, marketsOf)) {
          if (!isFollowed(account)) continue;
          const markets = marketsIn(account);
          if (conditionId !== '') markets.add(conditionId);
        }
      }
    }
    if (hasEarned) for (const account of this.#earners) if (isFollowed(account)) marketsIn(account);
    return touched;
  }

  #tokensOf(conditionId: string): readonly string[] {
    const known = this.#newTokens.get(conditionId);
    return known ?? this.#registry.market(conditionId)?.tokenIds ?? [];
  }
}
