import type { Answer } from '../http/answer.ts';
import type { Call } from '../calls.ts';
import type { LoggedRequest } from '../request-log.ts';
import type { StorageBackend } from '../storage/backend.ts';
import type { SimulatorSettings } from '../settings.ts';
import type { SimulatorClock } from '../simulator-clock.ts';
import type { TeamStore } from '../team/team-store.ts';
import type { IncidentStore } from './incident-store.ts';
import type { UploadRegister } from './upload-register.ts';

/** A request that matched an endpoint and whose key was accepted. */
export interface ServiceRequest {
  /** Values of the path's variables, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Address at which the client reached the service, for links back to it: `http://127.0.0.1:PORT`. */
  readonly origin: string;
  /** The JSON body; undefined for methods without one. */
  readonly body: unknown;
}

/** Everything that the endpoints work with. */
export interface ServiceContext {
  readonly settings: SimulatorSettings;
  readonly clock: SimulatorClock;
  readonly storage: StorageBackend;
  readonly incidents: IncidentStore;
  readonly uploads: UploadRegister;
  readonly team: TeamStore;
}

export interface Route {
  readonly call: Call;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Segments of the path below the version; `:name` is a variable. */
  readonly path: readonly string[];
  readonly needsVideoPermission: boolean;
  /** False while the service is set not to offer this method; without it, the method is always offered. */
  isOffered?(settings: SimulatorSettings): boolean;
  /** The known query parameters, and whether each is required. A name ending in `[]` is repeatable. */
  readonly query: Readonly<Record<string, 'required' | 'optional'>>;
  /** Fills in the log entry with what the request is about, for the log and the rules. */
  describe?(request: ServiceRequest, entry: LoggedRequest): void;
  handle(request: ServiceRequest, context: ServiceContext): Promise<Answer>;
}

export type RouteMatch =
  | { readonly kind: 'found'; readonly route: Route; readonly path: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown' };

/** The API version that the paths start with. */
const VERSION = 'v1';

export function findRoute(
  routes: readonly Route[],
  method: string,
  pathname: string,
  settings: SimulatorSettings,
): RouteMatch {
  const [empty, version, ...segments] = pathname.split('/');
  if (empty !== '' || version !== VERSION) return { kind: 'unknown' };
  const offered = routes.filter((route) => route.isOffered?.(settings) ?? true);
  const fitting = offered.flatMap((route) => {
    const path = matchPath(route.path, segments);
    return path ? [{ route, path }] : [];
  });
  const found = fitting.find(({ route }) => route.method === method);
  if (found) return { kind: 'found', ...found };
  if (fitting.length === 0) return { kind: 'unknown' };
  return { kind: 'wrong-method', allowed: fitting.map(({ route }) => route.method) };
}

function matchPath(
  pattern: readonly string[],
  segments: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const path: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = decode(segments[index] ?? '');
    if (segment === undefined || segment === '') return undefined;
    if (part.startsWith(':')) path[part.slice(1)] = segment;
    else if (part !== segment) return undefined;
  }
  return path;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
