import { parseArgs } from 'node:util';
import { err, ok, type Result } from '../../shared/lib/result.ts';
import { settingsSchema } from './settings.ts';
import type { SimulatorOptions } from './simulator.ts';

export const USAGE = `Usage: npm run simulator -- [options]
  --port N            port of the service (default: a free one)
  --storage-port N    port of the embedded storage (default: a free one)
  --control-port N    port for rules, requests and state (default: a free one; "off" for none)
  --folder DIR        where objects are stored (default: a temporary folder, removed at the end)
  --url-lifetime S    seconds that signed URLs are valid (default: 7200)
  --max-upload-mb N   the max_upload_size_mb that the service reports (default: -1, no limit)
  --key K             the API key, with the video permission
  --seed N            seed for rules with a probability
  --sample            starts with two earlier incidents
  --team KIND         sample: periods, actions, channels and users of a stadium (default); empty: none
  --actions-paging K  pages of a period's actions: none, pages or link (default: none)
  --actions-per-page N (default: 100)
  --message-id SHAPE  where the ID of a posted message is returned: id, message_id, chat_message, message,
                      chat_message_id or none (default: id)
  --user-update M     which method updates a user: POST, PUT or both (default: POST)
  --discard           keeps only sizes and digests of objects, not their bytes
  --hashing full|none etags are MD5s, or opaque and cheap (default: full)
  --s3-endpoint URL --s3-key K --s3-secret S --s3-bucket B [--s3-region R]
                      storage on an S3-compatible server
  --json              prints the addresses as one JSON line`;

const flags = {
  port: { type: 'string' },
  'storage-port': { type: 'string' },
  'control-port': { type: 'string' },
  folder: { type: 'string' },
  'url-lifetime': { type: 'string' },
  'max-upload-mb': { type: 'string' },
  key: { type: 'string' },
  seed: { type: 'string' },
  sample: { type: 'boolean' },
  team: { type: 'string' },
  'actions-paging': { type: 'string' },
  'actions-per-page': { type: 'string' },
  'message-id': { type: 'string' },
  'user-update': { type: 'string' },
  discard: { type: 'boolean' },
  hashing: { type: 'string' },
  's3-endpoint': { type: 'string' },
  's3-key': { type: 'string' },
  's3-secret': { type: 'string' },
  's3-bucket': { type: 'string' },
  's3-region': { type: 'string' },
  json: { type: 'boolean' },
} as const;

type Values = {
  readonly [Name in keyof typeof flags]?: (typeof flags)[Name]['type'] extends 'string' ? string : boolean;
};

/** The options from the command line, or an error that says what is wrong with them. */
export function readArguments(
  args: readonly string[],
): Result<{ readonly options: SimulatorOptions; readonly isJson: boolean }, string> {
  try {
    const { values } = parseArgs({ args: [...args], options: flags, strict: true });
    return ok({ options: readOptions(values), isJson: values.json ?? false });
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

function readOptions(values: Values): SimulatorOptions {
  return {
    ...number('port', values.port),
    ...number('storagePort', values['storage-port']),
    ...number('urlLifetimeSeconds', values['url-lifetime']),
    ...number('maxUploadSizeMb', values['max-upload-mb']),
    ...number('seed', values.seed),
    ...(values['control-port'] === 'off' ? {} : number('controlPort', values['control-port'] ?? '0')),
    ...(values.folder !== undefined && { folder: values.folder }),
    ...(values.key !== undefined && { apiKey: values.key }),
    sampleIncidents: values.sample ?? false,
    discard: values.discard ?? false,
    ...choice('hashing', ['full', 'none'], values.hashing),
    ...choice('team', ['sample', 'empty'], values.team),
    ...choice('actionsPaging', settingsSchema.shape.actionsPaging.options, values['actions-paging']),
    ...number('actionsPerPage', values['actions-per-page']),
    ...choice('messageIdShape', settingsSchema.shape.messageIdShape.options, values['message-id']),
    ...choice('userUpdateMethod', settingsSchema.shape.userUpdateMethod.options, values['user-update']),
    ...readS3(values),
  };
}

function choice<Name extends keyof SimulatorOptions, const Value extends string>(
  name: Name,
  values: readonly Value[],
  text: string | undefined,
): Partial<Record<Name, Value>> {
  if (text === undefined) return {};
  const chosen = values.find((value) => value === text);
  if (chosen === undefined) throw new Error(`${name} must be one of ${values.join(', ')}, not "${text}".`);
  const options: Partial<Record<Name, Value>> = {};
  options[name] = chosen;
  return options;
}

function number<Name extends keyof SimulatorOptions>(
  name: Name,
  text: string | undefined,
): Partial<Record<Name, number>> {
  if (text === undefined) return {};
  if (!/^-?\d+$/.test(text)) throw new Error(`${name} must be a whole number, not "${text}".`);
  const values: Partial<Record<Name, number>> = {};
  values[name] = Number(text);
  return values;
}

function readS3(values: Values): SimulatorOptions {
  const endpoint = values['s3-endpoint'];
  if (endpoint === undefined) return {};
  const [accessKeyId, secretAccessKey, bucket] = [values['s3-key'], values['s3-secret'], values['s3-bucket']];
  if (accessKeyId === undefined || secretAccessKey === undefined || bucket === undefined) {
    throw new Error('--s3-endpoint needs --s3-key, --s3-secret and --s3-bucket.');
  }
  const region = values['s3-region'];
  return { s3: { endpoint, accessKeyId, secretAccessKey, bucket, ...(region !== undefined && { region }) } };
}
