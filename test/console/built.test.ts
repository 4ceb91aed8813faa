/** The committed files of the console are what its sources build to; the first page is small. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { buildConsole } from '../../.ci/console.mjs';

const FOLDER = fileURLToPath(new URL('../../console/built/', import.meta.url));

function read(name: string): Buffer {
  return readFileSync(join(FOLDER, name));
}

t.test('the built files are what the sources build to', async (t) => {
  const files = await buildConsole();
  t.strictSame(readdirSync(FOLDER).toSorted(), [...files.keys()].toSorted(), 'npm run console');
  for (const [name, bytes] of files) t.ok(read(name).equals(bytes), name);
});

/** What a browser loads before the first page is drawn, compressed (issue 39). */
const MOST_BYTES = 60 * 1024;

t.test('the first page is small', async (t) => {
  const html = read('index.html').toString();
  const files = [...html.matchAll(/(?:href|src)="([^":]+)"/g)].map(([, name = '']) => name);
  const sizes = ['index.html', ...files].map(
    (name) => [name, gzipSync(read(name)).length] as const,
  );
  t.ok(files.some((name) => name.startsWith('main-') && name.endsWith('.js')));
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  t.ok(total <= MOST_BYTES, `${total} bytes: ${sizes.join('; ')}`);
  t.comment(`${total} bytes`);
});

t.test('pages name no other origin and have no script or style of their own', async (t) => {
  for (const page of ['index.html', 'operator.html']) {
    const html = read(page).toString();
    t.notMatch(html, /https?:|\/\/|<style|style=|\son\w+=/);
    t.notMatch(html, /<script(?![^>]* src=)/);
    // A part that is imported but not preloaded costs a round trip.
    const [, script = ''] = /src="([^"]+)"/.exec(html) ?? [];
    const imported = read(script)
      .toString()
      .matchAll(/(?:from|import)"\.\/([^"]+)"/g);
    for (const [, part = ''] of imported) t.match(html, `modulepreload" href="${part}"`);
  }
});
