// Requests for faults of streams and trades that are refused.
import t from 'tap';
import { shareTestExchange } from '../../http/exchange-fixture.ts';
import { sendOperator } from '../fault-fixture.ts';

const share = await shareTestExchange(t);
const exchange = share();

const STEP = { status: 'MATCHED' };
const MATCHED = [STEP];

interface Refusal {
  readonly name: string;
  readonly fault: object;
  readonly answer: object;
}

const invalid = (field: string, limit?: unknown) => ({
  code: 'invalid_payload',
  field,
  ...(limit === undefined ? {} : { limit }),
});

const REFUSALS: readonly Refusal[] = [
  {
    name: 'a mute of no time',
    fault: { kind: 'muted_socket', seconds: 0 },
    answer: invalid('seconds', '0.001..86400'),
  },
  {
    name: 'a mute of more than a day',
    fault: { kind: 'muted_socket', seconds: 86_401 },
    answer: invalid('seconds', '0.001..86400'),
  },
  {
    name: 'a mute of a text',
    fault: { kind: 'muted_socket', seconds: '5' },
    answer: invalid('seconds'),
  },
  {
    name: 'a close code that no frame may carry',
    fault: { kind: 'closed_socket', code: 1005 },
    answer: invalid('code'),
  },
  {
    name: 'a parameter of another kind',
    fault: { kind: 'sequence_gap', seconds: 5 },
    answer: invalid('seconds'),
  },
  {
    name: 'a book that is stale for no time',
    fault: { kind: 'stale_book', seconds: 0 },
    answer: invalid('seconds', '0.001..86400'),
  },
  {
    name: 'a book that is stale at an unknown place',
    fault: { kind: 'stale_book', where: 'moon' },
    answer: invalid('where'),
  },
  {
    name: 'a walk without steps',
    fault: { kind: 'trade_status' },
    answer: { code: 'missing_field', field: 'steps' },
  },
  {
    name: 'a walk of no steps',
    fault: { kind: 'trade_status', steps: [] },
    answer: invalid('steps', '1..8'),
  },
  {
    name: 'a walk of too many steps',
    fault: { kind: 'trade_status', steps: Array.from({ length: 9 }, () => STEP) },
    answer: { code: 'too_many_items', field: 'steps', limit: 8 },
  },
  {
    name: 'a step without a status',
    fault: { kind: 'trade_status', steps: [{ after_seconds: 1 }] },
    answer: { code: 'missing_field', field: 'steps.0.status' },
  },
  {
    name: 'a status that no trade has',
    fault: { kind: 'trade_status', steps: [STEP, { status: 'confirmed' }] },
    answer: invalid('steps.1.status'),
  },
  {
    name: 'a step before the one before',
    fault: { kind: 'trade_status', steps: [STEP, { ...STEP, after_seconds: -1 }] },
    answer: invalid('steps.1.after_seconds', '0..86400'),
  },
  {
    name: 'a step with an unknown key',
    fault: { kind: 'trade_status', steps: [{ ...STEP, after_ms: 5 }] },
    answer: invalid('steps.0.after_ms'),
  },
  {
    name: 'a market that does not exist',
    fault: { kind: 'stale_book', match: { market: '0xab' } },
    answer: { code: 'market_not_found', field: 'match.market' },
  },
  {
    name: 'an unknown key of match',
    fault: { kind: 'trade_status', steps: MATCHED, match: { channel: 'user' } },
    answer: invalid('match.channel'),
  },
];

for (const { name, fault, answer } of REFUSALS) {
  t.test(`refused: ${name}`, async (t) => {
    const refused = await sendOperator(exchange, 'POST', '/faults', fault);
    t.match(refused.body, answer, refused.text);
    t.ok(refused.status === 400 || refused.status === 404, `${refused.status}`);
    const { text } = await sendOperator(exchange, 'GET', '/faults');
    t.strictSame(JSON.parse(text), { data: [] }, 'no fault is made');
  });
}
