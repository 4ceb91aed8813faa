/** The operator's pages, on the operator's listener. */
import type { ComponentType } from 'preact';
import { render } from 'preact';
import { Empty, lazy, Page, place } from './kit/index.ts';
import {
  AccountsPage,
  EventsPage,
  HealthPage,
  LogPage,
  operator,
  SignIn,
  signOut,
} from './operator/index.ts';

interface Area {
  readonly segment: string;
  readonly text: string;
  readonly component: ComponentType;
}

const AREAS: readonly Area[] = [
  { segment: 'health', text: 'Health', component: HealthPage },
  { segment: 'markets', text: 'Markets', component: EventsPage },
  { segment: 'accounts', text: 'Accounts', component: AccountsPage },
  { segment: 'log', text: 'Log', component: LogPage },
  {
    ...{ segment: 'sandbox', text: 'Sandbox' },
    component: lazy(async () => (await import('./sandbox/index.ts')).SandboxPage),
  },
];

function OperatorConsole() {
  const [segment = AREAS[0]?.segment] = place.value.segments;
  const area = AREAS.find((one) => one.segment === segment);
  if (operator.value === undefined) {
    return (
      <Page name="outcome-exchange: operator" places={[]} aside={undefined}>
        <SignIn />
      </Page>
    );
  }
  const { you } = operator.value;
  const aside = (
    <>
      <span class="muted">{you === '' ? 'operator' : you}</span>
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </>
  );
  return (
    <Page
      name="outcome-exchange: operator"
      places={AREAS.map(({ segment: one, text }) => [one, text] as const)}
      aside={aside}
    >
      {area === undefined ? <Empty>There is no such page.</Empty> : <area.component />}
    </Page>
  );
}

render(<OperatorConsole />, document.body);
