/**
 * The keys that stand for owners, accounts, markets and tokens in the large tables. Invariant: keys
 * count from 1 in order of creation. Bound: the engine's accounts and markets.
 */
import { strict as assert } from 'node:assert';
import type { AccountOpened, Outcome } from '../../engine/index.ts';
import type { ProjectionStatements } from './statements.ts';

interface Account {
  readonly accountKey: number;
  readonly ownerKey: number;
}

interface Token {
  readonly marketKey: number;
  readonly outcome: Outcome;
}

export class ProjectionNames {
  readonly #statements: ProjectionStatements;
  readonly #ownerKeys = new Map<string, number>();
  readonly #accounts = new Map<string, Account>();
  readonly #marketKeys = new Map<string, number>();
  readonly #tokens = new Map<string, Token>();

  constructor(statements: ProjectionStatements) {
    this.#statements = statements;
    for (const { ownerKey, address } of statements.selectOwners.iterate()) {
      this.#ownerKeys.set(address, ownerKey);
    }
    for (const { accountKey, address, ownerKey } of statements.selectAccounts.iterate()) {
      this.#accounts.set(address, { accountKey, ownerKey });
    }
    for (const {
      marketKey,
      conditionId,
      yesToken,
      noToken,
    } of statements.selectMarkets.iterate()) {
      this.#setMarket(conditionId, marketKey, [yesToken, noToken]);
    }
  }

  get marketCount(): number {
    return this.#marketKeys.size;
  }

  account(address: string): Account {
    return known(this.#accounts.get(address));
  }

  market(conditionId: string): number {
    return known(this.#marketKeys.get(conditionId));
  }

  token(tokenId: string): Token {
    return known(this.#tokens.get(tokenId));
  }

  owner(address: string): number | undefined {
    return this.#ownerKeys.get(address);
  }

  addMarket(conditionId: string, tokenIds: readonly [string, string], seq: number): number {
    const marketKey = this.#marketKeys.size + 1;
    this.#setMarket(conditionId, marketKey, tokenIds);
    this.#statements.insertMarket.run(marketKey, conditionId, ...tokenIds, seq);
    return marketKey;
  }

  addAccount({ address, owner }: AccountOpened, seq: number): void {
    const knownOwner = this.#ownerKeys.get(owner);
    const ownerKey = knownOwner ?? this.#ownerKeys.size + 1;
    const accountKey = this.#accounts.size + 1;
    this.#ownerKeys.set(owner, ownerKey);
    this.#accounts.set(address, { accountKey, ownerKey });
    if (knownOwner === undefined) this.#statements.insertOwner.run(ownerKey, owner);
    this.#statements.insertAccount.run(accountKey, address, ownerKey, seq);
  }

  #setMarket(conditionId: string, marketKey: number, tokenIds: readonly [string, string]): void {
    const [yesToken, noToken] = tokenIds;
    this.#marketKeys.set(conditionId, marketKey);
    this.#tokens.set(yesToken, { marketKey, outcome: 0 });
    this.#tokens.set(noToken, { marketKey, outcome: 1 });
  }
}

export function known<Value>(value: Value | undefined): Value {
  assert(value !== undefined, 'the journal refers only to records that it created earlier');
  return value;
}
