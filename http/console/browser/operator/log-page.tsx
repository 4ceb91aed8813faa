/** What operators did, what waits for a second operator, and the audit of the whole state. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import {
  Action,
  Dialog,
  grouped,
  Loaded,
  labelOf,
  localTime,
  Moment,
  Table,
  Tabs,
  useResource,
  useTitle,
} from '../kit/index.ts';
import { ExchangeError, send } from '../wire/index.ts';
import { Writes } from './writes.tsx';

/** A row of both logs: of commands, and of writes to the catalog. */
interface LogEntry {
  readonly time: string;
  readonly kind: string;
  readonly by: string;
  readonly reason: string;
}

interface ActionEntry extends LogEntry {
  readonly seq: number;
  readonly approval?: { readonly by: string; readonly reason: string };
  readonly command: Readonly<Record<string, unknown>>;
}

interface CatalogEntry extends LogEntry {
  readonly id: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const PAGE = 50;

interface DetailsProps {
  readonly title: string;
  readonly value: unknown;
}

/** A button that shows all of an entry. */
function Details({ title, value }: DetailsProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <button
        type="button"
        aria-label={`Details of ${title}`}
        onClick={() => {
          isOpen.value = true;
        }}
      >
        Details
      </button>
      {isOpen.value && (
        <Dialog
          title={title}
          onClose={() => {
            isOpen.value = false;
          }}
        >
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reachable by keyboard */}
          <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
        </Dialog>
      )}
    </>
  );
}

const SHARED_COLUMNS = [
  { head: 'Time', cell: ({ time }: LogEntry) => localTime(Date.parse(time)) },
  { head: 'What', cell: ({ kind }: LogEntry) => labelOf(kind) },
  { head: 'By', cell: ({ by }: LogEntry) => by },
  { head: 'Reason', cell: ({ reason }: LogEntry) => reason },
] as const;

interface ActionPage {
  readonly data: readonly ActionEntry[];
  readonly next_before_seq: number | null;
}

interface OlderProps {
  readonly isFirst: boolean;
  readonly onFirst: () => void;
  readonly onOlder: (() => void) | undefined;
}

function Older({ isFirst, onFirst, onOlder }: OlderProps) {
  return (
    <div class="row">
      {!isFirst && (
        <button type="button" onClick={onFirst}>
          Newest
        </button>
      )}
      {onOlder !== undefined && (
        <button type="button" onClick={onOlder}>
          Older
        </button>
      )}
    </div>
  );
}

function Actions() {
  const before = useSignal<number | undefined>(undefined);
  const actions = useResource(
    (signal) =>
      send<ActionPage>({
        ...{ method: 'GET', path: '/actions', auth: 'operator', signal },
        query: { limit: PAGE, before_seq: before.value },
      }),
    [before.value],
  );
  return (
    <Loaded resource={actions} lines={8}>
      {({ data, next_before_seq }) => (
        <>
          <Table
            label="Commands of operators"
            rows={data}
            keyOf={({ seq }) => seq}
            empty="No operator has done anything yet."
            columns={[
              { head: 'Command', cell: ({ seq }) => seq, isNumber: true },
              ...SHARED_COLUMNS,
              {
                head: 'Details',
                cell: (entry) => <Details title={`command ${entry.seq}`} value={entry} />,
              },
            ]}
          />
          <Older
            isFirst={before.value === undefined}
            onFirst={() => {
              before.value = undefined;
            }}
            onOlder={
              next_before_seq === null
                ? undefined
                : () => {
                    before.value = next_before_seq;
                  }
            }
          />
        </>
      )}
    </Loaded>
  );
}

function CatalogActions() {
  const before = useSignal<number | undefined>(undefined);
  const actions = useResource(
    (signal) =>
      send<readonly CatalogEntry[]>({
        ...{ method: 'GET', path: '/catalog-actions', auth: 'operator', signal },
        query: { limit: PAGE, before_id: before.value },
      }),
    [before.value],
  );
  return (
    <Loaded resource={actions} lines={8}>
      {(data) => (
        <>
          <Table
            label="Writes to the catalog"
            rows={data}
            keyOf={({ id }) => id}
            empty="No operator has changed the catalog yet."
            columns={[
              ...SHARED_COLUMNS,
              {
                head: 'Details',
                cell: (entry) => <Details title={`write ${entry.id}`} value={entry} />,
              },
            ]}
          />
          <Older
            isFirst={before.value === undefined}
            onFirst={() => {
              before.value = undefined;
            }}
            onOlder={
              data.length < PAGE
                ? undefined
                : () => {
                    before.value = Number(data.at(-1)?.id);
                  }
            }
          />
        </>
      )}
    </Loaded>
  );
}

