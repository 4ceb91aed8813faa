/**
 * The operator's writes: a button for each, and a dialog with the form that is made from the schema
 * of its route. Where a write can't be undone, there is a second look before it is sent.
 */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { DraftGroup } from '../forms/body-value.ts';
import type { FieldWords } from '../forms/part.tsx';
import { SchemaForm } from '../forms/schema-form.tsx';
import { Action, Dialog, Loaded, set, toast, useResource } from '../kit/index.ts';
import { bodySchemaOf, sendAny } from '../wire/index.ts';
import { lastName, operator } from './token.tsx';

type Body = Readonly<Record<string, unknown>>;

export interface Write {
  readonly title: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** The path of the route, such as `/markets/{condition_id}/state`. */
  readonly route: string;
  readonly params?: Readonly<Record<string, string>>;
  /** Whether the route takes no body; then the dialog has no form. */
  readonly isBare?: boolean;
  readonly start?: DraftGroup;
  /** Fields that are sent as they start, and not shown. */
  readonly hidden?: readonly string[];
  /** Optional fields that are not folded away; absent: none is. */
  readonly common?: readonly string[];
  readonly words?: Readonly<Record<string, FieldWords>>;
  readonly submit: string;
  /** Present for what can't be undone: what will happen, said before it is sent. */
  readonly warnOf?: (body: Body) => ComponentChildren;
  /** Whether two operators may have to ask for it. */
  readonly isResolution?: boolean;
  /** What is shown above the form. */
  readonly note?: ComponentChildren;
}

const WORDS: Readonly<Record<string, FieldWords>> = {
  by: { label: 'Your name', hint: 'For the log: operators share one token here.' },
  reason: { hint: 'For the log: why this is done.' },
};

/** The answer of a write whose status says that it waits for another operator. */
interface WriteAnswer {
  readonly status?: string;
  readonly duplicate?: boolean;
  /** Where the next request goes on, if one was not enough. */
  readonly next_after?: string | null;
}

async function carryOut(write: Write, body: Body): Promise<void> {
  const { method, route: path, params = {}, title } = write;
  if (typeof body.by === 'string') lastName.value = body.by;
  const ask = async (more: Body): Promise<WriteAnswer> => {
    const sent = write.isBare ? undefined : { ...body, ...more };
    const answer = await sendAny({ method, path, params, body: sent, auth: 'operator' });
    // Safe: the routes of writes answer with an object, which may have these fields.
    return answer as WriteAnswer;
  };
  const answer = await ask({});
  for (let after = answer.next_after; typeof after === 'string'; ) {
    after = (await ask({ after })).next_after;
  }
  if (answer.status === 'awaiting_approval') {
    toast('Nothing has happened yet: another operator must ask for the same within 24 hours.');
  } else if (answer.duplicate === true) toast('Nothing was changed: it was so before.');
  else toast(`Done: ${title.toLowerCase()}.`);
}

/**
 * What an edit changes: what is as it was is left out, since an import or sync changes no edited
 * field; what was emptied is sent empty.
 */
function editsIn(body: Body, start: DraftGroup, draft: DraftGroup): Body {
  const changed = Object.entries(body).filter(([name, value]) => value !== start[name]);
  const emptied = Object.keys(start).filter((name) => start[name] !== '' && draft[name] === '');
  return Object.fromEntries([...changed, ...emptied.map((name) => [name, ''] as const)]);
}

interface SecondLookProps {
  readonly warning: ComponentChildren;
  readonly submit: string;
  readonly onConfirm: () => Promise<void>;
  readonly onBack: () => void;
}

function SecondLook({ warning, submit, onConfirm, onBack }: SecondLookProps) {
  return (
    <div class="stack">
      <div class="stale">{warning}</div>
      <p>This can't be undone. Is it what you mean?</p>
      <div class="row">
        <Action tone="danger" run={onConfirm}>
          {submit}
        </Action>
        <button type="button" onClick={onBack}>
          Back
        </button>
      </div>
    </div>
  );
}

interface WriteFormProps {
  readonly write: Write;
  readonly draft: Signal<DraftGroup>;
  readonly refusal: Signal<unknown>;
  readonly onSubmit: (body: Body) => Promise<void>;
}

