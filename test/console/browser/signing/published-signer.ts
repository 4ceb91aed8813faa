/** A key with which the published client, viem and the console all sign. */
import { createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { vectors } from '../../../http/signing/fixtures.ts';

// Safe: it is 0x and 64 hex digits.
export const PRIVATE_KEY = vectors.privateKey as `0x${string}`;
const account = privateKeyToAccount(PRIVATE_KEY);
/** For the published client. It never connects: signing needs no chain. */
export const walletClient = createWalletClient({ account, transport: http('http://127.0.0.1:1') });
