/**
 * A dialog for one of the operator's writes: a form from the schema of its route, and where the
 * write can't be undone, a second look before it is sent.
 */
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import {
  Action,
  Dialog,
  type Draft,
  Loaded,
  SchemaForm,
  toast,
  useResource,
} from '../kit/index.ts';
import { bodySchemaOf, send } from '../wire/index.ts';
import { operator } from './token.ts';

export interface Write {
  readonly title: string;
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** The path of the route, such as `/markets/{condition_id}/state`. */
  readonly route: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly start?: { readonly [name: string]: Draft };
  /** Fields that are sent as they start, and not shown. */
  readonly hidden?: readonly string[];
  readonly submit: string;
  /** Present for what can't be undone: what will happen, said before it is sent. */
  readonly warnOf?: (body: Readonly<Record<string, unknown>>) => ComponentChildren;
  /** What is shown above the form. */
  readonly note?: ComponentChildren;
}

interface ActionDialogProps {
  readonly write: Write;
  readonly onClose: () => void;
  /** Called when the exchange has done it. */
  readonly onDone: () => void;
}

function pathOf({ route, params = {} }: Write): string {
  return route.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

type Body = Readonly<Record<string, unknown>>;

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
}

export function ActionDialog({ write, onClose, onDone }: ActionDialogProps) {
  const { title, method, route, start = {}, hidden = [], submit, warnOf, note } = write;
  const schema = useResource(() => bodySchemaOf(method, route, 'operator'), [method, route]);
  const you = operator.value?.you ?? '';
  const draft = useSignal<{ readonly [name: string]: Draft }>({ by: you, ...start });
  const waiting = useSignal<Body | undefined>(undefined);
  async function carryOut(body: Body): Promise<void> {
    const answer = await send<WriteAnswer>({ method, path: pathOf(write), body, auth: 'operator' });
    if (answer.status === 'awaiting_approval') toast('It waits for a second operator.');
    else if (answer.duplicate === true) toast('Nothing was changed: it was so before.');
    else toast(`Done: ${title.toLowerCase()}.`);
    onDone();
    onClose();
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {note !== undefined && <p class="muted">{note}</p>}
      {waiting.value !== undefined && warnOf !== undefined ? (
        <SecondLook
          warning={warnOf(waiting.value)}
          submit={submit}
          onConfirm={() => carryOut(waiting.value ?? {})}
          onBack={() => {
            waiting.value = undefined;
          }}
        />
      ) : (
        <Loaded resource={schema}>
          {(fields) => (
            <SchemaForm
              schema={fields}
              draft={draft}
              hidden={you === '' ? hidden : [...hidden, 'by']}
              submit={warnOf === undefined ? submit : 'Go on'}
              onSubmit={async (body) => {
                if (warnOf === undefined) await carryOut(body);
                else waiting.value = body;
              }}
            />
          )}
        </Loaded>
      )}
    </Dialog>
  );
}
