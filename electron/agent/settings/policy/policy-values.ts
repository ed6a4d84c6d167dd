import { posix, win32 } from 'node:path';
import { z } from 'zod';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import { err, ok, type Result } from '../../../../shared/lib/result.ts';
import type { SettingsGroup } from '../../core/settings/layer-settings.ts';
import { parseStrictJson } from '../../core/text/parse-strict-json.ts';
import { knownKeys, type Shape, shapeAt, describeIssue, rangeFailure } from '../describe-issue.ts';
import type { Failure } from '../../../../shared/domain/failure.ts';
import { checkMeaning } from '../load-settings.ts';
import type { PolicyPart } from './policy.ts';

const {
  baseUrl,
  apiKeyFile,
  auth,
  proxy,
  proxyCredentialsFile,
  siteId,
  watch,
  patterns,
  cameras,
  upload,
  incident,
  evidence,
  retention,
  metrics,
  users,
} = settingsSchema.shape;

/** Values about updates of the desktop app. */
const updatesSchema = z.strictObject({
  enabled: z.boolean().exactOptional(),
  channel: z.enum(['stable', 'beta']).exactOptional(),
  feedUrl: z
    .string()
    .regex(/^https:\/\/[^/\s]+/, 'must be an address that begins with https://')
    .exactOptional(),
});

/** Values about exports that are proved stored. */
const cleanUpSchema = z.strictObject({
  afterDays: z.int().min(1).max(3650).exactOptional(),
  action: z.enum(['move', 'delete']).exactOptional(),
  folder: z.string().min(1).exactOptional(),
});

const consoleSchema = z.strictObject({ enabled: z.boolean().exactOptional() });

const address = (form: RegExp, begin: string) =>
  z
    .string()
    .max(2048)
    .regex(
      form,
      `must begin with ${begin}, include a path after the host, such as /v1, and contain no spaces, # or @`,
    );
