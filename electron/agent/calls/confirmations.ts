import { isDeepStrictEqual } from 'node:util';
import type { ServiceId } from '../../../shared/domain/ids.ts';
import type { AuthSettings, ProxySettings } from '../../../shared/domain/settings.ts';
import { callSchemas } from '../../../shared/ipc/contract.ts';
import { createCaller } from '../../../shared/ipc/caller.ts';
import { type CallReply, requestSchema } from '../../../shared/ipc/envelope.ts';
import { parseKey } from '../core/settings/check-connection.ts';
import { checkProxyUrl } from '../core/settings/choose-proxy.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { Say } from '../../../shared/words/native-words.ts';
import type { TeamUser } from '../../../shared/domain/team-user.ts';

/** Facts about the desk when a page requests something risky; undefined if unknown. */
export interface DeskFacts {
  /** Where the key and the clips are sent now. */
  readonly service:
    | {
        readonly baseUrl?: string | undefined;
        readonly auth: AuthSettings;
        readonly proxy?: ProxySettings;
      }
    | undefined;
  readonly hasKey: boolean | undefined;
  /** Name of the user that the request is about, as in the service. */
  readonly userName: string | undefined;
  /** How that user signs in now, and in which role. */
  readonly access?: AccessNow | undefined;
}

/** A question to a person before a request is carried out. Texts are safe to show. */
export interface Confirmation {
  readonly message: string;
  readonly detail: string;
  /** Label of the button that confirms. */
  readonly action: string;
}

/**
 * Requests that a compromised page could abuse: the host asks in a native dialog or a sandboxed tab, where no page can
 * answer.
 */
const grave = ['users.remove', 'settings.save', 'settings.setKey', 'settings.forgetKey'] as const;
/** An unknown fact counts as different: then everything that may be risky is. */
const nothingKnown: DeskFacts = { service: undefined, hasKey: undefined, userName: undefined };

/** Whether the facts must be gathered for this request. */
export function needsFacts(request: unknown): boolean {
  const { data } = requestSchema.safeParse(request);
  if (data === undefined) return false;
  // Many users are created and changed in a row; most of these changes give nobody more access
  return (
    grave.some((name) => name === data.call) || confirmationFor(request, nothingKnown, () => '') !== undefined
  );
}

/** The part of the agent that knows the desk's facts. */
interface Asked {
  readonly call: (request: unknown, signal: AbortSignal) => Promise<CallReply>;
}

/** The confirmation needed before the agent carries out this request; undefined: none. */
export async function confirmationOf(
  request: unknown,
  agent: Asked,
  say: Say,
  gone: AbortSignal,
): Promise<Confirmation | undefined> {
  return needsFacts(request)
    ? confirmationFor(request, await gatherFacts(request, agent, gone), say)
    : undefined;
}

/** The same for known facts. */
export function confirmationFor(request: unknown, facts: DeskFacts, say: Say): Confirmation | undefined {
  const { data } = requestSchema.safeParse(request);
  // A request that the agent will refuse anyway needs no confirmation
  if (data === undefined) return undefined;
  switch (data.call) {
    case 'users.remove':
      return confirmRemoval(data.input, facts, say);
    case 'users.create':
      return confirmCreation(data.input, say);
    case 'users.update':
      return confirmAccess(data.input, facts, say);
    case 'settings.save':
      return bothOf(confirmService(data.input, facts, say), confirmProxy(data.input, facts, say));
    case 'settings.setKey':
      if (!isKey(data.input)) return undefined;
      return facts.hasKey === false ? undefined : replaceKey(say);
    case 'settings.forgetKey':
      return forgetKey(say);
    case 'exports.push':
      return confirmPrograms(data.input, say);
    default:
      return undefined;
  }
}

/** Gathers the facts from the agent and the service, not from the page. */
async function gatherFacts(request: unknown, agent: Asked, gone: AbortSignal): Promise<DeskFacts> {
  const { call } = createCaller((asked) => agent.call(asked, gone));
  const userId = concernedUser(request);
  const [settings, key, user] = await Promise.all([
    call('settings.get', {}),
    call('settings.key', {}),
    userId === undefined ? undefined : call('users.get', { userId }),
  ]);
  return {
    service: settings.ok ? settings.value.settings : undefined,
    hasKey: key.ok ? key.value.isSet || key.value.failure !== undefined : undefined,
    userName: user?.ok === true ? nameOf(user.value) : undefined,
    access: user?.ok === true ? user.value : undefined,
  };
}

function nameOf({ firstName, lastName, name, email }: TeamUser): string | undefined {
  const full = [firstName, lastName].filter((part) => part !== undefined && part !== '').join(' ');
  return [full, name, email].find((text) => text !== undefined && text !== '');
}

/** The ID of the user that the request would delete or change. */
export function concernedUser(request: unknown): ServiceId | undefined {
  const { data } = requestSchema.safeParse(request);
  if (data?.call !== 'users.remove' && data?.call !== 'users.update') return undefined;
  return callSchemas[data.call].input.safeParse(data.input).data?.userId;
}

function confirmRemoval(input: unknown, { userName }: DeskFacts, say: Say): Confirmation | undefined {
  const { data } = callSchemas['users.remove'].input.safeParse(input);
  if (data === undefined) return undefined;
  const id = shown(String(data.userId));
  return {
    message:
      userName === undefined
        ? say('confirm.deleteId', { id })
        : say('confirm.deleteName', { name: shown(userName) }),
    detail: say('confirm.deleteText', { id }),
    action: say('confirm.delete'),
  };
}

