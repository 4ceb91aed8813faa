// Nodes that apply the same records have the same content, whatever each of them does by itself
// meanwhile, in whichever groups the records arrive, and however often.

import { array, assert, nat, property, record } from 'fast-check';
import t from 'tap';
import type { MarketFigures } from '../../../catalog/model/index.ts';
import { eventRecord, hex } from '../../catalog/fixture.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { anyFigures, anyWrite, contentOf, openNode, recordsOf } from './content.ts';

/** How one node works the records off. */
const anyPace = record({
  /** The lengths of the groups, in turn. */
  groups: array(nat(6), { minLength: 1, maxLength: 4 }),
  /** Before which groups it writes figures. */
  figures: array(array(anyFigures, { maxLength: 3 }), { maxLength: 6 }),
  /** After how many groups it is restarted and gets earlier records again. */
  restartEvery: nat(4).map((one) => one + 1),
});

t.test('the same records give the same content on each node', async (t) => {
  const folder = temporaryFolder(t);
  const kinds = new Set<string>();
  let runs = 0;
  assert(
    property(
      array(anyWrite, { minLength: 20, maxLength: 60 }),
      anyPace,
      anyPace,
      (writes, ...paces) => {
        runs += 1;
        const records = recordsOf(writes);
        const nodes = paces.map((pace, at) => {
          const path = `${folder}/${runs}-${at}.db`;
          return { path, results: work(path, records, pace) };
        });
        const [one, other] = nodes;
        t.strictSame(other?.results, one?.results, 'the same writes are refused');
        t.strictSame(contentOf(other!.path), contentOf(one!.path), 'the same content');
        for (const result of one?.results ?? []) kinds.add(result);
      },
    ),
    { numRuns: 12 },
  );
  t.ok(kinds.size > 20, `most kinds of writes succeed and are refused: ${[...kinds].join(', ')}`);
});

/** Applies all records at a node's own pace. Returns the kind of each write and of its result. */
function work(path: string, records: readonly Uint8Array[], pace: Pace): string[] {
  let node = openNode(path);
  const results: string[] = [];
  let done = 0;
  for (let turn = 0; done < records.length; turn += 1) {
    node.catalog.putFigures(pace.figures[turn] ?? []);
    const length = 1 + (pace.groups[turn % pace.groups.length] ?? 0);
    // Some of them again, as after a lost connection.
    const from = turn % pace.restartEvery === 0 ? Math.max(0, done - 3) : done;
    const group = records.slice(from, done + length);
    results.push(
      ...node.log.applyContent(group).map(({ kind, result }) => `${kind} ${result.kind}`),
    );
    done = Math.min(records.length, done + length);
    if (turn % pace.restartEvery !== 0) continue;
    node.catalog.close();
    node = openNode(path);
  }
  node.catalog.close();
  return results;
}

interface Pace {
  readonly groups: readonly number[];
  readonly figures: readonly (readonly MarketFigures[])[];
  readonly restartEvery: number;
}

t.test('an end that each node wrote by itself would not commute with an edit', (t) => {
  const folder = temporaryFolder(t);
  const said = { by: 'ann', reason: 'a test' };
  const nowIso = '2026-03-05T00:00:00Z';
  const edit = { kind: 'market', id: 1, changes: { question: 'Now?' }, nowIso, said };
  const records = recordsOf([
    { kind: 'importEvents', question: [eventRecord(1)] },
    { kind: 'edit', question: edit },
  ]);
  const ends = new Map([[hex(1), '2026-03-07T00:00:00Z']]);
  const [before, after] = ['before', 'after'].map((when) => {
    const node = openNode(`${folder}/${when}.db`);
    node.log.applyContent(records.slice(0, 1));
    if (when === 'before') node.catalog.markEnded(ends);
    node.log.applyContent(records.slice(1));
    if (when === 'after') node.catalog.markEnded(ends);
    node.catalog.close();
    return contentOf(node.path);
  });
  t.match(before?.markets, [{ updated_at: nowIso, closed: 1 }]);
  t.match(after?.markets, [{ updated_at: '2026-03-07T00:00:00Z', closed: 1 }]);
  t.end();
});
