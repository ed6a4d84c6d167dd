import { useSyncExternalStore } from 'react';

/** The theme that the document shows, whoever chose it: for what is drawn with colours that were read from the styles. */
export function useShownTheme(): string | undefined {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset['theme']);
}

function subscribe(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}
