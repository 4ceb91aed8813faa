/** Cash becomes as many tokens of both outcomes of a market. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ONE_TICKS } from '../decimal/index.ts';
import { Dialog, Empty, Field, Loaded, setter, toast, useResource } from '../kit/index.ts';
import { shortMoney, tokenCount } from '../trading/units.ts';
import { type SetsAnswer, send } from '../wire/index.ts';
import { AmountForm } from './amount-form.tsx';
import { cashOf, MOVE_BOUNDS, TYPING_MS, useMove } from './moves.ts';

interface Choice {
  readonly conditionId: string;
  readonly question: string;
}

async function search(words: string, signal: AbortSignal): Promise<readonly Choice[]> {
  if (words.trim() === '') return [];
  const query = { q: words, events_status: 'active', search_tags: false, limit_per_type: 10 };
  const request = { method: 'GET', path: '/public-search', query, signal } as const;
  const { events } = await send(request);
  const markets = events.flatMap((event) => event.markets);
  return markets.filter(({ acceptingOrders }) => acceptingOrders).slice(0, MOVE_BOUNDS.markets);
}

/** What was typed, once the person paused. */
function useTyped(text: string): string {
  const settled = useSignal(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = text;
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled.value;
}

interface PickerProps {
  readonly chosen: Choice | undefined;
  readonly onChoose: (market: Choice) => void;
}

function MarketPicker({ chosen, onChoose }: PickerProps) {
  const text = useSignal('');
  const words = useTyped(text.value);
  const found = useResource((signal) => search(words, signal), [words]);
  return (
    <div class="stack">
      <Field
        label="Market"
        type="search"
        value={text.value}
        placeholder="A part of its question"
        maxLength={MOVE_BOUNDS.searchCharacters}
        onInput={setter(text)}
      />
      <Loaded resource={found} lines={2}>
        {(markets) => {
          if (markets.length === 0) {
            return (
              <Empty>
                {words.trim() === ''
                  ? 'Type words of the question to find the market.'
                  : 'No market that takes orders has these words.'}
              </Empty>
            );
          }
          return (
            <fieldset class="picks">
              <legend class="hidden">Markets</legend>
              {markets.map((market) => (
                <label key={market.conditionId} class="check">
                  <input
                    type="radio"
                    name="market"
                    checked={market.conditionId === chosen?.conditionId}
                    onChange={() => onChoose(market)}
                  />
                  {market.question}
                </label>
              ))}
            </fieldset>
          );
        }}
      </Loaded>
    </div>
  );
}

interface SplitProps {
  readonly account: string;
  readonly onClose: () => void;
}

export function SplitDialog({ account, onClose }: SplitProps) {
  const chosen = useSignal<Choice | undefined>(undefined);
  const amount = useSignal('');
  const move = useMove();
  const cash = cashOf(account);
  return (
    <Dialog title="Split cash into tokens" onClose={onClose}>
      <div class="stack">
        <p class="muted">
          Cash becomes complete sets: a token of each outcome for each $1. A set can be merged back
          into $1 at any time.
        </p>
        <MarketPicker chosen={chosen.value} onChoose={setter(chosen)} />
        <AmountForm
          label="Amount"
          unit="sets"
          amount={amount}
          mostLots={cash === undefined ? undefined : Math.floor(Number(cash.available) / ONE_TICKS)}
          isReady={chosen.value !== undefined}
          submit="Split"
          preview={(lots) =>
            `You pay ${shortMoney(lots * ONE_TICKS)} and get ${tokenCount(lots)} of each ` +
            `outcome of “${chosen.value?.question}”.`
          }
          onSubmit={async (text) => {
            const terms = { account, market: chosen.value?.conditionId, amount: text };
            const answer = await move<SetsAnswer>('split', terms);
            toast(`Split: ${answer.amount} of each outcome.`);
            onClose();
          }}
        />
      </div>
    </Dialog>
  );
}
