/**
 * The verifier thread of the floor for orders: hash and signer of each order of a message, with the
 * exchange's hash and its native recovery, without its look-ups.
 *
 * Invariant: an id is given only for an order that its key's address has signed.
 */
import { domainSeparator } from '../../http/signing/domain-table.ts';
import { bytesToHex, hexToBytes } from '../../http/signing/hash.ts';
import type { SignedOrder } from '../../http/signing/order-hash.ts';
import { structHash } from '../../http/signing/order-hash.ts';
import { recoverAddress } from '../../http/signing/recover.ts';
import { typedDataDigest } from '../../http/signing/typed-data.ts';
import { runWorker } from '../../persistence/threads/run-worker.ts';
import type { ReferenceTerms } from './order-terms.ts';

/** Has the form of the exchange's own message. */
export interface FloorOrder {
  readonly order: SignedOrder;
  readonly negRisk: boolean;
  /** Lower case. */
  readonly keyAddress: string;
  readonly makerOwner: string;
}

export interface FloorVerdicts {
  readonly kind: 'verified';
  /** The ids of a message's orders; '' for an order that its sender did not sign. */
  readonly ids: readonly string[];
}

runWorker<ReferenceTerms, undefined, readonly FloorOrder[], FloorVerdicts>(
  'verifier',
  (terms, post) => {
    const [plain, negRisk] = [terms.plainDomain, terms.negRiskDomain].map((domain) =>
      domainSeparator({ ...domain, struct: 'order11', negRisk: null }),
    );
    const idOf = ({ order, keyAddress, ...market }: FloorOrder): string => {
      const separator = market.negRisk ? negRisk : plain;
      const contents = structHash(order);
      const signature = hexToBytes(order.signature);
      if (!contents.ok || separator === undefined || signature === undefined) return '';
      const digest = typedDataDigest(separator, contents.hash);
      return recoverAddress(digest, signature) === keyAddress ? bytesToHex(digest) : '';
    };
    return {
      opened: undefined,
      receive: (orders) => post({ kind: 'verified', ids: orders.map(idOf) }),
      close: () => {},
    };
  },
);
