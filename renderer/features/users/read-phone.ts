import { parsePhoneNumberFromString } from 'libphonenumber-js/mobile';
import { phoneNumberSchema } from '../../../shared/domain/team-user.ts';

/** What is known of a phone number while it is typed. */
export interface ReadPhone {
  /** As the service takes it; undefined as long as it is no number with its country code. */
  readonly e164: string | undefined;
  /** As people write it in that country. */
  readonly formatted: string | undefined;
  /** Undefined where countries share a code and the number does not tell. */
  readonly country: string | undefined;
  /** Whether it has as many digits as numbers of that country have. */
  readonly isComplete: boolean;
  /** False when no such mobile number is known; new ranges appear, so it is a doubt and no refusal. */
  readonly isKnown: boolean;
}

/** Reads a number with its country code; spaces, hyphens and brackets are for people. */
export function readPhone(text: string): ReadPhone {
  const parsed = parsePhoneNumberFromString(text.trim());
  const e164 = phoneNumberSchema.safeParse(parsed?.number ?? text.replaceAll(/[\s().-]/g, '')).data;
  if (parsed === undefined || e164 === undefined)
    return { e164, formatted: undefined, country: undefined, isComplete: false, isKnown: false };
  return {
    e164,
    formatted: parsed.formatInternational(),
    country: parsed.country,
    isComplete: parsed.isPossible(),
    isKnown: parsed.isValid(),
  };
}
