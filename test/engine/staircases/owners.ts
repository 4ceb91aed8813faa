/** The staircases of an owner: API keys, dead man's switches, notifications. */
import type { Test } from 'tap';
import type {
  ArmSwitch,
  DismissNotifications,
  IssueApiKey,
  KeyPurpose,
  RevokeApiKey,
  TripSwitch,
} from '../../../engine/index.ts';
import { stateHash } from '../../../engine/index.ts';
import type { MakeEngine } from '../engines.ts';
import { DrawnBook } from '../scenarios/drawn-book.ts';
import { heartbeatOf } from '../scenarios/language.ts';
import { addressOf } from '../scenarios/names.ts';
import { climb, no, type Staircase } from './staircase.ts';

const NOBODY = addressOf('nobody');

function issueAndRevoke(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make, { bounds: { keysPerOwner: 1, keysEverPerOwner: 2 } });
  const owner = addressOf('ann');
  const [first, second, third] = [heartbeatOf(1), heartbeatOf(2), heartbeatOf(3)];
  const revoked: IssueApiKey = {
    kind: 'issue_api_key',
    owner,
    nonce: '0',
    apiKey: first,
    purpose: 'trading',
  };
  book.apply(revoked);
  const start: IssueApiKey = {
    kind: 'issue_api_key',
    owner: 'ann',
    nonce: '00',
    apiKey: 'key',
    // The cast admits a value that the type forbids, because its refusal is tested.
    purpose: 'admin' as KeyPurpose,
  };
  climb<IssueApiKey>(t, book, start, [
    [{}, no('address_malformed', { field: 'owner', actual: 'ann' })],
    [{ owner }, no('api_key_malformed', { field: 'nonce', actual: '00' })],
    [{ nonce: '0' }, no('api_key_malformed', { field: 'apiKey', actual: 'key' })],
    [{ apiKey: second }, no('api_key_malformed', { field: 'purpose', actual: 'admin' })],
    [{ purpose: 'trading' }, no('api_key_reused', { field: 'nonce', actual: '0' })],
    [{ apiKey: first }, { kind: 'known', command: 'issue_api_key' }],
    [{ nonce: '1' }, no('api_key_reused', { field: 'apiKey', actual: first })],
    [{ apiKey: second }, no('too_many_api_keys', { field: 'owner', limit: 1, actual: 1 })],
    [{ owner: addressOf('bob') }, 'done'],
    [{}, { kind: 'known', command: 'issue_api_key' }],
  ]);
  const again: RevokeApiKey = { kind: 'revoke_api_key', owner, apiKey: third };
  climb<RevokeApiKey>(t, book, again, [
    [{}, no('api_key_unknown', { field: 'apiKey', actual: third })],
    [{ apiKey: second }, no('api_key_unknown', { field: 'apiKey', actual: second })],
    [{ apiKey: first }, 'done'],
    [{}, { kind: 'known', command: 'revoke_api_key' }],
  ]);
  const revokedNonce = no('api_key_revoked', { field: 'nonce', actual: '0' });
  climb<IssueApiKey>(t, book, revoked, [
    [{}, revokedNonce],
    [{ apiKey: third }, revokedNonce],
    [
      { apiKey: first, purpose: 'builder' },
      no('api_key_reused', { field: 'apiKey', actual: first }),
    ],
    [{ apiKey: third }, 'done'],
    [{ purpose: 'trading' }, revokedNonce],
    [
      { nonce: '1', apiKey: heartbeatOf(4) },
      no('too_many_api_keys', { field: 'nonce', limit: 2, actual: 2 }),
    ],
  ]);
  book.apply({ kind: 'revoke_api_key', owner, apiKey: third });
  climb<IssueApiKey>(t, book, { ...revoked, nonce: '1', apiKey: heartbeatOf(4) }, [
    [{}, no('too_many_api_keys', { field: 'nonce', limit: 2, actual: 2 })],
  ]);
}

