/**
 * How a replica and a core find out that they belong together. Both send a random nonce, and each
 * proves with it that it knows the master secret, before it says anything about itself. Then the
 * replica says what it is and has, and the core welcomes or refuses it.
 *
 *     replica -> core  greeting   nonce
 *     core -> replica  challenge  nonce, proof
 *     replica -> core  hello      proof, what it is and has
 *     core -> replica  welcome    what the core is; or a refusal
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { StoreError, type StoreErrorCode } from '../../persistence/shared/index.ts';
import type { LogPosition } from '../log/index.ts';

/** The version of the protocol. Sides with different ones refuse each other. */
export const FEED_FORMAT = 1;

/** What both sides must have in common. */
export interface FeedTerms {
  readonly format: number;
  readonly logId: string;
}

export interface ReplicaHello extends FeedTerms {
  readonly node: string;
  readonly role: 'gateway' | 'standby';
  /** The version of its program, and the newest rules that its engine knows. */
  readonly program: string;
  readonly rules: number;
  /** What its journal has: a position of the log, the last command and its checksum. */
  readonly position: LogPosition;
  readonly seq: number;
  readonly checksum: number;
}

export interface CoreWelcome extends FeedTerms {
  readonly node: string;
  readonly program: string;
  readonly epoch: number;
  readonly rules: number;
}

export const NONCE_BYTES = 32;
const PROOF_BYTES = 32;

/** Both nonces, in the order replica, core. */
export type Nonces = readonly [Uint8Array, Uint8Array];

/**
 * HMAC-SHA-256 over who proves it, both nonces and what is said with it. It is the same in all
 * versions of the feed, so that nodes of different versions can say so (`checkTerms`).
 */
export function proofOf(
  secret: Uint8Array,
  prover: 'core' | 'replica',
  nonces: Nonces,
  said: Uint8Array = new Uint8Array(),
): Buffer {
  return createHmac('sha256', secret)
    .update(`outcome-exchange feed 1 ${prover}\0`)
    .update(nonces[0])
    .update(nonces[1])
    .update(said)
    .digest();
}

/** Splits a body that begins with a proof, and checks the proof with the rest. */
export function provenRest(
  body: Buffer,
  secret: Uint8Array,
  prover: 'core' | 'replica',
  nonces: Nonces,
): Buffer {
  const rest = body.subarray(PROOF_BYTES);
  const expected = proofOf(secret, prover, nonces, rest);
  const isProven =
    body.length >= PROOF_BYTES && timingSafeEqual(body.subarray(0, PROOF_BYTES), expected);
  if (isProven) return rest;
  throw new StoreError(
    'feed_refused',
    `the ${prover} on the other side of the feed has another master secret: give all nodes of a ` +
      'cluster the same one, and check that the address is of this cluster',
  );
}

export function nonceIn(body: Buffer): Buffer {
  if (body.length === NONCE_BYTES) return body;
  throw new StoreError('feed_refused', 'the other side of the feed is no node of this program');
}

/** Throws StoreError `feed_refused`, with a sentence for both sides. */
export function checkTerms(replica: ReplicaHello, core: FeedTerms & { node: string }): void {
  const sides = `the core ${core.node} and the ${replica.role} ${replica.node}`;
  if (replica.format !== core.format) {
    throw new StoreError(
      'feed_refused',
      `${sides} speak versions ${core.format} and ${replica.format} of the feed: ` +
        'start both with the same version of the program',
    );
  }
  if (replica.logId === core.logId) return;
  throw new StoreError(
    'feed_refused',
    `${sides} follow different logs, ${core.logId} and ${replica.logId}: check --etcd and ` +
      '--etcd-prefix of both. A data folder of another log can not be used; start with a new one',
  );
}

interface Refusal {
  readonly code: StoreErrorCode;
  readonly message: string;
}

/** Safe, here and in the next two: the other side has proved that it is a node of this cluster. */
export function refusalIn(body: Buffer): StoreError {
  const { code, message } = JSON.parse(body.toString()) as Refusal;
  return new StoreError(code, message);
}

export function helloIn(body: Buffer): ReplicaHello {
  return JSON.parse(body.toString()) as ReplicaHello;
}

export function welcomeIn(body: Buffer): CoreWelcome {
  return JSON.parse(body.toString()) as CoreWelcome;
}
