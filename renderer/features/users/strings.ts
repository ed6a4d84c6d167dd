/** Words of this screen. */
export const usersStrings = { title: 'Users' };
