/** What the owner of an order signed, and whether the page finds the same digest and signer. */
import type { ComponentChildren } from 'preact';
import {
  DECIMALS,
  decimalText,
  Fact,
  Failure,
  grouped,
  Id,
  RawText,
  Skeleton,
  useResource,
} from '../kit/index.ts';
import { checkSigned } from '../signing/signer.ts';
import type { Signed } from '../wire/index.ts';
import { cashText, Plain, RecordLink } from './amounts.tsx';

const SIGNATURE_TYPES = ['own address', 'proxy wallet', 'Safe', 'deposit wallet'] as const;

/** Whether what the page computed is what the exchange says. */
export function Verdict({ isSame, children }: { isSame: boolean; children: ComponentChildren }) {
  return (
    <span class={`badge ${isSame ? 'good' : 'bad'}`}>
      {children} {isSame ? 'matches' : 'does not match'}
    </span>
  );
}

function Checks({ signed }: { signed: Signed }) {
  const { typed_data, signature, digest, signer } = signed;
  const found = useResource(() => checkSigned(typed_data, signature), [signature, typed_data]);
  const now = found.now.value;
  if (now.state === 'loading') return <Skeleton lines={1} />;
  if (now.state === 'failed') return <Failure failure={now.failure} />;
  return (
    <p class="row" role="status">
      <Verdict isSame={now.value.digest === digest}>The digest</Verdict>
      <Verdict isSame={now.value.signer === signer}>The signer</Verdict>
      <span class="muted">This page hashed the message and recovered the signer by itself.</span>
    </p>
  );
}

type Values = Signed['typed_data']['message'];

/** What a signed number means; '' where it says itself. */
function meaningOf(name: string, values: Values): string {
  const value = values[name] ?? '';
  if (name === 'side') return value === 0 ? 'BUY' : 'SELL';
  if (name === 'signatureType') return SIGNATURE_TYPES[Number(value)] ?? '';
  if (name !== 'makerAmount' && name !== 'takerAmount') return '';
  // Amounts of cash and of tokens have as many decimals.
  const text = decimalText(BigInt(value), DECIMALS.micros);
  const isCash = (name === 'makerAmount') === (values.side === 0);
  return isCash ? cashText(text) : `${grouped(text)} tokens`;
}

interface MembersProps {
  readonly struct: string;
  readonly types: Signed['typed_data']['types'];
  readonly values: Values;
}

/** The members of a struct by their own names and types, which are hashed too. */
function Members({ struct, types, values }: MembersProps) {
  return (
    <dl class="facts">
      {(types[struct] ?? []).map(({ name, type }) => (
        <Fact key={name} name={<code title={type}>{name}</code>}>
          <Plain name={name} value={values[name]} />{' '}
          <small class="muted">{meaningOf(name, values)}</small>
        </Fact>
      ))}
    </dl>
  );
}

export function SignedPanel({ signed }: { signed: Signed }) {
  const { signer, signature, signature_type, digest, typed_data } = signed;
  return (
    <section class="panel" aria-labelledby="signed">
      <h2 id="signed">What was signed</h2>
      <Checks signed={signed} />
      <dl class="facts">
        <Fact name="Signer">
          <RecordLink kind="account" id={signer} />
        </Fact>
        <Fact name="Digest">
          <Id text={digest} />
        </Fact>
        <Fact name="Signature">
          <Id text={signature} />
        </Fact>
        <Fact name="Signature type">
          {signature_type} <small class="muted">{SIGNATURE_TYPES[signature_type]}</small>
        </Fact>
      </dl>
      <h3>Domain</h3>
      <Members struct="EIP712Domain" values={typed_data.domain} types={typed_data.types} />
      <h3>{typed_data.primaryType}</h3>
      <Members
        struct={typed_data.primaryType}
        values={typed_data.message}
        types={typed_data.types}
      />
      <details>
        <summary>Typed data, as wallets take it</summary>
        <RawText title="Typed data" text={JSON.stringify(typed_data, null, 2)} />
      </details>
    </section>
  );
}
