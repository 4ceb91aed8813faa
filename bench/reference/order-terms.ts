/**
 * What the reference and the floor are started with. Amounts are whole:
 * lots of 0.01 token, ticks of 1/10,000 and micros of cash, so that a lot at a tick is one micro.
 */

/** An account that may trade, with the one API key that it has. */
export interface ReferenceAccount {
  /** Lower or mixed case. */
  readonly address: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly passphrase: string;
}

export interface ReferenceMarket {
  /** YES and NO. */
  readonly tokenIds: readonly [string, string];
  readonly negRisk: boolean;
  /** The price step. */
  readonly stepTicks: number;
}

/** The EIP-712 domain that a market's orders are signed for. */
export interface ReferenceDomain {
  readonly name: string;
  readonly version: string;
  readonly chainId: number;
  readonly contract: string;
}

export interface ReferenceTerms {
  readonly accounts: readonly ReferenceAccount[];
  readonly markets: readonly ReferenceMarket[];
  readonly plainDomain: ReferenceDomain;
  readonly negRiskDomain: ReferenceDomain;
  /** The cash of each account at the start. */
  readonly cashMicros: number;
  /** The path of the database, which must not exist. */
  readonly path: string;
}

/** A request that is refused: the status and the sentence of its answer. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.status = status;
  }
}
