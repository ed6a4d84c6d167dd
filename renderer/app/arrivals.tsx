import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useStore } from 'zustand';
import { ArrivedFolders } from '../features/uploads/arrived-folders.tsx';
import { useServices } from '../stores/services.ts';
import { useDialogOpen } from '../ui/dialog-open.ts';

/** Shows what was handed to the page from outside, on whatever screen it is. */
export function Arrivals(): ReactNode {
  useArrivedIncident();
  return <ArrivedFolders />;
}

/** Leads to the incident that is to be shown, all filters taken off. A dialog is not pulled away under a person. */
function useArrivedIncident(): void {
  const { t } = useTranslation();
  const { arrivals, notices } = useServices();
  const incidentId = useStore(arrivals, (state) => state.incidentId);
  const isDialogOpen = useDialogOpen();
  const navigate = useNavigate();
  const show = useEffectEvent((incident: string) => {
    if (isDialogOpen) return notices.hint(t('frame.incidentWaits'));
    arrivals.incidentShown();
    void navigate({ to: '/uploads', search: { incident } });
  });
  useEffect(() => {
    if (incidentId !== undefined) show(incidentId);
  }, [incidentId, isDialogOpen]);
}
