import { userName, type CreatedUser } from '../../../shared/domain/team-user.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Host } from '../deps.ts';
import { jsonText } from '../json-text.ts';
import type { OptionName } from '../option-table.ts';
import type { UsersCreateCommand } from '../team/team-command.ts';
import { done, runTeamWork, type TeamNeeds } from '../team-session.ts';
import { configOption, userCommandText, type TypedOption } from '../team/user-command-text.ts';
import { writeUser } from '../team/write-user.ts';

type KeptField = CreatedUser['keptFields'][number];

/** Creates a user. The temporary password is written to stdout once, and nowhere else. */
export const usersCreateCommand = (
  command: UsersCreateCommand,
  host: Host,
  needs: TeamNeeds,
): Promise<ExitCode> =>
  runTeamWork(command, host, needs, async ({ users }, signal) => {
    const created = await users.create(command.user, signal);
    if (!created.ok) return created;
    const { output } = host;
    if (command.json) output.data(`${jsonText(created.value, 2)}\n`);
    else writeCreated(created.value, command, host);
    if (created.value.temporaryPassword !== undefined) output.note(SHOWN_ONCE);
    return done;
  });

const SHOWN_ONCE =
  'The temporary password is shown only now and is kept nowhere. It must be changed at the first login.';

function writeCreated(created: CreatedUser, command: UsersCreateCommand, { output, places }: Host): void {
  const { user, temporaryPassword, wasExisting, keptFields } = created;
  if (wasExisting)
    output.line(`${visibleName(userName(user))} was known to the service and was added to the team.`);
  writeUser(user, false, output);
  // Exactly as it came: a password with something taken out opens nothing
  if (temporaryPassword !== undefined) output.data(`  Temporary password: ${temporaryPassword}\n`);
  if (keptFields.length === 0) return;
  output.line('Kept as it was:');
  for (const field of keptFields) output.line(keptText(field));
  output.line('To change it:');
  output.data(`  ${updateText(created, command, places.platform)}\n`);
}

const optionOf = {
  firstName: 'first-name',
  lastName: 'last-name',
  name: 'name',
  role: 'role',
} as const satisfies Readonly<Partial<Record<KeptField['name'], OptionName>>>;

function keptText({ name, asked, kept }: KeptField): string {
  return name === 'isActive'
    ? `  ${kept === 'true' ? 'active' : 'inactive'}, asked for ${asked === 'true' ? 'active' : 'inactive'}`
    : `  ${optionOf[name].replace('-', ' ')} "${visibleName(kept)}", asked for "${visibleName(asked)}"`;
}

/** The command that makes the user what was asked for. */
function updateText(
  { user, keptFields }: CreatedUser,
  { config }: UsersCreateCommand,
  platform: NodeJS.Platform,
): string {
  const changes = keptFields.map(({ name, asked }): TypedOption => {
    if (name === 'isActive') return { name: asked === 'true' ? 'active' : 'inactive' };
    return { name: optionOf[name], value: asked };
  });
  return userCommandText('update', String(user.id), [...changes, ...configOption(config)], platform);
}
