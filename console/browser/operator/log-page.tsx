/** What operators did, what waits for a second operator, and the audit of the whole state. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import {
  Action,
  Dialog,
  grouped,
  Id,
  Loaded,
  LocalTime,
  labelOf,
  localTime,
  Moment,
  Table,
  Tabs,
  useResource,
  useTitle,
} from '../kit/index.ts';
import { ExchangeError, marketTitles, send } from '../wire/index.ts';
import { STATE_WORDS } from './market-writes.ts';
import { PAGE, Paged } from './paged.tsx';
import { operator } from './token.ts';
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
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must reach what scrolls */}
          <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
        </Dialog>
      )}
    </>
  );
}

const SHARED_COLUMNS = [
  { head: 'Time', cell: ({ time }: LogEntry) => <LocalTime time={time} /> },
  { head: 'What', cell: ({ kind }: LogEntry) => labelOf(kind) },
  { head: 'By', cell: ({ by }: LogEntry) => by },
  { head: 'Reason', cell: ({ reason }: LogEntry) => reason },
] as const;

interface ActionPage {
  readonly data: readonly ActionEntry[];
  readonly next_before_seq: number | null;
}

function Actions() {
  return (
    <Paged
      label="Commands of operators"
      path="/actions"
      mark="before_seq"
      rowsOf={({ data }: ActionPage) => data}
      nextOf={({ next_before_seq }: ActionPage) => next_before_seq}
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
  );
}

function CatalogActions() {
  return (
    <Paged
      label="Writes to the catalog"
      path="/catalog-actions"
      mark="before_id"
      rowsOf={(entries: readonly CatalogEntry[]) => entries}
      nextOf={(entries) => (entries.length < PAGE ? null : Number(entries.at(-1)?.id))}
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
  );
}

interface Approval {
  readonly kind: string;
  readonly command: {
    readonly conditionId?: string;
    readonly payoutTicks?: number;
  };
  readonly by: string;
  readonly reason: string;
  readonly until: string;
  /** The question of the market; '' if the catalog does not have it. */
  readonly title: string;
}

async function readApprovals(signal: AbortSignal): Promise<readonly Approval[]> {
  const { data } = await send<{ readonly data: readonly Omit<Approval, 'title'>[] }>({
    ...{ method: 'GET', path: '/approvals', auth: 'operator', signal },
  });
  const ids = data.map(({ command: { conditionId = '' } }) => conditionId);
  const titles = await marketTitles(ids, signal);
  return data.map((one, index) => ({ ...one, title: titles.get(ids[index] ?? '') ?? '' }));
}

/** What was asked for; a payout is in ticks of 0.0001. */
function wishOf({ kind, command: { payoutTicks } }: Approval): string {
  if (kind === 'resolve_event' || payoutTicks === undefined) return 'wins its event';
  return `pays ${payoutTicks / 10_000} for each token of its first outcome`;
}

function Approvals() {
  const approvals = useResource(readApprovals, [], { everyMs: 10_000 });
  return (
    <>
      <p class="muted">
        {operator.value?.resolutions_need_two
          ? 'Two operators must ask for the same resolution. The second one resolves it on the ' +
            'page of its event.'
          : 'One operator is enough for a resolution on this exchange.'}
      </p>
      <Loaded resource={approvals}>
        {(data) => (
          <Table
            label="Resolutions that wait for a second operator"
            rows={data}
            keyOf={({ kind, command }) => `${kind} ${JSON.stringify(command)}`}
            empty="No resolution waits for a second operator."
            columns={[
              {
                head: 'Market',
                cell: ({ title, command: { conditionId = '' } }) =>
                  title === '' ? <Id text={conditionId} /> : title,
              },
              { head: 'Resolution', cell: wishOf },
              { head: 'By', cell: ({ by }) => by },
              { head: 'Reason', cell: ({ reason }) => reason },
              { head: 'Forgotten', cell: ({ until }) => <Moment timeMs={Date.parse(until)} /> },
              { head: 'Details', cell: (one) => <Details title="the resolution" value={one} /> },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

function Operators() {
  const { data = [], resolutions_need_two: needsTwo } = operator.value ?? {};
  return (
    <>
      <Table
        label="Operators"
        rows={data}
        keyOf={({ name }) => name}
        empty="Your roles don't include the list of operators."
        columns={[
          { head: 'Name', cell: ({ name }) => (name === '' ? 'all who have the token' : name) },
          { head: 'Roles', cell: ({ roles }) => roles.join(', ') },
          { head: 'Valid tokens', isNumber: true, cell: ({ tokens }) => tokens },
        ]}
      />
      <p class="muted">
        {needsTwo ? 'Two operators must ask for a resolution.' : 'One operator can resolve.'}
      </p>
    </>
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
  ['operators', 'Operators'],
] as const;
type Tab = (typeof TABS)[number][0];

const VIEWS: Readonly<Record<Tab, () => ComponentChildren>> = {
  actions: () => <Actions />,
  catalog: () => <CatalogActions />,
  approvals: () => <Approvals />,
  audit: () => <AuditView />,
  operators: () => <Operators />,
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
              ...{ words: STATE_WORDS, note: 'It holds for all markets.' },
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
