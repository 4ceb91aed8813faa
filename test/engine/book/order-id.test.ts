/** Order ids as 32-bit words: valid ids are read and written back, other texts are refused. */
import fc from 'fast-check';
import t from 'tap';
import { ID_WORDS, isSameId, readOrderId, writeOrderId } from '../../../engine/book/order-id.ts';

const ID = `0x${'0123456789abcdef'.repeat(4)}`;
function withDigit(at: number, digit: string): string {
  return ID.slice(0, at) + digit + ID.slice(at + 1);
}

const orderId = fc
  .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 64, maxLength: 64 })
  .map((digits) => `0x${digits.join('')}`);

t.test('an id is written as it was read, at any offset of an array', async () => {
  fc.assert(
    fc.property(orderId, orderId, (one, other) => {
      const words = new Int32Array(ID_WORDS);
      const both = new Int32Array(ID_WORDS * 2);
      for (const [index, id] of [one, other].entries()) {
        if (!readOrderId(id, words)) return false;
        both.set(words, index * ID_WORDS);
      }
      const areSame = isSameId(both, 0, both, ID_WORDS);
      const texts = [writeOrderId(both, 0), writeOrderId(both, ID_WORDS)];
      return areSame === (one === other) && texts[0] === one && texts[1] === other;
    }),
  );
});

t.test('ids that differ in one digit are not the same', async (t) => {
  const [one, other] = [new Int32Array(ID_WORDS), new Int32Array(ID_WORDS)];
  readOrderId(ID, one);
  for (let at = 2; at < ID.length; at += 1) {
    readOrderId(withDigit(at, ID[at] === '7' ? '8' : '7'), other);
    t.notOk(isSameId(one, 0, other, 0), `digit ${at}`);
  }
});

t.test('a text that is not an order id is refused, also right after a valid one', async (t) => {
  const words = new Int32Array(ID_WORDS);
  const wrong = [
    '',
    '0x',
    ID.slice(0, 65),
    `${ID}0`,
    `0X${ID.slice(2)}`,
    `1x${ID.slice(2)}`,
    // Low bytes that are those of digits, a letter of two UTF-8 bytes, and a lone surrogate.
    withDigit(2, '\u0130'),
    `0x${'\u0161'.repeat(64)}`,
    withDigit(65, '\u00e9'),
    withDigit(65, '\ud83d'),
    ...[...'/:@`gGAFxX \0\u007f'].flatMap((digit) => [2, 33, 65].map((at) => withDigit(at, digit))),
  ];
  for (const id of wrong) {
    t.ok(readOrderId(ID, words));
    t.notOk(readOrderId(id, words), JSON.stringify(id));
  }
});
