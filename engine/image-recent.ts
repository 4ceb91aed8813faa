/** Recently closed orders in images, oldest first: what a retry is compared with. */
import { getHex, layout, putHex } from './image-columns.ts';
import { columnSection, need } from './image-section.ts';
import { NONE } from './level-index.ts';
import { RETRY_BITS } from './order-traits.ts';
import { isWhole } from './units.ts';

const ID_BYTES = 32;

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
    ({ recent }) =>
    (columns, row, index) => {
      const place = recent.at(index);
      columns.acceptedSeq[row] = recent.acceptedSeq(place);
      columns.expiresAtMs[row] = recent.expiresAtMs(place);
      columns.traits[row] = recent.traits(place);
      putHex(columns.ids, ID_BYTES, row, recent.id(place));
    },
  reader:
    ({ core: { orders, ids, recent, changedSeq } }) =>
    (columns, row, index) => {
      const [seq, expiresAtMs] = [columns.acceptedSeq[row]!, columns.expiresAtMs[row]!];
      const traits = columns.traits[row]!;
      const id = getHex(columns.ids, ID_BYTES, row);
      const isTime = isWhole(expiresAtMs, 0, Number.MAX_SAFE_INTEGER);
      need(isWhole(seq, 1, changedSeq), 'recent_orders', index, 'wrong acceptedSeq', seq);
      need(isTime, 'recent_orders', index, 'wrong expiresAtMs', expiresAtMs);
      need((traits & RETRY_BITS) === traits, 'recent_orders', index, 'wrong traits', traits);
      need(ids.find(id) === NONE, 'recent_orders', index, 'there already is', id);
      const hash = ids.hash(id);
      const handle = orders.allocate(id, hash, traits);
      orders.acceptedSeq[handle] = seq;
      orders.expiresAtMs[handle] = expiresAtMs;
      ids.add(hash, handle);
      recent.take(orders, ids, handle);
    },
});
