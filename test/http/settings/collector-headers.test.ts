import t from 'tap';
import { parseCollectorHeaders } from '../../../http/settings/collector-headers.ts';

t.test('headers are pairs, separated by commas or lines', async (t) => {
  t.strictSame(parseCollectorHeaders('Authorization=Bearer%20a%2Cb=='), {
    authorization: 'Bearer a,b==',
  });
  t.strictSame(parseCollectorHeaders('a=1, B=2\r\nc=3\n\n'), { a: '1', b: '2', c: '3' });
});

t.test('faults are named without the values', async (t) => {
  const many = Array.from({ length: 17 }, (_, count) => `h${count}=hush`).join();
  for (const [text, reason] of [
    ['', /^it has 0 headers; it must have 1 to 16$/],
    [many, /^it has 17 headers; it must have 1 to 16$/],
    [`a=${'hush'.repeat(3_000)}`, /^it has 12002 characters; the limit is 8192$/],
    ['a=1,hush', /^header 2 has no valid name before a "="$/],
    ['a b=hush', /^header 1 has no valid name/],
    ['a=1,A=hush', /^the header a is there twice$/],
    ['Content-Type=hush', /^header 1 is content-type, which can't be set$/],
    ['a=', /^the value of header 1 \(a\) must be printable ASCII/],
    ['a=hush%', /^the value of header 1 \(a\)/],
    ['a=hush%0Ax', /^the value of header 1 \(a\)/],
    ['a=hüsh', /^the value of header 1 \(a\)/],
  ] as const) {
    t.throws(() => parseCollectorHeaders(text), { message: reason }, text.slice(0, 20));
    try {
      parseCollectorHeaders(text);
    } catch (error) {
      t.notMatch(String(error), 'hush');
    }
  }
});
