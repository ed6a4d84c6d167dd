import type { CommandName } from '../command-names.ts';
import type { CommandHelp } from '../agent-help.ts';

const LIST_OPTIONS = `  --json             one list on stdout, with everything that is known
  --csv              for spreadsheets: UTF-8 with its mark; what begins with
                     = + - @ is guarded with an apostrophe, phone numbers too`;

const USER_JSON = '  --json             the user as one object on stdout';

/** What the help says of the commands that talk to the service. */
export const teamHelp = {
  periods: {
    lines: ['periods [--from T] [--to T] [--json|--csv]'],
    details: `Lists the periods of the team, or those of a time frame.
  --from T           a time with its offset (2026-05-01T19:30:05Z), or a date:
                     its start in UTC
  --to T             the same; a date: its end
${LIST_OPTIONS}`,
  },
  actions: {
    lines: ['actions PERIOD [--form-field NAME]... [--json|--csv]'],
    details: `Lists the actions of a period. "–" stands for a form field that an action does
not have.
  PERIOD             id of the period, as periods shows it
  --form-field NAME  a form field to be listed too; can be repeated
${LIST_OPTIONS}`,
  },
  message: {
    lines: [
      'message (--channel ID | --direct ID) [--as USER]',
      '    [--parent ID] [--terse] [--image URL --image-type T] [--json] TEXT',
    ],
    details: `Posts one message. It is never sent twice by itself.
  TEXT               the message, in quotes; after -- when it begins with a dash
  --channel ID       the channel it goes to
  --direct ID        the direct message channel it goes to
  --as USER          id of the user it comes from, a member of the channel;
                     default: the System User
  --parent ID        the message that it is a comment on
  --terse            push notifications carry the text alone; channels only
  --image URL        https address of an image for wrist devices, at most 10 MB;
                     looked at first, and nothing is sent when it does not fit
  --image-type T     png, jpg or gif
  --json             {"id": ...} on stdout; {} when the service named no id`,
  },
  'users list': {
    lines: [
      'users list [--page N] [--per-page N] [--inactive]',
      '    [--phone NUMBER]... [--device ID]... [--json|--csv]',
    ],
    details: `Lists the users of the team: all pages, or one.
  --page N           one page; with --json the page with its counts
  --per-page N       users in that page, at most 100
  --inactive         inactive users too
  --phone NUMBER     only users with one of these numbers (+14155550100); can be
                     repeated
  --device ID        only users with one of these devices; can be repeated;
                     with --phone, only users that match both
${LIST_OPTIONS}`,
  },
  'users get': { lines: ['users get ID [--json]'], details: `Shows one user.\n${USER_JSON}` },
  'users create': {
    lines: [
      'users create --phone NUMBER --first-name F --last-name L',
      '    [--invite] [--role R] [--inactive] [--json]',
      'users create --device ID --name N',
      '    [--role R] [--inactive] [--json]',
    ],
    details: `Creates a user who logs in by phone number or by device. Someone whom the
service knows already is added to the team and keeps the names that are there.
  --phone NUMBER     +, country code and number, without spaces: +14155550100
  --first-name F, --last-name L
                     names of a user with a phone number
  --invite           the service sends an invitation by SMS
  --device ID        id of the device; --name N is its name
  --role R           admin, supervisor, member or staff (default member)
  --inactive         cannot log in yet
  --json             {"user": ..., "temporaryPassword": ...} on stdout
The temporary password is shown once, on stdout, and kept nowhere.`,
  },
  'users update': {
    lines: [
      'users update ID [--first-name F] [--last-name L]',
      '    [--phone NUMBER] [--name N] [--device ID]',
      '    [--role R] [--active|--inactive] [--json]',
    ],
    details: `Changes what is given; everything else stays. The login type of a user stays.
  --name N           name of a device; first and last name are for users with
                     a phone number
  --active           can log in (again)
  --inactive         can no longer log in
${USER_JSON}`,
  },
  'users deactivate': {
    lines: ['users deactivate ID [--json]'],
    details: `Ends the access of a user. The recommended way for users with history: nothing
is lost, and users update ID --active gives it back.
${USER_JSON}`,
  },
  'users delete': {
    lines: ['users delete ID [--yes] [--json]'],
    details: `Deletes a user, for good. It asks for the user's name first. For users with
history users deactivate is the better way.
  --yes              deletes without asking; needed where there is no terminal
${USER_JSON}`,
  },
} as const satisfies Partial<Readonly<Record<CommandName, CommandHelp>>>;
