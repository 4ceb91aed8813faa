/** The ticket: the terms of an order, what it would do, and the button that sends it. */
import { useSignal } from '@preact/signals';
import { chooseIdentity, session } from '../identity/index.ts';
import { Check, Choice, Failure, Field, Segments } from '../kit/index.ts';
import type { OrderType } from '../signing/index.ts';
import { balanceName, type Outcome, pageStreams } from '../streams/index.ts';
import {
  centsText,
  type Means,
  moneyText,
  type Order,
  partOf,
  type ReadDraft,
  tokensText,
} from '../trading/index.ts';
import { type OrderResult, send } from '../wire/index.ts';
import type { Desk } from './desk.ts';
import { isHelpOpen } from './shortcuts.tsx';
import { OrderOutcome } from './ticket-result.tsx';
import { isMarketType, priceText } from './ticket-state.ts';
import { TicketSummary } from './ticket-summary.tsx';
import { type Explained, useExplanation } from './use-explanation.ts';

const TYPES: readonly (readonly [OrderType, string])[] = [
  ['GTC', 'Limit: until canceled'],
  ['GTD', 'Limit: until a date'],
  ['FAK', 'Market: as much as possible'],
  ['FOK', 'Market: all or nothing'],
];

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

function Outcomes({ desk: { ticket, rules } }: { desk: Desk }) {
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

interface FieldFaults {
  readonly price: string;
  readonly quantity: string;
  readonly expiration: string;
  /** What belongs to no field. */
  readonly other: string;
}

const FIELD_OF: Readonly<Record<string, keyof FieldFaults>> = {
  price: 'price',
  size: 'quantity',
  amount: 'quantity',
  expiration: 'expiration',
};

/** Faults of the fields, then the exchange's refusal beside the field that it names. */
function faultsOf({ faults }: ReadDraft, explained: Explained): FieldFaults {
  const none = { price: '', quantity: '', expiration: '', other: '' };
  const refusal = explained.kind === 'known' ? explained.explanation.refusal : undefined;
  if (refusal === undefined) return { ...none, ...faults };
  const { text, field, limit, actual } = refusal;
  const facts = [limit === '' ? '' : `limit ${limit}`, actual === '' ? '' : `actual ${actual}`];
  const shown = facts.filter((fact) => fact !== '').join(', ');
  const sentence = shown === '' ? text : `${text} (${shown})`;
  const place = FIELD_OF[field.replace(/^order\./, '')] ?? 'other';
  return { ...none, ...faults, [place]: sentence };
}

/** What would be refused does nothing that could be summed up. */
function isRefused(explained: Explained): boolean {
  return explained.kind === 'known' && explained.explanation.refusal !== undefined;
}

function PriceField({ desk: { ticket, rules }, fault }: { desk: Desk; fault: string }) {
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
        onInput={(value) => {
          ticket.price.value = value;
        }}
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

function QuantityField({
  desk,
  means,
  fault,
}: {
  desk: Desk;
  means: Means | undefined;
  fault: string;
}) {
  const { ticket } = desk;
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
        onInput={(value) => {
          ticket.quantity.value = value;
        }}
      />
      <Parts desk={desk} means={means} />
    </div>
  );
}

function RestingOptions({ desk: { ticket }, fault }: { desk: Desk; fault: string }) {
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
          onInput={(value) => {
            ticket.expiration.value = value;
          }}
        />
      )}
      <Check
        label="Post-only: refuse it rather than trade at once"
        value={ticket.postOnly.value}
        onChange={(value) => {
          ticket.postOnly.value = value;
        }}
      />
    </>
  );
}

/** What the button says. */
function sendText(order: Order | undefined, { ticket, rules }: Desk): string {
  const { side, outcome } = ticket.draft.value;
  const verb = side === 'BUY' ? 'Buy' : 'Sell';
  const name = rules.value.outcomes[outcome];
  if (order === undefined) return `${verb} ${name}`;
  const { lots, budgetMicros, priceTicks } = order;
  if (budgetMicros > 0) return `${verb} ${name} for ${moneyText(budgetMicros)}`;
  return `${verb} ${tokensText(lots)} ${name} at ${centsText(priceTicks)}`;
}

