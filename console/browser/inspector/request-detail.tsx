/** One request of the log: what was sent, what came, and both as text for elsewhere. */
import { facts } from '../identity/index.ts';
import { localTime, prettyJson, RawText, shown } from '../kit/index.ts';
import type { LoggedRequest } from '../wire/index.ts';
import { asClientCode } from './client-code.ts';
import { asCurl } from './copies.ts';

/** Published clients sign for it where the exchange does not say which chain it wants. */
const USUAL_CHAIN = 137;

const FIRST_FAILURE = 400;

/** Whether a refusal came, or no answer. */
export function isFailed({ status, durationMs, isCanceled }: LoggedRequest): boolean {
  if (durationMs === undefined || isCanceled) return false;
  return status === 0 || status >= FIRST_FAILURE;
}

export function StatusBadge({ request }: { request: LoggedRequest }) {
  const { status, durationMs, isCanceled } = request;
  if (isCanceled) return <span class="badge">canceled</span>;
  if (durationMs === undefined) return <span class="badge warn">waits</span>;
  if (status === 0) return <span class="badge bad">no answer</span>;
  return <span class={`badge ${isFailed(request) ? 'bad' : 'good'}`}>{status}</span>;
}

/** Of the exchange: the page is at `ui/` below it. */
function originOfExchange(): string {
  return new URL('..', location.href.split('#')[0]).href.replace(/\/$/, '');
}

function Answer({ request }: { request: LoggedRequest }) {
  const { answer, answerLength, durationMs } = request;
  if (durationMs === undefined) return <p class="muted">The answer has not come yet.</p>;
  if (answer === '') return <p class="muted">The answer is empty.</p>;
  return (
    <>
      {answer.length < answerLength && (
        <p class="stale">
          These are the first {shown(answer.length)} of {shown(answerLength)} characters.
        </p>
      )}
      <RawText title="Answer" text={prettyJson(answer)} />
    </>
  );
}

export function RequestDetail({ request }: { request: LoggedRequest }) {
  const { method, address, headers, body, startedAt, durationMs } = request;
  const origin = originOfExchange();
  const chainId = facts.value?.chainIds[0] ?? USUAL_CHAIN;
  const curl = asCurl(request, origin);
  const code = asClientCode(request, { origin, chainId });
  const names = Object.entries(headers);
  return (
    <div class="stack">
      <div>
        <div class="row apart">
          <h2>
            <code>
              {method} {address}
            </code>
          </h2>
          <a href="#/requests">Close</a>
        </div>
        <p class="row">
          <StatusBadge request={request} />
          <span class="muted">
            {durationMs === undefined ? 'sent' : `took ${durationMs.toFixed(1)} ms, sent`}{' '}
            {localTime(startedAt.getTime())}
          </span>
        </p>
      </div>
      {names.length > 0 && (
        <RawText
          title="Headers"
          text={names.map(([name, value]) => `${name}: ${value}`).join('\n')}
        />
      )}
      {body !== '' && <RawText title="Body" text={prettyJson(body)} />}
      <Answer request={request} />
      <RawText title="As curl" text={curl} copy="Copy as curl" />
      <RawText title="As client code" text={code} copy="Copy as client code" />
      {curl.includes('SIGNATURE') && (
        <p class="muted">
          Variables of the environment stand for secrets. A signature is good for its own request,
          for a short time: the client code signs anew.
        </p>
      )}
      {code.includes('PRIVATE_KEY') && (
        <p class="muted">
          Set <code>PRIVATE_KEY</code> in the environment, and install{' '}
          <code>@polymarket/clob-client-v2</code> and <code>viem</code>.
        </p>
      )}
    </div>
  );
}
