/** What the exchange tells the owner until it is dismissed: fills, cancellations, resolutions. */

import type { ReadonlySignal } from '@preact/signals';
import { lotsOf, ticksOf } from '../decimal/index.ts';
import { Action, Loaded, Moment, Table, useResource } from '../kit/index.ts';
import { centsText, tokensText } from '../trading/units.ts';
import { type Notification, send } from '../wire/index.ts';
import { MarketCell } from './cells.tsx';
import { useReload } from './use-pages.ts';

const REASONS: Readonly<Record<string, string>> = {
  expired: 'it expired',
  self_trade: 'it would have traded with an order of yours',
  switch_tripped: "your dead man's switch got no beat in time",
  owner_banned: 'the operator banned the owner',
  closed_only: 'the operator lets the owner only close positions',
  market_closed: 'its market was closed',
  market_resolved: 'its market was resolved',
  trading_paused: 'trading was paused while it was delayed',
  unmatched: 'it was delayed and found nothing to match',
};

const CANCELLATION = 1;
const FILL = 2;

function textOf({ type, payload }: Notification): string {
  const { side, outcome, price, matched_size, remaining_size, reason } = payload;
  const order = `${side === 'BUY' ? 'buy' : 'sell'} ${outcome}`;
  const at = `at ${centsText(ticksOf(price))}`;
  if (type === FILL) {
    const left = tokensText(lotsOf(remaining_size));
    return `Filled: ${order}, ${tokensText(lotsOf(matched_size))} ${at}; ${left} left`;
  }
  if (type === CANCELLATION) {
    return `Canceled: ${order} ${at}: ${REASONS[reason] ?? reason}`;
  }
  return `Resolved: ${outcome} pays ${centsText(ticksOf(price))}`;
}

const MOST_IDS = 100;

async function dismiss(notices: readonly Notification[]): Promise<void> {
  const ids = notices
    .slice(0, MOST_IDS)
    .map(({ id }) => id)
    .join();
  await send({ method: 'DELETE', path: '/notifications', query: { ids }, auth: 'l2' });
}

interface NoticesProps {
  readonly address: string;
  readonly changes: readonly ReadonlySignal<unknown>[];
}

export function NoticesPanel({ address, changes }: NoticesProps) {
  const notices = useResource(
    (signal) => send({ method: 'GET', path: '/notifications', auth: 'l2', signal }),
    [address],
  );
  useReload(notices.reload, changes);
  async function dismissAndReload(dismissed: readonly Notification[]): Promise<void> {
    await dismiss(dismissed);
    notices.reload();
  }
  return (
    <Loaded resource={notices}>
      {(rows) => (
        <>
          {rows.length > 1 && (
            <p>
              <Action run={() => dismissAndReload(rows)}>Dismiss all {rows.length}</Action>
            </p>
          )}
          <Table
            label="Notices"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              [
                'Notice',
                (notice) => (
                  <MarketCell
                    conditionId={notice.payload.market}
                    title={notice.payload.question || notice.payload.market}
                  >
                    <span>{textOf(notice)}</span>
                  </MarketCell>
                ),
              ],
              [
                'Time',
                ({ timestamp }) => <Moment timeMs={timestamp * 1_000} />,
                undefined,
                'minor',
              ],
              [
                'Dismiss',
                (notice) => (
                  <Action
                    label={`Dismiss: ${textOf(notice)}`}
                    run={() => dismissAndReload([notice])}
                  >
                    Dismiss
                  </Action>
                ),
              ],
            ]}
            empty="There is nothing new. Fills of resting orders and ends of markets appear here."
          />
        </>
      )}
    </Loaded>
  );
}
