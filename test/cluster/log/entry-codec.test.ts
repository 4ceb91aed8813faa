import { hash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { RECORD_BOUNDS } from '../../../cluster/content/content-record.ts';
import { decodeEntry, type EntryFields, encodeEntry } from '../../../cluster/log/entry-codec.ts';
import { LOG_START } from '../../../cluster/log/index.ts';
import { STORE_BOUNDS } from '../../../persistence/shared/index.ts';
import { part } from './log-fixture.ts';

function fields(changes: Partial<EntryFields> = {}): EntryFields {
  const place = { number: 7, epoch: 2, previous: LOG_START.check, bytesBefore: 1_000 };
  return { ...part(11, 3, ['{"title":"Grüße"}']), ...place, ...changes };
}

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const payload = fc.oneof(text, fc.uint8Array({ maxLength: 40 }));
const whole = fc.nat({ max: Number.MAX_SAFE_INTEGER });
const check = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));

const entries: fc.Arbitrary<EntryFields> = fc
  .record({
    number: whole,
    epoch: whole,
    firstSeq: whole,
    bytesBefore: whole,
    previous: check,
    content: fc.array(text, { maxLength: 4 }),
    digest: fc.option(fc.nat({ max: 2 ** 32 - 1 })),
    commands: fc.array(fc.tuple(fc.nat(), text, payload), { maxLength: 30 }),
  })
  .map(({ commands, digest, ...place }) => ({
    ...place,
    timesMs: commands.map(([timeMs]) => timeMs),
    kinds: commands.map(([, kind]) => kind),
    payloads: commands.map(([, , one]) => one),
    digest: place.content.length + commands.length === 0 ? null : digest,
  }));

t.test('an entry comes back as it was', (t) => {
  const comesBack = fc.property(entries, (entry) => {
    const { bytes, check } = encodeEntry(entry);
    t.strictSame(decodeEntry('an entry', bytes), { ...entry, check });
  });
  fc.assert(comesBack);
  t.end();
});

t.test('a change of any byte is noticed, and any cut', (t) => {
  const { bytes } = encodeEntry(fields());
  for (let index = 0; index < bytes.length; index += 1) {
    const spoilt = Buffer.from(bytes);
    spoilt[index]! ^= 0x10;
    t.throws(() => decodeEntry('entry 7', spoilt), { code: 'log_damaged' }, `byte ${index}`);
    const cut = bytes.subarray(0, index);
    t.throws(() => decodeEntry('entry 7', cut), { code: 'log_damaged' }, `cut at ${index}`);
  }
  const longer = Buffer.concat([bytes, Buffer.alloc(1)]);
  t.throws(() => decodeEntry('entry 7', longer), /entry 7 can't be used: its checksum is wrong/);
  t.end();
});

t.test('a body is compressed where that makes it shorter', (t) => {
  const bytesOf = (payload: string | Uint8Array): number => {
    const entry = fields({ payloads: [payload], kinds: ['a'], timesMs: [1], content: [] });
    const { bytes } = encodeEntry(entry);
    t.same(decodeEntry('an entry', bytes).payloads, [payload]);
    return bytes.length;
  };
  t.ok(bytesOf('a'.repeat(5_000)) < 200);
  t.ok(bytesOf('a'.repeat(500)) > 500, 'but not a short one');
  t.ok(bytesOf(randomBytes(5_000).toString('latin1')) > 5_000, 'nor one that would become longer');
  t.ok(bytesOf(new Uint8Array(5_000)) > 5_000, 'nor packed payloads');
  t.end();
});

t.test('a checksum covers the entries before', (t) => {
  const one = encodeEntry(fields());
  const other = encodeEntry(fields({ previous: one.check }));
  t.not(one.check, other.check);
  t.end();
});

t.test('what is too large is our own mistake, or damage', (t) => {
  const large = 'a'.repeat(STORE_BOUNDS.rawEntryBytes);
  t.throws(() => encodeEntry(fields({ content: [large] })), /1048576 bytes of texts at the most/);
  const noise = Array.from({ length: 9 }, () => new Uint8Array(randomBytes(60_000)));
  const kinds = noise.map(() => 'noise');
  const timesMs = noise.map(() => 0);
  t.throws(
    () => encodeEntry(fields({ payloads: noise, kinds, timesMs })),
    /an entry has 54\d{4} bytes/,
  );
  t.throws(() => decodeEntry('entry 7', Buffer.alloc(600_000)), /it has 600000 bytes/);
  t.throws(() => encodeEntry(fields({ content: ['half: \ud800'] })), /are Unicode/);
  t.end();
});

t.test('a batch of the largest payloads fits an entry', (t) => {
  const { entryPayloadBytes, entryContentBytes } = STORE_BOUNDS;
  const noise = (bytes: number) => randomBytes(bytes).toString('base64');
  // The last command of a batch creates an event of 500 markets; each names three hashes.
  const hashes = Array.from({ length: 1_500 }, () => `0x${randomBytes(32).toString('hex')}`);
  const payloads = [new Uint8Array(randomBytes(entryPayloadBytes - 1)), JSON.stringify(hashes)];
  const content = [noise(entryContentBytes), noise(RECORD_BOUNDS.partBytes)];
  const entry = fields({ payloads, content, kinds: ['a', 'b'], timesMs: [1, 2] });
  const { bytes } = encodeEntry(entry);
  t.ok(bytes.length < 0.75 * STORE_BOUNDS.entryBytes, `${bytes.length}`);
  t.end();
});

t.test('an entry of a newer format is refused', (t) => {
  const { bytes } = encodeEntry(fields());
  bytes.writeUInt8(2, 3);
  const covered = bytes.subarray(0, -16);
  hash('sha256', covered, 'buffer').copy(bytes, covered.length, 0, 16);
  const refusal = {
    code: 'log_newer',
    message: /has format 2 and this program knows 1: .* start the newer one/,
  };
  t.throws(() => decodeEntry('entry 7', bytes), refusal);
  t.end();
});
