import { useSyncExternalStore } from 'react';

/** True while a dialog has the page for itself. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"]') !== null;
}

/** The same, and the component is drawn anew when that changes. */
export function useDialogOpen(): boolean {
  return useSyncExternalStore(watchDialogs, isDialogOpen);
}

function watchDialogs(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  // Dialogs stand beside the app, as children of the body
  observer.observe(document.body, { childList: true });
  return () => observer.disconnect();
}
