/** `#/portfolio` is that of the account that is signed in, `#/portfolio/ADDRESS` that of any. */

import { SignedIn, session } from '../identity/index.ts';
import { Empty, place, useTitle } from '../kit/index.ts';
import { AnyPortfolio } from './any-portfolio.tsx';
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
