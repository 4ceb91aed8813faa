/** What is around each page: navigation, titles, and whether the exchange is there. */

import { effect, signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { probe, reach } from '../wire/index.ts';
import { Toasts } from './toast.tsx';

/** Dark or light: the system's theme until the person chooses one. The choice is kept. */
const KEY = 'theme';
export type Theme = 'dark' | 'light';

function isTheme(value: unknown): value is Theme {
  return value === 'dark' || value === 'light';
}

const system = matchMedia('(prefers-color-scheme: light)');

function read(): Theme {
  let kept: unknown;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    // A browser may forbid storage: the choice then lasts as long as the page.
  }
  if (isTheme(kept)) return kept;
  return system.matches ? 'light' : 'dark';
}

export const theme = signal<Theme>(read());
system.addEventListener('change', () => {
  theme.value = read();
});

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

function switchTheme(): void {
  theme.value = theme.peek() === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(KEY, theme.peek());
  } catch {
    // As above.
  }
}

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
