/** Buttons that open the dialog of a write. */
import { useSignal } from '@preact/signals';
import { ActionDialog, type Write } from './action-dialog.tsx';

interface WritesProps {
  readonly writes: readonly Write[];
  /** Called after each write that the exchange has done. */
  readonly onDone: () => void;
  /** What the writes are about, for screen readers: "Will it rain?". */
  readonly subject?: string;
}

/** One button for each write. */
export function Writes({ writes, onDone, subject }: WritesProps) {
  const open = useSignal<Write | undefined>(undefined);
  return (
    <span class="row">
      {writes.map((write) => (
        <button
          key={write.title}
          type="button"
          {...(subject === undefined ? {} : { 'aria-label': `${write.title}: ${subject}` })}
          onClick={() => {
            open.value = write;
          }}
        >
          {write.title}
        </button>
      ))}
      {open.value !== undefined && (
        <ActionDialog
          write={open.value}
          onDone={onDone}
          onClose={() => {
            open.value = undefined;
          }}
        />
      )}
    </span>
  );
}
