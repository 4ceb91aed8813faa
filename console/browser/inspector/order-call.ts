/**
 * The published client's call that places an order with the terms of a body of POST /order. The
 * client signs a new order, because a repeated signed order would not be placed a second time.
 */
import { DECIMALS, decimalText, ONE_TICKS } from '../decimal/index.ts';

interface PlacedOrder {
  readonly orderType: 'GTC' | 'GTD' | 'FOK' | 'FAK';
  readonly postOnly?: boolean;
  readonly order: {
    readonly tokenId: string;
    readonly side: 'BUY' | 'SELL';
    readonly makerAmount: string;
    readonly takerAmount: string;
    readonly expiration: string;
    readonly builder: string;
  };
}

const NO_BUILDER = /^0x0*$/;

/** The price in ticks, rounded; the amounts of a budget do not divide without a rest. */
function ticksOf(cash: bigint, tokens: bigint): bigint {
  return (cash * BigInt(ONE_TICKS) + tokens / 2n) / tokens;
}

export function orderCall(body: unknown): string {
  // Safe: the page made the body, and POST /order takes no other form from it.
  const { order, orderType, postOnly = false } = body as PlacedOrder;
  const isBuy = order.side === 'BUY';
  const [maker, taker] = [BigInt(order.makerAmount), BigInt(order.takerAmount)];
  const [cash, tokens] = isBuy ? [maker, taker] : [taker, maker];
  const price = decimalText(ticksOf(cash, tokens), DECIMALS.ticks);
  const isBudget = orderType === 'FOK' || orderType === 'FAK';
  // Amounts of both tokens and cash have six decimals.
  const quantity = decimalText(isBudget ? maker : tokens, DECIMALS.micros);
  const terms = [
    `tokenID: ${JSON.stringify(order.tokenId)}`,
    `side: Side.${order.side}`,
    `price: ${price}`,
    isBudget ? `amount: ${quantity}` : `size: ${quantity}`,
    ...(orderType === 'GTD' ? [`expiration: ${Number(order.expiration)}`] : []),
    ...(NO_BUILDER.test(order.builder) ? [] : [`builderCode: ${JSON.stringify(order.builder)}`]),
  ];
  const method = isBudget ? 'createAndPostMarketOrder' : 'createAndPostOrder';
  const last = postOnly ? ', true' : '';
  return [
    `client.${method}(`,
    `  { ${terms.join(', ')} },`,
    `  {}, OrderType.${orderType}${last},`,
    ')',
  ].join('\n');
}
