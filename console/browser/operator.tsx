/** The operator's pages, on the operator's listener. */
import { type ComponentType, render } from 'preact';
import { Empty, lazy, Page, place } from './kit/index.ts';
import { AccountsPage } from './operator/accounts-page.tsx';
import { BackupsPage } from './operator/backups-page.tsx';
import { ContentPage } from './operator/content-page.tsx';
import { EventsPage } from './operator/events-page.tsx';
import { HealthPage } from './operator/health-page.tsx';
import { LogPage } from './operator/log-page.tsx';
import { isSandbox, operator, SignIn, signOut } from './operator/token.tsx';

interface Area {
  readonly segment: string;
  /** Its name in the navigation; absent for pages that others link to. */
  readonly text?: string;
  /** The segment of the area in whose name the navigation shows it; its own by default. */
  readonly within?: string;
  readonly component: ComponentType;
}

const AREAS: readonly Area[] = [
  { segment: 'health', text: 'Health', component: HealthPage },
  { segment: 'markets', text: 'Markets', component: EventsPage },
  { segment: 'accounts', text: 'Accounts', component: AccountsPage },
  { segment: 'content', text: 'Content', component: ContentPage },
  { segment: 'backups', text: 'Backups', component: BackupsPage },
  { segment: 'log', text: 'Log', component: LogPage },
  {
    ...{ segment: 'sandbox', text: 'Sandbox' },
    component: lazy(async () => (await import('./sandbox/index.ts')).SandboxPage),
  },
  {
    ...{ segment: 'explorer', text: 'Developer' },
    component: lazy(async () => (await import('./explorer/index.ts')).OperatorExplorerPage),
  },
  {
    ...{ segment: 'requests', within: 'explorer' },
    component: lazy(async () => (await import('./inspector/index.ts')).OperatorRequestsPage),
  },
];

function OperatorConsole() {
  const [segment = AREAS[0]?.segment] = place.value.segments;
  const area = AREAS.find((one) => one.segment === segment);
  if (operator.value === undefined) {
    return (
      <Page name="Operator" places={[]} here={undefined} aside={undefined}>
        <SignIn />
      </Page>
    );
  }
  const { you } = operator.value;
  const places = AREAS.flatMap(({ segment: one, text }) =>
    text === undefined || (one === 'sandbox' && !isSandbox.value) ? [] : [[one, text] as const],
  );
  const aside = (
    <>
      {you !== '' && <span class="muted">{you}</span>}
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </>
  );
  return (
    <Page name="Operator" places={places} here={area?.within ?? segment} aside={aside}>
      {area === undefined ? <Empty>There is no such page.</Empty> : <area.component />}
    </Page>
  );
}

render(<OperatorConsole />, document.body);
