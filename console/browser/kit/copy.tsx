/** Long texts of the wire, such as addresses: shortened, whole on hover, copied by a click. */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { toast } from './toast.tsx';

interface CopyProps {
  /** A function makes a text that is long only when it is wanted. */
  readonly text: string | (() => string);
  /** What the button shows. */
  readonly label?: ComponentChildren;
  /** For screen readers, where the label is a picture. */
  readonly name?: string;
}

function CopyIcon() {
  return (
    <svg width="13" height="13" viewBox="0 0 16 16" fill="none" stroke="currentColor" aria-hidden>
      <rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
      <path d="M10.5 3.5v-1h-8v8h1" />
    </svg>
  );
}

export function CopyButton({ text, label = 'Copy', name }: CopyProps) {
  const isDone = useSignal(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      isDone.value = true;
      setTimeout(() => {
        isDone.value = false;
      }, 1500);
    } catch {
      // Browsers allow the clipboard on https and on this machine only.
      toast('The browser does not allow this page to copy.', 'failed');
    }
  }
  return (
    <button
      type="button"
      class="quiet"
      onClick={copy}
      {...(name === undefined ? {} : { 'aria-label': name, title: name })}
    >
      {isDone.value ? '✓' : label}
    </button>
  );
}

export function shortened(text: string, start = 6, end = 4): string {
  return text.length <= start + end + 1 ? text : `${text.slice(0, start)}…${text.slice(-end)}`;
}

/** A shortened id, with a link where it has a page of its own. */
export function Id({ text, href }: { text: string; href?: string }) {
  return (
    <span class="id">
      {href === undefined ? (
        <code title={text}>{shortened(text)}</code>
      ) : (
        <a href={href} title={text}>
          <code>{shortened(text)}</code>
        </a>
      )}
      <CopyButton text={text} label={<CopyIcon />} name={`Copy ${text}`} />
    </span>
  );
}
