import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { ArrivedFolders } from '../features/uploads/arrived-folders.tsx';
import type { Wanted } from '../stores/arrivals.ts';
import { useServices } from '../stores/services.ts';
import { useDialogOpen } from '../ui/dialog-open.ts';

/** Shows what was handed to the page from outside, on whatever screen it is. */
export function Arrivals(): ReactNode {
  useWanted();
  return <ArrivedFolders />;
}

/** Leads to what is to be shown, all other filters taken off. A dialog is not pulled away under a person. */
function useWanted(): void {
  const { t } = useTranslation();
  const { arrivals, notices } = useServices();
  const wanted = useStore(arrivals, (state) => state.wanted);
  const isDialogOpen = useDialogOpen();
  const navigate = useNavigate();
  const show = useEffectEvent((what: Wanted) => {
    const isIncident = what.kind === 'incident';
    if (isDialogOpen) return notices.hint(t(isIncident ? 'frame.incidentWaits' : 'frame.failedWait'));
    arrivals.shown();
    void navigate({
      to: '/uploads',
      search: isIncident ? { incident: what.incidentId } : { state: 'failed' },
    });
  });
  useEffect(() => {
    if (wanted !== undefined) show(wanted);
  }, [wanted, isDialogOpen]);
}
