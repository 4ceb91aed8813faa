/** The end of each form of a move: the amount, what comes of it, and the button. */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Action, DECIMALS, decimalText, Field, parseDecimal } from '../kit/index.ts';
import { tokensText } from '../trading/units.ts';
import { amountFault, MOVE_BOUNDS } from './moves.ts';

interface AmountFormProps {
  readonly label: string;
  readonly unit: string;
  readonly amount: Signal<string>;
  /** The most that the account has; undefined where it is not known. */
  readonly mostLots: number | undefined;
  readonly submit: string;
  readonly isReady?: boolean;
  /** Gets the amount as a decimal text. */
  readonly onSubmit: (amount: string) => Promise<void>;
  /** What comes of it. */
  readonly preview: (lots: number) => ComponentChildren;
}

/** What is wrong with a typed amount; '' for nothing, or while nothing is typed. */
function faultOf(text: string, lots: bigint | undefined): string {
  if (text.trim() === '') return '';
  if (lots === undefined) return 'The amount must be a number with at most 2 decimals.';
  return lots > 0n ? '' : 'The amount must be above 0.';
}

export function AmountForm(props: AmountFormProps) {
  const { label, unit, amount, mostLots, submit, isReady = true, onSubmit, preview } = props;
  const refusal = useSignal('');
  const lots = parseDecimal(amount.value, DECIMALS.lots);
  const fault = faultOf(amount.value, lots);
  const holding = mostLots === undefined ? '' : `At most ${tokensText(mostLots)} ${unit}.`;
  const isAmount = lots !== undefined && lots > 0n;
  function change(text: string): void {
    amount.value = text;
    refusal.value = '';
  }
  async function run(): Promise<void> {
    if (lots === undefined) return;
    refusal.value = '';
    try {
      await onSubmit(decimalText(lots, DECIMALS.lots));
    } catch (failure) {
      const text = amountFault(failure);
      if (text === undefined) throw failure;
      refusal.value = `${text} ${holding}`.trim();
    }
  }
  return (
    <form class="stack" onSubmit={(event) => event.preventDefault()}>
      <div class="row amount-field">
        <Field
          label={label}
          value={amount.value}
          inputMode="decimal"
          unit={unit}
          maxLength={MOVE_BOUNDS.amountCharacters}
          fault={refusal.value || fault}
          hint={holding}
          onInput={change}
        />
        {mostLots !== undefined && mostLots > 0 && (
          <button type="button" onClick={() => change(decimalText(mostLots, DECIMALS.lots))}>
            All
          </button>
        )}
      </div>
      {isAmount && isReady && <p>{preview(Number(lots))}</p>}
      <div>
        <Action tone="main" type="submit" isDisabled={!isAmount || !isReady} run={run}>
          {submit}
        </Action>
      </div>
    </form>
  );
}
