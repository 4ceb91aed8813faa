/**
 * A form that is made from the schema of a request's body: a field for each property, in the
 * order and with the words of the schema, where the page has no better ones.
 *
 * Invariant: what was entered stays until the exchange has accepted it.
 */
import type { Signal } from '@preact/signals';
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Action, Failure, setter } from '../kit/index.ts';
import type { BodySchema } from '../wire/index.ts';
import { bodyValueOf, type DraftGroup } from './body-value.ts';
import { type FieldFault, faultsIn, missingIn } from './faults.ts';
import { type FieldWords, GroupFields } from './part.tsx';

interface SchemaFormProps {
  readonly schema: BodySchema;
  /** What the fields show at first. */
  readonly start?: DraftGroup;
  /** Properties that the page fills in itself. */
  readonly hidden?: readonly string[];
  /** Optional properties, at any depth, that are not folded away; absent: none is. */
  readonly common?: readonly string[];
  /** By the name of a property, at any depth. */
  readonly words?: Readonly<Record<string, FieldWords>>;
  readonly submit: string;
  readonly tone?: 'main' | 'danger';
  /** Gets the body. If it is refused, the field that the refusal names is marked. */
  readonly onSubmit: (body: Record<string, unknown>) => Promise<void>;
  /** Where the form keeps what was entered, if the page needs it too. */
  readonly draft?: Signal<DraftGroup>;
  /** Where the form keeps why it was refused, if the page sends the body itself. */
  readonly refusal?: Signal<unknown>;
}

export function SchemaForm(props: SchemaFormProps) {
  const { schema, start = {}, hidden = [], common, words = {}, submit, onSubmit } = props;
  const own = useSignal<DraftGroup>(start);
  const ownRefusal = useSignal<unknown>(undefined);
  const missing = useSignal<readonly FieldFault[]>([]);
  const { draft = own, refusal = ownRefusal, tone = 'main' } = props;
  const faults = missing.value.length > 0 ? missing.value : faultsIn(refusal.value);
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // A long form may have scrolled away from the field.
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [JSON.stringify(faults)]);
  async function run(): Promise<void> {
    refusal.value = undefined;
    missing.value = missingIn(schema, draft.value);
    if (missing.value.length > 0) return;
    try {
      // An object's value is a record; an empty one is a body without fields.
      await onSubmit((bodyValueOf(schema, draft.value) ?? {}) as Record<string, unknown>);
    } catch (failure) {
      refusal.value = failure;
    }
  }
  return (
    <form ref={element} class="stack" onSubmit={(event) => event.preventDefault()}>
      <GroupFields
        schema={schema}
        draft={draft.value}
        path=""
        form={{ words, common, hidden, faults }}
        onChange={setter(draft)}
      />
      <div>
        <Action tone={tone} type="submit" run={run}>
          {submit}
        </Action>
        {missing.value.length > 0 && (
          <p class="fault" role="alert">
            Fill in what is marked.
          </p>
        )}
        {refusal.value !== undefined && <Failure failure={refusal.value} />}
      </div>
    </form>
  );
}
