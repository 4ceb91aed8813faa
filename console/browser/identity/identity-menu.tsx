/** Who the page is, at the right of its frame: a button, and the dialog that it opens. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Dialog, Empty, set, shortened } from '../kit/index.ts';
import { Cash } from './cash.tsx';
import { session } from './facts.ts';
import { IdentityChoices, WalletIcon } from './identity-choices.tsx';
import type { Identity } from './session.ts';

const isOpen = signal(false);

/** Opens the dialog in which a person chooses an account. */
export function chooseIdentity(): void {
  isOpen.value = true;
}

function Who({ identity }: { identity: Identity }) {
  if (identity.kind === 'none') return <>Sign in</>;
  return (
    <>
      {identity.kind === 'wallet' && <WalletIcon url={identity.icon} />}
      {identity.kind === 'dev' && <span>Dev {identity.index}</span>}
      {identity.kind === 'guest' && <span>{identity.name}</span>}{' '}
      <code
        class={identity.kind === 'dev' || identity.kind === 'guest' ? 'minor' : ''}
        title={identity.address}
      >
        {shortened(identity.address)}
      </code>{' '}
      <span class="minor">
        <Cash key={identity.address} address={identity.address} />
      </span>
    </>
  );
}

export function IdentityMenu() {
  const identity = session.identity.value;
  const tone = identity.kind === 'none' ? 'main' : '';
  return (
    <>
      <button type="button" class={`who ${tone}`} aria-haspopup="dialog" onClick={chooseIdentity}>
        <Who identity={identity} />
      </button>
      {isOpen.value && (
        <Dialog title="Sign in" onClose={() => set(isOpen, false)}>
          <IdentityChoices onChosen={() => set(isOpen, false)} />
        </Dialog>
      )}
    </>
  );
}

/** Its children once somebody is signed in; until then, why they are not there. */
export function SignedIn({ purpose, children }: { purpose: string; children: ComponentChildren }) {
  if (session.identity.value.kind !== 'none') return <>{children}</>;
  return (
    <Empty>
      <button type="button" class="link" onClick={chooseIdentity}>
        Choose an account
      </button>{' '}
      {purpose}
    </Empty>
  );
}
