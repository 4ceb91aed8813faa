/** Short messages about what just happened, at the edge of the page. */
import { signal } from '@preact/signals';

type Tone = 'done' | 'failed';

interface Message {
  readonly id: number;
  readonly text: string;
  readonly tone: Tone;
}

const SHOWN_MS = { done: 4_000, failed: 10_000 } as const;
const MOST = 5;

const messages = signal<readonly Message[]>([]);
let lastId = 0;

function dismiss(id: number): void {
  messages.value = messages.peek().filter((message) => message.id !== id);
}

export function toast(text: string, tone: Tone = 'done'): void {
  lastId += 1;
  const id = lastId;
  messages.value = [...messages.peek(), { id, text, tone }].slice(-MOST);
  setTimeout(() => dismiss(id), SHOWN_MS[tone]);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {messages.value.map(({ id, text, tone }) => (
        <p key={id} class={`toast ${tone}`}>
          {text}
          <button type="button" class="quiet" aria-label="Dismiss" onClick={() => dismiss(id)}>
            ×
          </button>
        </p>
      ))}
    </div>
  );
}
