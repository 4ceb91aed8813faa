/** A market in a row of a table: its question, which leads to its page, and what else is said. */
import type { ComponentChildren } from 'preact';
import { linkTo } from '../kit/index.ts';

interface MarketCellProps {
  readonly conditionId: string;
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function MarketCell({ conditionId, title, children }: MarketCellProps) {
  return (
    <div class="market-cell">
      <a href={linkTo(['market', conditionId])}>{title}</a>
      {children}
    </div>
  );
}
