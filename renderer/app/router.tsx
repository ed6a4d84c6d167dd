import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
} from '@tanstack/react-router';
import { ComposeScreen } from '../features/compose/compose-screen.tsx';
import { HealthScreen } from '../features/health/health-screen.tsx';
import { PeriodsScreen } from '../features/periods/periods-screen.tsx';
import { SettingsScreen } from '../features/settings/settings-screen.tsx';
import { UploadsScreen } from '../features/uploads/uploads-screen.tsx';
import { UsersScreen } from '../features/users/users-screen.tsx';
import { Frame } from './frame.tsx';

const rootRoute = createRootRoute({ component: Frame });
const screen = (path: string, component: () => React.ReactNode) =>
  createRoute({ getParentRoute: () => rootRoute, path, component, validateSearch: keepSearch });

/** Each screen reads its own part of the address with its own schema (`useScreenSearch`). */
function keepSearch(search: Record<string, unknown>): Record<string, unknown> {
  return search;
}

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    // This is how the router is told
    throw redirect({ to: '/uploads' });
  },
});

const routeTree = rootRoute.addChildren([
  indexRoute,
  screen('/uploads', UploadsScreen),
  screen('/periods', PeriodsScreen),
  screen('/compose', ComposeScreen),
  screen('/users', UsersScreen),
  screen('/settings', SettingsScreen),
  screen('/health', HealthScreen),
]);

/** The screens by address; filters and choices stand in it too, so that it can be kept and shared. */
export function createAppRouter() {
  return createRouter({ routeTree, history: createHashHistory(), defaultPreload: false });
}
