/** Cash, profits and losses as elements. */
import { grouped } from '../kit/index.ts';
import { moneyText, shortMoney, signedMoney } from './units.ts';

function signedPercent(percent: number): string {
  const text = grouped(Math.abs(percent).toFixed(1));
  if (text === '0.0') return '0.0%';
  return `${percent < 0 ? '−' : '+'}${text}%`;
}

function toneOf(micros: number): string {
  if (micros === 0) return '';
  return micros > 0 ? 'buy-text' : 'sell-text';
}

interface GainProps {
  readonly micros: number;
  /** Of what was paid. */
  readonly percent?: number;
}

/** A profit or a loss: by its sign, and by its color. */
export function Gain({ micros, percent }: GainProps) {
  return (
    <span class={toneOf(micros)} title={moneyText(micros)}>
      {signedMoney(micros)}
      {percent !== undefined && ` (${signedPercent(percent)})`}
    </span>
  );
}

/** Cash in cents, with all of it on hover. */
export function Money({ micros }: { micros: number }) {
  return <span title={moneyText(micros)}>{shortMoney(micros)}</span>;
}
