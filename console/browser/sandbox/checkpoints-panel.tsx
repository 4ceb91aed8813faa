/** Saved states of the exchange: make, restore, remove. */
import { useSignal } from '@preact/signals';
import {
  Action,
  type ColumnTerms,
  Dialog,
  Field,
  Loaded,
  set,
  setter,
  Table,
  toast,
  useAnswer,
} from '../kit/index.ts';
import { type Answer, send } from '../wire/index.ts';

type Checkpoint = Answer<'GET', '/checkpoints', 'operator'>['data'][number];

const NAME_CHARACTERS = 100;

function nameOf({ id, name }: Checkpoint): string {
  return name === '' ? id : name;
}

interface RestoreProps {
  readonly checkpoint: Checkpoint;
  readonly onClose: () => void;
}

/** Asks before everything that happened since is given up. */
function RestoreDialog({ checkpoint, onClose }: RestoreProps) {
  async function restore(): Promise<void> {
    const params = { checkpoint_id: checkpoint.id };
    const path = '/checkpoints/{checkpoint_id}/restore';
    await send({ method: 'POST', path, params, auth: 'operator' });
    toast(`The exchange is back at ${nameOf(checkpoint)}.`);
    onClose();
  }
  return (
    <Dialog title={`Restore ${nameOf(checkpoint)}?`} onClose={onClose}>
      <p>
        Accounts, orders, books and time go back to command {checkpoint.seq}. Everything that
        happened since is lost, and all streams reconnect.
      </p>
      <Action tone="danger" run={restore}>
        Restore
      </Action>
    </Dialog>
  );
}

export function CheckpointsPanel() {
  const list = useAnswer('/checkpoints', { auth: 'operator' });
  const name = useSignal('');
  const chosen = useSignal<Checkpoint | undefined>(undefined);
  async function save(): Promise<void> {
    const body = { name: name.value };
    const made = await send({ method: 'POST', path: '/checkpoints', body, auth: 'operator' });
    toast(`Checkpoint ${nameOf(made)} was made.`);
    name.value = '';
    list.reload();
  }
  async function remove({ id }: Checkpoint): Promise<void> {
    const params = { checkpoint_id: id };
    const path = '/checkpoints/{checkpoint_id}';
    await send({ method: 'DELETE', path, params, auth: 'operator' });
    list.reload();
  }
  const columns: readonly ColumnTerms<Checkpoint>[] = [
    ['Name', nameOf],
    ['Made', 'made_at', 'moment'],
    ['Command', 'seq', 'number'],
    ['Size', 'bytes', 'size', 'minor'],
    [
      'Actions',
      (checkpoint) => (
        <span class="row">
          <button type="button" onClick={() => set(chosen, checkpoint)}>
            Restore
          </button>
          <Action label={`Remove ${nameOf(checkpoint)}`} run={() => remove(checkpoint)}>
            Remove
          </Action>
        </span>
      ),
    ],
  ];
  return (
    <section class="panel stack" aria-labelledby="checkpoints">
      <h2 id="checkpoints">Checkpoints</h2>
      <Loaded resource={list}>
        {({ data }) => (
          <Table
            label="Saved checkpoints"
            columns={columns}
            rows={data}
            keyOf={({ id }) => id}
            empty="There is none yet. A checkpoint keeps the whole state of the exchange."
          />
        )}
      </Loaded>
      <Field
        label="Name of a new checkpoint"
        value={name.value}
        maxLength={NAME_CHARACTERS}
        onInput={setter(name)}
      />
      <div>
        <Action tone="main" run={save}>
          Make a checkpoint
        </Action>
      </div>
      {chosen.value !== undefined && (
        <RestoreDialog
          checkpoint={chosen.value}
          onClose={() => {
            chosen.value = undefined;
            list.reload();
          }}
        />
      )}
    </section>
  );
}
