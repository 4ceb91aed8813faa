/** The frame of a page: its name, its places, and what stands at its right. */
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ReachBanner } from './reach-banner.tsx';
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
