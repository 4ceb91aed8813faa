/**
 * What the reference is started with. Amounts are whole: lots of 0.01 token, ticks of 1/10,000 and
 * micros of cash, so that a lot at one tick costs one micro.
 */
import type { SigningDomain } from '../../http/signing/domains.ts';
import type { LoadAccount, LoadMarket } from '../harness/exchange.ts';

export interface ReferenceTerms {
  readonly accounts: readonly LoadAccount[];
  readonly markets: readonly LoadMarket[];
  /** For orders of plain and of neg-risk markets. */
  readonly domains: Readonly<Record<'plain' | 'negRisk', SigningDomain>>;
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
