/** What must not appear in logs, beyond what is recognised by its form. */
export interface RedactRules {
  /** Secrets in every form in which they could appear: see `secretForms`. */
  readonly secrets: readonly string[];
  /** Home folder of the account; written as `~`. */
  readonly homeDir?: string;
}

/** Stands where something was taken out. */
export const REMOVED = '[removed]';

/** Longest text that is searched, characters: what is longer is cut, so that a hostile answer costs no time. */
const LONGEST_SEARCHED = 64 * 1024;
/** Longest form of one secret, characters: 512 characters, percent-encoded twice. */
const LONGEST_SECRET_FORM = 512 * 5;
/** Longest text that is kept, characters. */
const LONGEST_TEXT = 2000;

const URL_QUERY = /(\b[a-z][a-z0-9+.-]{1,15}:\/\/[^\s?#"'<>\\]{0,2048})[?#][^\s"'<>\\]*/gi;
const URL_USER = /(\b[a-z][a-z0-9+.-]{1,15}:\/\/)[^\s/?#"'<>\\@]{1,512}@/gi;
/** Parameters of signed URLs, wherever they stand, percent-encoded or not. */
const SIGNED_PARAMETER =
  /(?:\b|(?<=%3F|%26))(X-(?:Amz|Goog)-[A-Za-z-]{1,32}|Signature|AWSAccessKeyId|Key-Pair-Id|access_token|api_?key|sig|temp_url_sig)(=|%3D)[^\s&"'<>\\,;]+/gi;
const HEADER_TEXT =
  /\b((?:proxy-)?authorization|x-api-key|set-cookie|cookie)(\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)[^"'\r\n\\,}\]]+/gi;
const CREDENTIAL_TEXT = /\b(Bearer|Basic)\s{1,4}[A-Za-z0-9._~+/=-]{6,}/gi;

/** The text without secrets, without queries of URLs, without credentials of headers, with `~` for the home folder. */
export function redactText(text: string, rules: RedactRules): string {
  let clean = removeSecrets(text.slice(0, LONGEST_SEARCHED), rules.secrets);
  // Where the text was cut, half a secret may be left, which no form of it matches.
  if (text.length > LONGEST_SEARCHED) clean = clean.slice(0, -LONGEST_SECRET_FORM);
  clean = clean.replaceAll(HEADER_TEXT, `$1$2${REMOVED}`).replaceAll(CREDENTIAL_TEXT, `$1 ${REMOVED}`);
  clean = replaceHome(clean, rules.homeDir);
  return clean.length > LONGEST_TEXT ? `${clean.slice(0, LONGEST_TEXT)}... (cut)` : clean;
}

/** The text without the given secrets and without queries of URLs; nothing else is changed, JSON stays JSON. */
export function removeSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, REMOVED);
  return clean
    .replaceAll(URL_USER, '$1')
    .replaceAll(URL_QUERY, `$1?${REMOVED}`)
    .replaceAll(SIGNED_PARAMETER, `$1$2${REMOVED}`);
}

function replaceHome(text: string, homeDir: string | undefined): string {
  if (homeDir === undefined || homeDir.length < 3) return text;
  return text
    .split(homeDir)
    .reduce((before, after) => `${before}${/^[\w.-]/.test(after) ? homeDir : '~'}${after}`);
}
