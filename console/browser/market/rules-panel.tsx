/** What the market is about and what it asks: rules, terms, fees, dates and ids. */
import { Fact, Id, linkTo, localTime } from '../kit/index.ts';
import { centsText, tokensText } from '../trading/units.ts';
import type { Market } from '../wire/index.ts';
import type { Desk } from './use-sending.ts';

const BPS_PER_PERCENT = 100;

function DateFact({ name, iso }: { name: string; iso: string | null | undefined }) {
  const timeMs = Date.parse(iso ?? '');
  if (!Number.isFinite(timeMs)) return null;
  return <Fact name={name}>{localTime(timeMs)}</Fact>;
}

function feeText(bps: number, exponent: number): string {
  if (bps === 0) return 'none';
  const rate = `${bps / BPS_PER_PERCENT}%`;
  if (exponent === 0) return `${rate} of a dollar for each token`;
  const power = exponent === 1 ? '' : ` to the power of ${exponent}`;
  return `${rate} × (price × (1 − price))${power} for each token`;
}

function delayText({ taker_order_delay_ms: delayMs }: Market): string {
  return delayMs === 0 ? 'none' : `orders that would trade at once wait ${delayMs / 1000} seconds`;
}

export function RulesPanel({ desk }: { desk: Desk }) {
  const market = desk.market.value;
  const { tickTicks, minimumLots, fees, tokenIds, outcomes } = desk.rules.value;
  return (
    <div class="stack">
      <section>
        <h3>Rules</h3>
        <p class="text">{market.description || 'This market has no rules in words.'}</p>
        {market.resolutionSource !== '' && <p>Source: {market.resolutionSource}</p>}
      </section>
      <section>
        <h3>Terms</h3>
        <dl class="facts">
          <Fact name="Price step">{centsText(tickTicks)}</Fact>
          <Fact name="Minimum size">{tokensText(minimumLots)} tokens</Fact>
          <Fact name="Taker fee">{feeText(fees.takerFeeBps, fees.feeExponent)}</Fact>
          <Fact name="Maker fee">{feeText(fees.makerFeeBps, fees.feeExponent)}</Fact>
          <Fact name="Delay">{delayText(market)}</Fact>
          <Fact name="Neg-risk">
            {market.neg_risk ? 'yes: one market of its event wins' : 'no'}
          </Fact>
          <DateFact name="Opened" iso={market.startDate} />
          <DateFact name="Ends" iso={market.endDate} />
          <DateFact name="Game starts" iso={market.game_start_time} />
        </dl>
      </section>
      <section>
        <h3>Ids</h3>
        <dl class="facts">
          <Fact name="Condition">
            <Id
              text={market.conditionId}
              href={linkTo(['explorer', 'market', market.conditionId])}
            />
          </Fact>
          <Fact name={`Token of ${outcomes[0]}`}>
            <Id text={tokenIds[0]} href={linkTo(['explorer', 'token', tokenIds[0]])} />
          </Fact>
          <Fact name={`Token of ${outcomes[1]}`}>
            <Id text={tokenIds[1]} href={linkTo(['explorer', 'token', tokenIds[1]])} />
          </Fact>
        </dl>
      </section>
    </div>
  );
}