function WriteForm({ write, draft, refusal, onSubmit }: WriteFormProps) {
  const { method, route, hidden = [], common, words = {}, warnOf, submit } = write;
  const schema = useResource(() => bodySchemaOf(method, route, 'operator'), [method, route]);
  const isShared = operator.value?.you === '';
  return (
    <Loaded resource={schema}>
      {(fields) => (
        <SchemaForm
          // The name is optional in the schema, but needed where operators share one token.
          schema={isShared ? { ...fields, required: [...(fields.required ?? []), 'by'] } : fields}
          draft={draft}
          refusal={refusal}
          hidden={isShared ? hidden : [...hidden, 'by']}
          words={{ ...WORDS, ...words }}
          {...(common === undefined ? {} : { common: [...common, 'by'] })}
          submit={warnOf === undefined ? submit : 'Go on'}
          onSubmit={onSubmit}
        />
      )}
    </Loaded>
  );
}

interface WriteDialogProps {
  readonly write: Write;
  readonly onClose: () => void;
  /** Called when the exchange has done it. */
  readonly onDone: () => void;
}

function WriteDialog({ write, onClose, onDone }: WriteDialogProps) {
  const { method, title, start = {}, submit, warnOf, note, isBare, isResolution = false } = write;
  const by = operator.value?.you || lastName.value;
  const draft = useSignal<DraftGroup>({ ...(by === '' ? {} : { by }), ...start });
  const refusal = useSignal<unknown>(undefined);
  const waiting = useSignal<Body | undefined>(isBare ? {} : undefined);
  async function finish(body: Body): Promise<void> {
    await carryOut(write, body);
    onDone();
    onClose();
  }
  async function confirm(body: Body): Promise<void> {
    try {
      await finish(body);
    } catch (failure) {
      if (isBare) throw failure;
      // The form shows why, and has what was entered.
      refusal.value = failure;
      waiting.value = undefined;
    }
  }
  function back(): void {
    if (isBare) onClose();
    else waiting.value = undefined;
  }
  const body = waiting.value;
  return (
    <Dialog title={title} onClose={onClose}>
      {note !== undefined && <p class="muted">{note}</p>}
      {isResolution && operator.value?.resolutions_need_two === true && (
        <p class="muted">
          Two operators must ask for a resolution. The first request waits for the second one.
        </p>
      )}
      {body !== undefined && warnOf !== undefined ? (
        <SecondLook
          warning={warnOf(body)}
          submit={submit}
          onConfirm={() => confirm(body)}
          onBack={back}
        />
      ) : (
        <WriteForm
          write={write}
          draft={draft}
          refusal={refusal}
          onSubmit={async (entered) => {
            const edits = method === 'PUT' ? editsIn(entered, start, draft.value) : entered;
            if (warnOf === undefined) await finish(edits);
            else waiting.value = entered;
          }}
        />
      )}
    </Dialog>
  );
}

interface WritesProps {
  readonly writes: readonly Write[];
  /** Called after each write that the exchange has done. */
  readonly onDone: () => void;
  /** What the writes are about, for screen readers: "Will it rain?". */
  readonly subject?: string;
  /** One button for all, for the rows of tables: more would not fit a narrow screen. */
  readonly isFolded?: boolean;
}

/** A button for each write. */
export function Writes({ writes, onDone, subject = '', isFolded = false }: WritesProps) {
  const open = useSignal<Write | 'choose' | undefined>(undefined);
  const close = (): void => {
    open.value = undefined;
  };
  const button = (title: string, chosen: Write | 'choose', name = title) => (
    <button
      key={title}
      type="button"
      {...(subject === '' || open.value === 'choose'
        ? {}
        : { 'aria-label': `${name}: ${subject}` })}
      onClick={() => set(open, chosen)}
    >
      {title}
    </button>
  );
  const buttons = () => writes.map((write) => button(write.title, write));
  return (
    <span class="row">
      {isFolded ? button('Change…', 'choose', 'Change') : buttons()}
      {open.value === 'choose' && (
        <Dialog title={subject} onClose={close}>
          <div class="choices">{buttons()}</div>
        </Dialog>
      )}
      {open.value !== undefined && open.value !== 'choose' && (
        <WriteDialog write={open.value} onDone={onDone} onClose={close} />
      )}
    </span>
  );
}
