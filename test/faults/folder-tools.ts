/** `verify` and `compact` on a data folder, as an operator runs them: any failure is thrown. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

function runTool(command: 'verify' | 'compact') {
  return (dataDir: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const words = [MAIN, command, '--data', dataDir, '--json'];
      const options = { maxBuffer: MAX_OUTPUT_BYTES };
      execFile(process.execPath, words, options, (error, stdout, stderr) => {
        if (error === null) resolve();
        else reject(new Error(`${command} ends with ${error.code}:\n${stdout}${stderr}`));
      });
    });
}

/** Throws with what it says of a difference. */
export const verifyFolder = runTool('verify');

export const compactFolder = runTool('compact');
