import { createReadStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import t from 'tap';
import {
  type RecordingLine,
  recordingChunks,
  recordingLines,
} from '../../../sandbox/replay/recording-lines.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

async function linesOf(chunks: AsyncIterable<Buffer>): Promise<RecordingLine[]> {
  const lines: RecordingLine[] = [];
  for await (const line of recordingLines(chunks)) lines.push(line);
  return lines;
}

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

t.test('lines are the same however the file is cut into chunks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n')),
        { minLength: 1 },
      ),
      fc.integer({ min: 1, max: 7 }),
      async (texts, size) => {
        const bytes = Buffer.from(`${texts.join('\n')}\n`);
        const lines = await linesOf(chunksOf(bytes, size));
        return JSON.stringify(lines.map(({ text }) => text)) === JSON.stringify(texts);
      },
    ),
  );
});

t.test('a line of more than 4 MB is left out, and the next one is read', async (t) => {
  const long = Buffer.alloc(4_194_305, 'x');
  const bytes = Buffer.concat([Buffer.from('a\n'), long, Buffer.from('\nb')]);
  t.strictSame(await linesOf(chunksOf(bytes, 65_536)), [
    { number: 1, text: 'a' },
    { number: 2, text: undefined },
    { number: 3, text: 'b' },
  ]);
  const full = Buffer.concat([long.subarray(1), Buffer.from('\n')]);
  const [kept] = await linesOf(chunksOf(full, 65_536));
  t.equal(kept?.text?.length, 4_194_304);
});

t.test('a file is read as it is, and decompressed if its name ends with .gz', async (t) => {
  const folder = temporaryFolder(t);
  const [plain, zipped] = [join(folder, 'a.ndjson'), join(folder, 'a.ndjson.gz')];
  writeFileSync(plain, 'one\ntwo');
  writeFileSync(zipped, gzipSync('one\ntwo'));
  const texts = ['one', 'two'];
  for (const file of [plain, zipped]) {
    const lines = await linesOf(recordingChunks(file, createReadStream));
    t.strictSame(
      lines.map(({ text }) => text),
      texts,
      file,
    );
  }
  writeFileSync(zipped, 'one');
  await t.rejects(linesOf(recordingChunks(zipped, createReadStream)), { code: 'Z_DATA_ERROR' });
  await t.rejects(linesOf(recordingChunks(join(folder, 'none'), createReadStream)), {
    code: 'ENOENT',
  });
  await t.rejects(linesOf(recordingChunks(join(folder, 'none.gz'), createReadStream)), {
    code: 'ENOENT',
  });
});
