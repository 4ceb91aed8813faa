/** What an account holds, with what it won or lost so far. */
import { useSignal } from '@preact/signals';
import { Action, Choice, cents, linkTo, setter, Table } from '../kit/index.ts';
import { Gain, Money } from '../trading/gain.tsx';
import { lotsOfTokens, microsOf, tokensText } from '../trading/units.ts';
import type { OpenPosition } from '../wire/index.ts';
import { MARKET } from './cells.tsx';

/** What a person may do with a position. */
export interface PositionActions {
  readonly redeem: (position: OpenPosition) => Promise<void>;
  readonly merge: (position: OpenPosition) => void;
  readonly convert: (position: OpenPosition) => void;
}

const ORDERS = {
  value: ['Value', ({ currentValue }: OpenPosition) => currentValue],
  gain: ['Profit', ({ cashPnl }: OpenPosition) => cashPnl],
  size: ['Tokens', ({ size }: OpenPosition) => size],
  newest: ['Last change', ({ timestamp }: OpenPosition) => timestamp],
} as const;
type Order = keyof typeof ORDERS;
// Safe: these are the keys of the record above.
const ORDER_NAMES = Object.keys(ORDERS) as Order[];

function nameOf({ outcome, title }: OpenPosition): string {
  return `${outcome}, ${title}`;
}

function Buttons({ position, actions }: { position: OpenPosition; actions: PositionActions }) {
  const { conditionId, outcomeIndex, redeemable, mergeable, negativeRisk } = position;
  if (redeemable) {
    return (
      <Action tone="main" label={`Redeem ${nameOf(position)}`} run={() => actions.redeem(position)}>
        Redeem
      </Action>
    );
  }
  return (
    <div class="row actions">
      <a
        class="button"
        href={linkTo(['market', conditionId], { side: 'SELL', outcome: String(outcomeIndex) })}
        aria-label={`Sell ${nameOf(position)}`}
      >
        Sell
      </a>
      {mergeable && (
        <button
          type="button"
          aria-label={`Merge ${nameOf(position)}`}
          onClick={() => actions.merge(position)}
        >
          Merge
        </button>
      )}
      {negativeRisk && outcomeIndex === 1 && (
        <button
          type="button"
          aria-label={`Convert ${nameOf(position)}`}
          onClick={() => actions.convert(position)}
        >
          Convert
        </button>
      )}
    </div>
  );
}

interface PositionsProps {
  readonly positions: readonly OpenPosition[];
  /** Undefined for an account of somebody else. */
  readonly actions: PositionActions | undefined;
}

export function Positions({ positions, actions }: PositionsProps) {
  const order = useSignal<Order>('value');
  const [, figureOf] = ORDERS[order.value];
  const rows = positions.toSorted((one, other) => figureOf(other) - figureOf(one));
  return (
    <>
      {rows.length > 1 && (
        <Choice
          label="Sorted by"
          value={order.value}
          options={ORDER_NAMES.map((name) => [name, ORDERS[name][0]] as const)}
          onChange={setter(order)}
        />
      )}
      <Table
        label="Positions"
        rows={rows}
        keyOf={({ conditionId, outcomeIndex }) => `${conditionId}/${outcomeIndex}`}
        columns={[
          MARKET,
          ['Tokens', ({ size }) => tokensText(lotsOfTokens(size)), 'number'],
          ['Average price', ({ avgPrice }) => cents(avgPrice), 'number', 'minor'],
          ['Price now', ({ curPrice }) => cents(curPrice), 'number', 'minor'],
          ['Value', ({ currentValue }) => <Money micros={microsOf(currentValue)} />, 'number'],
          [
            'Profit',
            ({ cashPnl, percentPnl }) => <Gain micros={microsOf(cashPnl)} percent={percentPnl} />,
            'number',
          ],
          ...(actions === undefined
            ? []
            : [
                [
                  'Actions',
                  (position: OpenPosition) => <Buttons position={position} actions={actions} />,
                ] as const,
              ]),
        ]}
        empty="There are no open positions. Buy an outcome of a market, or split cash into tokens."
      />
    </>
  );
}
