/** The sections of API keys, dead man's switches, builders and idempotency keys. */
import { NONE } from '../book/index.ts';
import {
  ADDRESS,
  BUILDER,
  DECIMAL,
  type IdempotencyKeyState,
  invariant,
  KEY_PURPOSES,
  lots,
  MOVEMENT_KINDS,
  micros,
  UUID,
} from '../model/index.ts';
import type { EngineState } from '../state/engine-state.ts';
import { moneyKeyName } from '../state/idempotency.ts';
import type { Field, RecordReader } from './records.ts';
import { recordSection } from './section.ts';

const MAXIMUM = Number.MAX_SAFE_INTEGER;

/** In order of issue, including revoked keys. */
export const API_KEYS = recordSection({
  name: 'api_keys',
  maximum: () => MAXIMUM,
  count: ({ apiKeys }) => apiKeys.all.length,
  *records({ apiKeys }) {
    for (const { owner, nonce, apiKey, purpose, isRevoked } of apiKeys.all) {
      yield [owner, nonce, apiKey, purpose, isRevoked];
    }
  },
  begin:
    ({ state: { apiKeys } }) =>
    (record) => {
      const key = {
        owner: record.text('owner', ADDRESS),
        nonce: record.text('nonce', DECIMAL),
        apiKey: record.text('apiKey', UUID),
        purpose: record.oneOf('purpose', KEY_PURPOSES),
        isRevoked: false,
      };
      const known = apiKeys.find(key.apiKey) ?? apiKeys.findByNonce(key);
      if (known !== undefined) record.fail('apiKey', 'in no earlier record', key.apiKey);
      apiKeys.add(key);
      if (record.flag('isRevoked')) apiKeys.revoke(key);
    },
});

/** In order of arming. */
export const SWITCHES = recordSection({
  name: 'switches',
  maximum: (bounds) => bounds.accounts,
  count: ({ switches }) => switches.size,
  records: ({ switches }) => switches,
  begin:
    ({ state: { switches, ledger } }) =>
    (record) => {
      const owner = record.text('owner', ADDRESS);
      const isValid = ledger.findOwner(owner) !== undefined && !switches.has(owner);
      if (!isValid) record.fail('owner', 'the owner of an account, in no earlier record', owner);
      switches.set(owner, record.text('heartbeatId', UUID));
    },
});

/** In order of the first setting. */
export const BUILDERS = recordSection({
  name: 'builders',
  maximum: (bounds) => bounds.builders,
  count: ({ builders }) => builders.size,
  *records({ builders }) {
    for (const one of builders.values()) {
      yield [one.builder, one.accountIndex, one.shareBps, one.takerRateBps, one.makerRateBps];
    }
  },
  begin:
    ({ state: { builders, ledger } }) =>
    (record) => {
      const builder = record.text('builder', BUILDER);
      if (builders.indexOf(builder) !== NONE)
        record.fail('builder', 'in no earlier record', builder);
      const accountIndex = record.whole('account', 0, ledger.accounts.length - 1);
      builders.set({
        builder,
        account: ledger.accounts[accountIndex]!.address,
        shareBps: record.whole('shareBps', 0, 5_000),
        takerRateBps: record.whole('takerRateBps', 0, 1_000),
        makerRateBps: record.whole('makerRateBps', 0, 100),
        accountIndex,
      });
    },
});

/**
 * Those in memory, in order of use. Accounts and markets are stored as indexes, and the owner as a
 * flag: only the account's owner and the operator can act for an account.
 */
export const IDEMPOTENCY_KEYS = recordSection({
  name: 'money_keys',
  maximum: (bounds) => bounds.rememberedMoneyKeys * 2,
  count: ({ moneyKeys }) => moneyKeys.size,
  *records(state) {
    for (const key of state.moneyKeys.all()) {
      yield [...keyFields(state, key.state), key.indexedSeq];
    }
  },
  begin:
    ({ state }) =>
    (record, index) =>
      putKey(state, record, index),
});

function keyFields({ ledger, marketByCondition }: EngineState, key: IdempotencyKeyState): Field[] {
  const account = ledger.findAccount(key.account);
  const isByOwner = key.owner !== '';
  const owner = ledger.accounts[account]?.owner;
  invariant(!isByOwner || key.owner === owner, 'only owner and operator act for an account');
  return [
    MOVEMENT_KINDS.indexOf(key.command),
    isByOwner,
    key.key,
    account,
    marketByCondition.get(key.subject)?.index ?? key.subject,
    key.amount,
    key.amountMicros,
    key.yesLots,
    key.noLots,
  ];
}

function putKey(state: EngineState, record: RecordReader, index: number): void {
  const { ledger, markets, moneyKeys } = state;
  const command = MOVEMENT_KINDS[record.whole('command', 0, MOVEMENT_KINDS.length - 1)]!;
  const isByOwner = record.flag('isOwners');
  const key = record.text('key');
  const account = ledger.accounts[record.whole('account', 0, ledger.accounts.length - 1)]!;
  const subject = record.isText
    ? record.text('subject')
    : markets[record.whole('subject', 0, markets.length - 1)]!.terms.conditionId;
  const amount = record.whole('amount');
  const moved = {
    amountMicros: micros(record.whole('amountMicros', -MAXIMUM)),
    yesLots: lots(record.whole('yesLots')),
    noLots: lots(record.whole('noLots')),
  };
  const owner = isByOwner ? account.owner : '';
  const movement = { command, owner, key, account: account.address, subject, amount };
  const indexedSeq = record.whole('indexedSeq', 0, state.changedSeq);
  if (indexedSeq > 0 && moneyKeys.indexedCount < index) {
    record.fail('indexedSeq', '0 after a record with 0', indexedSeq);
  }
  moneyKeys.add(moneyKeyName(movement), { ...movement, ...moved }, indexedSeq);
  if (moneyKeys.size === index) record.fail('key', 'in no earlier record', key);
}
