/**
 * A thread that projects a journal into analytics.db while another writes it, as the projector's
 * does; it ends with the last command that is to come. Invariant: the tables then show all of it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { JournalReader } from '../../persistence/journal/reader.ts';
import {
  type ProjectorThreadData,
  ProjectorWork,
} from '../../persistence/projection/projector-work.ts';

export interface RestartProjectionData extends ProjectorThreadData {
  /** The last command that will be in the journal. */
  readonly untilSeq: number;
}

const LOOK_MS = 20;

const { untilSeq, ...data } = workerData as RestartProjectionData; // restart-folder.ts gives it
const reader = new JournalReader(data.journalPath);
const work = new ProjectorWork(data);
while (work.projectedSeq < untilSeq) {
  const { lastSeq } = reader;
  while (work.step(lastSeq));
  if (lastSeq < untilSeq) await sleep(LOOK_MS);
}
work.close();
reader.close();
