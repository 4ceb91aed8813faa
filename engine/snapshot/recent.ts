/** Recently closed orders in images, oldest first: what a retry is compared with. */

import { RETRY_BITS } from '../book/index.ts';
import { isWhole } from '../model/index.ts';
import { getId, ID_BYTES, layout, putId } from './columns.ts';
import { columnSection, need, needNewId } from './section.ts';

/**
 * Before the live orders: each has the first handle of the store for a moment, as an order that is
 * closed as soon as it is accepted.
 */
export const RECENT = columnSection({
  name: 'recent_orders',
  most: (bounds) => bounds.recentOrders,
  count: ({ recent }) => recent.count,
  layout: layout((cutter) => ({
    acceptedSeq: cutter.doubles(),
    expiresAtMs: cutter.doubles(),
    traits: cutter.bytes(1),
    ids: cutter.bytes(ID_BYTES),
  })),
  writer:
    ({ recent, idWords }) =>
    (columns, row, index) => {
      const place = recent.at(index);
      columns.acceptedSeq[row] = recent.acceptedSeq(place);
      columns.expiresAtMs[row] = recent.expiresAtMs(place);
      columns.traits[row] = recent.traits(place);
      recent.copyId(place, idWords);
      putId(columns.ids, row, idWords);
    },
  reader:
    ({ core }) =>
    (columns, row, index) => {
      const [seq, expiresAtMs] = [columns.acceptedSeq[row]!, columns.expiresAtMs[row]!];
      const traits = columns.traits[row]!;
      const { orders, ids, idWords, recent, changedSeq } = core;
      const isTime = isWhole(expiresAtMs, 0, Number.MAX_SAFE_INTEGER);
      need(isWhole(seq, 1, changedSeq), 'recent_orders', index, 'wrong acceptedSeq', seq);
      need(isTime, 'recent_orders', index, 'wrong expiresAtMs', expiresAtMs);
      need((traits & RETRY_BITS) === traits, 'recent_orders', index, 'wrong traits', traits);
      getId(columns.ids, row, idWords);
      needNewId(core, 'recent_orders', index);
      const handle = orders.allocate(idWords, traits);
      orders.setTimes(handle, seq, 0, expiresAtMs);
      ids.add(ids.hash(idWords, 0), handle);
      recent.take(orders, ids, handle);
    },
});
