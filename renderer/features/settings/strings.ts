/** Words of this screen. */
export const settingsStrings = { title: 'Settings' };
