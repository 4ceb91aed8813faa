/** The body that a form sends: typed as its schema says, without what was left empty. */
import t from 'tap';
import { bodyValueOf, type Draft } from '../../../../console/browser/forms/body-value.ts';
import { labelOf } from '../../../../console/browser/kit/texts.ts';
import type { BodySchema } from '../../../../console/browser/wire/index.ts';

const SCHEMA: BodySchema = {
  type: 'object',
  properties: {
    kind: { const: 'slow_answer' },
    text: { type: 'string' },
    count: { type: 'integer' },
    exponent: { enum: [0, 1, 2] },
    isOpen: { type: 'boolean' },
    match: { type: 'object', properties: { path: { type: 'string' } } },
    tags: { type: 'array', items: { type: 'object', properties: { slug: { type: 'string' } } } },
    ids: { type: 'array', items: { type: 'string' } },
  },
};

const ROWS: readonly (readonly [draft: Draft, body: unknown])[] = [
  [{}, { kind: 'slow_answer' }],
  [{ text: '', count: '' }, { kind: 'slow_answer' }],
  [{ text: '12' }, { kind: 'slow_answer', text: '12' }],
  [{ count: '12' }, { kind: 'slow_answer', count: 12 }],
  [{ count: 'many' }, { kind: 'slow_answer', count: 'many' }],
  [{ exponent: '2' }, { kind: 'slow_answer', exponent: 2 }],
  [{ isOpen: false }, { kind: 'slow_answer', isOpen: false }],
  [{ match: { path: '' } }, { kind: 'slow_answer' }],
  [{ match: { path: '/order' } }, { kind: 'slow_answer', match: { path: '/order' } }],
  [{ tags: [] }, { kind: 'slow_answer' }],
  [{ tags: [{ slug: 'a' }] }, { kind: 'slow_answer', tags: [{ slug: 'a' }] }],
  [{ ids: ['a', '', 'b'] }, { kind: 'slow_answer', ids: ['a', 'b'] }],
  [{ other: 'x' }, { kind: 'slow_answer' }],
];

t.test('drafts become bodies', async (t) => {
  for (const [draft, body] of ROWS) {
    t.strictSame(bodyValueOf(SCHEMA, draft), body, JSON.stringify(draft));
  }
});

t.test('names of fields become labels', async (t) => {
  const rows = [
    ['taker_fee_bps', 'Taker fee bps'],
    ['resolutionSource', 'Resolution source'],
    ['by', 'By'],
  ] as const;
  for (const [name, label] of rows) t.equal(labelOf(name), label);
});
