/** Backups and snapshots: what there is, and new ones while the exchange trades. */
import type { ComponentChildren } from 'preact';
import {
  Action,
  CopyButton,
  Empty,
  Failure,
  Moment,
  type Resource,
  Skeleton,
  sizeText,
  Table,
  toast,
  useAnswer,
  useTitle,
} from '../kit/index.ts';
import { type Answer, ExchangeError, send } from '../wire/index.ts';
import { Writes } from './writes.tsx';

type Backups = Answer<'GET', '/backups', 'operator'>;
type Snapshots = Answer<'GET', '/snapshots', 'operator'>;

const SHOWN_EVERY_MS = 2_000;

interface KeptProps<Kept> {
  readonly resource: Resource<Kept>;
  readonly name: string;
  readonly children: (kept: Kept) => ComponentChildren;
}

/** What the exchange keeps on the disk, or that it keeps nothing there. */
function Kept<Kept>({ resource, name, children }: KeptProps<Kept>) {
  const now = resource.now.value;
  if (now.state === 'loading') return <Skeleton />;
  if (now.state === 'ready') return <>{children(now.value)}</>;
  const { failure } = now;
  if (failure instanceof ExchangeError && failure.code === 'nothing_kept') {
    return <Empty>This exchange keeps nothing on the disk, so it has no {name}.</Empty>;
  }
  return <Failure failure={failure} retry={resource.reload} />;
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

function removeWrite(name: string) {
  return {
    ...({ title: 'Remove', method: 'DELETE', route: '/backups/{name}', isBare: true } as const),
    ...{ params: { name }, submit: 'Remove the backup' },
    warnOf: () => `The file ${name} is deleted.`,
  };
}

function BackupList({ backups, onChange }: { backups: Backups; onChange: () => void }) {
  return (
    <>
      <Progress {...backups} />
      <Table
        label="Backups on the disk"
        rows={backups.data}
        keyOf={({ name }) => name}
        empty="There is no backup yet."
        columns={[
          ['Name', 'name', 'code'],
          ['Made', 'made_at', 'moment'],
          ['Up to command', 'seq', 'number'],
          ['Size', 'bytes', 'size'],
          [
            'Actions',
            ({ name }) => <Writes writes={[removeWrite(name)]} subject={name} onDone={onChange} />,
          ],
        ]}
      />
      <p class="muted">
        On the machine of the exchange, in <code>{backups.folder}</code>{' '}
        <CopyButton text={backups.folder} name="Copy the folder" />
      </p>
    </>
  );
}

function SnapshotList({ durable_seq, every_seconds, data }: Snapshots) {
  return (
    <>
      <p class="muted">
        The next start begins with the newest one and replays the commands after it. The last
        command on the disk is {durable_seq}.{' '}
        {every_seconds === 0
          ? 'One is made when the exchange stops.'
          : `One is made every ${every_seconds} seconds.`}
      </p>
      <Table
        label="Snapshots on the disk"
        rows={data}
        keyOf={({ seq }) => seq}
        empty="There is no snapshot yet."
        columns={[
          ['Up to command', 'seq', 'number'],
          ['Made', 'made_at', 'time'],
          ['Size', 'bytes', 'size'],
        ]}
      />
    </>
  );
}

export function BackupsPage() {
  useTitle('Backups');
  const auth = 'operator';
  const backups = useAnswer('/backups', { auth }, { everyMs: SHOWN_EVERY_MS });
  const snapshots = useAnswer('/snapshots', { auth });
  async function begin(): Promise<void> {
    const { name } = await send({ method: 'POST', path: '/backups', auth });
    toast(`${name} is being made. Trading goes on.`);
    backups.reload();
  }
  async function make(): Promise<void> {
    const { seq } = await send({ method: 'POST', path: '/snapshots', auth });
    toast(`The snapshot up to command ${seq} was made.`);
    snapshots.reload();
  }
  return (
    <div class="stack">
      <h1>Backups and snapshots</h1>
      <section class="panel stack" aria-labelledby="backups">
        <div class="row apart">
          <h2 id="backups">Backups</h2>
          <Action tone="main" run={begin}>
            Make a backup
          </Action>
        </div>
        <Kept resource={backups} name="backups">
          {(found) => <BackupList backups={found} onChange={backups.reload} />}
        </Kept>
      </section>
      <section class="panel stack" aria-labelledby="snapshots">
        <div class="row apart">
          <h2 id="snapshots">Snapshots</h2>
          <Action run={make}>Make a snapshot</Action>
        </div>
        <Kept resource={snapshots} name="snapshots">
          {(found) => <SnapshotList {...found} />}
        </Kept>
      </section>
    </div>
  );
}
