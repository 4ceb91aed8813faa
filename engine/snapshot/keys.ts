/** What is known by a key or a name, in images: API keys, switches, builders, idempotency keys. */
import type { Command, KeyPurpose, IdempotencyKeyState } from '../model/index.ts';
import { ADDRESS, BUILDER, DECIMAL, invariant, lots, micros, UUID } from '../model/index.ts';
import type { Core } from '../state/index.ts';
import { rememberMovement } from '../state/index.ts';
import type { Field, ImageRecord } from './records.ts';
import { recordSection } from './section.ts';

const MOST = Number.MAX_SAFE_INTEGER;
const PURPOSES: readonly KeyPurpose[] = ['trading', 'readonly', 'builder'];

/** In order of issue, revoked ones too. */
export const API_KEYS = recordSection({
  name: 'api_keys',
  most: () => MOST,
  count: ({ apiKeys }) => apiKeys.all.length,
  *records({ apiKeys }) {
    for (const { owner, nonce, apiKey, purpose, isRevoked } of apiKeys.all) {
      yield [owner, nonce, apiKey, purpose, isRevoked];
    }
  },
  begin:
    ({ core: { apiKeys } }) =>
    (record) => {
      const key = {
        owner: record.text('owner', ADDRESS),
        nonce: record.text('nonce', DECIMAL),
        apiKey: record.text('apiKey', UUID),
        purpose: record.oneOf('purpose', PURPOSES),
        isRevoked: false,
      };
      const isKnown = apiKeys.find(key.apiKey) ?? apiKeys.findByNonce(key);
      if (isKnown !== undefined) record.fail('apiKey', 'there once', key.apiKey);
      apiKeys.add(key);
      if (record.flag('isRevoked')) apiKeys.revoke(key);
    },
});

/** In order of arming. */
export const SWITCHES = recordSection({
  name: 'switches',
  most: (bounds) => bounds.accounts,
  count: ({ switches }) => switches.size,
  records: ({ switches }) => switches,
  begin:
    ({ core: { switches, ledger } }) =>
    (record) => {
      const owner = record.text('owner', ADDRESS);
      const isRight = ledger.findOwner(owner) !== undefined && !switches.has(owner);
      if (!isRight) record.fail('owner', 'one with an account, once', owner);
      switches.set(owner, record.text('heartbeatId', UUID));
    },
});

/** In order of being set first. */
export const BUILDERS = recordSection({
  name: 'builders',
  most: (bounds) => bounds.builders,
  count: ({ builders }) => builders.size,
  *records({ builders }) {
    for (const one of builders.values()) {
      yield [one.builder, one.accountIndex, one.shareBps, one.takerRateBps, one.makerRateBps];
    }
  },
  begin:
    ({ core: { builders, ledger } }) =>
    (record) => {
      const builder = record.text('builder', BUILDER);
      if (builders.has(builder)) record.fail('builder', 'there once', builder);
      const accountIndex = record.whole('account', 0, ledger.accounts.length - 1);
      builders.set(builder, {
        builder,
        account: ledger.accounts[accountIndex]!.address,
        shareBps: record.whole('shareBps', 0, 5_000),
        takerRateBps: record.whole('takerRateBps', 0, 1_000),
        makerRateBps: record.whole('makerRateBps', 0, 100),
        accountIndex,
      });
    },
});

const MOVEMENTS: readonly Command['kind'][] = [
  'deposit',
  'withdraw',
  'split',
  'merge',
  'convert',
  'redeem',
];

/**
 * In order of use. There may be millions: accounts and markets stand by index, and whoever acted is
 * the account's owner or the operator.
 */
export const MONEY_KEYS = recordSection({
  name: 'money_keys',
  most: (bounds) => bounds.idempotencyKeys + bounds.accounts * bounds.markets,
  count: ({ idempotencyKeys: idempotencyKeys }) => idempotencyKeys.size,
  *records(core) {
    for (const key of core.idempotencyKeys.values()) yield moneyKeyFields(core, key);
  },
  begin:
    ({ core }) =>
    (record, index) =>
      putMoneyKey(core, record, index),
});

function moneyKeyFields({ ledger, marketByCondition }: Core, one: IdempotencyKeyState): Field[] {
  const account = ledger.findAccount(one.account);
  const isOwners = one.owner !== '';
  const owner = ledger.accounts[account]?.owner;
  invariant(!isOwners || one.owner === owner, 'only its owner and the operator act for an account');
  return [
    MOVEMENTS.indexOf(one.command),
    isOwners,
    one.key,
    account,
    marketByCondition.get(one.subject)?.index ?? one.subject,
    one.amount,
    one.amountMicros,
    one.yesLots,
    one.noLots,
  ];
}

function putMoneyKey(core: Core, record: ImageRecord, index: number): void {
  const { ledger, markets, idempotencyKeys: idempotencyKeys } = core;
  const command = MOVEMENTS[record.whole('command', 0, MOVEMENTS.length - 1)]!;
  const isOwners = record.flag('isOwners');
  const key = record.text('key');
  const { address, owner } =
    ledger.accounts[record.whole('account', 0, ledger.accounts.length - 1)]!;
  const subject = record.isText
    ? record.text('subject')
    : markets[record.whole('subject', 0, markets.length - 1)]!.terms.conditionId;
  const amount = record.whole('amount', 0, MOST);
  const moved = {
    amountMicros: micros(record.whole('amountMicros', -MOST, MOST)),
    yesLots: lots(record.whole('yesLots', 0, MOST)),
    noLots: lots(record.whole('noLots', 0, MOST)),
  };
  const acting = isOwners ? owner : '';
  rememberMovement(core, { command, owner: acting, key, account: address, subject, amount }, moved);
  if (idempotencyKeys.size === index) record.fail('key', 'there once', key);
}
