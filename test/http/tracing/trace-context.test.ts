import t from 'tap';
import { parseTraceparent } from '../../../http/tracing/trace.ts';

const [TRACE, SPAN] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

t.test('a traceparent as the standard allows it names the caller', async (t) => {
  for (const text of [
    `00-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-00`,
    `01-${TRACE}-${SPAN}-00`,
    `cc-${TRACE}-${SPAN}-01-of-later-versions`,
  ]) {
    t.strictSame(parseTraceparent(text), { traceId: TRACE, spanId: SPAN }, text);
  }
});

t.test('any other is ignored', async (t) => {
  for (const text of [
    '',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${TRACE}-${SPAN}-01-more`,
    `01-${TRACE}-${SPAN}-01more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}0-${SPAN}-01`,
    ` 00-${TRACE}-${SPAN}-01`,
  ]) {
    t.equal(parseTraceparent(text), undefined, text);
  }
});
