/** Names with their values: facts stand below each other, figures side by side. */
import type { ComponentChildren } from 'preact';

interface FactProps {
  readonly name: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A line of a `<dl class="facts">`. */
export function Fact({ name, children }: FactProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

export function Facts({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <Fact key={name} name={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}

interface FigureProps extends FactProps {
  readonly hint?: string;
  /** `minor`: narrow screens leave it out. */
  readonly class?: string;
}

/** One of a `<dl class="figures">`. */
export function Figure({ name, hint, class: of, children }: FigureProps) {
  return (
    <div class={of}>
      <dt title={hint}>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
