import { useEffect } from 'react';
import { useServices } from '../stores/services.ts';
import { isDialogOpen } from '../ui/dialog-open.ts';

const typing =
  'input, textarea, select, [contenteditable], [role="textbox"], [role="searchbox"], [role="spinbutton"]';

/** Gives key presses to the commands. An open dialog has the keyboard for itself. */
export function useKeyboard(): void {
  const { commands } = useServices();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return;
      const target = event.target instanceof Element ? event.target : undefined;
      if (isDialogOpen()) return;
      if (commands.press(event, target?.closest(typing) !== null && target !== undefined))
        event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [commands]);
}
