// A stored command is parsed without its evidence, which is parsed on demand, with the same result.
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import t from 'tap';
import { Engine } from '../../../engine/index.ts';
import { JournalPart } from '../../../persistence/journal/part.ts';
import { commandChecksum, creating } from '../../../persistence/journal/schema.ts';

const KIND = 'cancel_all';

/** Texts that look like the border between a command and its evidence. */
const text = fc.oneof(
  fc.string(),
  fc.constantFrom(
    ',"evidence":',
    '","evidence":{}',
    ',\\"evidence":',
    '}',
    '{"command":',
    '\\',
    '"',
  ),
);
const evidence = fc.oneof(
  fc.constant(undefined),
  fc.jsonValue(),
  fc.record({ by: text, reason: text, evidence: fc.record({ evidence: text }) }),
);

t.test('a command and its evidence are read as they were written, for any texts', async (t) => {
  const database = new Database(':memory:');
  t.teardown(() => database.close());
  database.exec(creating('commands', 'fills'));
  const row = { seq: 1, timeMs: 5, kind: KIND, endsBatch: true };
  const insert = database.prepare(
    'INSERT OR REPLACE INTO commands VALUES (1, 5, ?, ?, ?, 1, NULL)',
  );
  const part = new JournalPart(database, (seq, what) => {
    throw new Error(`${seq} ${what}`);
  });
  fc.assert(
    fc.property(text, text, evidence, (owner, tokenId, value) => {
      const command = { kind: KIND, owner, conditionId: '', tokenId };
      const payload = JSON.stringify({ command, evidence: value });
      insert.run(KIND, payload, commandChecksum({ ...row, payload }));
      const [stored] = part.commands(0, 1);
      t.strictSame(stored?.command(new Engine().names), command);
      t.strictSame(stored?.evidence, JSON.parse(payload).evidence);
    }),
    { numRuns: 200 },
  );
});

t.test('the checksum of a command is the CRC-32 of its columns joined by |', async (t) => {
  const unit = fc.string({ unit: 'grapheme' });
  fc.assert(
    fc.property(fc.nat(), fc.nat(), unit, unit, (seq, timeMs, kind, payload) => {
      const row = { seq, timeMs, kind, payload };
      const whole = crc32(`${seq}|${timeMs}|${kind}|${payload}`);
      t.equal(commandChecksum({ ...row, endsBatch: true }), whole);
      const packed = { ...row, payload: Buffer.from(payload), endsBatch: true };
      t.equal(commandChecksum(packed), whole, 'also of a packed payload');
      const within = crc32(`${seq}|${timeMs}|${kind}|+${payload}`);
      t.equal(commandChecksum({ ...row, endsBatch: false }), within);
    }),
    { numRuns: 200 },
  );
  const old = { seq: 1, timeMs: 5, kind: KIND, payload: '{"command":{}}', endsBatch: true };
  t.equal(commandChecksum(old), 893_410_202, 'as in existing journals');
});
