/**
 * The files of Swagger UI, from the installed package, and the pages around them (`page/`), whose
 * addresses are relative, so that they work behind a path prefix. The pages load nothing from other
 * servers, and their headers forbid it.
 *
 * Invariant: only the files of one fixed list are read; a name in a request is looked up there and
 * never joined to a path. No other file of http/ opens files.
 * Bound: each file is read at its first request and kept, two megabytes in all.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HeaderList } from '../codec/index.ts';

const require = createRequire(import.meta.url);
// Safe: the package documents this module as a function that returns its folder.
const folderOfPackage = require('swagger-ui-dist/absolute-path.js') as () => string;

const SCRIPT = 'text/javascript; charset=utf-8';
const HTML = 'text/html; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
const PAGE_FOLDER = fileURLToPath(new URL('page/', import.meta.url));
/** .ci/console.mjs makes its files from `console/browser/docs/`. */
const BUILT_FOLDER = fileURLToPath(new URL('built/', import.meta.url));

/** Each file with its folder and type. */
const FILES = {
  'swagger-ui.css': [folderOfPackage(), STYLE],
  'swagger-ui-bundle.js': [folderOfPackage(), SCRIPT],
  'favicon-32x32.png': [folderOfPackage(), 'image/png'],
  'page.css': [PAGE_FOLDER, STYLE],
  'routes.html': [PAGE_FOLDER, HTML],
  'start.js': [PAGE_FOLDER, SCRIPT],
  'search.js': [PAGE_FOLDER, SCRIPT],
  'signing.js': [BUILT_FOLDER, SCRIPT],
  'streams.html': [PAGE_FOLDER, HTML],
  'streams.js': [PAGE_FOLDER, SCRIPT],
} as const;

type AssetName = keyof typeof FILES;

function isAsset(name: string): name is AssetName {
  return Object.hasOwn(FILES, name);
}

export interface Asset {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly headers: HeaderList;
}

const loaded = new Map<AssetName, Promise<Uint8Array>>();

function load(name: AssetName): Promise<Uint8Array> {
  const known = loaded.get(name);
  if (known !== undefined) return known;
  const [folder] = FILES[name];
  const bytes = readFile(join(folder, name));
  loaded.set(name, bytes);
  // A failure is not kept, because a lack of file handles is temporary.
  bytes.catch(() => loaded.delete(name));
  return bytes;
}

/** Undefined for a name that is not in the list. Rejects if the package lacks the file. */
export async function readAsset(name: string): Promise<Asset | undefined> {
  if (!isAsset(name)) return undefined;
  const [folder, contentType] = FILES[name];
  const headers = folder === folderOfPackage() ? PACKAGE_HEADERS : PAGE_HEADERS;
  return { bytes: await load(name), contentType, headers };
}

/** The page of a document, with TITLE, CONTENT and CONTENTS where these go. */
export function pageTemplate(): Promise<string> {
  return readFile(join(PAGE_FOLDER, 'document.html'), 'utf8');
}

const PROGRAM_FOLDER = fileURLToPath(new URL('../../', import.meta.url));

/** A file by its path in the program's folder; undefined if this installation lacks it. */
export function readProgramFile(path: string): Promise<Buffer | undefined> {
  return readFile(join(PROGRAM_FOLDER, path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return undefined;
    throw error;
  });
}

/**
 * Headers of the page and its files. Scripts, pictures and requests must be of this origin; Swagger
 * UI also writes style attributes and loads icons from data URLs.
 */
const DOCS_HEADERS: HeaderList = [
  [
    'content-security-policy',
    [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  ],
  ['x-content-type-options', 'nosniff'],
];

/** The pages and their scripts are asked for again each time, so that they are of one version. */
export const PAGE_HEADERS = [...DOCS_HEADERS, ['cache-control', 'no-cache']] as const;
const PACKAGE_HEADERS = [...DOCS_HEADERS, ['cache-control', 'public, max-age=3600']] as const;
