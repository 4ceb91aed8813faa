/**
 * Invitations: how an operator lets people in, and gives each of them play money, where owners need
 * to be admitted (`--new-owners operator`).
 *
 * A code has all that an invitation says and a seal that only this exchange can make, so nothing is
 * stored until somebody accepts it. What makes it single-use is the key of its deposit in the
 * journal: the same key gives once, also after a restart.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import { DAY_MS, type Micros, micros, SECOND_MS } from '../../engine/model/index.ts';
import type { KeyRing } from '../../http/auth/key-ring.ts';
import { isoTime, microsText } from '../../http/codec/index.ts';
import { ApiError, echo } from '../../http/errors/index.ts';
import { OptionalText, Text, TrueFalse } from '../../http/parameters/index.ts';
import { defineRoute } from '../../http/services/index.ts';
import { toChecksumAddress } from '../../http/signing/address.ts';
import { giftIn, MOST } from './bounds.ts';
import { give } from './give.ts';

const MOST_INVITATIONS = 1_000;
const MOST_DAYS = 90;
const DEFAULT_AMOUNT = '1000';
const DEFAULT_DAYS = 7;

/** A random id, the amount in micros, the end in seconds since the epoch; then the seal. */
const ID_BYTES = 10;
const AMOUNT_BYTES = 6;
const END_BYTES = 4;
const CONTENT_BYTES = ID_BYTES + AMOUNT_BYTES + END_BYTES;
const SEAL_BYTES = 16;

interface Invitation {
  /** Lower-case hex. */
  readonly id: string;
  readonly amountMicros: Micros;
}

function sealOf(keyRing: KeyRing, content: Buffer): Buffer {
  return keyRing.sealOf('invitation', content).subarray(0, SEAL_BYTES);
}

function writeCode(keyRing: KeyRing, amountMicros: Micros, endMs: number): string {
  const content = Buffer.alloc(CONTENT_BYTES);
  randomBytes(ID_BYTES).copy(content);
  content.writeUIntBE(amountMicros, ID_BYTES, AMOUNT_BYTES);
  content.writeUInt32BE(endMs / SECOND_MS, ID_BYTES + AMOUNT_BYTES);
  return Buffer.concat([content, sealOf(keyRing, content)]).toString('base64url');
}

/** Throws `invitation_unknown` and `invitation_ended`. */
function readCode(keyRing: KeyRing, code: string, nowMs: number): Invitation {
  const bytes = Buffer.from(code, 'base64url');
  const content = bytes.subarray(0, CONTENT_BYTES);
  const seal = bytes.subarray(CONTENT_BYTES);
  const isWhole = bytes.length === CONTENT_BYTES + SEAL_BYTES;
  if (!isWhole || !timingSafeEqual(seal, sealOf(keyRing, content))) {
    throw new ApiError('invitation_unknown', { field: 'invitation', actual: echo(code) });
  }
  const endMs = content.readUInt32BE(ID_BYTES + AMOUNT_BYTES) * SECOND_MS;
  if (nowMs >= endMs) {
    throw new ApiError('invitation_ended', { field: 'invitation', limit: isoTime(endMs) });
  }
  return {
    id: content.toString('hex', 0, ID_BYTES),
    amountMicros: micros(content.readUIntBE(ID_BYTES, AMOUNT_BYTES)),
  };
}

function wholeUpTo(maximum: number, description: string) {
  return Type.Optional(Type.Integer({ minimum: 1, maximum, description }));
}

/** POST /invitations, for operators: new codes, each for one person. It changes nothing. */
export const postInvitations = defineRoute({
  method: 'POST',
  path: '/invitations',
  summary: 'Make invitations, each for one person',
  auth: 'operator',
  sandbox: true,
  body: Type.Object({
    count: wholeUpTo(MOST_INVITATIONS, 'How many; by default 1'),
    amount: OptionalText(
      `Collateral that each gives beside the play money of every new account, up to ${MOST}; ` +
        `by default ${DEFAULT_AMOUNT}`,
    ),
    days: wholeUpTo(MOST_DAYS, `Days until they end; by default ${DEFAULT_DAYS}`),
  }),
  response: Type.Object({
    amount: Text('What each gives'),
    ends: Text('When they end, ISO 8601'),
    invitations: Type.Array(
      Type.Object({
        invitation: Text('The code; whoever has it can accept it'),
        path: Text('The page of the public listener that accepts it'),
      }),
    ),
  }),
  needs: ['keyRing'],
  handler: ({ body, request: { nowMs }, services: { keyRing } }) => {
    const { count: length = 1, amount = DEFAULT_AMOUNT, days = DEFAULT_DAYS } = body;
    const amountMicros = giftIn(amount);
    // A code has whole seconds.
    const endMs = SECOND_MS * Math.floor((nowMs + days * DAY_MS) / SECOND_MS);
    const invitations = Array.from({ length }, () => {
      const invitation = writeCode(keyRing, amountMicros, endMs);
      return { invitation, path: `/ui/#/join/${invitation}` };
    });
    return { amount: microsText(amountMicros), ends: isoTime(endMs), invitations };
  },
});

/**
 * POST /invitations/accept: opens the account of the owner who signs, and gives it the money of the
 * invitation, once. The same owner may repeat it; for another one it is `invitation_used`.
 */
export const acceptInvitation = defineRoute({
  method: 'POST',
  path: '/invitations/accept',
  summary: 'Accept an invitation: open an account',
  auth: 'l1',
  sandbox: true,
  givesWay: true,
  body: Type.Object({ invitation: Text('The code') }),
  response: Type.Object({
    address: Text('The account, EIP-55'),
    amount: Text('What it got'),
    duplicate: TrueFalse('Whether its owner had accepted it before'),
  }),
  needs: ['exchange', 'registry', 'settings', 'keyRing'],
  handler: async ({ body, caller: { owner }, request: { nowMs }, services }) => {
    const { id, amountMicros } = readCode(services.keyRing, body.invitation, nowMs);
    const gift = { address: owner, owner: undefined, amountMicros, sets: undefined };
    const { duplicate } = await give(services, {
      ...gift,
      key: `invitation:${id}`,
      reason: 'invitation',
      isInvited: true,
    }).catch((failure: unknown) => {
      const isUsed = failure instanceof ApiError && failure.code === 'money_key_reused';
      throw isUsed ? new ApiError('invitation_used', { field: 'invitation' }) : failure;
    });
    return { address: toChecksumAddress(owner), amount: microsText(amountMicros), duplicate };
  },
});
