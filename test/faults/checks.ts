/**
 * What must be true of a restarted exchange: all that it acknowledged before it died is there, and
 * all that it did not acknowledge was done once or not at all.
 *
 * Invariant: every failure names the order, the movement or the state, and who reported it.
 */
import { strict as assert } from 'node:assert';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, sendTo } from '../http/exchange-fixture.ts';
import type { Clients } from './clients.ts';
import { wireLevelsText } from './levels.ts';
import type { Scene } from './scene.ts';
import type { OrderAttempt, Told } from './told.ts';
import type { Witness } from './witness.ts';

/** How many records of each kind are asked for one by one. */
const ASKED_ONE_BY_ONE = 40;
/** Acknowledged commands that are sent again. */
const SENT_AGAIN = 20;
const SWITCH_PATIENCE_MS = 60_000;
const SWITCH_LOOK_MS = 100;

export interface Checked {
  readonly scene: Scene;
  readonly witness: Witness;
  readonly told: Told;
  readonly clients: Pick<Clients, 'retryOrder' | 'retryMove'>;
}

/** Checks the journal alone: no exchange needs to run. */
export function checkJournal({ witness, told }: Checked): void {
  for (const { orderId, outcome } of told.orders.values()) {
    const isThere = witness.orders.has(orderId);
    if (outcome === 'accepted') assert.ok(isThere, `accepted order ${orderId} is in the journal`);
    if (outcome === 'refused') assert.ok(!isThere, `refused order ${orderId} is not`);
  }
  for (const orderId of told.canceled) {
    assert.equal(witness.orders.get(orderId)?.isOver, true, `canceled order ${orderId} is over`);
  }
  for (const { key, outcome, path } of told.moves.values()) {
    const count = witness.moves.get(key) ?? 0;
    assert.ok(count <= 1, `${path} ${key} was made ${count} times`);
    if (outcome !== undefined) assert.equal(count, outcome === 'done' ? 1 : 0, `${path} ${key}`);
  }
  for (const { apiKey, outcome, revoking } of told.keys.values()) {
    if (apiKey === undefined) continue;
    assert.ok(witness.issuedKeys.has(apiKey), `API key ${apiKey} is in the journal`);
    const isRevoked = witness.revokedKeys.has(apiKey);
    if (outcome === 'revoked') assert.ok(isRevoked, `API key ${apiKey} is revoked`);
    if (!revoking) assert.ok(!isRevoked, `API key ${apiKey} was never revoked`);
  }
  for (const { owner, heartbeatId } of told.switches) {
    assert.equal(
      witness.switches.get(heartbeatId),
      owner,
      `switch ${heartbeatId} of ${owner} was armed`,
    );
  }
  checkShown({ witness, told });
}

/** Every state that was shown is one that the journal went through. */
function checkShown({ witness, told }: Pick<Checked, 'witness' | 'told'>): void {
  for (const { orderId, filledLots, isOver } of told.shownOrders) {
    const order = witness.orders.get(orderId);
    assert.ok(order !== undefined, `order ${orderId} was shown`);
    assert.ok(order.filledLots >= filledLots, `order ${orderId} had filled ${filledLots}`);
    if (isOver) assert.ok(order.isOver, `order ${orderId} was shown as over`);
  }
  for (const { conditionId, levels } of told.shownBooks.values()) {
    assert.ok(witness.books.has(`${conditionId} ${levels}`), `a book was shown: ${levels}`);
  }
  for (const { address, tokenId, available, held } of told.shownBalances) {
    const text = `${address} ${tokenId} ${available} ${held}`;
    assert.ok(witness.balances.has(text), `a balance was shown: ${text}`);
  }
}

function collateralOf(text: string): number {
  return Math.round(Number(text) * 1_000_000);
}

/**
 * Waits until the switches that were armed at the crash trip after the start, for no heartbeats
 * come. Then nothing changes the state during the other checks. That a start gives each switch a
 * fresh window is checked by heartbeats.test.ts, with a clock of its own.
 */
export async function checkSwitches({ witness }: Pick<Checked, 'witness'>): Promise<void> {
  const lastMs = performance.now() + SWITCH_PATIENCE_MS;
  while (witness.armed.size > 0) {
    const armed = [...witness.armed.values()];
    assert.ok(performance.now() < lastMs, `switches do not trip after a start: ${armed}`);
    await sleep(SWITCH_LOOK_MS);
    witness.catchUp();
  }
}

/** Compares the running exchange with the journal's replay and with the records it returned. */
export async function checkRunning(checked: Checked): Promise<void> {
  await checkAudit(checked);
  await checkBooks(checked);
  await checkTrades(checked);
  await checkNotifications(checked);
  await checkKeys(checked);
}

async function checkAudit({ scene, witness }: Checked): Promise<void> {
  const { adminUrl, adminToken } = scene.place;
  const headers = { authorization: `Bearer ${adminToken}` };
  const { status, text } = await sendTo(adminUrl, 'GET', '/audit', { headers });
  assert.equal(status, 200, text);
  const { ok, seq, stateHash, collateral } = JSON.parse(text);
  assert.equal(ok, true, text);
  // Orders that were due at the start have been journaled since.
  witness.catchUp();
  assert.ok(seq >= witness.seq, `the audit is at ${seq}, but the journal ends at ${witness.seq}`);
  assert.equal(stateHash, witness.stateHash, 'the state is that of the replayed journal');
  const [available, held, locked] = [
    collateralOf(collateral.available),
    collateralOf(collateral.held),
    collateralOf(collateral.locked),
  ];
  const moved = collateralOf(collateral.deposits) - collateralOf(collateral.withdrawals);
  assert.equal(available + held + locked, moved, 'cash in is cash out and cash held');
}

