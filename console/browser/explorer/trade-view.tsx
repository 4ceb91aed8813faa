/** One trade with its participants, and its receipt, which the page computes again. */
import { Fact, Failure, Id, SideText, Skeleton, Table, useResource } from '../kit/index.ts';
import { receiptOf } from '../signing/signer.ts';
import type { ExplorerTrade } from '../wire/index.ts';
import { Fields } from './amounts.tsx';
import { FEE, linkColumn, PRICE, SIDE, SIZE } from './order-tables.tsx';
import { Verdict } from './signed-panel.tsx';
import { Recorded, useRecord } from './source.tsx';

type Party = ExplorerTrade['taker'] & { readonly role: string };

function Parties({ rows }: { rows: readonly Party[] }) {
  return (
    <Table
      label="List of participants"
      rows={rows}
      keyOf={({ role, order_id, lots }) => `${role} ${order_id} ${lots}`}
      empty="There is none."
      columns={[
        ['Role', 'role'],
        linkColumn('Order', 'order', 'order_id'),
        linkColumn('Account', 'account', 'account'),
        SIDE,
        PRICE,
        SIZE,
        FEE,
      ]}
    />
  );
}

function computeReceipt({ seq, time_ms, bucket_index, taker, makers }: ExplorerTrade) {
  return receiptOf({
    ...{ seq, timeMs: time_ms, bucketIndex: bucket_index },
    ...{ takerOrderId: taker.order_id, priceTicks: taker.price_ticks },
    makers: makers.map(({ order_id, lots }) => ({ orderId: order_id, lots })),
  });
}

function ReceiptPanel({ trade }: { trade: ExplorerTrade }) {
  const found = useResource(() => computeReceipt(trade), [trade]);
  const now = found.now.value;
  return (
    <section class="panel" aria-labelledby="receipt">
      <h2 id="receipt">Receipt</h2>
      <p class="muted">
        The id and the transaction hash are hashes of what happened, with its place in the journal.
        This page computes both from the lines below.
      </p>
      {now.state === 'loading' && <Skeleton lines={3} />}
      {now.state === 'failed' && <Failure failure={now.failure} />}
      {now.state === 'ready' && (
        <>
          <p class="row" role="status">
            <Verdict isSame={now.value.id === trade.id}>The id</Verdict>
            <Verdict isSame={now.value.transactionHash === trade.transaction_hash}>
              The transaction hash
            </Verdict>
          </p>
          <Table
            label="Lines of the receipt"
            rows={now.value.lines.map((text, index) => ({ text, index }))}
            keyOf={({ index }) => index}
            empty="There is none."
            columns={[
              ['Line', ({ text }) => <code class="line">{text}</code>],
              ['Says', ({ index }) => (index === 0 ? TAKER_LINE : MAKER_LINE)],
            ]}
          />
          <dl class="facts">
            <Fact name="Computed id">
              <Id text={now.value.id} />
            </Fact>
            <Fact name="Computed hash">
              <Id text={now.value.transactionHash} />
            </Fact>
          </dl>
        </>
      )}
    </section>
  );
}

const TAKER_LINE = 'command, time in ms, order of the taker, number of the trade in the command';
const MAKER_LINE = 'order of a maker, price of the trade in ticks, lots';

export function ExploredTrade({ id }: { readonly id: string }) {
  const resource = useRecord('/explorer/trades/{id}', { params: { id } });
  return (
    <Recorded resource={resource}>
      {(trade) => {
        const { taker, makers, ...facts } = trade;
        const parties = [
          { ...taker, role: 'taker' },
          ...makers.map((maker) => ({ ...maker, role: 'maker' })),
        ];
        return (
          <>
            <section class="panel" aria-labelledby="trade">
              <h2 id="trade">
                Trade: <SideText side={taker.side} outcome={taker.outcome_label} />
              </h2>
              <Fields record={facts} />
            </section>
            <section class="panel" aria-labelledby="parties">
              <h2 id="parties">Participants</h2>
              <Parties rows={parties} />
            </section>
            <ReceiptPanel trade={trade} />
          </>
        );
      }}
    </Recorded>
  );
}
