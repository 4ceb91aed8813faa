/** Backups and snapshots: what there is, and new ones while the exchange trades. */
import { useSignal } from '@preact/signals';
import {
  Action,
  CopyButton,
  Dialog,
  Empty,
  Loaded,
  localTime,
  Moment,
  sizeText,
  Table,
  toast,
  useResource,
  useTitle,
} from '../kit/index.ts';
import { ExchangeError, send } from '../wire/index.ts';

interface Backup {
  readonly name: string;
  readonly seq: number;
  readonly made_at: string;
  readonly bytes: number;
}

interface Backups {
  readonly folder: string;
  readonly running: { readonly name: string; readonly bytes: number } | null;
  readonly last: {
    readonly name: string;
    readonly ended_at: string;
    readonly error: string;
  } | null;
  readonly data: readonly Backup[];
}

interface Snapshots {
  readonly every_seconds: number;
  readonly durable_seq: number;
  readonly data: readonly Omit<Backup, 'name'>[];
}

const SHOWN_EVERY_MS = 2_000;

/** Undefined where the exchange keeps nothing on the disk. */
async function read<Answer>(path: string, signal: AbortSignal): Promise<Answer | undefined> {
  try {
    return await send<Answer>({ method: 'GET', path, auth: 'operator', signal });
  } catch (failure) {
    if (failure instanceof ExchangeError && failure.code === 'nothing_kept') return undefined;
    throw failure;
  }
}

function RemoveDialog({ name, onClose }: { name: string; onClose: () => void }) {
  async function remove(): Promise<void> {
    await send({
      method: 'DELETE',
      path: `/backups/${encodeURIComponent(name)}`,
      auth: 'operator',
    });
    toast(`${name} was removed.`);
    onClose();
  }
  return (
    <Dialog title="Remove a backup" onClose={onClose}>
      <p class="stale">The file {name} is deleted. This can't be undone.</p>
      <Action tone="danger" run={remove}>
        Remove the backup
      </Action>
    </Dialog>
  );
}

function Progress({ running, last }: Pick<Backups, 'running' | 'last'>) {
  if (running !== null) {
    return (
      <p role="status">
        {running.name} is being made: {sizeText(running.bytes)} so far.
      </p>
    );
  }
  if (last === null || last.error === '') return null;
  return (
    <p class="failure" role="alert">
      {last.name} failed <Moment timeMs={Date.parse(last.ended_at)} />: {last.error}
    </p>
  );
}

function BackupList({ backups, onChange }: { backups: Backups; onChange: () => void }) {
  const removed = useSignal('');
  return (
    <>
      <Progress {...backups} />
      <Table
        label="Backups on the disk"
        rows={backups.data}
        keyOf={({ name }) => name}
        empty="There is no backup yet."
        columns={[
          { head: 'Name', cell: ({ name }) => <code>{name}</code> },
          { head: 'Made', cell: ({ made_at }) => <Moment timeMs={Date.parse(made_at)} /> },
          { head: 'Up to command', isNumber: true, cell: ({ seq }) => seq },
          { head: 'Size', isNumber: true, cell: ({ bytes }) => sizeText(bytes) },
          {
            head: 'Actions',
            cell: ({ name }) => (
              <button
                type="button"
                aria-label={`Remove ${name}`}
                onClick={() => {
                  removed.value = name;
                }}
              >
                Remove
              </button>
            ),
          },
        ]}
      />
      <p class="muted">
        On the machine of the exchange, in <code>{backups.folder}</code>{' '}
        <CopyButton text={backups.folder} name="Copy the folder" />
      </p>
      {removed.value !== '' && (
        <RemoveDialog
          name={removed.value}
          onClose={() => {
            removed.value = '';
            onChange();
          }}
        />
      )}
    </>
  );
}

function BackupsPanel() {
  const backups = useResource((signal) => read<Backups>('/backups', signal), [], {
    everyMs: SHOWN_EVERY_MS,
  });
  async function begin(): Promise<void> {
    const { name } = await send<{ readonly name: string }>({
      ...{ method: 'POST', path: '/backups', auth: 'operator' },
    });
    toast(`${name} is being made. Trading goes on.`);
    backups.reload();
  }
  return (
    <section class="panel stack" aria-labelledby="backups">
      <div class="row apart">
        <h2 id="backups">Backups</h2>
        <Action tone="main" run={begin}>
          Make a backup
        </Action>
      </div>
      <Loaded resource={backups}>
        {(found) =>
          found === undefined ? (
            <Empty>This exchange keeps nothing on the disk, so it has no backups.</Empty>
          ) : (
            <BackupList backups={found} onChange={backups.reload} />
          )
        }
      </Loaded>
    </section>
  );
}

function SnapshotsPanel() {
  const snapshots = useResource((signal) => read<Snapshots>('/snapshots', signal), []);
  async function make(): Promise<void> {
    const { seq } = await send<{ readonly seq: number }>({
      ...{ method: 'POST', path: '/snapshots', auth: 'operator' },
    });
    toast(`The snapshot up to command ${seq} was made.`);
    snapshots.reload();
  }
  return (
    <section class="panel stack" aria-labelledby="snapshots">
      <div class="row apart">
        <h2 id="snapshots">Snapshots</h2>
        <Action run={make}>Make a snapshot</Action>
      </div>
      <Loaded resource={snapshots}>
        {(found) =>
          found === undefined ? (
            <Empty>This exchange keeps nothing on the disk, so it has no snapshots.</Empty>
          ) : (
            <>
              <p class="muted">
                The next start begins with the newest one and replays the commands after it. The
                last command on the disk is {found.durable_seq}.{' '}
                {found.every_seconds === 0
                  ? 'One is made when the exchange stops.'
                  : `One is made every ${found.every_seconds} seconds.`}
              </p>
              <Table
                label="Snapshots on the disk"
                rows={found.data}
                keyOf={({ seq }) => seq}
                empty="There is no snapshot yet."
                columns={[
                  { head: 'Up to command', isNumber: true, cell: ({ seq }) => seq },
                  { head: 'Made', cell: ({ made_at }) => localTime(Date.parse(made_at)) },
                  { head: 'Size', isNumber: true, cell: ({ bytes }) => sizeText(bytes) },
                ]}
              />
            </>
          )
        }
      </Loaded>
    </section>
  );
}

export function BackupsPage() {
  useTitle('Backups');
  return (
    <div class="stack">
      <h1>Backups and snapshots</h1>
      <BackupsPanel />
      <SnapshotsPanel />
    </div>
  );
}
