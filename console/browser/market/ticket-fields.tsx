/** The fields of the ticket: outcome, price, size or amount, and what a resting order may add. */
import { session } from '../identity/index.ts';
import { Check, Field, setter } from '../kit/index.ts';
import type { Outcome } from '../streams/market-book.ts';
import { pageStreams } from '../streams/streams.ts';
import { balanceName } from '../streams/user-stream.ts';
import { type Means, partOf } from '../trading/shares.ts';
import { centsText, moneyText, tokensText } from '../trading/units.ts';
import { isMarketType, priceText } from './ticket-state.ts';
import type { Desk } from './use-sending.ts';

/** What the account can spend, by the user channel; undefined while it is not known. */
function meansOf({ rules, ticket }: Desk): Means | undefined {
  const identity = session.identity.value;
  const { user } = pageStreams();
  if (identity.kind === 'none' || !user.isLoaded.value) return undefined;
  const balances = user.balances.value;
  const available = (tokenId: string): number =>
    Number(balances.get(balanceName(identity.address, tokenId))?.available ?? '0');
  const microTokensPerLot = 10_000;
  return {
    cashMicros: available(''),
    lots: Math.floor(available(rules.value.tokenIds[ticket.outcome.value]) / microTokensPerLot),
  };
}

export function Outcomes({ desk: { ticket, rules } }: { desk: Desk }) {
  return (
    <div class="ticket-outcomes">
      {rules.value.outcomes.map((name, place) => {
        const outcome: Outcome = place === 0 ? 0 : 1;
        const price = ticket.bestPrice(outcome);
        return (
          <button
            key={outcome}
            type="button"
            aria-pressed={ticket.outcome.value === outcome}
            onClick={() => ticket.chooseOutcome(outcome)}
          >
            <span>{name}</span> <b>{price === undefined ? '–' : centsText(price)}</b>
          </button>
        );
      })}
    </div>
  );
}

const PERCENTS = [25, 50, 75, 100] as const;

function Parts({ desk, means }: { desk: Desk; means: Means | undefined }) {
  const { ticket, rules } = desk;
  const { side, type } = ticket.draft.value;
  const typed = Number(ticket.draft.value.price) * 100;
  const priceTicks = Number.isFinite(typed) && typed > 0 ? typed : ticket.bookPrice.value;
  const wish = { side, type, priceTicks: Math.round(priceTicks ?? 0), fees: rules.value.fees };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
    <div class="ticket-parts" role="group" aria-label="Part of what you can spend">
      {PERCENTS.map((percent) => (
        <button
          key={percent}
          type="button"
          disabled={means === undefined || wish.priceTicks === 0}
          onClick={() => {
            if (means === undefined) return;
            // 1 hundredth is a lot, or a cent of a budget.
            ticket.quantity.value = tokensText(partOf(wish, means, percent)).replaceAll(',', '');
          }}
        >
          {percent}%
        </button>
      ))}
    </div>
  );
}

export function PriceField({ desk: { ticket, rules }, fault }: { desk: Desk; fault: string }) {
  const isMarket = isMarketType(ticket.type.value);
  const best = ticket.bestPrice(ticket.outcome.value);
  const followed = ticket.bookPrice.value;
  const { tickTicks } = rules.value;
  function move(event: KeyboardEvent): void {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    ticket.movePrice(event.shiftKey ? step * 10 : step);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field in it
    <div class="ticket-price" onKeyDown={move}>
      <Field
        label={isMarket ? 'Worst price' : 'Price'}
        unit="¢"
        inputMode="decimal"
        maxLength={8}
        value={ticket.price.value}
        placeholder={isMarket && followed !== undefined ? priceText(followed) : ''}
        fault={fault}
        hint={isMarket ? 'Empty: it follows the book.' : `Steps of ${centsText(tickTicks)}.`}
        onInput={setter(ticket.price)}
      />
      <button
        type="button"
        disabled={best === undefined}
        onClick={() => {
          if (best !== undefined) ticket.price.value = priceText(best);
        }}
      >
        Best{best === undefined ? '' : ` ${centsText(best)}`}
      </button>
    </div>
  );
}

export function QuantityField({ desk, fault }: { desk: Desk; fault: string }) {
  const { ticket } = desk;
  const means = meansOf(desk);
  const isBudget = ticket.isBudget.value;
  const isBuy = ticket.side.value === 'BUY';
  const has =
    means === undefined
      ? ''
      : isBuy
        ? `You can spend ${moneyText(means.cashMicros)}.`
        : `You can sell ${tokensText(means.lots)} tokens.`;
  return (
    <div class="ticket-quantity">
      <Field
        label={isBudget ? 'Amount to spend' : 'Size'}
        unit={isBudget ? '$' : 'tokens'}
        inputMode="decimal"
        maxLength={16}
        value={ticket.quantity.value}
        fault={fault}
        hint={has}
        onInput={setter(ticket.quantity)}
      />
      <Parts desk={desk} means={means} />
    </div>
  );
}

export function RestingOptions({ desk: { ticket }, fault }: { desk: Desk; fault: string }) {
  if (isMarketType(ticket.type.value)) return null;
  return (
    <>
      {ticket.type.value === 'GTD' && (
        <Field
          label="Expires"
          type="datetime-local"
          value={ticket.expiration.value}
          fault={fault}
          hint="In your time zone."
          onInput={setter(ticket.expiration)}
        />
      )}
      <Check
        label="Post-only: refuse it rather than trade at once"
        value={ticket.postOnly.value}
        onChange={setter(ticket.postOnly)}
      />
    </>
  );
}
