/** One account: what it has, whose it is, and what it asked for. */
import { Table } from '../kit/index.ts';
import type { ExplorerAccount } from '../wire/index.ts';
import { cashText, Fields, RecordLink } from './amounts.tsx';
import { CommandList } from './commands.tsx';
import { amountColumn, OrderTable } from './order-tables.tsx';
import { Recorded, useRecord } from './source.tsx';

function Positions({ account }: { account: ExplorerAccount }) {
  const { positions, has_more_positions } = account;
  return (
    <section class="panel" aria-labelledby="positions">
      <h2 id="positions">Positions</h2>
      <Table
        label="List of positions"
        rows={positions}
        keyOf={({ token_id }) => token_id}
        empty="It has no position."
        columns={[
          [
            'Market',
            ({ condition_id, question }) => (
              <>
                {question} <RecordLink kind="market" id={condition_id} />
              </>
            ),
          ],
          ['Outcome', 'outcome_label'],
          amountColumn('Available', 'lots', 'available_lots', 'available_tokens'),
          amountColumn('Held', 'lots', 'held_lots', 'held_tokens'),
          ['Price', 'price', 'number'],
          ['Value', ({ value_cash }) => cashText(value_cash), 'number'],
        ]}
      />
      {has_more_positions && <p class="muted">It has more positions than these.</p>}
    </section>
  );
}

export function ExploredAccount({ id }: { readonly id: string }) {
  const resource = useRecord('/explorer/accounts/{address}', { params: { address: id } });
  return (
    <Recorded resource={resource}>
      {(account) => {
        const { positions: _, open_orders, has_more_positions: __, ...rest } = account;
        const { has_more_orders, keys, ...facts } = rest;
        return (
          <>
            <div class="columns">
              <section class="panel" aria-labelledby="account">
                <h2 id="account">Account</h2>
                <Fields record={facts} />
              </section>
              <section class="panel" aria-labelledby="keys">
                <h2 id="keys">API keys of its owner</h2>
                {keys.length === 0 ? <p class="empty">There is none.</p> : <Keys keys={keys} />}
              </section>
            </div>
            <Positions account={account} />
            <section class="panel" aria-labelledby="orders">
              <h2 id="orders">Open orders</h2>
              <OrderTable rows={open_orders} />
              {has_more_orders && <p class="muted">It has more open orders than these.</p>}
            </section>
            <section class="panel" aria-labelledby="commands">
              <h2 id="commands">Commands that concern it</h2>
              <CommandList filter={{ account: account.address }} at={['explorer']} />
            </section>
          </>
        );
      }}
    </Recorded>
  );
}

function Keys({ keys }: { keys: ExplorerAccount['keys'] }) {
  return (
    <ul class="values">
      {keys.map((key, index) => (
        <li key={index}>
          <Fields record={key} />
        </li>
      ))}
    </ul>
  );
}
