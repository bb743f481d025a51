// Light, dark, or the setting of the system. Written on the root element; CSS does the rest.
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { ExternalValue, useExternalValue } from '../external-value.ts';
import { LineIcon } from '../ui/icons.tsx';

const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const ICONS = { system: 'system', light: 'sun', dark: 'moon' } as const;
const STORAGE_KEY = 'harbor:theme';

function readTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY);
  return THEMES.find((theme) => theme === stored) ?? 'system';
}

/** The palette can choose it too. */
export const chosenTheme = new ExternalValue<Theme>(
  typeof localStorage === 'undefined' ? 'system' : readTheme(),
);

export function ThemeSwitch(): ReactNode {
  const theme = useExternalValue(chosenTheme);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(STORAGE_KEY, theme);
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`Theme: ${theme}. Change to ${next}`}
      title={`Theme: ${theme}`}
      onClick={() => chosenTheme.write(next)}
    >
      <LineIcon name={ICONS[theme]} />
    </button>
  );
}
