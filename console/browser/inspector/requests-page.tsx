/** The log of the page's requests, and one of them with its answer. */
import { type Signal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import {
  Check,
  Empty,
  Field,
  localTime,
  place,
  set,
  setter,
  short,
  Table,
  ToolsHead,
} from '../kit/index.ts';
import { type LoggedRequest, requestLog } from '../wire/index.ts';
import { isFailed, RequestDetail, StatusBadge } from './request-detail.tsx';

function durationText(durationMs: number | undefined): string {
  return durationMs === undefined ? '–' : `${durationMs.toFixed(durationMs < 10 ? 1 : 0)} ms`;
}

interface Choices {
  readonly text: Signal<string>;
  readonly isFailedOnly: Signal<boolean>;
}

function isShown(request: LoggedRequest, { text, isFailedOnly }: Choices): boolean {
  if (isFailedOnly.value && !isFailed(request)) return false;
  const { method, address } = request;
  return `${method} ${address}`.toLowerCase().includes(text.value.trim().toLowerCase());
}

function RequestTable({ rows }: { rows: readonly LoggedRequest[] }) {
  return (
    <Table
      label="List of requests"
      keyOf={({ id }) => id}
      rows={rows}
      empty="There is no such request. Everything that this page asks appears here."
      columns={[
        [
          'Request',
          ({ id, method, address }) => (
            <a class="request" href={`#/requests/${id}`}>
              <code>
                {method} {address}
              </code>
            </a>
          ),
        ],
        ['Status', (request) => <StatusBadge request={request} />],
        ['Took', ({ durationMs }) => durationText(durationMs), 'number'],
        ['Sent', ({ body }) => short(body.length), 'number', 'minor'],
        ['Got', ({ answerLength }) => short(answerLength), 'number', 'minor'],
        ['At', ({ startedAt }) => localTime(startedAt.getTime()).slice(11), undefined, 'minor'],
      ]}
    />
  );
}

/** The request of the address; it stays when newer ones push it out of the log. */
function useChosen(): LoggedRequest | undefined {
  const id = Number(place.value.segments[1]);
  const kept = useRef<LoggedRequest | undefined>(undefined);
  const found = requestLog.value.find((request) => request.id === id);
  if (found !== undefined) kept.current = found;
  return kept.current?.id === id ? kept.current : undefined;
}

function Requests({ isOperator }: { isOperator: boolean }) {
  const choices = { text: useSignal(''), isFailedOnly: useSignal(false) };
  const paused = useSignal<readonly LoggedRequest[] | undefined>(undefined);
  const chosen = useChosen();
  const isOpen = place.value.segments[1] !== undefined;
  const rows = (paused.value ?? requestLog.value).filter((request) => isShown(request, choices));
  return (
    <div class="stack">
      <ToolsHead here="requests" isOperator={isOperator} />
      <p class="muted">
        Everything that this page asks the exchange, the newest first. Sizes are in characters.
        Secrets are not kept.
      </p>
      <div class={`split ${isOpen ? 'open' : ''}`}>
        <section class="panel list" aria-label="The log">
          <div class="row filters">
            <Field
              label="Filter"
              type="search"
              placeholder="Part of the address"
              value={choices.text.value}
              onInput={setter(choices.text)}
            />
            <Check
              label="Failed only"
              value={choices.isFailedOnly.value}
              onChange={setter(choices.isFailedOnly)}
            />
            <Check
              label="Pause"
              value={paused.value !== undefined}
              onChange={(value) => set(paused, value ? requestLog.peek() : undefined)}
            />
            <button
              type="button"
              onClick={() => {
                requestLog.value = [];
                paused.value = undefined;
              }}
            >
              Clear
            </button>
          </div>
          <RequestTable rows={rows} />
        </section>
        {isOpen && (
          <section class="panel detail" aria-label="A request">
            {chosen === undefined ? (
              <Empty>
                This request is no longer in the log. <a href="#/requests">Close</a>
              </Empty>
            ) : (
              <RequestDetail request={chosen} />
            )}
          </section>
        )}
      </div>
    </div>
  );
}

export function RequestsPage() {
  return <Requests isOperator={false} />;
}

export function OperatorRequestsPage() {
  return <Requests isOperator />;
}
