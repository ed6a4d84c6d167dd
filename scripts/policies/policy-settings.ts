import { z } from 'zod';
import { settingsSchema } from '../../shared/domain/settings.ts';
import { policyWords, type PolicyWords } from './policy-words.ts';

/** How a setting is written where there are no groups and lists: as a value of the registry. */
export type PolicyKind =
  | { readonly kind: 'switch' }
  | { readonly kind: 'number'; readonly least: number; readonly most: number }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'text' }
  | { readonly kind: 'lines' }
  | { readonly kind: 'json' };

/** One setting that a policy may hold. */
export interface PolicySetting extends Omit<PolicyWords, 'form'> {
  readonly path: string;
  readonly value: PolicyKind;
  readonly explain: string;
}
type Leaf = Pick<PolicySetting, 'path' | 'value' | 'explain'>;

/** Largest number of a REG_DWORD. */
const MOST_DWORD = 2 ** 32 - 1;
/** What concerns hosts and not the agent. */
export const hostSchema = z.strictObject({
  updates: z.strictObject({
    enabled: z.boolean().default(true).describe('Whether the desktop app looks for updates.'),
    channel: z.enum(['stable', 'beta']).default('stable').describe('Channel of updates.'),
    feedUrl: z
      .string()
      .optional()
      .describe("Folder with the files of a release, `https` only. Without it, the release's own feed."),
  }),
  console: z.strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe(
        'Whether the headless agent may serve its web console. Recommended `false`: only with `--console PORT`.',
      ),
  }),
});

type Shape = z.core.JSONSchema.BaseSchema;
const onlyShape = (shape: Shape | boolean): Shape => (typeof shape === 'boolean' ? {} : shape);

/** Every setting, in the order of the schema. Throws when one has no words, or words have no setting. */
export function policySettings(): readonly PolicySetting[] {
  const shapes = [settingsSchema, hostSchema].map((schema) => z.toJSONSchema(schema, { io: 'input' }));
  const settings = shapes.flatMap((shape) => leaves(shape, '')).map(withWords);
  const paths = new Set(settings.map(({ path }) => path));
  const idle = Object.keys(policyWords).filter((path) => !paths.has(path));
  if (idle.length > 0) throw new Error(`policy-words.ts tells of settings that are none: ${idle.join(', ')}`);
  return settings;
}

function withWords({ path, value, explain }: Leaf): PolicySetting {
  const words = policyWords[path];
  if (words === undefined) throw new Error(`policy-words.ts does not tell of the setting ${path}`);
  const { form = '', ...rest } = words;
  return { path, value, ...rest, explain: `${explain} ${form}`.trim() };
}

function leaves(shape: Shape, prefix: string): readonly Leaf[] {
  return Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => {
    const path = `${prefix}${name}`;
    const here = onlyShape(inner);
    if (here.properties !== undefined) return leaves(here, `${path}.`);
    return [{ path, value: kindOf(here, path), explain: explained(here) }];
  });
}

/** The description of the schema and its default, without the marks of code. */
function explained({ description = '', default: byDefault }: Shape): string {
  const isPlain = ['string', 'number', 'boolean'].includes(typeof byDefault);
  return `${description.replaceAll('`', '')}${isPlain ? ` Default: ${String(byDefault)}.` : ''}`;
}

function kindOf(shape: Shape, path: string): PolicyKind {
  if (shape.enum !== undefined) return { kind: 'choice', values: shape.enum.map(String) };
  if (shape.anyOf !== undefined) {
    const filled = shape.anyOf.map(onlyShape).filter(({ type }) => type !== 'null');
    if (filled.length === 1 && filled[0] !== undefined) return kindOf(filled[0], path);
  }
  switch (shape.type) {
    case 'boolean':
      return { kind: 'switch' };
    case 'integer':
      return {
        kind: 'number',
        least: shape.minimum ?? 0,
        most: Math.min(shape.maximum ?? MOST_DWORD, MOST_DWORD),
      };
    case 'string':
      return { kind: 'text' };
    case 'array':
      return itemsAreTexts(shape) ? { kind: 'lines' } : { kind: 'json' };
    default:
      if (shape.oneOf !== undefined) return { kind: 'json' };
      throw new Error(`${path} is of a kind that no policy has yet`);
  }
}

const itemsAreTexts = ({ items }: Shape): boolean =>
  typeof items === 'object' && !Array.isArray(items) && items.type === 'string';
