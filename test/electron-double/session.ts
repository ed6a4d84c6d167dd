import { EventEmitter } from 'node:events';
import type { PageUrls } from './page-urls.ts';
import { strict } from './strict.ts';

type BeforeRequest = (
  details: Electron.OnBeforeRequestListenerDetails,
  callback: (response: Electron.CallbackResponse) => void,
) => void;
type PermissionRequest = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type PermissionCheck = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type DevicePermission = Parameters<Electron.Session['setDevicePermissionHandler']>[0];
type DisplayMedia = Parameters<Electron.Session['setDisplayMediaRequestHandler']>[0];
export type PermissionName = Parameters<NonNullable<PermissionCheck>>[1];

/** The session that windows share, and what the double asks it about each request. */
export interface DoubleSession {
  readonly own: Electron.Session;
  isCancelled(details: Electron.OnBeforeRequestListenerDetails): Promise<boolean>;
  /** The app's answer to a request for one of its schemes; undefined for other addresses. */
  answer(request: Request): Promise<Response> | undefined;
  /** As in Electron, no handler means yes. */
  isPermitted(sender: Electron.WebContents, permission: PermissionName, origin: string): Promise<boolean>;
  /** Throws when a page of this origin could use a device or see the screen; the double has neither. */
  refuseDevices(frame: Electron.WebFrameMain, origin: string): Promise<void>;
}

/** The session of most windows, and named in-memory ones. */
export interface DoubleSessions {
  readonly session: typeof Electron.Session;
  readonly protocol: Electron.Protocol;
  /** The session of a window with this partition. */
  of(partition: string | undefined): DoubleSession;
}

export function createSessions(urls: PageUrls, isReady: () => boolean): DoubleSessions {
  const usual = createSession(urls, isReady);
  const others = new Map<string, DoubleSession>();
  function of(partition: string | undefined): DoubleSession {
    if (partition === undefined) return usual;
    if (partition.startsWith('persist:')) throw new Error('electron-double keeps sessions in memory only.');
    const known = others.get(partition) ?? createSession(urls, isReady);
    others.set(partition, known);
    return known;
  }
  return {
    of,
    protocol: usual.own.protocol,
    session: strict<typeof Electron.Session>('session', {
      defaultSession: usual.own,
      fromPartition: (partition) => of(partition).own,
    }),
  };
}

type DeviceAsked = Parameters<NonNullable<DevicePermission>>[0];
const deviceTypes = ['hid', 'serial', 'usb'] as const;
const sampleDevice = { deviceId: '1', name: 'A device', vendorId: 1, productId: 1 };

function createSession(urls: PageUrls, isReady: () => boolean): DoubleSession {
  const handlers = new Map<string, (request: Request) => Response | Promise<Response>>();
  let beforeRequest: BeforeRequest | undefined;
  let permissionRequest: PermissionRequest = null;
  let permissionCheck: PermissionCheck = null;
  let devicePermission: DevicePermission = null;
  let displayMedia: DisplayMedia = null;

  const protocol = strict<Electron.Protocol>('protocol', {
    registerSchemesAsPrivileged(schemes) {
      if (isReady())
        throw new Error('protocol.registerSchemesAsPrivileged should be called before app is ready');
      for (const { scheme, privileges } of schemes) {
        if (privileges?.standard !== true || privileges.secure !== true)
          throw new Error(`electron-double shows standard, secure schemes only; ${scheme} is none.`);
        urls.addScheme(scheme);
      }
    },
    handle(scheme, handler) {
      if (!isReady()) throw new Error('protocol.handle: the app is not ready');
      if (handlers.has(scheme)) throw new Error(`The scheme ${scheme} is already registered.`);
      handlers.set(scheme, handler);
    },
  });

  const webRequest = strict<Electron.WebRequest>('webRequest', {
    onBeforeRequest: (first: unknown, second?: unknown) => {
      // A filter of addresses may come first: the double calls the listener for every address, which is stricter.
      beforeRequest = (typeof first === 'function' ? first : second) as BeforeRequest | undefined;
    },
  });

  const own = strict<Electron.Session>(
    'session',
    {
      protocol,
      webRequest,
      setPermissionRequestHandler: (handler) => void (permissionRequest = handler),
      setPermissionCheckHandler: (handler) => void (permissionCheck = handler),
      setDevicePermissionHandler: (handler) => void (devicePermission = handler),
      setDisplayMediaRequestHandler: (handler) => void (displayMedia = handler),
    },
    new EventEmitter(),
  );

  return {
    own,
    async isCancelled(details) {
      const listener = beforeRequest;
      if (listener === undefined) return false;
      const response = await new Promise<Electron.CallbackResponse>((resolve) => listener(details, resolve));
      return response.cancel === true;
    },
    answer(request) {
      const handler = handlers.get(new URL(request.url).protocol.slice(0, -1));
      return handler && Promise.resolve(handler(request));
    },
    async isPermitted(sender, permission, origin) {
      const details = { isMainFrame: true, requestingUrl: `${origin}/`, securityOrigin: `${origin}/` };
      if (permissionCheck?.(sender, permission, origin, details) === false) return false;
      const asked = permissionRequest;
      if (asked === null) return true;
      return new Promise<boolean>((resolve) => asked(sender, permission, resolve, details));
    },
    async refuseDevices(frame, origin) {
      const asks = deviceTypes.map((deviceType) =>
        devicePermission?.({ deviceType, origin, device: sampleDevice } as DeviceAsked),
      );
      if (asks.includes(true)) throw new Error('electron-double has no devices for pages.');
      const wanted = displayMedia;
      if (wanted === null) return;
      const streams = await new Promise((resolve) =>
        wanted(
          {
            frame,
            securityOrigin: `${origin}/`,
            videoRequested: true,
            audioRequested: false,
            userGesture: true,
          },
          resolve,
        ),
      );
      if (streams !== null) throw new Error('electron-double has no screen for pages.');
    },
  };
}
