/** Long texts of the wire, such as addresses: shortened, whole on hover, copied by a click. */
import { useSignal } from '@preact/signals';
import { toast } from './toast.tsx';

/** A button that puts a text into the clipboard. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const isDone = useSignal(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
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
    <button type="button" class="quiet" onClick={copy}>
      {isDone.value ? 'Copied' : label}
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
      <CopyButton text={text} label="⧉" />
    </span>
  );
}
