/** Words of this screen. */
export const composeStrings = { title: 'Compose' };
