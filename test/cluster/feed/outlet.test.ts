import { setImmediate as turn } from 'node:timers/promises';
import t from 'tap';
import { FRAME } from '../../../cluster/feed/frames.ts';
import type { HistoryPart } from '../../../cluster/feed/history.ts';
import { FEED_FORMAT } from '../../../cluster/feed/index.ts';
import { Outlet } from '../../../cluster/feed/outlet.ts';
import { RecentEntries } from '../../../cluster/feed/recent-entries.ts';
import { LOG_START } from '../../../cluster/log/index.ts';

// The replica found that it had applied a command before its answer came. It dropped the
// connection, and the command's sender was never answered.
t.test('answers are sent before a part of the journal that has what they name', async (t) => {
  const sent: number[] = [];
  const reading = Promise.withResolvers<HistoryPart>();
  const outlet = new Outlet({
    connection: {
      waitingBytes: 0,
      send: (kind) => void sent.push(kind),
      sendJson: (kind) => void sent.push(kind),
      sendFrame: () => t.fail('no entry is due'),
      finish: () => t.fail('it goes on'),
      destroy: () => t.fail('it goes on'),
    },
    hello: {
      ...{ format: FEED_FORMAT, logId: 'a log', node: 'gateway-1', role: 'gateway' },
      ...{ program: '0', rules: 1, position: { ...LOG_START, number: 3 }, seq: 10, checksum: 1 },
    },
    recent: new RecentEntries({ ...LOG_START, number: 9 }, 50),
    history: { read: () => reading.promise },
    now: Date.now,
  });
  outlet.pump();
  t.equal(outlet.sentSeq, 10, 'the answer names a command after it');
  // The core pumps at the end of the turn, and the part comes before.
  outlet.answer(Buffer.from('an answer'));
  reading.resolve({ body: new Uint8Array(), lastSeq: 50, position: { ...LOG_START, number: 9 } });
  await turn();
  t.strictSame(sent, [FRAME.submitted, FRAME.history, FRAME.position]);
});
