/**
 * What exists: markets, their tokens, accounts and API keys, as far as they are durable.
 *
 * Invariant: fed by durable commands alone, in seq order, and only by those that changed something;
 * nothing that is in it ever changes or goes away.
 * Bound: the engine's bounds on markets, accounts and keys an owner.
 */
import assert from 'node:assert/strict';
import type { ApiKeyIssued, CreateMarket, Outcome } from '../../engine/index.ts';
import type { DurableCommand } from '../../persistence/index.ts';

/** A market as it was created. */
export interface MarketEntry extends Omit<CreateMarket, 'kind'> {
  readonly createdSeq: number;
  readonly createdMs: number;
}

export interface TokenEntry {
  readonly market: MarketEntry;
  readonly outcome: Outcome;
}

export interface IssuedKey {
  readonly owner: string;
  /** Decimal uint256. */
  readonly nonce: string;
  /** UUID. */
  readonly apiKey: string;
}

/** The market of a durable command that has a `market_created` event. */
export const marketOf = ({ command, seq, timeMs }: DurableCommand): MarketEntry => {
  assert(command.kind === 'create_market', 'only a create_market creates a market');
  const { kind: _, ...fields } = command;
  return { ...fields, createdSeq: seq, createdMs: timeMs };
};

export class Registry {
  readonly #markets = new Map<string, MarketEntry>();
  readonly #tokens = new Map<string, TokenEntry>();
  readonly #owners = new Map<string, string>();
  readonly #keys = new Map<string, IssuedKey>();
  /** Owner to nonce to key. */
  readonly #keysOfOwners = new Map<string, Map<string, IssuedKey>>();

  /** Takes the next durable commands, in seq order. */
  consume(commands: readonly DurableCommand[]): void {
    for (const command of commands) {
      for (const event of command.events) {
        if (event.kind === 'market_created') this.#addMarket(marketOf(command));
        else if (event.kind === 'account_opened') this.#owners.set(event.address, event.owner);
        else if (event.kind === 'api_key_issued') this.#addKey(event);
      }
    }
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

  /** The owner of an account, both lower-case addresses. */
  accountOwner(address: string): string | undefined {
    return this.#owners.get(address);
  }

  /** The key of a UUID. */
  apiKey(uuid: string): IssuedKey | undefined {
    return this.#keys.get(uuid);
  }

  /** The UUID of the key that an owner got for a nonce. */
  issuedKey(owner: string, nonce: string): string | undefined {
    return this.#keysOfOwners.get(owner)?.get(nonce)?.apiKey;
  }

  /** An owner's keys, in order of issue. */
  keysOf(owner: string): Iterable<IssuedKey> {
    return this.#keysOfOwners.get(owner)?.values() ?? [];
  }

  #addMarket(market: MarketEntry): void {
    this.#markets.set(market.conditionId, market);
    this.#tokens.set(market.tokenIds[0], { market, outcome: 0 });
    this.#tokens.set(market.tokenIds[1], { market, outcome: 1 });
  }

  #addKey({ owner, nonce, apiKey }: ApiKeyIssued): void {
    const key: IssuedKey = { owner, nonce, apiKey };
    this.#keys.set(apiKey, key);
    const keys = this.#keysOfOwners.get(owner);
    if (keys === undefined) this.#keysOfOwners.set(owner, new Map([[nonce, key]]));
    else keys.set(nonce, key);
  }
}