interface SentOrder {
  readonly order: Order;
  readonly result: OrderResult;
}

/** Sends the order of the ticket. The fields stay: a person may want the same once more. */
function useSending() {
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  const sent = useSignal<SentOrder | undefined>(undefined);
  async function run(order: Order): Promise<void> {
    if (isBusy.value) return;
    isBusy.value = true;
    failure.value = undefined;
    sent.value = undefined;
    try {
      const { body } = await session.signOrder(order.terms);
      const request = { method: 'POST', path: '/order', body, auth: 'l2' } as const;
      sent.value = { order, result: await send<OrderResult>(request) };
    } catch (fault) {
      failure.value = fault;
    } finally {
      isBusy.value = false;
    }
  }
  function forget(): void {
    failure.value = undefined;
    sent.value = undefined;
  }
  return { isBusy, failure, sent, run, forget };
}

const MISSING = {
  price: 'Enter a price.',
  quantity: 'Enter how much.',
  expiration: 'Enter when the order expires.',
} as const;

/** Why the market takes no orders; '' if it does. */
function closedText({ market }: Desk): string {
  const { closed, accepting_orders: accepts } = market.value;
  if (closed) return 'Trading in this market has ended.';
  return accepts ? '' : 'This market is paused: it takes no orders now.';
}

export function TicketPanel({ desk }: { desk: Desk }) {
  const { ticket, view } = desk;
  const reading = ticket.reading.value;
  const { order, missing } = reading;
  const explained = useExplanation(order, view);
  const wasTried = useSignal(false);
  const { isBusy, failure, sent, run, forget } = useSending();
  const means = meansOf(desk);
  const isNobody = session.identity.value.kind === 'none';
  const found = faultsOf(reading, explained);
  const faultOf = (field: 'price' | 'quantity' | 'expiration'): string =>
    found[field] || (wasTried.value && missing.includes(field) ? MISSING[field] : '');
  const closed = closedText(desk);
  function submit(event: Event): void {
    event.preventDefault();
    wasTried.value = order === undefined;
    if (order !== undefined && !isNobody && closed === '') void run(order);
  }
  function clear(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    ticket.clear();
    forget();
    wasTried.value = false;
  }
  return (
    <section class="panel ticket" id="ticket" aria-labelledby="ticket-title">
      <div class="row apart">
        <h2 id="ticket-title">Ticket</h2>
        <button
          type="button"
          class="quiet"
          aria-label="Keys of this page"
          onClick={() => {
            isHelpOpen.value = true;
          }}
        >
          ?
        </button>
      </div>
      <form class="stack" onSubmit={submit} onKeyDown={clear} noValidate>
        <div class={`ticket-side ${ticket.side.value === 'BUY' ? 'buys' : 'sells'}`}>
          <Segments
            label="Side"
            value={ticket.side.value}
            options={[
              ['BUY', 'Buy'],
              ['SELL', 'Sell'],
            ]}
            onChange={(side) => ticket.chooseSide(side)}
          />
        </div>
        <Outcomes desk={desk} />
        <Choice
          label="Type"
          value={ticket.type.value}
          options={TYPES}
          onChange={(type) => ticket.chooseType(type)}
        />
        <PriceField desk={desk} fault={faultOf('price')} />
        <QuantityField desk={desk} means={means} fault={faultOf('quantity')} />
        <RestingOptions desk={desk} fault={faultOf('expiration')} />
        {order !== undefined && !isRefused(explained) && (
          <TicketSummary desk={desk} order={order} explained={explained} />
        )}
        {found.other !== '' && <p class="failure">{found.other}</p>}
        {closed !== '' ? (
          <p class="stale">{closed}</p>
        ) : isNobody ? (
          <button type="button" class="main" onClick={chooseIdentity}>
            Choose an account to trade
          </button>
        ) : (
          <button
            type="submit"
            class={ticket.side.value === 'BUY' ? 'buy' : 'sell'}
            disabled={isBusy.value}
            aria-busy={isBusy.value}
          >
            {sendText(order, desk)}
          </button>
        )}
      </form>
      <div role="status">{sent.value !== undefined && <OrderOutcome sent={sent.value} />}</div>
      {failure.value !== undefined && <Failure failure={failure.value} />}
    </section>
  );
}
