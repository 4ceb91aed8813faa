import { type Static, Type } from 'typebox';
import type { BackupResult, KeptBackup, RunningBackup } from '../../../persistence/index.ts';
import { isoTime } from '../../codec/index.ts';
import { ApiError } from '../../errors/index.ts';
import { OrNull, Text } from '../../parameters/index.ts';
import { defineRoute, type Services } from '../../services/index.ts';

const Name = Text('Its file in `folder`');
const StartedAt = Text("The wall clock's time when it was begun, ISO 8601");

const Backup = Type.Object({
  name: Name,
  seq: Type.Integer({ description: 'The last command that it has; 0 for none' }),
  made_at: Text("The wall clock's time of its manifest, ISO 8601"),
  bytes: Type.Integer(),
});
const Running = Type.Object({
  name: Name,
  started_at: StartedAt,
  bytes: Type.Integer({ description: 'What is on the disk of it so far' }),
});
const Ended = Type.Object({
  name: Name,
  started_at: StartedAt,
  ended_at: Text("The wall clock's time when it ended, ISO 8601"),
  error: Text('What went wrong and what to do; "" for a backup that was made'),
  seq: OrNull(Type.Integer(), 'The last command that it has; null for a failure'),
  bytes: OrNull(Type.Integer(), 'Null for a failure'),
  sha256: OrNull(Type.String(), 'Of its file, in hex; null for a failure'),
});

function backupOf({ name, seq, madeAt, bytes }: KeptBackup): Static<typeof Backup> {
  return { name, seq, made_at: madeAt, bytes };
}

function runningOf({ name, startedMs, bytes }: RunningBackup): Static<typeof Running> {
  return { name, started_at: isoTime(startedMs), bytes };
}

function endedOf({ name, startedMs, endedMs, error, report }: BackupResult): Static<typeof Ended> {
  return {
    name,
    started_at: isoTime(startedMs),
    ended_at: isoTime(endedMs),
    error,
    seq: report?.lastSeq ?? null,
    bytes: report?.bytes ?? null,
    sha256: report?.sha256 ?? null,
  };
}

/** Throws `nothing_kept` with `--memory`. */
function keptIn({ settings, backups }: Pick<Services, 'settings' | 'backups'>) {
  if (settings.temporary) throw new ApiError('nothing_kept', { field: 'backups' });
  return backups;
}

/** GET /backups: what `POST /backups` made, what it is making now, and how the last one ended. */
export const getBackups = defineRoute({
  method: 'GET',
  path: '/backups',
  summary: 'The backups, the newest first',
  auth: 'operator',
  response: Type.Object({
    folder: Text('Where they are on the machine of the exchange'),
    running: OrNull(Running, 'What is being made now; null for none'),
    last: OrNull(Ended, 'How the last one ended since the exchange started; null for none'),
    data: Type.Array(Backup),
  }),
  needs: ['settings', 'backups'],
  handler: ({ services }) => {
    const backups = keptIn(services);
    const { folder, running, last } = backups;
    return {
      folder,
      running: running === undefined ? null : runningOf(running),
      last: last === undefined ? null : endedOf(last),
      data: backups.list().map(backupOf),
    };
  },
});

/**
 * POST /backups: begins to copy the data folder into one file, as the command `backup` does
 * (docs/operators.md). It goes on after the answer, while trading does; `GET /backups` says how far
 * it is and how it ended.
 */
const postBackup = defineRoute({
  method: 'POST',
  path: '/backups',
  summary: 'Begin a backup',
  auth: 'operator',
  response: Running,
  needs: ['settings', 'backups', 'log'],
  handler: ({ caller, services }) => {
    const started = keptIn(services).start();
    services.log.info({ by: caller.name, name: started.name }, 'an operator began a backup');
    return runningOf(started);
  },
});

/** DELETE /backups/{name}: removes its file. */
const deleteBackup = defineRoute({
  method: 'DELETE',
  path: '/backups/{name}',
  summary: 'Remove a backup',
  auth: 'operator',
  params: Type.Object({ name: Name }),
  response: Backup,
  needs: ['settings', 'backups', 'log'],
  handler: ({ caller, params, services }) => {
    const removed = keptIn(services).remove(params.name);
    services.log.info({ by: caller.name, name: removed.name }, 'an operator removed a backup');
    return backupOf(removed);
  },
});

export const BACKUP_WRITES = [postBackup, deleteBackup] as const;
