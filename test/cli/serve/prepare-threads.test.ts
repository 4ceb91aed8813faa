import t from 'tap';
import { ProgramProcess } from '../../program-process.ts';

/** Prints the name of each thread that the program starts. */
const TELLER = `process.on('worker', ({ threadName }) => console.error('thread: ' + threadName));`;
const FLAGS = ['--memory', '--json', '--port=0', '--admin-port=0', '--crowd=off'];

// A prepared thread that no start takes would only cost time.
t.test('a start takes the threads that it prepared', async (t) => {
  const loads = `--import=data:text/javascript,${encodeURIComponent(TELLER)}`;
  const variables = { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${loads}` };
  const flags = [...FLAGS, '--verifier-threads=2'];
  const program = new ProgramProcess(t, ['serve', ...flags], variables);
  await program.firstOutput();
  const names = [...program.stderr.matchAll(/^thread: (.*)$/gm)].map(([, name]) => name);
  const prepared = ["the journal's thread", "a verifier's thread", "a verifier's thread"];
  t.strictSame(names.slice(0, 3), prepared, 'first of all');
  const others = names.slice(3).filter((name) => name !== undefined && prepared.includes(name));
  t.strictSame(others, [], 'and no second time');
  t.ok(names.length > 3);
});