interface Approval {
  readonly kind: string;
  readonly command: Readonly<Record<string, unknown>>;
  readonly by: string;
  readonly reason: string;
  readonly since: string;
  readonly until: string;
}

function Approvals() {
  const approvals = useResource(
    (signal) =>
      send<{ readonly data: readonly Approval[] }>({
        ...{ method: 'GET', path: '/approvals', auth: 'operator', signal },
      }),
    [],
    { everyMs: 10_000 },
  );
  return (
    <Loaded resource={approvals}>
      {({ data }) => (
        <Table
          label="Resolutions that wait for a second operator"
          rows={data}
          keyOf={({ kind, command }) => `${kind} ${JSON.stringify(command)}`}
          empty="No resolution waits for a second operator."
          columns={[
            { head: 'What', cell: ({ kind }) => labelOf(kind) },
            { head: 'By', cell: ({ by }) => by },
            { head: 'Reason', cell: ({ reason }) => reason },
            { head: 'Until', cell: ({ until }) => <Moment timeMs={Date.parse(until)} /> },
            { head: 'Details', cell: (one) => <Details title="the resolution" value={one} /> },
          ]}
        />
      )}
    </Loaded>
  );
}

interface AuditReport {
  readonly ok: boolean;
  readonly fault: string;
  readonly seq: number;
  readonly time: string;
  readonly stateHash: string;
  readonly collateral: Readonly<Record<string, string>>;
  readonly liveOrders: number;
  readonly markets: number;
  readonly accounts: number;
}

/** The facts of a refusal of GET /audit are the report of a broken state. */
async function audit(): Promise<AuditReport> {
  try {
    return await send<AuditReport>({ method: 'GET', path: '/audit', auth: 'operator' });
  } catch (failure) {
    if (failure instanceof ExchangeError && failure.facts.ok === false) {
      // Safe: with status 500 and `ok`, the answer is the report.
      return failure.facts as unknown as AuditReport;
    }
    throw failure;
  }
}

function AuditView() {
  const report = useSignal<AuditReport | undefined>(undefined);
  const found = report.value;
  return (
    <div class="stack">
      <p>
        Checks every invariant of a state that a thread of its own replays from the journal. Trading
        does not wait for it.
      </p>
      <p>
        <Action
          tone="main"
          run={async () => {
            report.value = await audit();
          }}
        >
          Check the whole state
        </Action>
      </p>
      {found !== undefined && (
        <>
          <p class="row">
            <span class={`badge ${found.ok ? 'good' : 'bad'}`}>
              {found.ok ? 'every invariant holds' : 'an invariant is broken'}
            </span>
            up to command {found.seq}, {localTime(Date.parse(found.time))}
          </p>
          {!found.ok && <p class="failure">{found.fault}</p>}
          <dl class="facts">
            {Object.entries(found.collateral).map(([name, value]) => (
              <>
                <dt>{name}</dt>
                <dd>{grouped(value)} units</dd>
              </>
            ))}
            <dt>live orders</dt>
            <dd>{found.liveOrders}</dd>
            <dt>markets</dt>
            <dd>{found.markets}</dd>
            <dt>accounts</dt>
            <dd>{found.accounts}</dd>
            <dt>hash of the state</dt>
            <dd>
              <code>{found.stateHash}</code>
            </dd>
          </dl>
        </>
      )}
    </div>
  );
}

const TABS = [
  ['actions', 'Commands'],
  ['catalog', 'Catalog'],
  ['approvals', 'Approvals'],
  ['audit', 'Audit'],
] as const;
type Tab = (typeof TABS)[number][0];

const VIEWS: Readonly<Record<Tab, () => ComponentChildren>> = {
  actions: () => <Actions />,
  catalog: () => <CatalogActions />,
  approvals: () => <Approvals />,
  audit: () => <AuditView />,
};

export function LogPage() {
  useTitle('Log and audit');
  const tab = useSignal<Tab>('actions');
  return (
    <div class="panel stack">
      <div class="row apart">
        <h1>Log and audit</h1>
        <Writes
          writes={[
            {
              ...{ title: 'Pause or open the exchange', method: 'POST', route: '/exchange/state' },
              submit: 'Set the state',
              note: 'It holds for all markets.',
            },
          ]}
          onDone={() => undefined}
        />
      </div>
      <Tabs
        label="What is shown"
        tabs={TABS}
        chosen={tab.value}
        onChoose={(name) => {
          tab.value = name;
        }}
      >
        {VIEWS[tab.value]()}
      </Tabs>
    </div>
  );
}
