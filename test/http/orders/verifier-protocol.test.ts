import t from 'tap';
import {
  type Verdict,
  verdictColumns,
  verdictsIn,
} from '../../../http/orders/verifier-protocol.ts';

function good(digit: string, domain: number, known?: 'known'): Verdict {
  const terms = { type: 'GTC', postOnly: false, expiresAtMs: 0 } as const;
  const lookup = { checkedSeq: domain + 7, known: known && { ...terms, acceptedSeq: 3 } };
  return { ok: true, orderId: `0x${digit.repeat(64)}`, domain, lookup };
}

const REFUSED: Verdict = {
  ok: false,
  code: 'malformed_signature',
  field: 'signature',
  actual: '0x',
  expected: '65 bytes',
  recovered: [],
};

t.test('verdicts come out of their columns as they went in, in the same order', async (t) => {
  const [a, b, c] = [good('a', 0), good('b', 1), good('c', 2)];
  const known = good('d', 3, 'known');
  const rows: [what: string, verdicts: Verdict[]][] = [
    ['none', []],
    ['new orders', [a, b, c]],
    ['a refused one first', [REFUSED, a, b]],
    ['a known one last', [a, b, known]],
    ['others between them', [a, REFUSED, known, b, REFUSED, c]],
    ['nothing but others', [REFUSED, known]],
  ];
  for (const [what, verdicts] of rows) {
    t.strictSame(verdictsIn(verdictColumns(verdicts)), verdicts, what);
  }
});