function confirmService(input: unknown, { service, hasKey }: DeskFacts, say: Say): Confirmation | undefined {
  const { data } = callSchemas['settings.save'].input.safeParse(input);
  if (data === undefined) return undefined;
  const { baseUrl, auth } = data.change;
  const isElsewhere = baseUrl !== undefined && baseUrl !== service?.baseUrl;
  const isOtherwise = auth !== undefined && !isDeepStrictEqual(auth, service?.auth);
  if (!isElsewhere && !isOtherwise) return undefined;
  // First setup: there is no key that could leak, and nothing was meant for another place
  if (hasKey === false && (!isElsewhere || (service !== undefined && service.baseUrl === undefined)))
    return undefined;
  const next = baseUrl ?? service?.baseUrl;
  const place = next === undefined ? say('confirm.theService') : hostOf(next);
  const rest = say('confirm.keyMeans');
  if (!isElsewhere)
    return { message: say('confirm.otherwise', { place }), detail: rest, action: say('confirm.change') };
  const now = service?.baseUrl;
  return {
    message: say('confirm.elsewhere', { place }),
    detail: now === undefined ? rest : say('confirm.now', { place: hostOf(now), rest }),
    action: say('confirm.changeService'),
  };
}

/** One question for everything that a request changes. */
function bothOf(first: Confirmation | undefined, second: Confirmation | undefined): Confirmation | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return { ...first, detail: `${first.detail} ${second.message} ${second.detail}` };
}

/** A new proxy is given the name and password of the previous one. */
function confirmProxy(input: unknown, { service, hasKey }: DeskFacts, say: Say): Confirmation | undefined {
  const { data } = callSchemas['settings.save'].input.safeParse(input);
  const url = data?.change.proxy?.url;
  if (url === undefined || url.toLowerCase() === 'none' || url === service?.proxy?.url) return undefined;
  if (hasKey === false || checkProxyUrl(url) !== undefined) return undefined;
  return {
    message: say('confirm.proxy', { place: hostOf(url) }),
    detail: say('confirm.proxyText'),
    action: say('confirm.changeProxy'),
  };
}

/** Scheme, host and port; the host in ASCII, without look-alike letters of other scripts. */
function hostOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return shown(url === null ? baseUrl : `${url.protocol}//${url.host}`);
}

function isKey(input: unknown): boolean {
  const { data } = callSchemas['settings.setKey'].input.safeParse(input);
  return data !== undefined && parseKey(data.key).ok;
}

const replaceKey = (say: Say): Confirmation => ({
  message: say('confirm.replaceKey'),
  detail: say('confirm.replaceKeyText'),
  action: say('confirm.replaceKeyDo'),
});

const forgetKey = (say: Say): Confirmation => ({
  message: say('confirm.forgetKey'),
  detail: say('confirm.forgetKeyText'),
  action: say('confirm.forgetKeyDo'),
});

/** A program is sent only after a person saw its name; files of any other kind need no confirmation. */
function confirmPrograms(input: unknown, say: Say): Confirmation | undefined {
  const { programs = [], folders = [] } = callSchemas['exports.push'].input.safeParse(input).data ?? {};
  if (programs.length === 0) return undefined;
  const [names, places] = [programs, folders].map((all) => all.map(shown).join(', '));
  return {
    message: say('confirm.programs', { names: names ?? '' }),
    detail: say('confirm.programsText', { places: places ?? '', count: programs.length }),
    action: say('confirm.programsDo', { count: programs.length }),
  };
}

/** Longest name or address that a dialog shows, characters. */
const LONGEST_SHOWN = 120;

/** Text from outside as a dialog may show it: hidden characters made visible, and shortened if long. */
export function shown(text: string): string {
  const visible = visibleName(text);
  return visible.length > LONGEST_SHOWN ? `${visible.slice(0, LONGEST_SHOWN)}…` : visible;
}

/** Current access of the user that the request would change, according to the service. */
type AccessNow = Pick<TeamUser, 'deviceId' | 'phoneNumber' | 'role'>;

/** The role that may do everything; granting it needs confirmation. */
const ADMIN = 'admin';

/** Asks before a user is created as an admin. */
function confirmCreation(input: unknown, say: Say): Confirmation | undefined {
  const user = callSchemas['users.create'].input.safeParse(input).data?.user;
  if (user?.role !== ADMIN) return undefined;
  const login = user.loginType === 'DEVICE' ? user.deviceId : user.phoneNumber;
  return {
    message: say('confirm.createAdmin', { login: shown(login) }),
    detail: say('confirm.adminMeans'),
    action: say('confirm.createAdminDo'),
  };
}

/** Asks before a user becomes an admin, or gets a new way to sign in. */
function confirmAccess(
  input: unknown,
  { userName, access: now }: DeskFacts,
  say: Say,
): Confirmation | undefined {
  const { data } = callSchemas['users.update'].input.safeParse(input);
  if (data === undefined) return undefined;
  const { phoneNumber, deviceId, role } = data.changes;
  const who =
    userName === undefined ? say('confirm.userId', { id: shown(String(data.userId)) }) : shown(userName);
  const logins = [
    ...(phoneNumber === undefined || phoneNumber === now?.phoneNumber ? [] : [phoneNumber]),
    ...(deviceId === undefined || deviceId === now?.deviceId ? [] : [deviceId]),
  ];
  const [login, other] = logins.map(shown);
  if (login !== undefined)
    return {
      message:
        other === undefined
          ? say('confirm.login', { login, who })
          : say('confirm.logins', { login, other, who }),
      detail: say(role === ADMIN ? 'confirm.loginMeansAdmin' : 'confirm.loginMeans'),
      action: say('confirm.changeLogin'),
    };
  if (role !== ADMIN || now?.role === ADMIN) return undefined;
  return {
    message: say('confirm.makeAdmin', { who }),
    detail: say('confirm.adminMeans'),
    action: say('confirm.makeAdminDo'),
  };
}
