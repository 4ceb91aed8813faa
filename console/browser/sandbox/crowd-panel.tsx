/** The simulated participants, and a switch for them in each market. */
import {
  Action,
  type ColumnTerms,
  cents,
  Figure,
  Id,
  Loaded,
  messageOf,
  Segments,
  shown,
  Table,
  toast,
  useAnswer,
  useResource,
} from '../kit/index.ts';
import { type Answer, marketTitles, send } from '../wire/index.ts';

const SHOWN_EVERY_MS = 3_000;

type Crowd = Answer<'GET', '/crowd', 'operator'>;
type CrowdMode = Crowd['mode'];
type CrowdMarket = Crowd['markets'][number];

const MODES: readonly (readonly [CrowdMode, string])[] = [
  ['live', 'Live'],
  ['still', 'Still'],
  ['off', 'Off'],
];

async function setMode(mode: CrowdMode, market?: string): Promise<void> {
  const body = market === undefined ? { mode } : { mode, market };
  const { canceled } = await send({ method: 'POST', path: '/crowd', body, auth: 'operator' });
  const where = market === undefined ? 'everywhere' : 'in that market';
  toast(`The crowd is ${mode} ${where}. ${canceled} of its orders were canceled.`);
}

function Counts({ crowd }: { crowd: Crowd }) {
  const { counts, orders_per_second, accounts } = crowd;
  const figures = [
    ['participants', accounts.length],
    ['orders a second at most', orders_per_second],
    ['orders accepted', counts.orders],
    ['orders canceled', counts.cancels],
    ['refusals', Object.values(counts.refusals).reduce((sum, count) => sum + count, 0)],
  ] as const;
  return (
    <dl class="figures">
      {figures.map(([name, figure]) => (
        <Figure key={name} name={name}>
          {shown(figure)}
        </Figure>
      ))}
    </dl>
  );
}

/** Questions by condition id; asked for again only if the crowd has other markets. */
function useTitles(markets: readonly CrowdMarket[]): ReadonlyMap<string, string> {
  const ids = markets.map(({ market }) => market);
  const titles = useResource((signal) => marketTitles(ids, signal), [ids.join(',')]);
  const now = titles.now.value;
  return now.state === 'ready' ? now.value : new Map();
}

interface CrowdMarketsProps {
  readonly markets: readonly CrowdMarket[];
  readonly onChange: () => void;
}

function CrowdMarkets({ markets, onChange }: CrowdMarketsProps) {
  const titles = useTitles(markets);
  const columns: readonly ColumnTerms<CrowdMarket>[] = [
    ['Market', ({ market }) => titles.get(market) ?? <Id text={market} />],
    ['Character', ({ character }) => character.replace('_', ' '), 'text', 'minor'],
    ['State', 'state', 'text', 'minor'],
    ['Fair value', ({ value }) => (value === '' ? '–' : cents(value)), 'number'],
    ['Quotes', 'orders', 'number'],
    [
      'Crowd',
      ({ market, mode }) => (
        <Action
          label={`${mode === 'off' ? 'Switch on' : 'Switch off'}: ${titles.get(market) ?? market}`}
          run={async () => {
            await setMode(mode === 'off' ? 'live' : 'off', market);
            onChange();
          }}
        >
          {mode === 'off' ? 'Switch on' : 'Switch off'}
        </Action>
      ),
    ],
  ];
  return (
    <div class="tall">
      <Table
        label="Markets of the crowd"
        columns={columns}
        rows={markets}
        keyOf={({ market }) => market}
        empty="The crowd has no market yet."
      />
    </div>
  );
}

export function CrowdPanel() {
  const crowd = useAnswer('/crowd', { auth: 'operator' }, { everyMs: SHOWN_EVERY_MS });
  return (
    <section class="panel" aria-labelledby="crowd">
      <h2 id="crowd">Crowd</h2>
      <Loaded resource={crowd}>
        {(now) => (
          <div class="stack">
            <p class="muted">
              {now.watched
                ? 'Somebody watches or trades, so it trades.'
                : 'Nobody has watched or traded for a minute, so it rests.'}
            </p>
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
                    toast(messageOf(fault), 'failed');
                  }
                  crowd.reload();
                }}
              />
            </div>
            <CrowdMarkets markets={now.markets} onChange={crowd.reload} />
          </div>
        )}
      </Loaded>
    </section>
  );
}
