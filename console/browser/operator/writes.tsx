/** Buttons that open the dialog of a write. */
import { useSignal } from '@preact/signals';
import { Dialog } from '../kit/index.ts';
import { ActionDialog, type Write } from './action-dialog.tsx';

interface WritesProps {
  readonly writes: readonly Write[];
  /** Called after each write that the exchange has done. */
  readonly onDone: () => void;
  /** What the writes are about, for screen readers: "Will it rain?". */
  readonly subject?: string;
}

interface ButtonsProps extends Pick<WritesProps, 'writes' | 'subject'> {
  readonly onChoose: (write: Write) => void;
}

function Buttons({ writes, subject, onChoose }: ButtonsProps) {
  return writes.map((write) => (
    <button
      key={write.title}
      type="button"
      {...(subject === undefined ? {} : { 'aria-label': `${write.title}: ${subject}` })}
      onClick={() => onChoose(write)}
    >
      {write.title}
    </button>
  ));
}

/** One button for each write. */
export function Writes({ writes, onDone, subject }: WritesProps) {
  const open = useSignal<Write | undefined>(undefined);
  return (
    <span class="row">
      <Buttons
        writes={writes}
        {...(subject === undefined ? {} : { subject })}
        onChoose={(write) => {
          open.value = write;
        }}
      />
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

/** One button for many writes, for the rows of tables: they would not fit a narrow screen. */
export function FoldedWrites({ writes, onDone, subject }: Required<WritesProps>) {
  const open = useSignal<Write | 'choose' | undefined>(undefined);
  const close = (): void => {
    open.value = undefined;
  };
  return (
    <>
      <button
        type="button"
        aria-label={`Change: ${subject}`}
        onClick={() => {
          open.value = 'choose';
        }}
      >
        Change…
      </button>
      {open.value === 'choose' && (
        <Dialog title={subject} onClose={close}>
          <div class="choices">
            <Buttons
              writes={writes}
              onChoose={(write) => {
                open.value = write;
              }}
            />
          </div>
        </Dialog>
      )}
      {open.value !== undefined && open.value !== 'choose' && (
        <ActionDialog write={open.value} onDone={onDone} onClose={close} />
      )}
    </>
  );
}