function purposes(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make, { bounds: { keysPerOwner: 3 } });
  const owner = addressOf('ann');
  const purposes = ['trading', 'readonly', 'builder'] as const;
  purposes.forEach((purpose, index) => {
    const apiKey = heartbeatOf(index);
    const issued = { owner, nonce: '7', apiKey, purpose };
    t.strictSame(book.apply({ kind: 'issue_api_key', ...issued }), [
      { kind: 'api_key_issued', ...issued },
    ]);
    t.strictSame([...book.engine.state().apiKeys].at(-1), { ...issued, isRevoked: false });
  });
  const builder = { owner, nonce: '7', apiKey: heartbeatOf(2), purpose: 'builder' };
  const events = book.apply({ kind: 'revoke_api_key', owner, apiKey: heartbeatOf(2) });
  t.strictSame(events, [{ kind: 'api_key_revoked', ...builder }]);
  t.strictSame([...book.engine.state().apiKeys].at(-1), { ...builder, isRevoked: true });
  const next = { owner, nonce: '8', apiKey: heartbeatOf(8), purpose: 'trading' } as const;
  t.match(
    book.apply({ kind: 'issue_api_key', ...next }),
    [{ kind: 'api_key_issued' }],
    'a revoked key makes room',
  );
}

function armAndTrip(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make);
  const bad = heartbeatOf('A');
  climb<ArmSwitch>(t, book, { kind: 'arm_switch', owner: NOBODY, heartbeatId: bad }, [
    [{}, no('heartbeat_malformed', { field: 'heartbeatId', actual: bad })],
    [{ heartbeatId: heartbeatOf(1) }, no('account_unknown', { field: 'owner', actual: NOBODY })],
    [
      { owner: addressOf('ann-safe') },
      no('account_unknown', {
        field: 'owner',
        actual: addressOf('ann-safe'),
      }),
    ],
    [{ owner: addressOf('ann') }, 'done'],
    [{}, { kind: 'known', command: 'arm_switch' }],
    [{ heartbeatId: heartbeatOf(2) }, 'done'],
  ]);
  const trip: TripSwitch = { kind: 'trip_switch', owner: NOBODY, heartbeatId: bad, most: 1 };
  climb<TripSwitch>(t, book, trip, [
    [{}, { kind: 'known', command: 'trip_switch' }],
    [{ owner: addressOf('ann') }, { kind: 'known', command: 'trip_switch' }],
    [{ heartbeatId: heartbeatOf(1) }, { kind: 'known', command: 'trip_switch' }],
    [{ heartbeatId: heartbeatOf(2) }, 'done'],
    [{}, { kind: 'known', command: 'trip_switch' }],
  ]);
}

function dismiss(t: Test, make: MakeEngine): void {
  const book = new DrawnBook(make, { bounds: { dismissalsPerCommand: 2 } });
  const code = 'notification_ids_malformed';
  const start: DismissNotifications = {
    kind: 'dismiss_notifications',
    owner: NOBODY,
    ids: [1, 0.5, 2 ** 53],
  };
  climb<DismissNotifications>(t, book, start, [
    [{}, no(code, { field: 'ids', limit: '1..2', actual: 3 })],
    [{ ids: [] }, no(code, { field: 'ids', limit: '1..2', actual: 0 })],
    [{ ids: [7, 0.5] }, no(code, { field: 'ids', actual: 0.5 })],
    [{ ids: [2 ** 53] }, no(code, { field: 'ids', actual: 2 ** 53 })],
    [{ ids: [-1] }, no(code, { field: 'ids', actual: -1 })],
    [{ ids: [7, 0] }, no('account_unknown', { field: 'owner', actual: NOBODY })],
  ]);
  const [owner, ids] = [addressOf('ann'), [7, 7]];
  const before = stateHash(book.engine.state());
  const dismissed = [{ kind: 'notifications_dismissed', owner, ids }];
  t.strictSame(book.apply({ ...start, owner, ids }), dismissed, 'a repeated number is accepted');
  t.equal(stateHash(book.engine.state()), before, 'the engine stores nothing');
}

export const OWNER_STAIRCASES: readonly Staircase[] = [
  ['an API key, from its owner to the bounds', issueAndRevoke],
  ['a key for each purpose with the same nonce', purposes],
  ["a dead man's switch, from its heartbeat id to its owner", armAndTrip],
  ['dismissed notifications, from their count to their owner', dismiss],
];
