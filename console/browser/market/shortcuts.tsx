/** The keys of the market page, and the dialog that lists them. */
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Check, Dialog, Fact, set, setter } from '../kit/index.ts';
import type { Ticket } from './ticket-state.ts';

/** Off for people whose speech input types letters by mistake. */
const areOn = signal(true);

export const isHelpOpen = signal(false);

const KEYS = [
  ['B', 'buy'],
  ['S', 'sell'],
  ['1 or 2', 'choose the first or the second outcome'],
  ['P', 'go to the price'],
  ['Q', 'go to the size or amount'],
  ['O', 'go to the order book; the arrow keys then move, Enter takes a row'],
  ['↑ and ↓', 'in the price: move it by a step of the market, with Shift by ten'],
  ['Enter', 'in the ticket: send the order'],
  ['Esc', 'in the ticket: empty it'],
  ['?', 'show this list'],
] as const;

/** Whether a key is part of what somebody types or chooses. */
function isTyped({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof Element && target.matches('input:not([type=radio]), select, textarea');
}

function focusOn(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.focus();
}

function actionOf(key: string, ticket: Ticket): (() => void) | undefined {
  switch (key.toLowerCase()) {
    case 'b':
      return () => ticket.chooseSide('BUY');
    case 's':
      return () => ticket.chooseSide('SELL');
    case '1':
      return () => ticket.chooseOutcome(0);
    case '2':
      return () => ticket.chooseOutcome(1);
    case 'p':
      return () => focusOn('.ticket-price input');
    case 'q':
      return () => focusOn('.ticket-quantity input');
    case 'o':
      return () => focusOn('.book-row[tabindex="0"]');
    default:
      return undefined;
  }
}

export function useShortcuts(ticket: Ticket): void {
  useEffect(() => {
    function act(event: KeyboardEvent): void {
      if (isTyped(event)) return;
      const isHelp = event.key === '?';
      const action = isHelp
        ? () => set(isHelpOpen, true)
        : areOn.peek()
          ? actionOf(event.key, ticket)
          : undefined;
      if (action === undefined) return;
      event.preventDefault();
      action();
    }
    document.addEventListener('keydown', act);
    return () => {
      document.removeEventListener('keydown', act);
      isHelpOpen.value = false;
    };
  }, [ticket]);
}

export function ShortcutHelp() {
  if (!isHelpOpen.value) return null;
  return (
    <Dialog title="Keys" onClose={() => set(isHelpOpen, false)}>
      <dl class="facts">
        {KEYS.map(([key, text]) => (
          <Fact key={key} name={<kbd>{key}</kbd>}>
            {text}
          </Fact>
        ))}
      </dl>
      <Check
        label="Letters and digits are shortcuts"
        value={areOn.value}
        onChange={setter(areOn)}
      />
    </Dialog>
  );
}
