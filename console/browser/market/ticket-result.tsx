/** What became of an order that was sent. */
import { DECIMALS, Id, linkTo, localTime, parseDecimal } from '../kit/index.ts';
import type { Order } from '../trading/draft.ts';
import { centsText, moneyText, tokensText } from '../trading/units.ts';
import type { OrderResult } from '../wire/index.ts';
import type { SentOrder } from './use-sending.ts';

interface Filled {
  readonly lots: number;
  readonly micros: number;
}

/** '' means that nothing matched. */
function filledOf({ side }: Order, { takingAmount, makingAmount }: OrderResult): Filled {
  const [tokens, cash] =
    side === 'BUY' ? [takingAmount, makingAmount] : [makingAmount, takingAmount];
  return {
    lots: Number(parseDecimal(tokens || '0', DECIMALS.lots) ?? 0n),
    micros: Number(parseDecimal(cash || '0', DECIMALS.micros) ?? 0n),
  };
}

function restText({ lots, priceTicks }: Order, { status, releaseAt }: OrderResult, filled: Filled) {
  switch (status) {
    case 'live':
      return `${tokensText(lots - filled.lots)} tokens rest at ${centsText(priceTicks)}.`;
    case 'delayed':
      return `The order waits until ${localTime(Date.parse(releaseAt ?? ''))}, then it trades.`;
    case 'canceled':
      return 'The rest was canceled, because it would have met your own order.';
    default:
      return filled.lots < lots ? 'The rest was released.' : '';
  }
}

export function OrderOutcome({ sent: { order, result } }: { sent: SentOrder }) {
  const filled = filledOf(order, result);
  const verb = order.side === 'BUY' ? 'Bought' : 'Sold';
  const average = filled.lots === 0 ? '' : centsText(filled.micros / filled.lots);
  return (
    <div class="ticket-result">
      <p>
        {filled.lots > 0 && (
          <b>
            {verb} {tokensText(filled.lots)} tokens at {average} on average for{' '}
            {moneyText(filled.micros)}.
          </b>
        )}{' '}
        {restText(order, result, filled)}
      </p>
      <small class="hint">
        Order <Id text={result.orderID} href={linkTo(['explorer', 'order', result.orderID])} />
      </small>
    </div>
  );
}
