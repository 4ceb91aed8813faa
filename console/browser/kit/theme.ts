/** Dark or light: the system's theme until the person chooses one. The choice is kept. */
import { effect, signal } from '@preact/signals';

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

export function switchTheme(): void {
  theme.value = theme.peek() === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(KEY, theme.peek());
  } catch {
    // As above.
  }
}
