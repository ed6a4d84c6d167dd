/** Words of this screen. */
export const uploadsStrings = { title: 'Uploads' };
