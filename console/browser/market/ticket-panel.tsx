/** The ticket: the terms of an order, what it would do, and the button that sends it. */
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { OrderType } from '../../../engine/model/index.ts';
import { chooseIdentity, session } from '../identity/index.ts';
import { Choice, Failure, Segments, set } from '../kit/index.ts';
import type { DraftField, Order, ReadDraft } from '../trading/draft.ts';
import { centsText, moneyText, tokensText } from '../trading/units.ts';
import { isHelpOpen } from './shortcuts.tsx';
import { Outcomes, PriceField, QuantityField, RestingOptions } from './ticket-fields.tsx';
import { OrderOutcome } from './ticket-result.tsx';
import { TicketSummary } from './ticket-summary.tsx';
import { type Explained, useExplanation } from './use-explanation.ts';
import { type Desk, useSending } from './use-sending.ts';

const TYPES: readonly (readonly [OrderType, string])[] = [
  ['GTC', 'Limit: until canceled'],
  ['GTD', 'Limit: until a date'],
  ['FAK', 'Market: as much as possible'],
  ['FOK', 'Market: all or nothing'],
];

/** By field; `other` is what belongs to none. */
type FieldFaults = Readonly<Record<DraftField | 'other', string>>;

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

const MISSING = {
  price: 'Enter a price.',
  quantity: 'Enter how much.',
  expiration: 'Enter when the order expires.',
} as const;

function Side({ desk: { ticket } }: { desk: Desk }) {
  return (
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
  );
}

interface TicketFormProps {
  readonly desk: Desk;
  readonly sending: ReturnType<typeof useSending>;
}

function TicketForm({ desk, sending: { isBusy, run, forget } }: TicketFormProps) {
  const { ticket, view, market } = desk;
  const reading = ticket.reading.value;
  const { order, missing } = reading;
  const explained = useExplanation(order, view);
  const wasTried = useSignal(false);
  const isNobody = session.identity.value.kind === 'none';
  const isOpen = market.value.accepting_orders;
  const found = faultsOf(reading, explained);
  const faultOf = (field: DraftField): string =>
    found[field] || (wasTried.value && missing.includes(field) ? MISSING[field] : '');
  function submit(event: Event): void {
    event.preventDefault();
    if (isBusy.value) return;
    wasTried.value = order === undefined;
    if (order !== undefined && !isNobody && isOpen) void run(order);
  }
  function clear(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    ticket.clear();
    forget();
    wasTried.value = false;
  }
  return (
    <form class="stack" onSubmit={submit} onKeyDown={clear} noValidate>
      <Side desk={desk} />
      <Outcomes desk={desk} />
      <Choice
        label="Type"
        value={ticket.type.value}
        options={TYPES}
        onChange={(type) => ticket.chooseType(type)}
      />
      <PriceField desk={desk} fault={faultOf('price')} />
      <QuantityField desk={desk} fault={faultOf('quantity')} />
      <RestingOptions desk={desk} fault={faultOf('expiration')} />
      {order !== undefined && !isRefused(explained) && (
        <TicketSummary desk={desk} order={order} explained={explained} />
      )}
      {found.other !== '' && <p class="failure">{found.other}</p>}
      {!isOpen ? (
        <p class="stale">This market is paused: it takes no orders now.</p>
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
  );
}

/** What became of the order, beside the button. It is scrolled into sight when it appears. */
function Sent({ sending: { failure, sent, unanswered } }: Pick<TicketFormProps, 'sending'>) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure.value === undefined && sent.value === undefined) return;
    element.current?.scrollIntoView({ block: 'nearest' });
  }, [failure.value, sent.value]);
  return (
    <div ref={element} class="ticket-sent">
      <div role="status">{sent.value !== undefined && <OrderOutcome sent={sent.value} />}</div>
      {failure.value !== undefined && <Failure failure={failure.value} />}
      {failure.value !== undefined && unanswered.value !== undefined && (
        <p class="stale">
          The order may have been carried out. While you change nothing, the button sends the same
          signed order once more, and the exchange never carries it out twice.
        </p>
      )}
    </div>
  );
}

export function TicketPanel({ desk }: { desk: Desk }) {
  const sending = useSending(desk.ticket);
  return (
    <section class="panel ticket" aria-labelledby="ticket-title">
      <div class="row apart">
        <h2 id="ticket-title">Ticket</h2>
        <button
          type="button"
          class="quiet"
          aria-label="Keys of this page"
          onClick={() => set(isHelpOpen, true)}
        >
          ?
        </button>
      </div>
      {desk.market.value.closed ? (
        <p class="stale">Trading in this market has ended.</p>
      ) : (
        <TicketForm desk={desk} sending={sending} />
      )}
      <Sent sending={sending} />
    </section>
  );
}
