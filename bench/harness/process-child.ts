/** The inside of a process that process.ts starts: calls the functions of the file it is given. */
import type { Answer, Call } from './process.ts';

function send(answer: Answer, done?: () => void): void {
  process.send?.(answer, undefined, {}, done);
}

const functions: Promise<Readonly<Record<string, (...inputs: readonly unknown[]) => unknown>>> =
  import(process.argv[2] ?? '');

process.on('message', ({ name, inputs }: Call) => {
  functions
    .then((all) => all[name]?.(...inputs))
    .then(
      (value) => send({ value }),
      (error: unknown) =>
        send({ error: error instanceof Error ? error : new Error(String(error)) }),
    );
});
process.on('uncaughtException', (error) => send({ error }, () => process.exit(1)));
process.once('disconnect', () => process.exit());
