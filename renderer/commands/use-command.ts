import { useEffect, useEffectEvent } from 'react';
import { useServices } from '../stores/services.ts';
import type { CommandId } from './catalogue.ts';

/** Gives a command something to do as long as the component is there. */
export function useCommand(id: CommandId, run: () => void, isEnabled = true): void {
  const { commands } = useServices();
  const latest = useEffectEvent(run);
  useEffect(() => commands.register({ id, isEnabled, run: () => latest() }), [commands, id, isEnabled]);
}
