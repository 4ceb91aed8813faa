/** Lists of commands: all of them, or those of an account or a market. */
import { COMMAND_KINDS } from '../../../engine/model/index.ts';
import { Choice, type ColumnTerms, labelOf, linkTo, place, Table } from '../kit/index.ts';
import type { ExplorerListedCommand } from '../wire/index.ts';
import { CommandLink, RecordLink } from './amounts.tsx';
import { summaryOf } from './command-summary.ts';
import { Recorded, useRecord } from './source.tsx';

const PER_PAGE = 50;
/** How often the newest commands are asked for. A filter reads thousands of them each time. */
const NEWEST_MS = 2_000;
const FILTERED_MS = 10_000;

interface Filter {
  readonly account?: string;
  readonly market?: string;
  readonly kind?: string;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function Who({ command }: { command: ExplorerListedCommand }) {
  const { account, owner, address } = command.command;
  const text = [account, owner, address].map(textOf).find((one) => one !== '') ?? '';
  if (text !== '') return <RecordLink kind="account" id={text} />;
  return <>{command.asked_by?.by ?? '–'}</>;
}

function What({ command }: { command: ExplorerListedCommand }) {
  const { token_id, condition_id } = command.command;
  const token = textOf(token_id);
  const market = textOf(condition_id);
  return (
    <>
      {summaryOf(command)} {token !== '' && <RecordLink kind="token" id={token} />}
      {market !== '' && <RecordLink kind="market" id={market} />}
    </>
  );
}

const COLUMNS: readonly ColumnTerms<ExplorerListedCommand>[] = [
  ['Command', ({ seq }) => <CommandLink seq={seq} />],
  ['Kind', 'kind', 'kind'],
  ['What', (command) => <What command={command} />],
  ['Account', (command) => <Who command={command} />],
  ['Fills', 'fill_count', 'number', 'minor'],
  ['When', 'time', 'moment', 'minor'],
];

function CommandTable({ rows }: { rows: readonly ExplorerListedCommand[] }) {
  return (
    <Table
      label="List of commands"
      keyOf={({ seq }) => seq}
      rows={rows}
      empty="There is no such command here."
      columns={COLUMNS}
    />
  );
}

/** Without what is not set. */
function queryOf(filter: Filter & { readonly before?: string }): Record<string, string> {
  return Object.fromEntries(
    Object.entries(filter).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}

interface ListProps {
  readonly filter: Filter;
  /** The commands before this one; '' for the newest. */
  readonly before?: string;
  /** The segments of the page that the list is on. */
  readonly at: readonly string[];
}

export function CommandList({ filter, before = '', at }: ListProps) {
  const query = { ...queryOf({ ...filter, before }), limit: PER_PAGE };
  const isNewest = before === '';
  const isFiltered = Object.keys(queryOf(filter)).length > 0;
  const everyMs = isFiltered ? FILTERED_MS : NEWEST_MS;
  const page = useRecord('/explorer/commands', { query }, isNewest ? everyMs : undefined);
  return (
    <Recorded resource={page} hasRaw={false}>
      {({ data, looked_to_seq, next_before }) => (
        <>
          <CommandTable rows={data} />
          <p class="row">
            {!isNewest && <a href={linkTo(at, queryOf(filter))}>Newest</a>}
            {next_before !== null && (
              <a href={linkTo(at, queryOf({ ...filter, before: String(next_before) }))}>Older</a>
            )}
            {data.length === 0 && next_before !== null && (
              <span class="muted">There is none from command {looked_to_seq} on.</span>
            )}
          </p>
        </>
      )}
    </Recorded>
  );
}

const ALL = ['', 'All kinds'] as const;

/** The newest commands of the exchange, with the filters of the address. */
export function Commands() {
  const { query } = place.value;
  const filter = {
    kind: query.get('kind') ?? '',
    account: query.get('account') ?? '',
    market: query.get('market') ?? '',
  };
  const kinds = COMMAND_KINDS.map((kind) => [kind, labelOf(kind)] as const).toSorted();
  return (
    <section class="panel" aria-labelledby="commands">
      <div class="row apart">
        <h2 id="commands">Commands</h2>
        <Choice
          label="Kind"
          value={filter.kind}
          options={[ALL, ...kinds]}
          onChange={(kind) => {
            location.hash = linkTo(['explorer'], queryOf({ ...filter, kind }));
          }}
        />
      </div>
      <p class="muted">
        What changed the exchange, the newest first. Requests that were refused are not in the
        journal.
      </p>
      <CommandList filter={filter} before={query.get('before') ?? ''} at={['explorer']} />
    </section>
  );
}
