/** One market: its state, terms, tokens, and the commands that concern it. */
import { useContext } from 'preact/hooks';
import { Fact, linkTo, Table } from '../kit/index.ts';
import type { ExplorerMarket } from '../wire/index.ts';
import { cashText, Fields, RecordLink } from './amounts.tsx';
import { CommandList } from './commands.tsx';
import { amountColumn, linkColumn } from './order-tables.tsx';
import { IsOperator, Recorded, useRecord } from './source.tsx';

function Tokens({ rows }: { rows: ExplorerMarket['tokens'] }) {
  return (
    <Table
      label="List of tokens"
      rows={rows}
      keyOf={({ token_id }) => token_id}
      empty="It has none."
      columns={[
        ['Outcome', 'label'],
        linkColumn('Token', 'token', 'token_id'),
        amountColumn('In existence', 'lots', 'supply_lots', 'supply_tokens'),
        ['Midpoint', ({ midpoint }) => midpoint ?? '–', 'number'],
        ['Last price', ({ last_price }) => last_price ?? '–', 'number'],
        ['Pays', ({ payout }) => payout ?? '–', 'number'],
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
            <Fact name="Volume">{cashText(volume_cash)}</Fact>
            <Fact name="Volume of 24 hours">{cashText(volume_24h_cash)}</Fact>
            <Fact name="Last trade">
              {last_trade === null ? 'none' : <RecordLink kind="trade" id={last_trade.id} />}
            </Fact>
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
  const resource = useRecord('/explorer/markets/{condition_id}', { params: { condition_id: id } });
  return <Recorded resource={resource}>{(market) => <Market market={market} />}</Recorded>;
}
