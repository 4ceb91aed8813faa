/** The cash of an account. */
import { decimalText, grouped, useAnswer } from '../kit/index.ts';
import { pageStreams } from '../streams/streams.ts';
import { balanceName } from '../streams/user-stream.ts';

const MICROS_PER_CENT = 10_000n;

/**
 * Free cash, rounded down to cents. The user channel tells it whenever it changes; that channel
 * knows nothing of an account that is not open yet.
 */
export function Cash({ address }: { address: string }) {
  const query = { asset_type: 'COLLATERAL' };
  const balance = useAnswer('/balance-allowance', { query, auth: 'l2' }, { inputs: [address] });
  const now = balance.now.value;
  const live = pageStreams().user.balances.value.get(balanceName(address, ''));
  const known = live ?? (now.state === 'ready' ? now.value : undefined);
  if (known === undefined) return null;
  const cents = BigInt(known.available) / MICROS_PER_CENT;
  return (
    <span class="number" title="Cash that is free for new orders">
      ${grouped(decimalText(cents, 2, 2))}
    </span>
  );
}
