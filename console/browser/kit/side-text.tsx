/** "Buy Yes", in the color of its side. */
export function SideText({ side, outcome }: { side: 'BUY' | 'SELL'; outcome: string }) {
  return (
    <span class={side === 'BUY' ? 'buy-text' : 'sell-text'}>
      {side === 'BUY' ? 'Buy' : 'Sell'} {outcome}
    </span>
  );
}
