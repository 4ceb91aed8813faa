/** One market: its state, terms, tokens, and the commands that concern it. */
import { useContext } from 'preact/hooks';
import { linkTo, Table } from '../kit/index.ts';
import type { ExplorerMarket } from '../wire/index.ts';
import { Amount, cashText, Fields, RecordLink } from './amounts.tsx';
import { CommandList } from './commands.tsx';
import { IsOperator, Recorded, useRecord } from './source.tsx';

function Tokens({ rows }: { rows: ExplorerMarket['tokens'] }) {
  return (
    <Table
      label="List of tokens"
      rows={rows}
      keyOf={({ token_id }) => token_id}
      empty="It has none."
      columns={[
        { head: 'Outcome', cell: ({ label }) => label },
        { head: 'Token', cell: ({ token_id }) => <RecordLink kind="token" id={token_id} /> },
        {
          ...{ head: 'In existence', isNumber: true },
          cell: ({ supply_lots, supply_tokens }) => (
            <Amount unit="lots" raw={supply_lots} decimal={supply_tokens} />
          ),
        },
        { ...{ head: 'Midpoint', isNumber: true }, cell: ({ midpoint }) => midpoint ?? '–' },
        { ...{ head: 'Last price', isNumber: true }, cell: ({ last_price }) => last_price ?? '–' },
        { ...{ head: 'Pays', isNumber: true }, cell: ({ payout }) => payout ?? '–' },
      ]}
    />
  );
}

function Market({ market }: { market: ExplorerMarket }) {
  const isOperator = useContext(IsOperator);
  const { tokens, terms, question, last_trade, volume_cash, volume_24h_cash, ...facts } = market;
  const { condition_id: id } = facts;
  return (
    <>
      <div class="columns">
        <section class="panel" aria-labelledby="market">
          <h2 id="market">{question === '' ? 'Market without a catalog record' : question}</h2>
          {!isOperator && <a href={linkTo(['market', id])}>Trade this market</a>}
          <Fields record={facts}>
            <dt>Volume</dt>
            <dd>{cashText(volume_cash)}</dd>
            <dt>Volume of 24 hours</dt>
            <dd>{cashText(volume_24h_cash)}</dd>
            <dt>Last trade</dt>
            <dd>{last_trade === null ? 'none' : <RecordLink kind="trade" id={last_trade.id} />}</dd>
          </Fields>
        </section>
        <section class="panel" aria-labelledby="terms">
          <h2 id="terms">Terms</h2>
          <Fields record={terms} />
        </section>
      </div>
      <section class="panel" aria-labelledby="tokens">
        <h2 id="tokens">Tokens</h2>
        <Tokens rows={tokens} />
      </section>
      <section class="panel" aria-labelledby="commands">
        <h2 id="commands">Commands that concern it</h2>
        <CommandList filter={{ market: id }} at={['explorer']} />
      </section>
    </>
  );
}

export function ExploredMarket({ id }: { readonly id: string }) {
  const resource = useRecord<ExplorerMarket>({ path: `/markets/${encodeURIComponent(id)}` });
  return <Recorded resource={resource}>{(market) => <Market market={market} />}</Recorded>;
}