async function checkBooks({ scene, witness }: Checked): Promise<void> {
  for (const tokenId of scene.tokenIds) {
    const { conditionId, outcome } = scene.tokenPlace(tokenId);
    const { text } = await sendTo(scene.place.url, 'GET', `/book?token_id=${tokenId}`);
    assert.equal(wireLevelsText(JSON.parse(text), outcome), witness.levelsOf(conditionId));
  }
  for (const trader of scene.traders) {
    const { status, text } = await trader.signed('GET', '/balance-allowance?asset_type=COLLATERAL');
    assert.equal(status, 200, text);
    const { available, held } = JSON.parse(text);
    const shown = `${trader.address}  ${available} ${held}`;
    assert.equal(shown, witness.balanceText(trader.address, ''), 'the balance after the start');
  }
}

function lastOf<Item>(items: Iterable<Item>): Item[] {
  return [...items].slice(-ASKED_ONE_BY_ONE);
}

async function checkTrades({ scene, told }: Checked): Promise<void> {
  const ask = async (place: string) => {
    const [trader, id] = place.split(' ');
    const answer = await scene.traders[Number(trader)]?.signed('GET', `/data/trades?id=${id}`);
    return JSON.parse(answer?.text ?? '{}').data?.[0];
  };
  for (const [place, text] of lastOf(told.trades)) {
    assert.equal(JSON.stringify(await ask(place)), text, `trade ${place} reads as before`);
  }
  for (const [place, text] of lastOf(told.streamTrades)) {
    const trade = await ask(place);
    assert.equal(`${trade?.size}@${trade?.price}`, text, `trade ${place} of a stream`);
  }
  for (const { orderId, trader } of lastOf(told.orders.values())) {
    if (told.orders.get(orderId)?.outcome !== 'accepted') continue;
    const answer = await scene.traders[trader]?.signed('GET', `/data/order/${orderId}`);
    assert.equal(answer?.status, 200, `order ${orderId} can be read`);
  }
}

async function checkNotifications({ scene, told }: Checked): Promise<void> {
  for (const [index, trader] of scene.traders.entries()) {
    const { text } = await trader.signed('GET', '/notifications');
    const listed = new Map<number, string>();
    for (const one of JSON.parse(text)) listed.set(one.id, JSON.stringify(one));
    const oldest = Math.min(...listed.keys());
    for (const [place, was] of told.notifications) {
      const [owner, id] = place.split(' ').map(Number);
      if (owner !== index || id === undefined || id < oldest || told.dismissed.has(place)) continue;
      assert.equal(listed.get(id), was, `notification ${place} reads as before`);
    }
  }
}

async function checkKeys({ scene, told }: Checked): Promise<void> {
  for (const { trader, nonce, apiKey, outcome, revoking } of lastOf(told.keys.values())) {
    if (apiKey === undefined || (revoking && outcome !== 'revoked')) continue;
    const owner = scene.traders[trader];
    const headers = owner?.walletHeaders({ nonce }) ?? {};
    const answer = await owner?.send('POST', '/auth/api-key', { headers });
    if (outcome === 'issued') assert.equal(answer?.body.apiKey, apiKey, `key of nonce ${nonce}`);
    else assert.notEqual(answer?.status, 200, `API key ${apiKey} stays revoked`);
  }
}

function isDuplicate({ status, body }: Answer): boolean {
  return status === 200 && body.duplicate === true;
}

/** Repeats all unanswered requests and some answered ones: none is carried out twice. */
export async function checkRetries(checked: Checked): Promise<void> {
  const { told, witness, clients } = checked;
  const known = [...told.orders.values()].filter(({ outcome }) => outcome === 'accepted');
  for (const attempt of [...told.unknownOrders(), ...known.slice(-SENT_AGAIN)]) {
    await retryOrder(checked, attempt);
  }
  const done = [...told.moves.values()].filter(({ outcome }) => outcome === 'done');
  for (const attempt of [...told.unknownMoves(), ...done.slice(-SENT_AGAIN)]) {
    const wasMade = witness.moves.has(attempt.key);
    const answer = await clients.retryMove(attempt);
    const what = `${attempt.path} ${attempt.key}: ${answer.text}`;
    if (wasMade) assert.ok(isDuplicate(answer), what);
    else assert.ok(!isDuplicate(answer), what);
    attempt.outcome = answer.status === 200 ? 'done' : 'refused';
  }
  witness.catchUp();
  checkJournal(checked);
}

async function retryOrder({ witness, clients }: Checked, attempt: OrderAttempt): Promise<void> {
  const wasAccepted = witness.orders.has(attempt.orderId);
  const answer = await clients.retryOrder(attempt);
  const what = `order ${attempt.orderId}: ${answer.text}`;
  if (wasAccepted) assert.ok(isDuplicate(answer), what);
  else assert.ok(!isDuplicate(answer), what);
  attempt.outcome = answer.status === 200 ? 'accepted' : 'refused';
}
