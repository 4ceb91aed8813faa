/**
 * The balances of followed accounts after each batch that is not durable yet. The engine runs ahead
 * of the disk, so balances are read when a batch is handed to the journal, and published when the
 * batch is durable. An account is followed while a client listens to its owner.
 *
 * Invariant: batches are taken in the order in which they were read, each once.
 * Bound: the batches that are not durable, with the assets that each changed.
 */
import { strict as assert } from 'node:assert';
import { lots, micros } from '../../../engine/model/index.ts';
import type { BalanceOf, DurableCommand, RestoredState } from '../../../persistence/index.ts';
import type { Registry } from '../../views/index.ts';
import { paysBuilder, touchedBy } from './assets.ts';
import type { AssetBalance } from './texts.ts';

interface PendingBatch {
  readonly lastSeq: number;
  readonly balances: readonly AssetBalance[];
}

export class PendingBalances {
  readonly #registry: Registry;
  readonly #batches: PendingBatch[] = [];
  /** Accounts that were ever named as the payee of a builder code. */
  readonly #earners = new Set<string>();
  /** Tokens by market, for markets that are not durable and so not in the registry. */
  readonly #newTokens = new Map<string, readonly [string, string]>();
  /** Markets by neg-risk event, for events that are not durable. */
  readonly #newEvents = new Map<string, readonly string[]>();

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Restores the payees of builder codes from a snapshot. */
  restore(builderAccounts: RestoredState['builderAccounts']): void {
    for (const account of builderAccounts) this.#earners.add(account);
  }

  /** Reads the balances of followed accounts that a batch may have changed. */
  read(
    commands: readonly DurableCommand[],
    balanceOf: BalanceOf,
    isFollowed: (account: string) => boolean,
  ): void {
    this.#noteNew(commands);
    const touched = this.#touched(commands, isFollowed);
    const balances: AssetBalance[] = [];
    for (const [account, markets] of touched) {
      const cash = balanceOf(account, '');
      const [available, held] = [micros(cash.available), micros(cash.held)];
      balances.push({ account, tokenId: '', conditionId: '', available, held });
      for (const conditionId of markets) {
        for (const tokenId of this.#tokensOf(conditionId)) {
          const tokens = balanceOf(account, tokenId);
          const [available, held] = [lots(tokens.available), lots(tokens.held)];
          balances.push({ account, tokenId, conditionId, available, held });
        }
      }
    }
    this.#batches.push({ lastSeq: commands.at(-1)?.seq ?? 0, balances });
  }

  /**
   * Returns the balances that were read for a batch, now that it is durable. There are none for
   * batches that a start reads from the journal.
   */
  take(commands: readonly DurableCommand[]): readonly AssetBalance[] {
    const batch = this.#batches.shift();
    if (batch === undefined) {
      this.#noteNew(commands);
      this.#forgetDurable(commands);
      return [];
    }
    const isNext = batch.lastSeq === commands.at(-1)?.seq;
    assert(isNext, 'batches become durable in the order in which they are written');
    this.#forgetDurable(commands);
    return batch.balances;
  }

  #forgetDurable(commands: readonly DurableCommand[]): void {
    for (const { command } of commands) {
      if (command.kind === 'create_market') this.#newTokens.delete(command.conditionId);
      else if (command.kind === 'open_event') this.#newEvents.delete(command.eventId);
    }
  }

  #noteNew(commands: readonly DurableCommand[]): void {
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

  /** By followed account, the markets in which its balances may have changed. */
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
