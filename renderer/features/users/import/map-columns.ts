/** What a column of the file can be about. */
export const importFields = [
  'loginType',
  'firstName',
  'lastName',
  'phoneNumber',
  'name',
  'deviceId',
  'role',
  'isActive',
  'sendInvitation',
] as const;
/** One of `importFields`. */
export type ImportField = (typeof importFields)[number];
/** Which column, counted from 0, holds which field; fields without a column are missing. */
export type ColumnMapping = ReadonlyMap<ImportField, number>;

/** Headings that tell a field beside its own name, as other systems write them. Without spaces, in small letters. */
const otherHeadings: Readonly<Record<ImportField, readonly string[]>> = {
  loginType: ['login', 'type', 'logsinby'],
  firstName: ['first', 'forename', 'givenname', 'vorname', 'prénom'],
  lastName: ['last', 'surname', 'familyname', 'nachname', 'nom'],
  phoneNumber: ['phone', 'mobile', 'mobilenumber', 'mobilephone', 'cell', 'cellphone', 'telephone', 'msisdn'],
  name: ['devicename', 'device'],
  deviceId: ['deviceid', 'serial', 'serialnumber', 'imei'],
  role: ['userrole'],
  isActive: ['active', 'access', 'enabled'],
  sendInvitation: ['invite', 'invitation', 'sms', 'sendinvite'],
};

const plain = (heading: string): string =>
  heading
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/**
 * Guesses the columns by their headings: names of the service (`first_name`), of this screen (`labels`), and common
 * ones. Each column is used once; exact names go before others.
 */
export function mapColumns(
  headings: readonly string[],
  labels: Readonly<Partial<Record<ImportField, string>>>,
): ColumnMapping {
  const mapping = new Map<ImportField, number>();
  const used = new Set<number>();
  const names = headings.map(plain);
  const take = (field: ImportField, wanted: readonly string[]): void => {
    const column = names.findIndex((name, index) => !used.has(index) && wanted.includes(name));
    if (mapping.has(field) || column === -1) return;
    mapping.set(field, column);
    used.add(column);
  };
  for (const field of importFields) take(field, [plain(labels[field] ?? field)]);
  for (const field of importFields) take(field, [plain(field), ...otherHeadings[field]]);
  return mapping;
}

/** The mapping with one field elsewhere; a column that another field had is taken from it. */
export function moveColumn(
  mapping: ColumnMapping,
  field: ImportField,
  column: number | undefined,
): ColumnMapping {
  const others = [...mapping].filter(([name, index]) => name !== field && index !== column);
  return new Map(column === undefined ? others : [...others, [field, column]]);
}
