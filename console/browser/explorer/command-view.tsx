/** One command: what was asked, what was signed, and what it did. */
import { useSignal } from '@preact/signals';
import { Empty, labelOf, localTime, Table } from '../kit/index.ts';
import type { ExplorerCommand } from '../wire/index.ts';
import { CommandLink, Fields } from './amounts.tsx';
import { linkColumn, PRICE, SIZE } from './order-tables.tsx';
import { SignedPanel } from './signed-panel.tsx';
import { Recorded, useRecord } from './source.tsx';

function Head({ command }: { command: ExplorerCommand }) {
  const { seq, kind, time_ms, previous_seq, next_seq, fill_count } = command;
  return (
    <div class="row apart">
      <div>
        <h2>
          Command {seq}: {labelOf(kind)}
        </h2>
        <p class="muted">
          {localTime(time_ms)}, {fill_count === 1 ? '1 fill' : `${fill_count} fills`}
        </p>
      </div>
      <nav class="row" aria-label="Commands beside this one">
        {previous_seq !== null && (
          <span>
            Before: <CommandLink seq={previous_seq} />
          </span>
        )}
        {next_seq !== null && (
          <span>
            After: <CommandLink seq={next_seq} />
          </span>
        )}
      </nav>
    </div>
  );
}

function Asked({ command }: { command: ExplorerCommand }) {
  const { asked_by, rules, checksum, time_ms } = command;
  return (
    <section class="panel" aria-labelledby="asked">
      <h2 id="asked">What was asked</h2>
      <Fields record={command.command} />
      <h3>Record</h3>
      <Fields record={{ asked_by, time_ms, time: command.time, rules, checksum }} />
    </section>
  );
}

const EVENTS_SHOWN = 100;

function Events({ command }: { command: ExplorerCommand }) {
  const { events, event_count } = command;
  const limit = useSignal(EVENTS_SHOWN);
  return (
    <section class="panel" aria-labelledby="did">
      <h2 id="did">What it did</h2>
      {events.length === 0 && <Empty>It changed nothing but the books.</Empty>}
      <ol class="events">
        {events.slice(0, limit.value).map(({ kind, ...fields }, index) => (
          <li key={index}>
            <h3>{labelOf(String(kind))}</h3>
            <Fields record={fields} />
          </li>
        ))}
      </ol>
      {events.length > limit.value && (
        <button
          type="button"
          onClick={() => {
            limit.value += EVENTS_SHOWN;
          }}
        >
          Show more
        </button>
      )}
      {event_count > events.length && (
        <p class="muted">
          These are the first {events.length} of {event_count} events.
        </p>
      )}
    </section>
  );
}

function Trades({ command: { trades, trade_count } }: { command: ExplorerCommand }) {
  if (trades.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="trades">
      <h2 id="trades">Trades</h2>
      <Table
        label="List of trades"
        rows={trades}
        keyOf={({ id }) => id}
        empty="It has no trade."
        columns={[
          linkColumn('Trade', 'trade', 'id'),
          linkColumn('Taker order', 'order', 'taker_order_id'),
          PRICE,
          SIZE,
        ]}
      />
      {trade_count > trades.length && (
        <p class="muted">
          These are the first {trades.length} of {trade_count} trades.
        </p>
      )}
    </section>
  );
}

export function ExploredCommand({ id }: { readonly id: string }) {
  const resource = useRecord('/explorer/commands/{seq}', { params: { seq: id } });
  return (
    <Recorded resource={resource}>
      {(command) => (
        <>
          <Head command={command} />
          <div class="columns">
            <Asked command={command} />
            {command.signed !== null && <SignedPanel signed={command.signed} />}
            <Events command={command} />
          </div>
          <Trades command={command} />
        </>
      )}
    </Recorded>
  );
}
