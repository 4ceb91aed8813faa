/**
 * The files of the console in `built/`: .ci/console.mjs makes them from `browser/`, and they are
 * committed. The names of scripts and styles contain a hash of their content.
 *
 * Invariant: only files that were there at the start are served; a name in a request is looked up
 * and never joined to a path.
 * Bound: each file is read and compressed at its first request and kept, below a megabyte in all.
 */
import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { RawReply } from '../http/api/index.ts';
import type { HeaderList } from '../http/codec/index.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const FOLDER = fileURLToPath(new URL('built/', import.meta.url));

/** What /ui/{file} serves. */
export const CONSOLE_FILES: readonly string[] = readdirSync(FOLDER)
  .filter((name) => extname(name) in TYPES)
  .toSorted();

/**
 * Everything that a page loads or asks is of its own origin, but for icons of browser wallets,
 * which are data addresses. No other site may show a page in a frame.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS: HeaderList = [
  ['content-security-policy', POLICY],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['cross-origin-opener-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['vary', 'accept-encoding'],
];

/** A page is asked for again each time, and names the scripts and styles of its version. */
const PAGE_CACHING = ['cache-control', 'no-cache'] as const;
const HASHED_CACHING = ['cache-control', 'public, max-age=31536000, immutable'] as const;

/** A file in each encoding that browsers accept, the shortest first. */
type Encodings = readonly (readonly [name: string, bytes: Uint8Array])[];

/** The default, 11, takes a hundred times as long for files that are a tenth smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } } as const;
const brotli = promisify(brotliCompress);
const COMPRESSIONS = [
  ['br', (bytes: Uint8Array) => brotli(bytes, BROTLI)],
  ['gzip', promisify(gzip)],
] as const;
const NOT_ENCODED = '';

const loaded = new Map<string, Promise<Encodings>>();

async function readEncodings(name: string): Promise<Encodings> {
  const bytes = await readFile(join(FOLDER, name));
  const compressed = COMPRESSIONS.map(
    async ([encoding, compress]) => [encoding, await compress(bytes)] as const,
  );
  return [...(await Promise.all(compressed)), [NOT_ENCODED, bytes]];
}

function load(name: string): Promise<Encodings> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const file = readEncodings(name);
  loaded.set(name, file);
  // A failure is not kept, because a lack of file handles is temporary.
  file.catch(() => loaded.delete(name));
  return file;
}

/** Whether an accept-encoding header allows an encoding: its weight is not 0 (RFC 9110, 12.5.3). */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim());
    return name === encoding && !parameters.some((part) => /^q=0(\.0*)?$/.test(part));
  });
}

/** The reply with a file, encoded as `accept-encoding` allows; undefined for an unknown name. */
export async function consoleFile(name: string, accepted: string): Promise<RawReply | undefined> {
  if (!CONSOLE_FILES.includes(name)) return undefined;
  const encodings = await load(name);
  const encoded = encodings.find(([one]) => one === NOT_ENCODED || accepts(accepted, one));
  assert(encoded !== undefined);
  const [encoding, bytes] = encoded;
  const caching = extname(name) === '.html' ? PAGE_CACHING : HASHED_CACHING;
  const headers: HeaderList =
    encoding === NOT_ENCODED
      ? [...HEADERS, caching]
      : [...HEADERS, caching, ['content-encoding', encoding]];
  return new RawReply(200, bytes, TYPES[extname(name)], headers);
}
