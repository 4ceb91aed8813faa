import { Type } from 'typebox';
import { isoTime, lotsNumber, ticksNumber } from '../../codec/index.ts';
import { FeeDetails, formatDelay, formatFeeDetails, NO_TEXTS } from '../../format/index.ts';
import { OrNull, Text, TrueFalse } from '../../parameters/index.ts';
import { defineRoute } from '../../services/index.ts';
import { marketIn } from '../../views/index.ts';

const ClobMarket = Type.Object({
  c: Text('Condition id'),
  t: Type.Array(
    Type.Object({
      t: Text('Token id'),
      o: Text('Outcome label'),
      mirror_token_id: Type.String(),
    }),
  ),
  mts: Type.Number({ description: 'Price step' }),
  mos: Type.Number({ description: 'Minimum size of a resting order' }),
  nr: TrueFalse('Neg-risk'),
  fd: FeeDetails,
  mbf: Type.Number({ description: 'Maker fee, basis points' }),
  tbf: Type.Number({ description: 'Taker fee, basis points' }),
  gst: OrNull(Type.String(), 'Game start time, ISO 8601'),
  r: Type.Object({
    mi: Type.Number({ description: 'Least size of an order that earns' }),
    ma: Type.Number({ description: 'Largest distance from the midpoint, cents' }),
    e: TrueFalse('Rewards are paid'),
    smoa: TrueFalse('Orders earn at any age'),
    moas: Type.Number({ description: 'Least age of an order, seconds' }),
  }),
  rfqe: TrueFalse('Requests for quotes are enabled'),
  cbos: TrueFalse('Resting orders are cancelled when the game starts'),
  itode: TrueFalse('Marketable orders are delayed'),
  ibce: TrueFalse('A risk scanner is on'),
  oas: Type.Number({ description: 'Minimum age of an order, seconds' }),
  ao: TrueFalse('Accepts orders'),
  aot: Text('Time since which it accepts orders, ISO 8601'),
  sd: Type.Number({ description: 'Delay of marketable orders, seconds' }),
  creator: OrNull(Type.String()),
  mirror_condition_id: Type.String(),
});

/**
 * GET /clob-markets/{condition_id}: the terms that a client needs to sign orders, in short keys.
 */
export const getClobMarket = defineRoute({
  method: 'GET',
  path: '/clob-markets/{condition_id}',
  summary: 'The terms of a market that a client needs to sign orders',
  auth: 'none',
  params: Type.Object({ condition_id: Text('Condition id') }),
  response: ClobMarket,
  needs: ['exchange', 'registry'],
  handler: ({ params, services }): Type.Static<typeof ClobMarket> => {
    const market = marketIn(services.registry, params.condition_id);
    const content = services.exchange.catalog.lookup.marketByCondition(market.conditionId);
    const labels = content?.outcomes ?? NO_TEXTS.outcomes;
    const delay = formatDelay(market);
    const mirrors = content?.mirrorTokenIds ?? ['', ''];
    return {
      c: market.conditionId,
      t: [
        { t: market.tokenIds[0], o: labels[0], mirror_token_id: mirrors[0] },
        { t: market.tokenIds[1], o: labels[1], mirror_token_id: mirrors[1] },
      ],
      mts: ticksNumber(market.tickTicks),
      mos: lotsNumber(market.minimumLots),
      nr: market.negRisk,
      fd: formatFeeDetails(market),
      mbf: market.makerFeeBps,
      tbf: market.takerFeeBps,
      gst: content?.gameStartTime ?? null,
      r: { mi: 0, ma: 0, e: false, smoa: false, moas: 0 },
      rfqe: false,
      // No game cancels orders here, whatever `clearBookOnStart` of an imported record says.
      cbos: false,
      itode: delay.itode,
      ibce: false,
      oas: 0,
      ao: services.registry.acceptsOrders(market) && (content?.acceptingOrders ?? true),
      aot: isoTime(market.createdMs),
      sd: delay.seconds_delay,
      creator: content?.creator || null,
      mirror_condition_id: content?.mirrorConditionId ?? '',
    };
  },
});
