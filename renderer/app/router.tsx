import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouteComponent,
} from '@tanstack/react-router';
import { UploadsScreen } from '../features/uploads/uploads-screen.tsx';
import { Frame } from './frame.tsx';

/** Screens of which the first one shown needs nothing, in the order of the rail: each is a file of its own. */
const lazyScreens = {
  periods: lazyRouteComponent(() => import('../features/periods/periods-screen.tsx'), 'PeriodsScreen'),
  compose: lazyRouteComponent(() => import('../features/compose/compose-screen.tsx'), 'ComposeScreen'),
  users: lazyRouteComponent(() => import('../features/users/users-screen.tsx'), 'UsersScreen'),
  settings: lazyRouteComponent(() => import('../features/settings/settings-screen.tsx'), 'SettingsScreen'),
  health: lazyRouteComponent(() => import('../features/health/health-screen.tsx'), 'HealthScreen'),
};

/** Reads the screens that are not there yet, one after the other, while the page has nothing else to do. */
export async function preloadScreens(idle: () => Promise<void>): Promise<void> {
  for (const screen of Object.values(lazyScreens)) {
    await idle();
    await screen.preload?.();
  }
}

const rootRoute = createRootRoute({ component: Frame });
const screen = (path: string, component: RouteComponent) =>
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
  screen('/periods', lazyScreens.periods),
  screen('/compose', lazyScreens.compose),
  screen('/users', lazyScreens.users),
  screen('/settings', lazyScreens.settings),
  screen('/health', lazyScreens.health),
]);

/** The screens by address; filters and choices stand in it too, so that it can be kept and shared. */
export function createAppRouter() {
  return createRouter({ routeTree, history: createHashHistory(), defaultPreload: false });
}
