import i18next, { type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import { countFormatter, createLocaleOf } from '../format/format.ts';
import { frameStrings } from '../app/strings.ts';
import { composeStrings } from '../features/compose/strings.ts';
import { handoverStrings } from '../features/handover/strings.ts';
import { healthStrings } from '../features/health/strings.ts';
import { onboardingStrings } from '../features/onboarding/strings.ts';
import { periodsStrings } from '../features/periods/strings.ts';
import { settingsStrings } from '../features/settings/strings.ts';
import { uploadsStrings } from '../features/uploads/strings.ts';
import { usersStrings } from '../features/users/strings.ts';
import { wallStrings } from '../features/wall/strings.ts';
import { catalogueOptions, directionOf, type Strings } from '../../shared/words/languages.ts';

/** Strings that the frame and several screens share. Screens keep their own beside them. */
export const commonStrings = {
  common: {
    loading: 'Loading',
    mark: 'Select {{name}}',
    unmark: 'Clear selection',
    copyText: 'Copy as text',
    csvUtc: '{{column}} (UTC)',
    failure: 'What went wrong',
    mayHelp: 'retrying may help',
    wontHelp: "retrying won't help",
    tryAgain: 'Try again',
    copyError: 'Copy error',
    copy: 'Copy',
    copied: 'Copied.',
    notCopied: 'Could not copy. Select the text and copy it by hand.',
    cancel: 'Cancel',
    close: 'Close',
    closeDetails: 'Close details',
    detailsEdge: 'Details panel width',
    chooseFolder: 'Choose…',
    folders: 'Folders',
    folderAbove: 'Parent folder',
    moreFolders: 'Not all folders are listed. Type the path instead.',
    save: 'Save',
    undo: 'Undo',
    delete: 'Delete',
    search: 'Search',
    all: 'All',
    none: 'None',
    unknown: 'Unknown',
    yes: 'Yes',
    no: 'No',
    updated: 'Updated',
    discardTitle: 'Discard your changes?',
    discardText: 'What you changed here has not been saved.',
    discard: 'Discard changes',
    keepEditing: 'Keep editing',
    sort: 'Sort by',
    order: {
      TimeUp: 'Oldest first',
      TimeDown: 'Newest first',
      StatusUp: 'Open first',
      StatusDown: 'Closed first',
      AiUp: 'AI-dispatched first',
      AiDown: 'AI-dispatched last',
      WordUp: 'A to Z',
      WordDown: 'Z to A',
    },
  },
  state: {
    waiting: 'Waiting',
    uploading: 'Uploading',
    paused: 'Paused',
    uploaded: 'Sent',
    sent: 'Sent',
    failed: 'Failed',
    leftOut: 'Left out',
    attention: 'Needs attention',
    held: 'Held back',
    unrecognised: 'Not recognised',
    missing: 'Files missing',
    onHold: 'Held by marker',
    ignored: 'Ignored',
    reading: 'Reading',
    writing: 'Being written',
    exporting: 'Being exported',
    settling: 'Settling',
    copy: 'Copy',
  },
  screen: {
    uploads: 'Uploads',
    periods: 'Periods',
    compose: 'Compose',
    users: 'Users',
    settings: 'Settings',
    health: 'Health',
    handover: 'Handover',
  },
  frame: frameStrings,
  check: {
    ok: 'OK',
    warning: 'Warning',
    failed: 'Failed',
    skipped: 'Skipped',
    config: 'Settings',
    data: 'Queue',
    key: 'Key',
    address: 'Address',
    tls: 'TLS',
    service: 'Service',
    permission: 'Video permission',
    clock: 'Clock',
    folders: 'Folders',
    exports: 'Exports',
    policy: 'Policy',
    leaving: 'Deadlines',
    'clean-up': 'Clean-up',
    ahead: 'Early uploads',
  },
  key: {
    help: 'Paste it exactly as you received it. It is never shown again.',
    stored: 'API key saved.',
    kept: {
      file: "It is kept in a file that only the agent's account can read. Other programs running under that account can read it too.",
      keyStore:
        'It is encrypted by {{keeper}}. Other accounts on this PC cannot read it; other programs running under this account can.',
      keyStoreOfApp:
        'It is encrypted by {{keeper}}. Neither other accounts on this PC nor other programs running under this account can read it.',
      someKeyStore: "this PC's key store",
      memory:
        'It is kept in memory only, because no secure key store is available. It is lost when you quit the app.',
      credentials: 'It is supplied when the agent starts; the agent does not store it.',
    },
  },
  names: {
    label: 'File name to try',
    help: 'Paste the name of an exported clip, with its folders if you can. Nothing is opened or sent.',
    nothing: 'No camera or times can be read from this name. The clip is still sent.',
    fits: 'Pattern: {{profile}}',
    camera: 'Camera',
    recorder: 'Recorder',
    channel: 'Channel',
    device: 'Device',
    startedAt: 'Starts',
    endedAt: 'Ends',
    noTime: 'not in the name',
    confidence: { high: 'high confidence', medium: 'medium confidence', low: 'low confidence' },
  },
  keys: {
    lists: 'In lists',
    next: 'Next row',
    previous: 'Previous row',
    page: 'Page down or up',
    ends: 'First or last row',
    open: 'Show or hide clips',
    mark: 'Select a row',
  },
  group: {
    go: 'Go to',
    app: 'App',
    view: 'View',
    uploads: 'Uploads',
    periods: 'Periods',
    compose: 'Compose',
    users: 'Users',
    health: 'Health',
    handover: 'Handover',
  },
  command: {
    'go.uploads': 'Go to Uploads',
    'go.periods': 'Go to Periods',
    'go.compose': 'Go to Compose',
    'go.users': 'Go to Users',
    'go.settings': 'Go to Settings',
    'go.health': 'Go to Health',
    'go.handover': 'Go to Handover',
    'app.palette': 'Show all commands',
    'app.shortcuts': 'Show the keyboard shortcuts',
    'app.search': 'Search this screen',
    'app.undo': 'Undo',
    'app.refresh': 'Refresh',
    'view.times': 'Switch times between UTC and local',
    'view.freeze': 'Pause or resume live updates',
    'view.theme': 'Change theme (dark or light)',
    'view.density': 'Change row height',
    'view.closeDetails': 'Close details',
    'uploads.add': 'Add a folder',
    'uploads.retry': 'Retry',
    'uploads.retryAll': 'Retry all that can succeed',
    'uploads.pause': 'Pause or resume',
    'uploads.pauseAll': 'Pause or resume all uploads',
    'uploads.liftLimits': 'Lift the upload limits for an hour, or restore them',
    'uploads.cancel': 'Cancel the upload',
    'uploads.leaveOut': 'Leave out failed clips',
    'uploads.front': 'Move to the front',
    'uploads.edit': 'Edit the incident',
    'uploads.reveal': 'Show in folder',
    'uploads.copyError': 'Copy the error',
    'periods.export': 'Export the actions as CSV',
    'compose.text': 'Write a message',
    'compose.send': 'Send the message',
    'users.create': 'Create a user',
    'users.import': 'Import users from CSV',
    'users.export': 'Export users as CSV',
    'users.deactivate': 'Deactivate the user',
    'health.bundle': 'Create a diagnostics bundle',
    'handover.print': 'Print the handover',
  },
  textMenu: { cut: 'Cut', copy: 'Copy', paste: 'Paste', selectAll: 'Select all' },
};

const english: Strings = {
  ...commonStrings,
  uploads: uploadsStrings,
  periods: periodsStrings,
  compose: composeStrings,
  users: usersStrings,
  settings: settingsStrings,
  health: healthStrings,
  handover: handoverStrings,
  onboarding: onboardingStrings,
  wall: wallStrings,
};

/** The strings of the app in one language, with English as the fallback. `localeOf`: the locale for numbers. */
export async function createI18n(language: string, localeOf = createLocaleOf([])): Promise<i18n> {
  const instance = i18next.createInstance();
  const options = catalogueOptions(english, () => directionOf(instance.language) === 'rtl');
  const interpolation = { ...options.interpolation, alwaysFormat: true };
  await instance
    .use(initReactI18next)
    .use(countFormatter(localeOf))
    .init({ lng: language, ...options, interpolation });
  return instance;
}
