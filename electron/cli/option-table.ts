import type { CommandName } from './command-names.ts';

/** Every option of the program; those of type `string` have a value. */
export const options = {
  config: { type: 'string' },
  'data-dir': { type: 'string' },
  once: { type: 'boolean' },
  console: { type: 'string' },
  demo: { type: 'boolean' },
  'log-level': { type: 'string' },
  json: { type: 'boolean' },
  csv: { type: 'boolean' },
  title: { type: 'string' },
  description: { type: 'string' },
  'incident-at': { type: 'string' },
  all: { type: 'boolean' },
  from: { type: 'string' },
  to: { type: 'string' },
  'form-field': { type: 'string' },
  channel: { type: 'string' },
  direct: { type: 'string' },
  as: { type: 'string' },
  parent: { type: 'string' },
  terse: { type: 'boolean' },
  image: { type: 'string' },
  'image-type': { type: 'string' },
  page: { type: 'string' },
  'per-page': { type: 'string' },
  phone: { type: 'string' },
  device: { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  name: { type: 'string' },
  role: { type: 'string' },
  invite: { type: 'boolean' },
  active: { type: 'boolean' },
  inactive: { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** Name of an option without its dashes. */
export type OptionName = keyof typeof options;

/** All names of options. */
export const optionNames = Object.keys(options).filter((name): name is OptionName => name in options);

/** What no help names: it is for programs of this project. */
export const hiddenOptions: readonly OptionName[] = ['demo'];

/** The options of each command. */
export const optionsOf: Readonly<Record<CommandName, readonly OptionName[]>> = {
  run: ['config', 'data-dir', 'once', 'console', 'demo', 'log-level', 'json'],
  push: ['config', 'data-dir', 'title', 'description', 'incident-at', 'json'],
  status: ['config', 'data-dir', 'json'],
  retry: ['config', 'data-dir', 'all'],
  check: ['config', 'data-dir', 'json'],
  periods: ['config', 'from', 'to', 'json', 'csv'],
  actions: ['config', 'form-field', 'json', 'csv'],
  message: ['config', 'channel', 'direct', 'as', 'parent', 'terse', 'image', 'image-type', 'json'],
  'users list': ['config', 'page', 'per-page', 'inactive', 'phone', 'device', 'json', 'csv'],
  'users get': ['config', 'json'],
  'users create': [
    'config',
    'phone',
    'first-name',
    'last-name',
    'invite',
    'device',
    'name',
    'role',
    'inactive',
    'json',
  ],
  'users update': [
    'config',
    'first-name',
    'last-name',
    'name',
    'phone',
    'device',
    'role',
    'active',
    'inactive',
    'json',
  ],
  'users deactivate': ['config', 'json'],
  'users delete': ['config', 'yes', 'json'],
};

/** The options that a command takes more than once; all others are given at most once. */
export const repeatedOf: Readonly<Partial<Record<CommandName, readonly OptionName[]>>> = {
  actions: ['form-field'],
  'users list': ['phone', 'device'],
};
