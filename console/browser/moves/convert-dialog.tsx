/**
 * NO tokens of some markets of a neg-risk event become cash and YES tokens of its other markets:
 * exactly one market of the event wins, so NO in one market is as good as YES in all others.
 */

import { type Signal, useSignal } from '@preact/signals';
import { ONE_TICKS } from '../decimal/index.ts';
import { Check, Dialog, Loaded, toast, useAnswer } from '../kit/index.ts';
import { shortMoney, tokenCount, tokensText } from '../trading/units.ts';
import type { CatalogEvent, ConversionAnswer, OpenPosition } from '../wire/index.ts';
import { AmountForm } from './amount-form.tsx';
import { freeLots, useMove } from './moves.ts';

type EventMarket = CatalogEvent['markets'][number];

const NO = 1;

function noToken({ clobTokenIds }: EventMarket): string {
  // Safe: the catalog has a list of two ids there.
  return (JSON.parse(clobTokenIds) as readonly string[])[NO] ?? '';
}

function nameOf({ groupItemTitle, question }: EventMarket): string {
  return groupItemTitle === '' ? question : groupItemTitle;
}

interface FormProps {
  readonly account: string;
  readonly event: CatalogEvent;
  readonly chosen: Signal<ReadonlySet<string>>;
  readonly onClose: () => void;
}

function previewOf(event: CatalogEvent, chosen: readonly EventMarket[], lots: number): string {
  const others = event.markets.filter((market) => !chosen.includes(market));
  const cash = shortMoney((chosen.length - 1) * lots * ONE_TICKS);
  const yes = others.map(nameOf).join(', ');
  const no = chosen.map(nameOf).join(', ');
  const got = others.length === 0 ? cash : `${cash} and ${tokenCount(lots)} of Yes in: ${yes}`;
  return `You give ${tokenCount(lots)} of No in: ${no}. You get ${got}.`;
}

function ConvertForm({ account, event, chosen, onClose }: FormProps) {
  const amount = useSignal('');
  const move = useMove();
  const free = new Map(
    event.markets.map((market) => [market.conditionId, freeLots(account, noToken(market))]),
  );
  const held = event.markets.filter(({ conditionId }) => (free.get(conditionId) ?? 0) > 0);
  const picked = held.filter(({ conditionId }) => chosen.value.has(conditionId));
  const mostLots =
    picked.length === 0
      ? 0
      : Math.min(...picked.map(({ conditionId }) => free.get(conditionId) ?? 0));
  function choose(conditionId: string, isChosen: boolean): void {
    const next = new Set(chosen.peek());
    if (isChosen) next.add(conditionId);
    else next.delete(conditionId);
    chosen.value = next;
  }
  return (
    <>
      <fieldset class="picks">
        <legend>Give No in these markets</legend>
        {held.map((market) => (
          <Check
            key={market.conditionId}
            label={`${nameOf(market)}: ${tokensText(free.get(market.conditionId) ?? 0)} free`}
            value={chosen.value.has(market.conditionId)}
            onChange={(isChosen) => choose(market.conditionId, isChosen)}
          />
        ))}
      </fieldset>
      <AmountForm
        label="Amount of each"
        unit="tokens"
        amount={amount}
        mostLots={mostLots}
        isReady={picked.length > 0}
        submit="Convert"
        preview={(lots) => previewOf(event, picked, lots)}
        onSubmit={async (text) => {
          const markets = picked.map(({ conditionId }) => conditionId);
          const terms = { account, event_id: event.id, markets, amount: text };
          const answer = await move<ConversionAnswer>('convert', terms);
          toast(`Converted ${answer.amount} of each No; cash: $${answer.cash}.`);
          onClose();
        }}
      />
    </>
  );
}

interface ConvertProps {
  readonly account: string;
  readonly position: OpenPosition;
  readonly onClose: () => void;
}

export function ConvertDialog({ account, position, onClose }: ConvertProps) {
  const { eventSlug, conditionId } = position;
  const chosen = useSignal<ReadonlySet<string>>(new Set([conditionId]));
  const event = useAnswer('/events/slug/{slug}', { params: { slug: eventSlug } });
  return (
    <Dialog title="Convert No tokens" onClose={onClose}>
      <div class="stack">
        <p class="muted">
          Exactly one market of this event wins. So No in some of its markets is worth cash, and Yes
          in all the others.
        </p>
        <Loaded resource={event}>
          {(value) => (
            <ConvertForm account={account} event={value} chosen={chosen} onClose={onClose} />
          )}
        </Loaded>
      </div>
    </Dialog>
  );
}
