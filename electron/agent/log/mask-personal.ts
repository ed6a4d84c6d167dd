const MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/gu;
/** With its country code, which never begins with 0 as offsets of time zones do, and with what people write between the digits. */
const PHONE = /\+[1-9](?:[\s().-]{0,2}\d){6,14}/g;

/** The text without mail addresses and phone numbers: whoever gives support needs neither. */
export function maskPersonal(text: string): string {
  return text.replaceAll(MAIL, '[mail]').replaceAll(PHONE, '[phone]');
}
