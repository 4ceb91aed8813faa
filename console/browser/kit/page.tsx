/** What is around each page: navigation, titles, and whether the exchange is there. */

import { effect, signal } from '@preact/signals';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { probe, reach } from '../wire/index.ts';
import { Empty } from './loaded.tsx';
import { place } from './router.ts';
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

/** The pages under one first segment of the address. */
export interface Area {
  readonly segment: string;
  /** Its name in the navigation; absent for pages that others link to. */
  readonly text?: string;
  /** The segment of the area in whose name the navigation shows it; its own by default. */
  readonly within?: string;
  /** Whether the navigation has it; absent for always. */
  readonly isShown?: () => boolean;
  readonly component: ComponentType;
}

interface PlacesProps {
  readonly label: string;
  readonly places: readonly (readonly [segment: string, text: string])[];
  readonly here: string | undefined;
}

function Places({ label, places, here, ...attributes }: PlacesProps & { class?: string }) {
  return (
    <nav aria-label={label} {...attributes}>
      {places.map(([segment, text]) => (
        <a key={segment} href={`#/${segment}`} aria-current={segment === here ? 'page' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}

interface PageProps {
  readonly name: string;
  /** The first one is shown without an address. */
  readonly areas: readonly Area[];
  readonly aside: ComponentChildren;
  /** In place of the area of the address. */
  readonly children?: ComponentChildren;
}

function ThemeButton() {
  const next = theme.value === 'dark' ? 'light' : 'dark';
  return (
    <button type="button" class="quiet" aria-label={`Use the ${next} theme`} onClick={switchTheme}>
      {theme.value === 'dark' ? '☀' : '☾'}
    </button>
  );
}

export function Page({ name, areas, aside, children }: PageProps) {
  const [segment = areas[0]?.segment] = place.value.segments;
  const area = areas.find((one) => one.segment === segment);
  const places = areas.flatMap(({ segment: of, text, isShown = () => true }) =>
    text === undefined || !isShown() ? [] : [[of, text] as const],
  );
  const content = area === undefined ? <Unknown /> : <area.component />;
  return (
    <>
      <button type="button" class="skip" onClick={focusContent}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href="#/">
          {name}
        </a>
        <Places label="Places" places={places} here={area?.within ?? segment} />
        <div class="aside">
          {aside}
          <ThemeButton />
        </div>
        <ReachBanner />
      </header>
      <main id="content" tabIndex={-1}>
        {children ?? content}
      </main>
      <Toasts />
    </>
  );
}

function Unknown() {
  return (
    <Empty>
      There is no such page. <a href="#/">Go to the first one</a>
    </Empty>
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
      <Places class="tools" label="Tools for developers" places={tools} here={here} />
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
