/** Who may sign in, and how: a dev account, a key or a wallet of the browser. */

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import {
  Action,
  CopyButton,
  Field,
  goTo,
  Loaded,
  messageOf,
  place,
  set,
  setter,
  shortened,
  toast,
  useResource,
  useTitle,
} from '../kit/index.ts';
import { discoverWallets, type FoundWallet } from '../signing/discover-wallets.ts';
import type { ExchangeFacts } from '../wire/index.ts';
import { Cash } from './cash.tsx';
import { joinAs, loadFacts, session } from './facts.ts';
import { forgetGuest, guest } from './guest.ts';

interface ChoiceProps {
  readonly facts: ExchangeFacts;
  /** Called when an account was chosen. */
  readonly onChosen: () => void;
}

const KINDS = {
  dev: 'A dev account',
  key: 'A pasted key',
  guest: 'A guest',
  wallet: 'A wallet',
} as const;

/** The account that is signed in, or why a wallet left. */
function Current() {
  const identity = session.identity.value;
  const notice = session.notice.value;
  if (identity.kind === 'none') {
    return notice === '' ? null : (
      <p class="stale" role="status">
        {notice} You are signed out.
      </p>
    );
  }
  return (
    <section class="panel" aria-label="The account of this page">
      <p>
        {KINDS[identity.kind]}
        {(identity.kind === 'wallet' || identity.kind === 'guest') && `: ${identity.name}`}
        {identity.kind === 'dev' && `: number ${identity.index}`}
      </p>
      <p>
        <code>{identity.address}</code>
      </p>
      <p>
        Free cash: <Cash key={identity.address} address={identity.address} />
      </p>
      <div class="row">
        <CopyButton text={identity.address} label="Copy the address" />
        {identity.kind === 'guest' ? (
          <GuestKey />
        ) : (
          <button type="button" onClick={() => session.signOut()}>
            Sign out
          </button>
        )}
      </div>
    </section>
  );
}

/** A guest leaves by forgetting the key, so it can be copied first. */
function GuestKey() {
  const isSure = useSignal(false);
  const key = guest.value?.privateKey ?? '';
  return (
    <>
      <CopyButton text={key} label="Copy the private key" />
      <button type="button" onClick={() => set(isSure, true)}>
        Forget this guest
      </button>
      {isSure.value && (
        <p class="stale" role="alert">
          Without a copy of the private key, nobody can use this account again.{' '}
          <button
            type="button"
            class="danger"
            onClick={() => {
              forgetGuest();
              session.signOut();
            }}
          >
            Forget it for good
          </button>
        </p>
      )}
    </>
  );
}

interface GuestFormProps {
  /** The code of an invitation; '' without one. */
  readonly invitation: string;
  readonly onChosen: () => void;
}

/** The longest name of a profile (PUT /profile). */
const NAME_CHARACTERS = 64;

/** A name is all that it takes: the browser makes the key. */
function GuestForm({ invitation, onChosen }: GuestFormProps) {
  const name = useSignal(guest.value?.name ?? '');
  return (
    <section aria-label="Guest">
      <form class="row key">
        <Field
          label="Your name"
          value={name.value}
          maxLength={NAME_CHARACTERS}
          onInput={setter(name)}
        />
        <Action
          tone="main"
          type="submit"
          isDisabled={name.value.trim() === ''}
          run={async () => {
            const failure = await joinAs(name.value.trim(), invitation);
            if (failure !== undefined)
              toast(`Your name was not saved: ${messageOf(failure)}`, 'failed');
            onChosen();
          }}
        >
          Play as a guest
        </Action>
      </form>
      <p class="muted">
        Others see your name beside your comments and in the leaderboard. This browser makes a
        private key for you and keeps it. In another browser, or when the data of this one is
        deleted, you are somebody else, unless you copied the key. All money is play money.
      </p>
    </section>
  );
}

