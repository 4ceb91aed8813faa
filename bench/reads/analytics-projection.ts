/**
 * Projects the journal of a data folder into analytics.db from nothing, in a process of its own,
 * by what the projector's thread does; and says how long that took.
 */
import { statSync } from 'node:fs';
import { DataFolder } from '../../persistence/folder/data-folder.ts';
import { JournalReader } from '../../persistence/journal/reader.ts';
import { ProjectorWork } from '../../persistence/projection/projector-work.ts';
import { answerParent, childInput } from '../harness/measurement.ts';

export interface ProjectionInput {
  readonly dataDir: string;
}

export interface ProjectionOutput {
  readonly projectionMs: number;
  /** Processor time meanwhile. */
  readonly projectionWorkMs: number;
  readonly bytes: number;
}

function project({ dataDir }: ProjectionInput): ProjectionOutput {
  const folder = new DataFolder({ dataDir, temporary: false });
  const { journal: journalPath, projection: projectionPath, snapshots } = folder;
  const reader = new JournalReader(journalPath);
  const { lastSeq } = reader;
  reader.close();
  const beganMs = performance.now();
  const before = process.cpuUsage();
  const work = new ProjectorWork({ journalPath, projectionPath, snapshots, temporary: false });
  while (work.step(lastSeq));
  const projectionMs = performance.now() - beganMs;
  const { user, system } = process.cpuUsage(before);
  const projectionWorkMs = (user + system) / 1_000;
  work.close();
  folder.release();
  return { projectionMs, projectionWorkMs, bytes: statSync(projectionPath).size };
}

answerParent(project(childInput<ProjectionInput>()));
