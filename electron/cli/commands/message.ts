import type { NewMessage } from '../../../shared/domain/chat-message.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { TeamConnection } from '../../agent/index.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { Host } from '../deps.ts';
import { jsonText } from '../json-text.ts';
import type { Output } from '../output.ts';
import type { MessageCommand } from '../team/team-command.ts';
import { done, runTeamWork, type TeamNeeds } from '../team-session.ts';

/** Posts one message, after a look at its image. */
export const messageCommand = (command: MessageCommand, host: Host, needs: TeamNeeds): Promise<ExitCode> =>
  runTeamWork(command, host, needs, async (team, signal) => {
    const { message, json } = command;
    const { output } = host;
    const checked = await checkImage(message, team, output, signal);
    if (!checked.ok) return checked;
    const posted = await team.messages.post(message, signal);
    if (!posted.ok) return err(withUser(posted.error, message));
    const { id } = posted.value;
    if (json) output.data(`${jsonText(posted.value, 2)}\n`);
    else output.line(postedText(id));
    return done;
  });

const postedText = (id: string | number | undefined): string =>
  id === undefined
    ? 'Posted. The service named no id for the message.'
    : `Posted as message ${visibleName(String(id))}.`;

async function checkImage(
  { image }: NewMessage,
  team: TeamConnection,
  output: Output,
  signal: AbortSignal,
): Promise<Result<undefined, Failure>> {
  if (image === undefined) return ok(undefined);
  const check = await team.messages.checkImage(image, signal);
  if (signal.aborted) return err(stopped);
  if (check.kind === 'refused') return err(imageRefused(check.reason));
  if (check.kind === 'unchecked')
    output.note(`The image could not be looked at from here: ${visibleName(check.reason)} It is sent along.`);
  return ok(undefined);
}

const imageRefused = (reason: string): Failure => ({
  code: 'VALIDATION',
  message: `The image does not fit: ${reason} Nothing was sent.`,
  advice: 'Name an image that is png, jpg or gif and at most 10 MB, and its right type; or leave it out.',
  retryable: false,
});

const stopped: Failure = {
  code: 'CANCELLED',
  message: 'Stopped before anything was sent.',
  advice: '',
  retryable: true,
};

/** Who was refused is not always told; the command line knows. */
function withUser(failure: Failure, { userId, channelId }: NewMessage): Failure {
  if (failure.code !== 'INVALID_CHANNEL_USER') return failure;
  const user = failure.invalidUserId ?? String(userId ?? '');
  return {
    ...failure,
    message: `User ${user} is not a member of channel ${String(channelId)}. Nothing was posted.`,
    advice: 'Name a member with --as, or leave --as out: the message then comes from the System User.',
  };
}
