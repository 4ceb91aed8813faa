/**
 * A builder's trade (wire 1.6): the keys of an account's trade, and the camelCase keys that
 * published clients read.
 *
 * Invariant: both sets of keys describe the taker's side. `type`, `trader_side` and `tradeType` say
 * whose order named the builder.
 */

import { Type } from 'typebox';
import { cashFor, type Micros, micros } from '../../engine/model/index.ts';
import type { TradeRecord } from '../../persistence/index.ts';
import { epochSeconds, isoTime, microsText } from '../codec/index.ts';
import { Text } from '../parameters/index.ts';
import { toChecksumAddress } from '../signing/address.ts';
import { HIDDEN_KEY, type OutcomeLabels } from './order.ts';
import { AccountTrade, formatMaker, formatTrade, MakerOrder, type TradeReader } from './trade.ts';

const Code = Text('Builder code, 0x and 64 hex digits');
const Builder = Text(
  'The wallet in the builder code, as an EIP-55 address; otherwise the code itself',
);
const IsoTime = Text('ISO 8601');

const ACCOUNT_KEYS = Type.Omit(AccountTrade, ['owner', 'maker_orders', 'type', 'trader_side']);
const Role = Type.Enum(['TAKER', 'MAKER'], { description: 'Whose order named the builder' });
const Key = Text('API key if it is your own, otherwise all zeros');

export const BuilderTrade = Type.Object({
  ...ACCOUNT_KEYS.properties,
  owner: Key,
  maker_orders: Type.Array(
    Type.Object({
      ...MakerOrder.properties,
      owner: Key,
      builder_code: Text('Builder code of this order; empty for none'),
    }),
  ),
  type: Role,
  trader_side: Role,
  tradeType: Role,
  takerOrderHash: Type.String(),
  builder: Builder,
  builderCode: Code,
  assetId: Text('The same as asset_id'),
  sizeUsdc: Text('Cash that the taker paid or received, in collateral'),
  outcomeIndex: Type.Integer(),
  maker: Text('The same as maker_address'),
  transactionHash: Type.String(),
  matchTime: Text('Seconds since the epoch'),
  bucketIndex: Type.Integer(),
  feeUsdc: Text('The same as fee'),
  builderFee: Text('Fees that the builder earned with all its orders in the trade, in collateral'),
  err_msg: Type.Null(),
  createdAt: IsoTime,
  updatedAt: IsoTime,
});
export type BuilderTrade = Type.Static<typeof BuilderTrade>;

/** The caller, whose `owner` is '' if anonymous, and the filters of the request. */
export interface BuilderTradeReader extends TradeReader {
  /** The requested builder, 0x and 64 lower-case hex digits; '' for any. */
  readonly builder: string;
  /** The requested account, in lower case; '' for any. */
  readonly account: string;
}

interface Party {
  readonly account: string;
  readonly builder: string;
}

function isRequested(party: Party, { builder, account }: BuilderTradeReader): boolean {
  return (
    party.builder !== '' &&
    (builder === '' || party.builder === builder) &&
    (account === '' || party.account === account)
  );
}

/** Role and code of the requested builder: of the taker's order if it matches, else a maker's. */
function partOf(trade: TradeRecord, reader: BuilderTradeReader) {
  const taker = { account: trade.takerAccount, builder: trade.takerBuilder };
  if (isRequested(taker, reader)) return { role: 'TAKER', code: taker.builder } as const;
  const maker = trade.makers.find((one) => isRequested(one, reader));
  return { role: 'MAKER', code: maker?.builder ?? reader.builder } as const;
}

/** A builder code is this padding, then the address of the builder's wallet (wire 3.3). */
const PADDING = `0x${'0'.repeat(24)}`;

/** The Rust clients expect an address here and fail on 32 bytes (wire 0.15). */
function builderText(code: string): string {
  return code.startsWith(PADDING) ? toChecksumAddress(`0x${code.slice(PADDING.length)}`) : code;
}

function earnedBy(code: string, { takerBuilder, builderFeeMicros, makers }: TradeRecord): Micros {
  return makers.reduce<Micros>(
    (sum, maker) => micros(sum + (maker.builder === code ? maker.builderFeeMicros : 0)),
    micros(takerBuilder === code ? builderFeeMicros : 0),
  );
}

export function formatBuilderTrade(
  trade: TradeRecord,
  labels: OutcomeLabels,
  reader: BuilderTradeReader,
): BuilderTrade {
  const { role, code } = partOf(trade, reader);
  const account = formatTrade(trade, labels, reader);
  const keyOf = (owner: string, apiKey: string): string =>
    owner === reader.owner ? apiKey : HIDDEN_KEY;
  const time = isoTime(trade.timeMs);
  return {
    ...account,
    owner: keyOf(trade.takerOwner, trade.takerApiKey),
    maker_orders: trade.makers.map((maker) => ({
      ...formatMaker(maker, labels),
      owner: keyOf(maker.owner, maker.apiKey),
      builder_code: maker.builder,
    })),
    type: role,
    trader_side: role,
    tradeType: role,
    takerOrderHash: trade.takerOrderId,
    builder: builderText(code),
    builderCode: code,
    assetId: trade.tokenId,
    sizeUsdc: microsText(cashFor(trade.lots, trade.priceTicks)),
    outcomeIndex: trade.outcome,
    maker: toChecksumAddress(trade.takerAccount),
    transactionHash: trade.transactionHash,
    matchTime: `${epochSeconds(trade.timeMs)}`,
    bucketIndex: trade.bucket,
    feeUsdc: account.fee,
    builderFee: microsText(earnedBy(code, trade)),
    err_msg: null,
    createdAt: time,
    updatedAt: time,
  };
}
