/** Words of this screen. */
export const healthStrings = { title: 'Health' };
