import { z } from 'zod';
import { phoneNumberSchema, type UserFilter } from '../../../shared/domain/team-user.ts';

/** What of the screen stands in its address. */
export const usersSearchSchema = z.object({
  page: z.int().min(1).catch(1),
  phone: z.string().max(40).catch(''),
  device: z.string().max(255).catch(''),
  inactive: z.boolean().catch(false),
  user: z.union([z.string(), z.int()]).optional().catch(undefined),
});
/** See `usersSearchSchema`. */
export type UsersSearch = z.infer<typeof usersSearchSchema>;
/** Changes the address. */
export type ChangeUsers = (change: Partial<z.input<typeof usersSearchSchema>>) => void;

/** No number with its country code is shorter: what is shorter is still being typed. */
const LEAST_DIGITS = 7;

/** Typed spaces and hyphens are for people; the service wants none. */
const compact = (phone: string): string => phone.replaceAll(/[\s().-]/g, '');

/** True when the text is no phone number the service could find, or not yet one. */
export function isBadPhone(phone: string): boolean {
  const number = compact(phone);
  return number !== '' && (number.length <= LEAST_DIGITS || !phoneNumberSchema.safeParse(number).success);
}

/** The filter as the service takes it; a number that is not complete yet filters nothing. */
export function filterOf({
  phone,
  device,
  inactive,
}: Pick<UsersSearch, 'phone' | 'device' | 'inactive'>): UserFilter {
  const number = compact(phone);
  return {
    ...(inactive ? { includeInactive: true } : {}),
    ...(number === '' || isBadPhone(phone) ? {} : { phoneNumbers: [number] }),
    ...(device.trim() === '' ? {} : { deviceIds: [device.trim()] }),
  };
}
