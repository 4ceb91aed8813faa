import fc from 'fast-check';
import t from 'tap';
import { jsonFault } from '../../../http/codec/json-fault.ts';
import { times } from '../../long-set.ts';

t.test('a fault has the index of the first wrong character', async (t) => {
  const rows: [text: string, position: number, reason: RegExp][] = [
    ['', 0, /expected a value and found the end/],
    ['{', 1, /key in double quotes or }.*the end/],
    ['{"a":}', 5, /expected a value and found something else/],
    ['{"a" 1}', 5, /a colon/],
    ['{"a":1,}', 7, /a key in double quotes/],
    ["{'a':1}", 1, /a key in double quotes/],
    ['[1,2', 4, /a comma or the end/],
    ['[1 2]', 3, /a comma or the end/],
    ['[1,]', 3, /a value/],
    ['{"a":1]', 6, /a comma or the end/],
    ['{"a":01}', 6, /a comma or the end/],
    ['{"a":NaN}', 5, /a value/],
    ['{"a":"tab\there"}', 5, /a value/],
    ['{"a":"\\x"}', 5, /a value/],
    ['{} {}', 3, /the end of the text/],
    ['\u00a0{}', 0, /a value/],
  ];
  for (const [text, position, reason] of rows) {
    t.match(jsonFault(text), { position, reason }, JSON.stringify(text));
  }
});

t.test('a fault is found in exactly the texts that JSON.parse refuses', async () => {
  const pieces = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"', '\\', '"a"', '"\\u00e9"', '1', '-0.5e3', 'true', 'null'],
    ...[' ', '\n', '\t', '\u00a0', '\u0001', 'é', '0', '-', '.', 'e', '"x":', '{"k":1}', '[]'],
  );
  const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(''));
  const damaged = fc.tuple(fc.json(), fc.nat(), pieces).map(([text, at, piece]) => {
    const index = at % (text.length + 1);
    return text.slice(0, index) + piece + text.slice(index + (at % 2));
  });
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const agrees = (text: string): boolean => isJson(text) === (jsonFault(text) === undefined);
  fc.assert(fc.property(fc.oneof(texts, damaged, fc.json()), agrees), {
    numRuns: times(2_000, 20_000),
  });
});

t.test('the depth of nesting has no bound of its own', async (t) => {
  const text = '['.repeat(200_000);
  t.match(jsonFault(text), { position: text.length });
});
