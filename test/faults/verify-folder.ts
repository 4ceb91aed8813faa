/** `verify` on a data folder, as an operator runs it: throws with what it says of a difference. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
const MOST_OUTPUT_BYTES = 16 * 1024 * 1024;

export const verifyFolder = (dataDir: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const words = [MAIN, 'verify', '--data', dataDir, '--json'];
    const options = { maxBuffer: MOST_OUTPUT_BYTES };
    execFile(process.execPath, words, options, (error, stdout, stderr) => {
      if (error === null) resolve();
      else reject(new Error(`verify ends with ${error.code}:\n${stdout}${stderr}`));
    });
  });