const OTLP_URL = /^(?:https:\/\/[^\s/?#@]+|http:\/\/(?:localhost|127\.0\.0\.1)(?::\d+)?)\/[^\s#@]*$/;
const HEADER = /^[!#$%&'*+.^_`|~\w-]+: [\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const headerSchema = z.string().max(8192).regex(HEADER, 'must have the form Name: value');

const otlpSchema = z.strictObject({
  url: address(OTLP_URL, 'https:// (or http:// for localhost)'),
  headers: z.array(headerSchema).max(16).exactOptional(),
});

const signedPolicySchema = z.strictObject({
  url: address(/^https:\/\/[^\s/?#@]+\/[^\s#@]*$/, 'https://'),
  publicKey: z.string().regex(/^[A-Za-z0-9+/]{43}=$/, 'must be a 32-byte Ed25519 public key in Base64'),
});

/** Picks the values that concern hosts from checked values; everything else stays as written. */
export const hostRulesSchema = z.looseObject({
  updates: updatesSchema.exactOptional(),
  console: consoleSchema.exactOptional(),
  signedPolicy: signedPolicySchema.exactOptional(),
  otlp: otlpSchema.exactOptional(),
  cleanUp: cleanUpSchema.exactOptional(),
});

/**
 * The values of a policy: any setting, and those that concern hosts. For validation only: the values as written apply,
 * since the defaults in here would turn unset values into settings.
 */
export const policyValuesSchema = z
  .strictObject({
    baseUrl,
    apiKeyFile,
    auth: auth.unwrap(),
    proxy: proxy.unwrap().partial(),
    proxyCredentialsFile,
    siteId: siteId.unwrap(),
    watch: watch.unwrap(),
    patterns: patterns.unwrap(),
    cameras: cameras.unwrap(),
    upload: upload.unwrap().partial(),
    incident: incident.unwrap().partial(),
    evidence: evidence.unwrap().partial(),
    retention: retention.unwrap().partial(),
    metrics: metrics.unwrap().partial(),
    users: users.unwrap().partial(),
    updates: updatesSchema,
    cleanUp: cleanUpSchema,
    console: consoleSchema,
    signedPolicy: signedPolicySchema,
    otlp: otlpSchema,
  })
  .partial();

/** The values of a policy as a shape that can be traversed. */
export function policyShape(): Shape {
  return z.toJSONSchema(policyValuesSchema, { io: 'input' });
}

/** Deepest nesting of a value that is written as JSON text. */
const DEEPEST = 16;

/** Names and values in a store without groups: `upload.concurrentFiles`, `4`. */
export type FlatValues = readonly (readonly [name: string, value: unknown])[];

/**
 * Turns the values of a flat store into settings: dotted names become groups, in any letter case, and texts and numbers
 * become what a configuration has there, including lists as JSON text. Unsuitable values stay as they are, for the
 * check to report. Error: the name that is both a value and a group.
 */
export function groupValues(flat: FlatValues): Result<SettingsGroup, string> {
  const shape = policyShape();
  const entries = flat.map(([name, value]) => {
    const path = spell(name.split('.'), shape);
    return { path, value: readValue(value, shapeAt(shape, path)) };
  });
  return nest(entries, '');
}

/** The same for values that are already in groups. */
export function readGroup(group: SettingsGroup): Result<SettingsGroup, string> {
  return groupValues(flatten(group, policyShape()));
}

function flatten(group: SettingsGroup, shape: Shape, prefix = ''): FlatValues {
  return Object.entries(group).flatMap(([name, value]): FlatValues => {
    const path = `${prefix}${name}`;
    const isOpened = shapeAt(shape, path.split('.'))?.properties !== undefined;
    return isOpened && isRecord(value) ? flatten(value, shape, `${path}.`) : [[path, value]];
  });
}

interface Entry {
  readonly path: readonly string[];
  readonly value: unknown;
}

function nest(entries: readonly Entry[], prefix: string): Result<SettingsGroup, string> {
  const byName = Map.groupBy(entries, ({ path }) => path[0] ?? '');
  const members: (readonly [string, unknown])[] = [];
  for (const [name, under] of byName) {
    const [first] = under;
    if (under.length === 1 && first?.path.length === 1) members.push([name, first.value]);
    else if (under.some(({ path }) => path.length === 1)) return err(prefix + name);
    else {
      const inner = nest(
        under.map(({ path, value }) => ({ path: path.slice(1), value })),
        `${prefix}${name}.`,
      );
      if (!inner.ok) return inner;
      members.push([name, inner.value]);
    }
  }
  return ok(Object.fromEntries(members));
}

/** Names in the settings' spelling: people who fill in a registry pay no attention to case. */
function spell(path: readonly string[], shape: Shape): readonly string[] {
  let here: Shape | undefined = shape;
  return path.map((step) => {
    const known = here === undefined ? [] : knownKeys(here);
    const name = known.find((key) => key.toLowerCase() === step.toLowerCase()) ?? step;
    here = here && shapeAt(here, [name]);
    return name;
  });
}

function readValue(value: unknown, shape: Shape | undefined): unknown {
  if (shape === undefined) return value;
  if (shape.anyOf) {
    const shapes = shape.anyOf.map(onlyShape).filter(isNotNull);
    const isNumber = typeof value === 'string' && shapes.length > 1 && readNumber(value) !== value;
    if (isNumber) return readNumber(value);
    return value === 'null' ? null : readValue(value, shapes[0]);
  }
  if (shape.type === 'boolean') return readBoolean(value);
  if (typeof value !== 'string') return value;
  if (shape.type === 'integer' || shape.type === 'number') return readNumber(value);
  if (shape.type === 'string' || shape.enum !== undefined) return value;
  const json = parseStrictJson(value, DEEPEST);
  return json.ok ? json.value : value;
}

function readBoolean(value: unknown): unknown {
  const text = String(value).toLowerCase();
  if (text === '1' || text === 'true') return true;
  return text === '0' || text === 'false' ? false : value;
}

const readNumber = (text: string): unknown => (/^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : text);

const isNotNull = (shape: Shape): boolean => shape.type !== 'null';
const onlyShape = (shape: Shape | boolean): Shape => (typeof shape === 'boolean' ? {} : shape);

function isRecord(value: unknown): value is SettingsGroup {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** All problems of a part. Every value must be valid, since half a policy is no policy. */
export function checkPart(part: PolicyPart, platform: NodeJS.Platform): readonly Failure[] {
  const { place, values } = part;
  const parsed = policyValuesSchema.safeParse(values);
  const issues = parsed.success ? [] : parsed.error.issues;
  const shape = policyShape();
  const failures = [
    ...issues.flatMap((issue) => describeIssue(issue, values, place, shape)),
    ...checkMeaning(values, place),
    ...checkPaths(values, place, platform),
    ...checkSource(part),
    ...(part.level === 'recommended' && values['cleanUp'] !== undefined
      ? [rangeFailure('cleanUp', 'can be set only in a managed policy', place)]
      : []),
  ];
  return failures.map((failure) => asPolicyFailure(failure, place));
}

const pathsSchema = z.object({
  apiKeyFile: z.string().optional().catch(undefined),
  proxyCredentialsFile: z.string().optional().catch(undefined),
  metrics: z.object({ textfile: z.string().optional() }).catch({}),
  cleanUp: z.object({ folder: z.string().optional() }).catch({}),
  watch: z.array(z.object({ path: z.string().optional() }).catch({})).catch([]),
  patterns: z.array(z.object({ folder: z.string().optional() }).catch({})).catch([]),
  cameras: z.array(z.object({ folder: z.string().optional() }).catch({})).catch([]),
});

/** A policy has no folder that a relative path could refer to. */
function checkPaths(values: SettingsGroup, place: string, platform: NodeJS.Platform): readonly Failure[] {
  const { apiKeyFile, proxyCredentialsFile, metrics, cleanUp, watch, patterns, cameras } =
    pathsSchema.parse(values);
  const named = [
    ['apiKeyFile', apiKeyFile] as const,
    ['proxyCredentialsFile', proxyCredentialsFile] as const,
    ['metrics.textfile', metrics.textfile] as const,
    ['cleanUp.folder', cleanUp.folder] as const,
    ...watch.map(({ path }, index) => [`watch[${index}].path`, path] as const),
    ...patterns.map(({ folder }, index) => [`patterns[${index}].folder`, folder] as const),
    ...cameras.map(({ folder }, index) => [`cameras[${index}].folder`, folder] as const),
  ];
  const { isAbsolute } = platform === 'win32' ? win32 : posix;
  return named.flatMap(([name, path]) =>
    path === undefined || path === '' || isAbsolute(path)
      ? []
      : [rangeFailure(name, 'is a relative path; a policy needs full paths', place)],
  );
}

/** Whoever can change where the policy comes from can change all of it, so only the PC's managed policy may. */
function checkSource({ place, values, level, isSigned = false }: PolicyPart): readonly Failure[] {
  const isAllowed = level === 'managed' && !isSigned;
  if (isAllowed || values['signedPolicy'] === undefined) return [];
  return [rangeFailure('signedPolicy', 'can be set only in the managed policy of the PC itself', place)];
}

/** Why a host exits: with an incomplete policy it would do what the organisation forbids. */
const NO_LESS = 'The agent does not start until the policy can be used.';

/** A policy that cannot be used. `message`: a sentence that names the place. */
export function policyFailure(message: string, advice: string): Failure {
  return { code: 'POLICY_INVALID', message, advice: `${advice} ${NO_LESS}`, retryable: false };
}

/** A problem with one value of a policy, as a failure of the policy. */
export function asPolicyFailure(failure: Failure, place: string): Failure {
  const isNamed = failure.message.includes(place) || failure.advice.includes(place);
  const where = isNamed ? '' : ` The setting is in ${place}.`;
  return {
    ...policyFailure(failure.message, failure.advice + where),
    ...(failure.fields && { fields: failure.fields }),
  };
}
