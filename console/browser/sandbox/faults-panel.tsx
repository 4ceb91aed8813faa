/** Faults on demand, and what each of them hit. */
import { useSignal } from '@preact/signals';
import { SchemaForm } from '../forms/schema-form.tsx';
import {
  Action,
  Choice,
  type ColumnTerms,
  Dialog,
  Id,
  Loaded,
  labelOf,
  set,
  setter,
  Table,
  toast,
  useAnswer,
  useResource,
} from '../kit/index.ts';
import { type Answer, type BodySchema, bodySchemaOf, send } from '../wire/index.ts';

type Fault = Answer<'GET', '/faults', 'operator'>['data'][number];

const SHOWN_EVERY_MS = 2_000;

const TONES = { waiting: 'warn', active: 'good', spent: '', over: '' } as const;

/** What a fault is meant for, as a sentence part. */
function matchText({ match }: Fault): string {
  const parts = Object.entries(match).map(([name, value]) => `${name} ${value}`);
  return parts.length === 0 ? 'everything' : parts.join(', ');
}

const HIT_COLUMNS: readonly ColumnTerms<Fault['hits'][number]>[] = [
  ['Time', 'time', 'time'],
  ['Request', ({ method, path }) => `${method} ${path}`.trim() || '–'],
  ['What it did', 'done'],
  ['Owner', ({ owner }) => (owner === '' ? '–' : <Id text={owner} />)],
  ['Request id', 'request_id', 'code'],
];

function HitsDialog({ fault, onClose }: { fault: Fault; onClose: () => void }) {
  return (
    <Dialog title={`What ${labelOf(fault.kind).toLowerCase()} hit`} onClose={onClose}>
      <Table
        label="Hits"
        columns={HIT_COLUMNS}
        rows={fault.hits.toReversed()}
        keyOf={({ request_id, time, path }) => `${request_id} ${time} ${path}`}
        empty="It has hit nothing yet."
      />
      {fault.hits_dropped > 0 && <p>{fault.hits_dropped} older hits are not kept.</p>}
    </Dialog>
  );
}

function kindOf(schema: BodySchema): string {
  return String(schema.properties?.kind?.const ?? '');
}

/** What few faults need; it is folded away. */
const RARE = ['api_key', 'account', 'market', 'probability', 'skip', 'seed', 'after_seconds'];

/** All other fields of a kind. */
function commonOf({ properties = {} }: BodySchema): readonly string[] {
  const names = [...Object.keys(properties), ...Object.keys(properties.match?.properties ?? {})];
  return names.filter((name) => !RARE.includes(name));
}

const WORDS = {
  match: { label: 'What it is for', hint: 'All of these must agree; empty: everything.' },
  for_seconds: { label: 'Ends after', unit: 's' },
  after_seconds: { label: 'Begins after', unit: 's' },
} as const;

/** The form of a new fault: its fields depend on the kind. */
function NewFault({ schema, onAdded }: { schema: BodySchema; onAdded: () => void }) {
  const kinds = schema.anyOf ?? [];
  const kind = useSignal(kindOf(kinds[0] ?? {}));
  const chosen = kinds.find((one) => kindOf(one) === kind.value) ?? {};
  return (
    <div class="stack">
      <Choice
        label="Kind"
        value={kind.value}
        options={kinds.map((one) => [kindOf(one), labelOf(kindOf(one))] as const)}
        onChange={setter(kind)}
      />
      <p class="muted">{chosen.description}.</p>
      <SchemaForm
        key={kind.value}
        schema={chosen}
        common={commonOf(chosen)}
        words={WORDS}
        submit="Add the fault"
        onSubmit={async (body) => {
          await send({ method: 'POST', path: '/faults', body, auth: 'operator' });
          toast(`${labelOf(kind.value)} waits for its first match.`);
          onAdded();
        }}
      />
    </div>
  );
}

export function FaultsPanel() {
  const faults = useAnswer('/faults', { auth: 'operator' }, { everyMs: SHOWN_EVERY_MS });
  const schema = useResource(() => bodySchemaOf('POST', '/faults', 'operator'), []);
  const isAdding = useSignal(false);
  const shownId = useSignal('');
  async function remove(id?: string): Promise<void> {
    const shared = { method: 'DELETE', auth: 'operator' } as const;
    if (id === undefined) await send({ ...shared, path: '/faults' });
    else await send({ ...shared, path: '/faults/{fault_id}', params: { fault_id: id } });
    faults.reload();
  }
  const columns: readonly ColumnTerms<Fault>[] = [
    ['Kind', 'kind', 'kind'],
    ['State', ({ state }) => <span class={`badge ${TONES[state]}`}>{state}</span>],
    ['For', matchText],
    ['Added', 'created', 'moment', 'minor'],
    ['Fired', ({ fired, count }) => (count === null ? fired : `${fired} of ${count}`), 'number'],
    ['Matched', 'matched', 'number', 'minor'],
    [
      'Actions',
      ({ id }) => (
        <span class="row">
          <button type="button" aria-label={`Hits of fault ${id}`} onClick={() => set(shownId, id)}>
            Hits
          </button>
          <Action label={`Remove fault ${id}`} run={() => remove(id)}>
            Remove
          </Action>
        </span>
      ),
    ],
  ];
  return (
    <section class="panel" aria-labelledby="faults">
      <div class="row apart">
        <h2 id="faults">Faults</h2>
        <span class="row">
          <button type="button" class="main" onClick={() => set(isAdding, true)}>
            New fault
          </button>
          <Action run={() => remove()}>Remove all</Action>
        </span>
      </div>
      <Loaded resource={faults}>
        {({ data }) => {
          const shown = data.find(({ id }) => id === shownId.value);
          return (
            <>
              <Table
                label="Faults in force"
                columns={columns}
                rows={data.toReversed()}
                keyOf={({ id }) => id}
                empty="There is no fault. A fault changes what clients are told, never the journal."
              />
              {shown !== undefined && <HitsDialog fault={shown} onClose={() => set(shownId, '')} />}
            </>
          );
        }}
      </Loaded>
      {isAdding.value && (
        <Dialog title="New fault" onClose={() => set(isAdding, false)}>
          <Loaded resource={schema}>
            {(body) => (
              <NewFault
                schema={body}
                onAdded={() => {
                  isAdding.value = false;
                  faults.reload();
                }}
              />
            )}
          </Loaded>
        </Dialog>
      )}
    </section>
  );
}
