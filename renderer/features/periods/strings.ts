/** Words of this screen. */
export const periodsStrings = { title: 'Periods' };
