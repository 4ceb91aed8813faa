/** The portfolio of any account, as everybody may see it. */
import { facts } from '../identity/index.ts';
import { Id } from '../kit/index.ts';
import { AccountPanels } from './account-panels.tsx';

export function AnyPortfolio({ account }: { account: string }) {
  return (
    <div class="stack">
      <div class="row apart">
        <h1>Portfolio of an account</h1>
        <Id text={account} />
      </div>
      <p class="muted">
        Positions, fills and activity of every account are public. Its open orders are not.
      </p>
      <AccountPanels
        account={account}
        isOwn={false}
        hasHistory={facts.value?.sandbox === true}
        cash={undefined}
        actions={undefined}
        extraTabs={[]}
      />
    </div>
  );
}
