/**
 * Who is in the crowd. Keys and names follow from the seed, so a restart finds the same accounts.
 *
 * Invariant: the keys are no dev keys; no key is logged or stored.
 */
import { hash } from 'node:crypto';
import { type Wallet, walletOf } from '../../http/signing/wrapped-signature.ts';

export const ROLES = ['maker', 'noise', 'informed'] as const;
export type Role = (typeof ROLES)[number];

export interface Participant {
  readonly role: Role;
  /** The name that its profile shows. */
  readonly name: string;
  /** Derived when it is first needed, so that a crowd that is off costs a start nothing. */
  readonly wallet: Wallet;
}

const COUNTS: Readonly<Record<Role, number>> = { maker: 3, noise: 4, informed: 2 };

/** The participants of a seed. */
export function participantsOf(seed: number): readonly Participant[] {
  return ROLES.flatMap((role) =>
    Array.from({ length: COUNTS[role] }, (_, index) => {
      const name = `Crowd ${role} ${index + 1}`;
      // Nearly every hash is a valid key: all but one of 2^128.
      let wallet: Wallet | undefined;
      return {
        role,
        name,
        get wallet() {
          wallet ??= walletOf(
            `0x${hash('sha256', `outcome-exchange/crowd/${seed}/${name}`, 'hex')}`,
          );
          return wallet;
        },
      };
    }),
  );
}
