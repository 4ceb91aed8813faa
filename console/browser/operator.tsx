/** The operator's pages, on the operator's listener. */
import { render } from 'preact';
import { type Area, lazy, Page } from './kit/index.ts';
import { AccountsPage } from './operator/accounts-page.tsx';
import { BackupsPage } from './operator/backups-page.tsx';
import { ContentPage } from './operator/content-page.tsx';
import { EventsPage } from './operator/events-page.tsx';
import { HealthPage } from './operator/health-page.tsx';
import { LogPage } from './operator/log-page.tsx';
import { isSandbox, operator, SignIn, signOut } from './operator/token.tsx';

const AREAS: readonly Area[] = [
  { segment: 'health', text: 'Health', component: HealthPage },
  { segment: 'markets', text: 'Markets', component: EventsPage },
  { segment: 'accounts', text: 'Accounts', component: AccountsPage },
  { segment: 'content', text: 'Content', component: ContentPage },
  { segment: 'backups', text: 'Backups', component: BackupsPage },
  { segment: 'log', text: 'Log', component: LogPage },
  {
    ...{ segment: 'sandbox', text: 'Sandbox' },
    isShown: () => isSandbox.value,
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
  if (operator.value === undefined) {
    return (
      <Page name="Operator" areas={[]} aside={undefined}>
        <SignIn />
      </Page>
    );
  }
  const { you } = operator.value;
  const aside = (
    <>
      {you !== '' && <span class="muted">{you}</span>}
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </>
  );
  return <Page name="Operator" areas={AREAS} aside={aside} />;
}

render(<OperatorConsole />, document.body);
