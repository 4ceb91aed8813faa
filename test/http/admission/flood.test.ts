// Quiet owners in a flood: figures of a server in simulated time.
import t from 'tap';
import { times } from '../../long-set.ts';
import { runFlood } from './flood-model.ts';

const PER_SECOND = 4_000;
/** A quiet order waits for at most one of each flooding network, and for commits. */
const COMMITS_MS = 20;

t.test('no order of an owner that asks for less than an equal share is refused in a flood', (t) => {
  for (const hasWrongSignatures of [false, true]) {
    for (const [networks, sockets, owners, quietPauseMs] of [
      [1, 150, 150, 100],
      [8, 20, 4, 100],
      [30, times(8, 40), 2, 100],
      [150, times(3, 20), 1, 100],
      // With so many, an equal share is ten orders a second.
      [400, 1, 1, 400],
    ] as const) {
      const flood = { networks, sockets, owners, hasWrongSignatures, quietPauseMs };
      const figures = runFlood({ ...flood, perSecond: PER_SECOND, isQuietApart: true });
      const label = JSON.stringify({ ...flood, ...figures });
      t.ok(figures.quietSent > 1, label);
      t.equal(figures.quietRefused, 0, label);
      t.ok(figures.quietLongestMs <= COMMITS_MS + (networks * 1_000) / PER_SECOND, label);
      t.ok(figures.floodAnswered > 1_000, `the flood is served with what is left: ${label}`);
    }
  }
  t.end();
});

t.test('an owner is served before those that flood from its own network', (t) => {
  for (const owners of [1, 150]) {
    const flood = {
      networks: 1,
      sockets: 150,
      owners,
      hasWrongSignatures: false,
      quietPauseMs: 100,
    };
    const figures = runFlood({ ...flood, perSecond: PER_SECOND, isQuietApart: false });
    t.equal(figures.quietRefused, 0, `${owners} owners: ${JSON.stringify(figures)}`);
  }
  t.end();
});
