import { EventEmitter } from 'node:events';
import t from 'tap';
import { suspendBetweenTurns } from '../../../cli/tools/run-tool.ts';

t.test('a tool is suspended between event-loop turns, and only while it works', async (t) => {
  const killed: unknown[] = [];
  const kill = (pid: number, signal: string) => killed.push([pid, signal]);
  const target = Object.assign(new EventEmitter(), { pid: 7, kill });
  const result = await suspendBetweenTurns(target, async () => {
    target.emit('SIGTSTP');
    return 'done';
  });
  t.equal(result, 'done');
  t.strictSame(killed, [[7, 'SIGSTOP']]);
  const failing = suspendBetweenTurns(target, () => Promise.reject(new Error('full')));
  await t.rejects(failing, { message: 'full' });
  t.equal(target.listenerCount('SIGTSTP'), 0, 'afterwards the signal has its default effect');
});
