import i18next from 'i18next';
import { catalogueOptions, directionOf } from './languages.ts';

/** Words of menus, tray, notifications and the system's dialogs: the desktop app's share of the catalogue (languages.ts). */
export const nativeStrings = {
  app: 'VMS Export Agent',
  menu: {
    go: 'Go',
    edit: 'Edit',
    view: 'View',
    uploads: 'Uploads',
    periods: 'Periods',
    compose: 'Compose',
    users: 'Users',
    settings: 'Settings',
    health: 'Health',
    window: 'Window',
    help: 'Help',
    quit: 'Quit',
    readme: 'Getting started',
    operations: 'Operations guide',
    changelog: "What's new",
    licences: 'Licences',
  },
  role: {
    about: 'About VMS Export Agent',
    services: 'Services',
    hide: 'Hide VMS Export Agent',
    hideOthers: 'Hide Others',
    unhide: 'Show All',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select All',
    resetZoom: 'Actual Size',
    zoomIn: 'Zoom In',
    zoomOut: 'Zoom Out',
    togglefullscreen: 'Full Screen',
    minimize: 'Minimize',
    zoom: 'Zoom',
    front: 'Bring All to Front',
    close: 'Close Window',
    quit: 'Quit VMS Export Agent',
  },
  tray: {
    starting: 'The agent is starting',
    noService: 'No service address',
    noKey: 'No API key',
    failed_one: '{{count}} clip failed',
    failed_other: '{{count}} clips failed',
    away_one: '{{count}} folder cannot be read',
    away_other: '{{count}} folders cannot be read',
    folders_one: '{{count}} folder needs attention',
    folders_other: '{{count}} folders need attention',
    exports_one: '{{count}} export needs attention',
    exports_other: '{{count}} exports need attention',
    refused_one: '{{count}} incident was refused',
    refused_other: '{{count}} incidents were refused',
    left_one: '{{count}} clip left',
    left_other: '{{count}} clips left',
    leftBytes_one: '{{count}} clip left, {{size}}',
    leftBytes_other: '{{count}} clips left, {{size}}',
    paused: 'Paused',
    pausedLeft: 'Paused, {{left}}',
    waiting: 'On hold: {{reason}}',
    sending: 'Uploading: {{left}}',
    allSent: 'No clips waiting',
    resumeAll: 'Resume all uploads',
    pauseAll: 'Pause all uploads',
    showFailed: 'Failed ({{count}})',
    open: 'Open',
    addFolder: 'Add folder…',
    quit: 'Quit',
  },
  news: {
    stopped: 'Uploads need your attention',
    leaving: 'Exports may be deleted before they are sent',
    failed_one: 'A clip failed',
    failed_other: '{{count}} clips failed',
    finished_one: 'Incident sent',
    finished_other: '{{count}} incidents sent',
    sent_one: '{{title}}: {{count}} clip sent.',
    sent_other: '{{title}}: {{count}} clips sent.',
    hidden: 'The app is still running',
    hiddenTray: 'The window is closed; uploads continue. Use the tray to open it again or to quit.',
    hiddenNoTray: 'The window is closed; uploads continue. Start the app again to bring it back.',
    cameBack: 'The app restarted',
    cameBackText:
      'It stopped because of an internal error. Nothing is lost, and uploads continue. See the program log for the reason.',
  },
  confirm: {
    cancel: 'Cancel',
    deleteId: 'Delete the user with ID {{id}}?',
    deleteName: 'Delete {{name}}?',
    deleteText: "The user (ID {{id}}) will be deleted from the service for everyone. This can't be undone.",
    delete: 'Delete user',
    elsewhere: 'Send the key and the clips to {{place}}?',
    otherwise: 'Change how the key is sent to {{place}}?',
    theService: 'the service',
    now: 'They currently go to {{place}}. {{rest}}',
    keyMeans: 'Anyone who receives the key can act as this desk.',
    changeService: 'Change service',
    change: 'Change',
    proxy: 'Send everything through the proxy {{place}}?',
    proxyText:
      'The proxy sees when, where and how much this desk sends, and receives the user name and password saved for it.',
    changeProxy: 'Change proxy',
    replaceKey: 'Replace the API key?',
    replaceKeyText: 'Clips and messages will be sent with the new key. The old key is not kept.',
    replaceKeyDo: 'Replace key',
    forgetKey: 'Delete the API key?',
    forgetKeyText: 'Uploads will be on hold until you add another key. Nothing in the queue is lost.',
    forgetKeyDo: 'Delete key',
    createAdmin: 'Create an admin who signs in with {{login}}?',
    adminMeans: 'Admins can do everything in the team, including creating and deleting users.',
    createAdminDo: 'Create admin',
    userId: 'the user with ID {{id}}',
    login: 'Let {{login}} sign in as {{who}}?',
    logins: 'Let {{login}} and {{other}} sign in as {{who}}?',
    loginMeans: 'Anyone who signs in this way can act as this user.',
    loginMeansAdmin: 'Anyone who signs in this way can act as this user, and the user becomes an admin.',
    changeLogin: 'Change sign-in',
    makeAdmin: 'Make {{who}} an admin?',
    makeAdminDo: 'Make admin',
    programs: 'Send {{names}}?',
    programsText_one:
      'From {{places}}. This is a program: opening it runs it. Send it only if it is the recording of this incident.',
    programsText_other:
      'From {{places}}. These are programs: opening them runs them. Send them only if they are the recordings of this incident.',
    programsDo_one: 'Send program',
    programsDo_other: 'Send {{count}} programs',
  },
  quit: {
    unsent_one: 'Quit with {{count}} clip not sent yet?',
    unsent_other: 'Quit with {{count}} clips not sent yet?',
    unsentChanges_one: 'Quit with {{count}} clip not sent yet, and without saving the settings?',
    unsentChanges_other: 'Quit with {{count}} clips not sent yet, and without saving the settings?',
    changes: 'Quit without saving the settings?',
    changesText:
      'The changes on the Settings screen are not saved. Keep working to save them; quitting discards them.',
    leftText:
      'No clips are lost: sending continues at the next start. Until then the control room does not get them, and new exports are not picked up.',
    leftBytesText:
      '{{size}} left to send. Nothing is lost: sending continues at the next start. Until then the control room does not get these clips, and new exports are not picked up.',
    keepWorking: 'Keep working',
    quit: 'Quit',
    ending: 'Quitting…',
    endingText:
      'Parts being sent have a few seconds to finish. Any that do not are sent again at the next start.',
    quitNow: 'Quit now',
    closing: 'Keep sending with the window closed?',
    closingText:
      'This desktop has no tray for the app. To bring the window back, start the app again from your applications menu. You can change this in Settings, under Desktop.',
    keepSending: 'Keep sending',
  },
  refused: {
    switch:
      'VMS Export Agent did not start: the --{{name}} switch would weaken its security. Start it without that switch. Nothing was changed or sent, and the queue is intact.',
    sandbox:
      'VMS Export Agent did not start. This system does not allow the sandbox that the AppImage needs (user namespaces). Install the .deb or .rpm package of this version instead, which sets the sandbox up. Nothing was changed or sent, and the queue is intact.',
  },
  selfTest: {
    title: 'Self-test',
    text: 'Notifications from this app look like this.',
  },
  fault: {
    startAgain: 'Start again',
    unchanged: '{{advice}}\n\nNothing was changed or sent, and the queue is intact.',
    crashes: 'The window crashed several times within ten minutes.',
    crashesText:
      'Uploads continue without it. Reload it; if it crashes again, restart the computer or reinstall the app. See the program log for the reason.',
    reload: 'Reload',
    hangs: 'The window is not responding.',
    hangsText: 'Uploads continue. Reloading the window loses any text that you have typed but not sent.',
    wait: 'Wait',
    stopped: 'VMS Export Agent keeps stopping.',
    stoppedText:
      'An internal error stopped it {{count}} times in a row: {{reason}}. Until it runs again, nothing is sent and new exports are not picked up. Start it again. If it stops again, restart the computer, then reinstall the app. For support, send the program log: {{log}}',
    noReason: 'see the program log for the reason',
  },
};

