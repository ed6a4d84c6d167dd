/** The fields that a column of the file can hold. */
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
/** The column of each field, counted from 0; fields without a column are absent. */
export type ColumnMapping = ReadonlyMap<ImportField, number>;

/** Further headings for each field, as other systems write them; lowercase, without spaces. */
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
 * Guesses the columns from their headings: the names on this screen (`labels`) first, then those of the service
 * (`first_name`) and other common ones. Each column is used once.
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

/** The mapping with a field assigned to another column, which is taken from the field that had it. */
export function moveColumn(
  mapping: ColumnMapping,
  field: ImportField,
  column: number | undefined,
): ColumnMapping {
  const others = [...mapping].filter(([name, index]) => name !== field && index !== column);
  return new Map(column === undefined ? others : [...others, [field, column]]);
}
