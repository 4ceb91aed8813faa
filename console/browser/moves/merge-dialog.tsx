/** Tokens of both outcomes of a market become cash. */

import { useSignal } from '@preact/signals';
import { ONE_TICKS } from '../decimal/index.ts';
import { DECIMALS, Dialog, decimalText, toast } from '../kit/index.ts';
import { pageStreams } from '../streams/streams.ts';
import { shortMoney, tokenCount } from '../trading/units.ts';
import type { OpenPosition, SetsAnswer } from '../wire/index.ts';
import { AmountForm } from './amount-form.tsx';
import { freeLotsOf, useMove } from './moves.ts';

const OUTCOMES = 2;

/** As many sets as the account has free tokens of both outcomes. */
function freeSets(account: string, conditionId: string): number {
  const free = [...pageStreams().user.balances.value.values()]
    .filter(({ address, market }) => address.toLowerCase() === account && market === conditionId)
    .map(freeLotsOf);
  return free.length < OUTCOMES ? 0 : Math.min(...free);
}

interface MergeProps {
  readonly account: string;
  readonly position: OpenPosition;
  readonly onClose: () => void;
}

export function MergeDialog({ account, position, onClose }: MergeProps) {
  const { conditionId, title, outcome, oppositeOutcome } = position;
  const mostLots = freeSets(account, conditionId);
  const amount = useSignal(decimalText(mostLots, DECIMALS.lots));
  const move = useMove();
  return (
    <Dialog title="Merge tokens into cash" onClose={onClose}>
      <div class="stack">
        <p>{title}</p>
        <p class="muted">
          A token of {outcome} and one of {oppositeOutcome} make a complete set, which is worth $1.
          Tokens that open orders hold can't be merged.
        </p>
        <AmountForm
          label="Amount"
          unit="sets"
          amount={amount}
          mostLots={mostLots}
          submit="Merge"
          preview={(lots) =>
            `You give ${tokenCount(lots)} of each outcome and get ` +
            `${shortMoney(lots * ONE_TICKS)}.`
          }
          onSubmit={async (text) => {
            const answer = await move<SetsAnswer>('merge', {
              ...{ account, market: conditionId, amount: text },
            });
            toast(`Merged: $${answer.cash} for ${answer.amount} sets.`);
            onClose();
          }}
        />
      </div>
    </Dialog>
  );
}
