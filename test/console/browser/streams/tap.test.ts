// What the stream inspector keeps.
import t from 'tap';
import { PAGE_BOUNDS } from '../../../../console/browser/streams/bounds.ts';
import { Frames } from '../../../../console/browser/streams/frames.ts';
import { MessageTap } from '../../../../console/browser/streams/tap.ts';

function tapWithFrames() {
  const frames: (() => void)[] = [];
  const environment = { onNextFrame: (run: () => void) => frames.push(run) };
  // Safe: frames use nothing else of an environment.
  const tap = new MessageTap(new Frames(environment as never), () => 7);
  return { tap, draw: () => frames.splice(0).map((run) => run()).length };
}

t.test('the oldest messages go first, by number and by size', async (t) => {
  const { tap, draw } = tapWithFrames();
  const { tapMessages, tapCharacters, tapMessageCharacters } = PAGE_BOUNDS;
  for (let count = 1; count <= tapMessages + 2; count += 1)
    tap.note('/ws/market', 'in', `${count}`);
  t.equal(tap.changes.value, 0, 'it shows nothing before a frame');
  t.equal(draw(), 1);
  t.equal(tap.changes.value, 1, 'once a frame');
  t.equal(tap.messages().length, tapMessages);
  t.strictSame(tap.messages()[0], {
    number: 3,
    timeMs: 7,
    path: '/ws/market',
    direction: 'in',
    text: '3',
    length: 1,
  });
  const long = 'x'.repeat(tapMessageCharacters + 5);
  const most = tapCharacters / tapMessageCharacters;
  for (let count = 0; count < most; count += 1) tap.note('/ws/user', 'out', long);
  t.equal(tap.messages().length, most, 'long messages leave no room for others');
  t.equal(tap.messages()[0]?.text.length, tapMessageCharacters);
  t.equal(tap.messages()[0]?.length, tapMessageCharacters + 5, 'what was left out is told');
  tap.clear();
  t.strictSame(tap.messages(), []);
  tap.note('/ws/user', 'out', 'next');
  t.equal(tap.messages().length, 1);
});
