import { format } from 'oxfmt';
import style from '../.oxfmtrc.json' with { type: 'json' };

/** The text as `npm run format` would format it in a file with that path; throws if it cannot be parsed. */
export async function formatted(path: string, text: string): Promise<string> {
  const { ignorePatterns: _, ...options } = style;
  const { code, errors } = await format(path, text, options);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  return code;
}
