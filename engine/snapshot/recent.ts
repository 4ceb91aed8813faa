/** The section of recently closed orders, oldest first: what a retry is compared with. */

import { RETRY_BITS } from '../book/index.ts';
import { isWhole } from '../model/index.ts';
import { getId, ID_BYTES, layout, putId } from './columns.ts';
import { columnSection, need, needNewId } from './section.ts';

/**
 * It precedes the live orders: the reader stores each closed order under the store's first handle
 * and closes it at once, which frees the handle again.
 */
export const RECENT = columnSection({
  name: 'recent_orders',
  maximum: (bounds) => bounds.recentOrders,
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
    ({ state }) =>
    (columns, row, index) => {
      const [seq, expiresAtMs] = [columns.acceptedSeq[row]!, columns.expiresAtMs[row]!];
      const traits = columns.traits[row]!;
      const { orders, ids, idWords, recent, changedSeq } = state;
      const isTime = isWhole(expiresAtMs, 0, Number.MAX_SAFE_INTEGER);
      need(isWhole(seq, 1, changedSeq), 'recent_orders', index, 'acceptedSeq', seq);
      need(isTime, 'recent_orders', index, 'expiresAtMs', expiresAtMs);
      need((traits & RETRY_BITS) === traits, 'recent_orders', index, 'traits', traits);
      getId(columns.ids, row, idWords);
      needNewId(state, 'recent_orders', index);
      const handle = orders.allocate(idWords, traits);
      orders.setTimes(handle, seq, 0, expiresAtMs);
      ids.add(ids.hash(idWords, 0), handle);
      recent.take(orders, ids, handle);
    },
});
