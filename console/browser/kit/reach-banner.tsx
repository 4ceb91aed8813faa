/** Says that the exchange is not there, and asks again until it is. */
import { useEffect } from 'preact/hooks';
import { probe, reach } from '../wire/index.ts';

const PROBE_MS = 1_000;

const TEXTS = {
  starting: 'The exchange is starting.',
  unreachable: 'The exchange does not answer. What you see may be old.',
} as const;

export function ReachBanner() {
  const now = reach.value;
  const isAway = now !== 'ready';
  useEffect(() => {
    if (!isAway) return undefined;
    const timer = setInterval(() => void probe(), PROBE_MS);
    return () => clearInterval(timer);
  }, [isAway]);
  return (
    <div role="status">
      {now !== 'ready' && <p class="banner">{TEXTS[now]} This page asks again every second.</p>}
    </div>
  );
}
