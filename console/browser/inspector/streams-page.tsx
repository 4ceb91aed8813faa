/** The stream inspector: what to follow, the state of each connection, and the raw messages. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { SignedIn } from '../identity/index.ts';
import { Action, Fact, Field, Segments, setter, shortened, ToolsHead } from '../kit/index.ts';
import type { LinkState } from '../streams/link.ts';
import { pageStreams } from '../streams/streams.ts';
import { MessageList } from './message-list.tsx';
import {
  followComments,
  followMarket,
  followNewMarkets,
  followTrades,
  type Source,
  sources,
  stopAllSources,
  stopSource,
} from './sources.ts';

const CHANNELS = [
  ['market', 'Market'],
  ['user', 'User'],
  ['live', 'Live data'],
] as const;
type Channel = (typeof CHANNELS)[number][0];

const TONES: Readonly<Record<LinkState['kind'], string>> = {
  idle: '',
  connecting: 'warn',
  live: 'good',
  stale: 'warn',
  disconnected: 'bad',
  refused: 'bad',
};

function stateText(state: LinkState): string {
  if (state.kind === 'idle') return 'not connected';
  const reason = 'reason' in state ? state.reason : '';
  return reason === '' ? state.kind : `${state.kind}: ${reason}`;
}

function States() {
  const { market, user, live } = pageStreams();
  return (
    <dl class="facts">
      {[market, user, live].map(({ path, state }) => (
        <Fact key={path} name={<code>{path}</code>}>
          <span class={`badge ${TONES[state.value.kind]}`}>{stateText(state.value)}</span>
        </Fact>
      ))}
    </dl>
  );
}

function MarketSource() {
  const entered = useSignal('');
  return (
    <form class="row filters" onSubmit={(event) => event.preventDefault()}>
      <Field
        label="Condition id or token id"
        value={entered.value}
        maxLength={80}
        onInput={setter(entered)}
      />
      <Action tone="main" type="submit" run={() => followMarket(entered.value)}>
        Follow the market
      </Action>
      <Action run={async () => followNewMarkets()}>Follow new markets</Action>
    </form>
  );
}

function LiveSource() {
  const slug = useSignal('');
  return (
    <form class="row filters" onSubmit={(event) => event.preventDefault()}>
      <Field
        label="Slug of an event"
        hint="Empty for all events"
        value={slug.value}
        maxLength={200}
        onInput={setter(slug)}
      />
      <Action tone="main" type="submit" run={async () => followTrades(slug.value)}>
        Follow trades
      </Action>
      <Action run={async () => followComments()}>Follow comments</Action>
    </form>
  );
}

function UserSource() {
  return (
    <SignedIn purpose="to follow its orders, trades and balances.">
      <p class="muted">
        The user channel follows the account that is signed in, on every page. Its secret and its
        passphrase are not shown.
      </p>
    </SignedIn>
  );
}

const FORMS = { market: MarketSource, user: UserSource, live: LiveSource } as const;

/** Long ids within a name are shortened. */
function nameText({ name }: Source): string {
  return name
    .split(' ')
    .map((word) => shortened(word, 24, 6))
    .join(' ');
}

function Followed() {
  if (sources.value.length === 0) return null;
  return (
    <ul class="row followed" aria-label="Followed">
      {sources.value.map((source) => (
        <li key={source.name} class="badge">
          <span title={source.name}>{nameText(source)}</span>
          <button
            type="button"
            class="quiet"
            aria-label={`Stop ${source.name}`}
            onClick={() => stopSource(source)}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}

export function StreamsPage() {
  const channel = useSignal<Channel>('market');
  useEffect(() => stopAllSources, []);
  const Form = FORMS[channel.value];
  return (
    <div class="stack">
      <ToolsHead here="streams" isOperator={false} />
      <section class="panel columns" aria-label="Channels">
        <div class="stack">
          <Segments
            label="Channel"
            value={channel.value}
            options={CHANNELS}
            onChange={setter(channel)}
          />
          <Form />
          <Followed />
        </div>
        <States />
      </section>
      <MessageList tap={pageStreams().tap} />
    </div>
  );
}
