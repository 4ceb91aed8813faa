/** The inside of a process that process.ts starts: calls the functions of the file it is given. */
import type { Answer, Call } from './process.ts';

function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function send(answer: Answer, done?: () => void): void {
  process.send?.(answer, undefined, {}, done);
}

const functions: Promise<Readonly<Record<string, (...inputs: readonly unknown[]) => unknown>>> =
  import(process.argv[2] ?? '');

process.on('message', ({ id, name, inputs }: Call) => {
  functions
    .then((all) => all[name]?.(...inputs))
    .then(
      (value) => send({ id, value }),
      (error: unknown) => send({ id, error: errorOf(error) }),
    );
});
process.on('uncaughtException', (error) => send({ error }, () => process.exit(1)));
process.once('disconnect', () => process.exit());
