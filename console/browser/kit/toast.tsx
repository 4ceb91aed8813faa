/** Short messages about what just happened, at the edge of the page. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

/** A dialog over the page. The browser's element keeps the focus inside and closes on Escape. */
interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Open as long as it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onClose}>
      <div class="head">
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          class="quiet"
          aria-label="Close"
          onClick={() => element.current?.close()}
        >
          ×
        </button>
      </div>
      {children}
    </dialog>
  );
}

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
