/** What is around each page: navigation, titles, and whether the exchange is there. */

import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { probe, reach } from '../wire/index.ts';
import { switchTheme, theme } from './theme.ts';
import { Toasts } from './toast.tsx';

interface PageProps {
  readonly name: string;
  readonly places: readonly (readonly [segment: string, text: string])[];
  /** The segment of the place that is shown. */
  readonly here: string | undefined;
  readonly aside: ComponentChildren;
  readonly children: ComponentChildren;
}

function ThemeButton() {
  const next = theme.value === 'dark' ? 'light' : 'dark';
  return (
    <button type="button" class="quiet" aria-label={`Use the ${next} theme`} onClick={switchTheme}>
      {theme.value === 'dark' ? '☀' : '☾'}
    </button>
  );
}

export function Page({ name, places, here, aside, children }: PageProps) {
  return (
    <>
      <button type="button" class="skip" onClick={focusContent}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href="#/">
          {name}
        </a>
        <nav aria-label="Places">
          {places.map(([segment, text]) => (
            <a
              key={segment}
              href={`#/${segment}`}
              aria-current={segment === here ? 'page' : undefined}
            >
              {text}
            </a>
          ))}
        </nav>
        <div class="aside">
          {aside}
          <ThemeButton />
        </div>
        <ReachBanner />
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Toasts />
    </>
  );
}

/** Not a link: the part of the address behind # names places of this page, not elements. */
function focusContent(): void {
  document.getElementById('content')?.focus();
}

/** The title of the browser's tab, as long as the component is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · outcome-exchange`;
  }, [title]);
}

/** The pages by their segment. The operator's listener has no streams. */
const TOOLS = [
  ['explorer', 'Explorer'],
  ['requests', 'Requests'],
  ['streams', 'Streams'],
] as const;

interface ToolsHeadProps {
  /** The page that is shown. */
  readonly here: (typeof TOOLS)[number][0];
  readonly isOperator: boolean;
}

export function ToolsHead({ here, isOperator }: ToolsHeadProps) {
  const tools = TOOLS.filter(([segment]) => segment !== 'streams' || !isOperator);
  const [, title = ''] = TOOLS.find(([segment]) => segment === here) ?? [];
  useTitle(title);
  return (
    <div class="row apart">
      <h1>{title}</h1>
      <nav class="tools" aria-label="Tools for developers">
        {tools.map(([segment, text]) => (
          <a
            key={segment}
            href={`#/${segment}`}
            aria-current={segment === here ? 'page' : undefined}
          >
            {text}
          </a>
        ))}
      </nav>
    </div>
  );
}

const PROBE_MS = 1_000;

const TEXTS = {
  starting: 'The exchange is starting.',
  unreachable: 'The exchange does not answer. What you see may be old.',
} as const;

function ReachBanner() {
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
