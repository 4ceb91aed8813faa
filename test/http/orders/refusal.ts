// What every refused placement has in common, for the tests of bad orders.
import type { Test } from 'tap';
import type { Answer } from '../exchange-fixture.ts';

/** Every failed placement is an order result too (wire 3.10). */
export const FAILED_RESULT = {
  success: false,
  orderID: '',
  takingAmount: '',
  makingAmount: '',
  status: 'error',
  transactionsHashes: [],
  tradeIDs: [],
};

export interface Refusal {
  readonly what: string;
  readonly status: number;
  readonly body: object;
}

export function expectRefusal(t: Test, answer: Answer, { what, status, body }: Refusal): void {
  t.equal(answer.status, status, what);
  t.match(answer.body, { ...FAILED_RESULT, ...body }, what);
  t.equal(answer.body.errorMsg, answer.body.error, what);
}
