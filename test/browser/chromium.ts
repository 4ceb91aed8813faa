/**
 * The Chromium that tests of pages run in: a program to start, and what it needs in its
 * environment. It is the headless one of the package `@sparticuz/chromium`, of a pinned version,
 * with the system libraries and fonts that a small machine lacks
 * (docs/decisions/0039-what-is-tried-by-tests.md).
 *
 * Invariant: a folder with its final name is whole, also if several processes unpack it at once.
 * Bound: one version is kept unpacked, 215 MB.
 */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar';
import lock from '../../package-lock.json' with { type: 'json' };

export interface Program {
  /** Says to a person which one it is. */
  readonly name: string;
  /** Resolves with the path, and rejects with the reason why it can't run here. */
  readonly find: () => Promise<string>;
  /** Variables that it needs besides those of this process. */
  readonly environment: Readonly<Record<string, string>>;
}

const PACKAGE = '@sparticuz/chromium';
const { version } = lock.packages[`node_modules/${PACKAGE}`];
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));
const UNPACKED = `chromium-${version}`;
const FOLDER = join(CACHE, UNPACKED);
const PROGRAM_FILE = 'chromium';
/** Another process may still write to an unfinished folder that is younger. */
const HOUR_MS = 3_600_000;
const EXECUTABLE = 0o755;

/**
 * The packaged fonts come first, so that pages look alike on all machines. The package has no
 * fonts of fixed width; these come from the machine, if it has any.
 */
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias><family>sans-serif</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>system-ui</family><prefer><family>Open Sans</family></prefer></alias>
  <alias><family>monospace</family><prefer>
    <family>DejaVu Sans Mono</family><family>Liberation Mono</family>
  </prefer></alias>
</fontconfig>
`;
const FONTS_FILE = 'pages.conf';

async function unpackInto(folder: string): Promise<void> {
  const archive = (name: string): string =>
    fileURLToPath(new URL(`../bin/${name}.br`, import.meta.resolve(PACKAGE)));
  await pipeline(
    createReadStream(archive('chromium')),
    createBrotliDecompress(),
    createWriteStream(join(folder, PROGRAM_FILE), { mode: EXECUTABLE }),
  );
  for (const name of ['al2023.tar', 'fonts.tar']) {
    await extract({ file: archive(name), brotli: true, cwd: folder, preserveOwner: false });
  }
  await writeFile(join(folder, FONTS_FILE), FONTS);
}

/** Removes other versions, and what a process left that was killed while it unpacked. */
async function removeOldFolders(): Promise<void> {
  for (const name of await readdir(CACHE)) {
    if (!name.startsWith('chromium-') || name === UNPACKED) continue;
    const path = join(CACHE, name);
    const { mtimeMs } = await stat(path);
    if (mtimeMs < Date.now() - HOUR_MS) await rm(path, { recursive: true, force: true });
  }
}

async function unpack(): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`it is for linux on x64, and this is ${process.platform} on ${process.arch}`);
  }
  const program = join(FOLDER, PROGRAM_FILE);
  if (existsSync(program)) return program;
  await mkdir(CACHE, { recursive: true });
  await removeOldFolders();
  const unfinished = await mkdtemp(`${FOLDER}-`);
  try {
    await unpackInto(unfinished);
    await rename(unfinished, FOLDER);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Another process may have been faster: its folder then has the name.
    if (!existsSync(program)) throw error;
  }
  return program;
}

function installed(path: string): Program {
  return {
    name: path,
    find: async () => {
      if (!existsSync(path)) throw new Error('there is no such file');
      return path;
    },
    environment: {},
  };
}

/** The programs to try, the best one first; CHROMIUM_PATH replaces them all. */
export function chromiumPrograms(chosen = process.env.CHROMIUM_PATH): readonly Program[] {
  if (chosen !== undefined) return [installed(chosen)];
  const packaged = {
    name: `${PACKAGE} ${version}`,
    find: unpack,
    environment: {
      LD_LIBRARY_PATH: join(FOLDER, 'lib'),
      FONTCONFIG_FILE: join(FOLDER, FONTS_FILE),
    },
  };
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  return [packaged, ...names.map((name) => installed(`/usr/bin/${name}`))];
}
