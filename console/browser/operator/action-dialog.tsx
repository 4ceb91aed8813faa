/**
 * A dialog for one of the operator's writes: a form from the schema of its route, and where the
 * write can't be undone, a second look before it is sent.
 */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type DraftGroup, type FieldWords, SchemaForm } from '../forms/index.ts';
import { Action, Dialog, Loaded, toast, useResource } from '../kit/index.ts';
import { type BodySchema, bodySchemaOf, send } from '../wire/index.ts';
import { lastName, operator } from './token.ts';

type Body = Readonly<Record<string, unknown>>;

export interface Write {
  readonly title: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** The path of the route, such as `/markets/{condition_id}/state`. */
  readonly route: string;
  readonly params?: Readonly<Record<string, string>>;
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

interface ActionDialogProps {
  readonly write: Write;
  readonly onClose: () => void;
  /** Called when the exchange has done it. */
  readonly onDone: () => void;
}

const WORDS: Readonly<Record<string, FieldWords>> = {
  by: { label: 'Your name', hint: 'For the log: operators share one token here.' },
  reason: { hint: 'For the log: why this is done.' },
};

function pathOf({ route, params = {} }: Write): string {
  return route.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** The name is optional in the schema, but needed where operators share one token. */
function withName(schema: BodySchema): BodySchema {
  return { ...schema, required: [...(schema.required ?? []), 'by'] };
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

/** The answer of a write whose status says that it waits for another operator. */
interface WriteAnswer {
  readonly status?: string;
  readonly duplicate?: boolean;
  /** Where the next request goes on, if one was not enough. */
  readonly next_after?: string | null;
}

async function carryOut(write: Write, body: Body): Promise<void> {
  const { method, title } = write;
  if (typeof body.by === 'string') lastName.value = body.by;
  const path = pathOf(write);
  const answer = await send<WriteAnswer>({ method, path, body, auth: 'operator' });
  let after = answer.next_after;
  while (typeof after === 'string') {
    const rest = { ...body, after };
    const part = await send<WriteAnswer>({ method, path, body: rest, auth: 'operator' });
    after = part.next_after;
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
          schema={isShared ? withName(fields) : fields}
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

export function ActionDialog({ write, onClose, onDone }: ActionDialogProps) {
  const { method, title, start = {}, submit, warnOf, note, isResolution = false } = write;
  const by = operator.value?.you || lastName.value;
  const draft = useSignal<DraftGroup>({ ...(by === '' ? {} : { by }), ...start });
  const refusal = useSignal<unknown>(undefined);
  const waiting = useSignal<Body | undefined>(undefined);
  async function finish(body: Body): Promise<void> {
    await carryOut(write, body);
    onDone();
    onClose();
  }
  async function confirm(body: Body): Promise<void> {
    try {
      await finish(body);
    } catch (failure) {
      // The form shows why, and has what was entered.
      refusal.value = failure;
      waiting.value = undefined;
    }
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
          onBack={() => {
            waiting.value = undefined;
          }}
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