/** A text of `nativeStrings` by its path, without the ending of its plural forms: `tray.failed`. */
type NativeKey = KeyOf<typeof nativeStrings>;

type KeyOf<Strings> = {
  [Name in keyof Strings & string]: Strings[Name] extends string
    ? Name extends `${infer Base}_${'one' | 'other'}`
      ? Base
      : Name
    : `${Name}.${KeyOf<Strings[Name]>}`;
}[keyof Strings & string];

/** A native text in the current language; `count` chooses its plural form. */
export type Say = (key: NativeKey, values?: Readonly<Record<string, string | number>>) => string;

/** Words of menus, tray, notifications and dialogs. */
export interface NativeWords {
  readonly say: Say;
  /** Changes the language of all texts; English where it has none. Returns whether the language changed. */
  speak(language: string): boolean;
}

/** Creates the native words: in English at first, then in the page's language. */
export function createNativeWords(): NativeWords {
  const words = i18next.createInstance();
  // All texts are in memory, so there is nothing to wait for
  void words.init({
    lng: 'en',
    initAsync: false,
    ...catalogueOptions(nativeStrings, () => directionOf(words.language) === 'rtl'),
  });
  return {
    say: (key, values = {}) => words.t(key, { ...values }),
    speak(language) {
      if (language === words.language) return false;
      void words.changeLanguage(language);
      return true;
    },
  };
}
