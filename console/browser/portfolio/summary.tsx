/** The figures at the top of a portfolio. */
import { Figure } from '../kit/index.ts';
import { Gain, Money } from '../trading/gain.tsx';
import type { Holdings } from './holdings.ts';

export interface CashFigures {
  readonly freeMicros: number;
  readonly heldMicros: number;
}

interface SummaryProps {
  /** Undefined where it is not known. */
  readonly cash: CashFigures | undefined;
  readonly holdings: Holdings;
  /** Undefined where the balance over time is not known. */
  readonly dayMicros: number | undefined;
}

export function Summary({ cash, holdings, dayMicros }: SummaryProps) {
  const { valueMicros, unrealizedMicros, realizedMicros } = holdings;
  return (
    <section class="panel" aria-label="Summary">
      <dl class="figures">
        {cash !== undefined && (
          <>
            <Figure name="Total" hint="Cash, free and held, and the value of all positions">
              <Money micros={cash.freeMicros + cash.heldMicros + valueMicros} />
            </Figure>
            <Figure name="Free cash" hint="Cash that new orders may use">
              <Money micros={cash.freeMicros} />
            </Figure>
            <Figure name="Held by orders" hint="Cash that open buy orders hold">
              <Money micros={cash.heldMicros} />
            </Figure>
          </>
        )}
        <Figure name="Positions" hint="The value of all tokens at the price of now">
          <Money micros={valueMicros} />
        </Figure>
        <Figure name="Unrealized" hint="What the positions won or lost since they were bought">
          <Gain micros={unrealizedMicros} />
        </Figure>
        <Figure
          name="Realized"
          hint="What sales, merges, redemptions and conversions won or lost, less fees"
        >
          <Gain micros={realizedMicros} />
        </Figure>
        {dayMicros !== undefined && (
          <Figure
            name="In 24 hours"
            hint="The change of the total in 24 hours, with deposits and withdrawals"
          >
            <Gain micros={dayMicros} />
          </Figure>
        )}
      </dl>
    </section>
  );
}