function Guests({ facts, onChosen }: ChoiceProps) {
  if (!facts.sandbox || session.identity.value.kind === 'guest') return null;
  if (facts.newOwners === 'operator' && guest.value === undefined) {
    return <p class="muted">To play here, open the invitation that the operator sent you.</p>;
  }
  return <GuestForm invitation="" onChosen={onChosen} />;
}

/** `#/join/CODE`: where the link of an invitation leads. */
export function JoinPage() {
  useTitle('Join');
  const [, invitation = ''] = place.value.segments;
  return (
    <div class="stack">
      <h1>You are invited</h1>
      <p>Trade on what will happen, for play money. Choose the name that others see:</p>
      <GuestForm invitation={invitation} onChosen={() => goTo(['markets'])} />
    </div>
  );
}

function DevAccounts({ facts, onChosen }: ChoiceProps) {
  const { devAccounts } = facts;
  const identity = session.identity.value;
  if (devAccounts.length === 0) return null;
  return (
    <section aria-label="Dev accounts">
      <h3>Dev accounts</h3>
      <p class="muted">Everybody knows their keys. They hold play money.</p>
      <div class="accounts">
        {devAccounts.map(({ address }, index) => (
          <div key={address}>
            <Action
              tone={identity.kind === 'dev' && identity.index === index ? 'main' : 'plain'}
              run={async () => {
                await session.useDevAccount(index);
                onChosen();
              }}
            >
              Dev {index} <code title={address}>{shortened(address)}</code>
            </Action>
          </div>
        ))}
      </div>
    </section>
  );
}

const MAX_KEY_CHARACTERS = 100;

function PastedKey({ onChosen }: Pick<ChoiceProps, 'onChosen'>) {
  const key = useSignal('');
  return (
    <section aria-label="Private key">
      <h3>Private key</h3>
      <div class="row key">
        <Field
          label="Key: 0x and 64 hex digits"
          type="password"
          value={key.value}
          maxLength={MAX_KEY_CHARACTERS}
          onInput={setter(key)}
        />
        <Action
          isDisabled={key.value.trim() === ''}
          run={async () => {
            await session.useKey(key.value);
            key.value = '';
            onChosen();
          }}
        >
          Use this key
        </Action>
      </div>
      <p class="muted">It stays in the memory of this page and is gone when you reload it.</p>
    </section>
  );
}

function Wallets({ onChosen }: Pick<ChoiceProps, 'onChosen'>) {
  const found = useSignal<readonly FoundWallet[]>([]);
  useEffect(
    () =>
      discoverWallets(window, (wallets) => {
        found.value = wallets;
      }),
    [],
  );
  return (
    <section aria-label="Wallets of the browser">
      <h3>Wallets of the browser</h3>
      {found.value.length === 0 && <p class="muted">No wallet has announced itself.</p>}
      <div class="accounts">
        {found.value.map((wallet) => (
          <div key={wallet.uuid}>
            <Action
              run={async () => {
                await session.useWallet(wallet);
                onChosen();
              }}
            >
              <WalletIcon url={wallet.icon} /> {wallet.name}{' '}
              <small class="muted">{wallet.rdns}</small>
            </Action>
          </div>
        ))}
      </div>
    </section>
  );
}

export function IdentityChoices({ onChosen }: Pick<ChoiceProps, 'onChosen'>) {
  const facts = useResource(loadFacts, []);
  return (
    <div class="stack">
      <Current />
      <Loaded resource={facts}>
        {(known) => (
          <>
            <Guests facts={known} onChosen={onChosen} />
            {known.acceptsKeys ? (
              <>
                <DevAccounts facts={known} onChosen={onChosen} />
                <PastedKey onChosen={onChosen} />
              </>
            ) : (
              <p class="muted">
                This page takes no private keys: they are only for play money on this machine.
              </p>
            )}
            <Wallets onChosen={onChosen} />
          </>
        )}
      </Loaded>
    </div>
  );
}

/** The picture of a wallet: a data URL, whose scripts a browser does not run in an <img>. */
export function WalletIcon({ url }: { url: string }) {
  if (url === '') return null;
  return <img class="wallet" src={url} alt="" width={20} height={20} />;
}
