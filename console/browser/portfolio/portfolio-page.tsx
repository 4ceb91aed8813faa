/** `#/portfolio` is that of the account that is signed in, `#/portfolio/ADDRESS` that of any. */
import { facts, SignedIn, session } from '../identity/index.ts';
import { Empty, Id, place, useTitle } from '../kit/index.ts';
import { AccountPanels } from './account-panels.tsx';
import { OwnPortfolio } from './own-portfolio.tsx';

const ADDRESS = /^0x[0-9a-f]{40}$/;

function Own() {
  const identity = session.identity.value;
  return identity.kind === 'none' ? null : (
    <OwnPortfolio key={identity.address} address={identity.address.toLowerCase()} />
  );
}

export function PortfolioPage() {
  const [, named] = place.value.segments;
  useTitle('Portfolio');
  if (named === undefined) {
    return (
      <div class="stack">
        {session.identity.value.kind === 'none' && <h1>Portfolio</h1>}
        <SignedIn purpose="to see its positions, open orders, fills and balance.">
          <Own />
        </SignedIn>
      </div>
    );
  }
  const account = named.toLowerCase();
  if (ADDRESS.test(account)) return <AnyPortfolio key={account} account={account} />;
  return <Empty>An address of an account is 0x and 40 hex digits.</Empty>;
}

function AnyPortfolio({ account }: { account: string }) {
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
        hasHistory={facts.value?.explorer === true}
        cash={undefined}
        actions={undefined}
        extraTabs={[]}
      />
    </div>
  );
}
