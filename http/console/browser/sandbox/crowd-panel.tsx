/** The simulated participants, and a switch for them in each market. */
import {
  Action,
  type Column,
  cents,
  Id,
  Loaded,
  Segments,
  Table,
  toast,
  useResource,
} from '../kit/index.ts';
import { send } from '../wire/index.ts';
import type { Crowd } from './types.ts';

const SHOWN_EVERY_MS = 3_000;

type CrowdMode = Crowd['mode'];
type CrowdMarket = Crowd['markets'][number];

const MODES: readonly (readonly [CrowdMode, string])[] = [
  ['live', 'Live'],
  ['still', 'Still'],
  ['off', 'Off'],
];

async function setMode(mode: CrowdMode, market?: string): Promise<void> {
  const body = market === undefined ? { mode } : { mode, market };
  const { canceled } = await send<{ readonly canceled: number }>({
    ...{ method: 'POST', path: '/crowd', body, auth: 'operator' },
  });
  const where = market === undefined ? 'everywhere' : 'in that market';
  toast(`The crowd is ${mode} ${where}. ${canceled} of its orders were cancelled.`);
}

function Counts({ crowd }: { crowd: Crowd }) {
  const { counts, watched, orders_per_second, accounts } = crowd;
  const figures = [
    ['participants', accounts.length],
    ['orders a second at most', orders_per_second],
    ['orders accepted', counts.orders],
    ['orders cancelled', counts.cancels],
    ['refusals', Object.values(counts.refusals).reduce((sum, count) => sum + count, 0)],
    ['', watched ? 'somebody watches' : 'nobody watches: it rests'],
  ] as const;
  return (
    <dl class="figures">
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

export function CrowdPanel() {
  const crowd = useResource(
    (signal) => send<Crowd>({ method: 'GET', path: '/crowd', auth: 'operator', signal }),
    [],
    { everyMs: SHOWN_EVERY_MS },
  );
  const columns: readonly Column<CrowdMarket>[] = [
    { head: 'Market', cell: ({ market }) => <Id text={market} /> },
    { head: 'Character', cell: ({ character }) => character.replace('_', ' ') },
    { head: 'State', cell: ({ state }) => state, isMinor: true },
    {
      head: 'Fair value',
      cell: ({ value }) => (value === '' ? '–' : cents(value)),
      isNumber: true,
    },
    { head: 'Quotes', cell: ({ orders }) => orders, isNumber: true },
    {
      head: 'Crowd',
      cell: ({ market, mode }) => (
        <Action
          label={`${mode === 'off' ? 'Switch on' : 'Switch off'} in ${market}`}
          run={async () => {
            await setMode(mode === 'off' ? 'live' : 'off', market);
            crowd.reload();
          }}
        >
          {mode === 'off' ? 'Switch on' : 'Switch off'}
        </Action>
      ),
    },
  ];
  return (
    <section class="panel" aria-labelledby="crowd">
      <h2 id="crowd">Crowd</h2>
      <Loaded resource={crowd}>
        {(now) => (
          <div class="stack">
            <div class="row apart">
              <Counts crowd={now} />
              <Segments
                label="Mode of the crowd"
                value={now.mode}
                options={MODES}
                onChange={async (mode) => {
                  try {
                    await setMode(mode);
                  } catch (fault) {
                    toast(fault instanceof Error ? fault.message : String(fault), 'failed');
                  }
                  crowd.reload();
                }}
              />
            </div>
            <Table
              label="Markets of the crowd"
              columns={columns}
              rows={now.markets}
              keyOf={({ market }) => market}
              empty="The crowd has no market yet."
            />
          </div>
        )}
      </Loaded>
    </section>
  );
}
