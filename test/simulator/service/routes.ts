import { actionRoutes } from './actions.ts';
import { chatMessageRoutes } from './chat-messages.ts';
import { periodRoutes } from './periods.ts';
import type { Route } from './route.ts';
import { userRoutes } from './users.ts';
import { incidentRoutes } from './vms-incidents.ts';
import { uploadUrlRoutes } from './vms-upload-urls.ts';
import { uploadRoutes } from './vms-uploads.ts';

/** Every endpoint of the simulated service; one file per resource. */
export const serviceRoutes: readonly Route[] = [
  ...uploadRoutes,
  ...uploadUrlRoutes,
  ...incidentRoutes,
  ...periodRoutes,
  ...actionRoutes,
  ...chatMessageRoutes,
  ...userRoutes,
];
