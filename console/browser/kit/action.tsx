/** A button that asks the exchange to do something. It is busy meanwhile and shows a failure. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Failure } from './loaded.tsx';

interface ActionProps {
  readonly run: () => Promise<void>;
  readonly children: ComponentChildren;
  readonly tone?: 'plain' | 'main' | 'buy' | 'sell' | 'danger';
  readonly isDisabled?: boolean;
  /** `submit`: Enter in a field of the form runs it too. */
  readonly type?: 'button' | 'submit';
  /** For screen readers, where the visible text does not say which one. */
  readonly label?: string;
}

export function Action(props: ActionProps) {
  const { run, children, tone = 'plain', isDisabled = false, label, type = 'button' } = props;
  const isBusy = useSignal(false);
  const failure = useSignal<unknown>(undefined);
  async function act(event: Event): Promise<void> {
    // The form itself is never sent: it may be gone before the browser would send it.
    event.preventDefault();
    if (isBusy.value) return;
    isBusy.value = true;
    failure.value = undefined;
    try {
      await run();
    } catch (fault) {
      failure.value = fault;
    } finally {
      isBusy.value = false;
    }
  }
  return (
    <>
      <button
        type={type}
        class={tone === 'plain' ? '' : tone}
        disabled={isDisabled || isBusy.value}
        aria-busy={isBusy.value}
        onClick={act}
        {...(label === undefined ? {} : { 'aria-label': label })}
      >
        {children}
      </button>
      {failure.value !== undefined && <Failure failure={failure.value} />}
    </>
  );
}
