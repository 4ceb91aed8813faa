import t from 'tap';
import { TestNode, terms } from './log-fixture.ts';
import { MemoryStore } from './memory-store.ts';
import { TestClock } from './test-clock.ts';

// A folder with as many other commands passed for the one that the log continues, and could lead.
t.test('a folder that never followed the log has its first commands, or is refused', async (t) => {
  const store = new MemoryStore();
  const clock = new TestClock();
  const join = (lastSeq: number, lastChecksum: number, logId?: string) =>
    new TestNode(store, clock, 'node').log.join(terms({ lastSeq, lastChecksum, logId }));
  const id = await join(7, 70);
  for (const [lastSeq, lastChecksum, logId] of [
    [7, 70, undefined],
    [0, 0, undefined],
    [6, 60, undefined],
    [9, 90, id],
  ] as const) {
    t.equal(await join(lastSeq, lastChecksum, logId), id, `${lastSeq}`);
  }
  for (const [lastSeq, lastChecksum] of [
    [7, 71],
    [8, 80],
  ] as const) {
    const message = new RegExp(`ends at command ${lastSeq} .* begins after command 7 of another`);
    await t.rejects(join(lastSeq, lastChecksum), { code: 'log_refused', message });
  }
});
