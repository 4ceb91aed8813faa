/**
 * Reads the state of every node that believes it leads, all the time. None may show less than what
 * any client was told before the read was sent.
 */
import { StoreError } from '../../../persistence/shared/index.ts';
import type { ClusterWorld, SimNode } from './sim-node.ts';

const INTERVAL_MS = 60;

export function readAllTheTime(world: ClusterWorld): void {
  const { clock, random, nodes } = world;
  for (const node of nodes) {
    if (node.life?.isLeading) clock.afterAs(node.process, random.below(5), readOf(world, node));
  }
  clock.afterAs(undefined, random.below(INTERVAL_MS), () => readAllTheTime(world));
}

/** A read that is sent now and arrives when the result is called. */
function readOf(world: ClusterWorld, node: SimNode): () => void {
  const { auditor, count, fail } = world;
  const { toldSeq } = auditor;
  return () => {
    const reading = node.life?.read().then(
      (seq) => {
        auditor.shows(node.name, seq, toldSeq);
        count('reads');
      },
      (error) => {
        if (!(error instanceof StoreError)) throw error;
        count('reads refused');
      },
    );
    reading?.catch(fail);
  };
}
