/** Every method of the published client that sends a request. */
import { ACCOUNT_CALLS } from './account-calls.ts';
import { ORDER_CALLS } from './order-calls.ts';
import { READ_CALLS } from './read-calls.ts';
import type { Call } from './stage.ts';

export const CALLS: readonly Call[] = [...READ_CALLS, ...ACCOUNT_CALLS, ...ORDER_CALLS];
