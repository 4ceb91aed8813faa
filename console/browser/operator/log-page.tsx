/** What operators did, what waits for a second operator, and the audit of the whole state. */
import { useSignal } from '@preact/signals';
import {
  Action,
  Dialog,
  Facts,
  grouped,
  Id,
  Loaded,
  localTime,
  Table,
  useResource,
  useTitle,
} from '../kit/index.ts';
import { type Answer, ExchangeError, marketTitles, send } from '../wire/index.ts';
import { ListViews, listOf, type RowOf } from './list.tsx';
import { STATE_WORDS } from './market-writes.ts';
import { operator } from './token.tsx';
import { type Write, Writes } from './writes.tsx';

/** A button that shows all of an entry. */
function Details({ title, value }: { readonly title: string; readonly value: unknown }) {
  const isOpen = useSignal(false);
  function show(next: boolean): void {
    isOpen.value = next;
  }
  return (
    <>
      <button type="button" aria-label={`Details of ${title}`} onClick={() => show(true)}>
        Details
      </button>
      {isOpen.value && (
        <Dialog title={title} onClose={() => show(false)}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys must reach what scrolls */}
          <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
        </Dialog>
      )}
    </>
  );
}

const Actions = listOf('/actions', {
  label: 'Commands of operators',
  next: 'before_seq',
  keyOf: ({ seq }) => seq,
  empty: 'No operator has done anything yet.',
  columns: [
    ['Command', 'seq', 'number'],
    ['Time', 'time', 'time'],
    ['What', 'kind', 'kind'],
    ['By', 'by'],
    ['Reason', 'reason'],
    ['Details', (entry) => <Details title={`command ${entry.seq}`} value={entry} />],
  ],
});

const CatalogActions = listOf('/catalog-actions', {
  label: 'Writes to the catalog',
  next: 'before_id',
  keyOf: ({ id }) => id,
  empty: 'No operator has changed the catalog yet.',
  columns: [
    ['Time', 'time', 'time'],
    ['What', 'kind', 'kind'],
    ['By', 'by'],
    ['Reason', 'reason'],
    ['Details', (entry) => <Details title={`write ${entry.id}`} value={entry} />],
  ],
});

type Approval = RowOf<'/approvals'> & {
  /** The question of the market; '' if the catalog does not have it. */
  readonly title: string;
};

function marketOf({ command }: RowOf<'/approvals'>): string {
  return String(command.conditionId ?? '');
}

async function readApprovals(signal: AbortSignal): Promise<readonly Approval[]> {
  const { data } = await send({ method: 'GET', path: '/approvals', auth: 'operator', signal });
  const titles = await marketTitles(data.map(marketOf), signal);
  return data.map((one) => ({ ...one, title: titles.get(marketOf(one)) ?? '' }));
}

/** What was asked for; a payout is in ticks of 0.0001. */
function wishOf({ kind, command: { payoutTicks } }: Approval): string {
  if (kind === 'resolve_event' || payoutTicks === undefined) return 'wins its event';
  return `pays ${Number(payoutTicks) / 10_000} for each token of its first outcome`;
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
              ['Market', (one) => (one.title === '' ? <Id text={marketOf(one)} /> : one.title)],
              ['Resolution', wishOf],
              ['By', 'by'],
              ['Reason', 'reason'],
              ['Forgotten', 'until', 'moment'],
              ['Details', (one) => <Details title="the resolution" value={one} />],
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
          ['Name', ({ name }) => (name === '' ? 'all who have the token' : name)],
          ['Roles', ({ roles }) => roles.join(', ')],
          ['Valid tokens', 'tokens', 'number'],
        ]}
      />
      <p class="muted">
        {needsTwo ? 'Two operators must ask for a resolution.' : 'One operator can resolve.'}
      </p>
    </>
  );
}

type AuditReport = Answer<'GET', '/audit', 'operator'>;

/** The facts of a refusal of GET /audit are the report of a broken state. */
async function audit(): Promise<AuditReport> {
  try {
    return await send({ method: 'GET', path: '/audit', auth: 'operator' });
  } catch (failure) {
    if (failure instanceof ExchangeError && failure.facts.ok === false) {
      // Safe: with status 500 and `ok`, the answer is the report.
      return failure.facts as unknown as AuditReport;
    }
    throw failure;
  }
}

function Report({ found }: { readonly found: AuditReport }) {
  const facts = [
    ...Object.entries(found.collateral).map(
      ([name, sum]) => [name, `${grouped(sum)} units`] as const,
    ),
    ['live orders', found.liveOrders],
    ['markets', found.markets],
    ['accounts', found.accounts],
    ['hash of the state', <code key="hash">{found.stateHash}</code>],
  ] as const;
  return (
    <>
      <p class="row">
        <span class={`badge ${found.ok ? 'good' : 'bad'}`}>
          {found.ok ? 'every invariant holds' : 'an invariant is broken'}
        </span>
        up to command {found.seq}, {localTime(Date.parse(found.time))}
      </p>
      {!found.ok && <p class="failure">{found.fault}</p>}
      <Facts rows={facts} />
    </>
  );
}

function AuditView() {
  const report = useSignal<AuditReport | undefined>(undefined);
  async function check(): Promise<void> {
    report.value = await audit();
  }
  return (
    <div class="stack">
      <p>
        Checks every invariant of a state that a thread of its own replays from the journal. Trading
        does not wait for it.
      </p>
      <p>
        <Action tone="main" run={check}>
          Check the whole state
        </Action>
      </p>
      {report.value !== undefined && <Report found={report.value} />}
    </div>
  );
}

const PAUSE: Write = {
  ...{ title: 'Pause or open the exchange', method: 'POST', route: '/exchange/state' },
  ...{ submit: 'Set the state', words: STATE_WORDS, note: 'It holds for all markets.' },
};

export function LogPage() {
  useTitle('Log and audit');
  return (
    <div class="panel stack">
      <div class="row apart">
        <h1>Log and audit</h1>
        <Writes writes={[PAUSE]} onDone={() => undefined} />
      </div>
      <ListViews
        views={[
          ['Commands', Actions],
          ['Catalog', CatalogActions],
          ['Approvals', Approvals],
          ['Audit', AuditView],
          ['Operators', Operators],
        ]}
      />
    </div>
  );
}
