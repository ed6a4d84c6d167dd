import { expect, test } from 'vitest';
import { action } from '../fake-team.ts';
import { runLine } from '../run-line.ts';

const budget = { name: 'budget', values: ['100', '200'] };
const missing = { missingFields: ['department'], notes: ['department: missing'] };

const actions = [
  action(1001, {
    classification: 'Task',
    status: 'open',
    createdAt: '2026-05-01T17:00:00.000Z',
    assignedUsers: ['Ada', 'Grace'],
    channel: 'Gate 4',
    formFields: [budget, { name: 'department', values: [] }],
  }),
  action(1002, { classification: 'Incident', status: 'canceled', formFields: [budget], ...missing }),
  action(1003, { status: 'Cancelled', ...missing }),
];

test('lists actions with the form fields that were found, notes once each, and a count', async () => {
  const { lines, exit, calls } = await runLine('actions 31 --form-field department --form-field gate\u202e', {
    actions,
  });
  expect(lines).toEqual([
    'ID    TYPE      STATUS     CREATED (UTC)     ASSIGNED TO  CHANNEL  department  budget',
    '1001  Task      open       2026-05-01 17:00  Ada, Grace   Gate 4               100, 200',
    '1002  Incident  canceled                                           –           100, 200',
    '1003            Cancelled                                          –           –',
    '',
    'Notes from the service, with the actions they belong to:',
    '  department: missing  (1002, 1003)',
    '',
    'No action has a form field "gate<U+202E>".',
    '3 actions, 2 cancelled.',
  ]);
  expect(calls).toEqual([['periods.readActions', '31', ['department', 'gate\u202e']]]);
  expect(exit).toBe(0);
});

const incomplete = {
  code: 'API_SHAPE',
  message: 'Get actions: the list could not be read completely because 1 of its entries cannot be read.',
  advice: 'Send this text to the operator of the service.',
  retryable: true,
} as const;

test.each(['', ' --json', ' --csv'])(
  'lists the others when an action cannot be read, and says so:%s',
  async (format) => {
    const whole = await runLine(`actions 31${format}`, { actions });
    const { stdout, stderr, exit } = await runLine(`actions 31${format}`, { actions, incomplete });
    expect(stdout).toBe(whole.stdout);
    expect(stderr).toContain(`API_SHAPE: ${incomplete.message}`);
    expect(exit).toBe(12);
  },
);

test('names the first actions of a note that hundreds have', async () => {
  const many = Array.from({ length: 300 }, (_, index) => action(index + 1, { notes: ['budget: missing'] }));
  const { lines } = await runLine('actions 31', { actions: many });
  expect(lines).toContain('  budget: missing  (1, 2, 3, 4, 5, 6, 7, 8, and 292 more)');
});

test('makes hostile texts visible wherever they stand', async () => {
  const evil = '\u001b[2J\u202e';
  const { stdout } = await runLine('actions 31', {
    actions: [
      action(1, {
        classification: evil,
        assignedUsers: [evil],
        formFields: [{ name: evil, values: [evil] }],
        notes: [evil],
      }),
    ],
  });
  expect(stdout).not.toMatch(/[^\P{Cc}\n]|[\u202e\ufffd]/u);
  expect(stdout.match(/␛\[2J<U\+202E>/g)).toHaveLength(5);
});

test('gives way at the wide columns of a terminal, never at the id', async () => {
  const wide = action(123_456_789, {
    classification: 'Request for a wheelchair',
    status: 'waiting for material',
    createdAt: '2026-05-01T17:00:00.000Z',
    assignedUsers: ['Ada Lovelace', 'Grace Hopper', 'Katherine Johnson'],
    channel: 'Control room and gates',
    formFields: [{ name: 'location', values: ['Block 12, row 4, seat 17'] }],
  });
  const { lines } = await runLine('actions 31', { actions: [wide], columns: 80 });
  const [heading = '', row = ''] = lines;
  expect([heading.length <= 80, row.length]).toEqual([true, 80]);
  expect(row).toMatch(/^123456789 .* 2026-05-01 17:00 /);
});

test('--json gives the actions as they are, notes and all', async () => {
  const { stdout } = await runLine('actions 31 --json', { actions });
  expect(JSON.parse(stdout)).toEqual(actions);
});

test('--csv has a column for every form field, also one that is called like a column', async () => {
  const odd = action(1, { status: 'open', formFields: [{ name: 'status', values: ['=1', 'b'] }] });
  const { stdout } = await runLine('actions 31 --csv --form-field status', { actions: [odd] });
  const [headings = '', row = ''] = stdout.slice(1).split('\r\n');
  expect(headings).toMatch(/^"id",.*"status",.*"notes","status \(form field\)"$/);
  expect(row).toMatch(/^"1",.*"open",.*"","'=1; b"$/);
});

test('says that a period has no actions', async () => {
  expect(await runLine('actions 31')).toMatchObject({ exit: 0, stdout: 'No actions in this period.\n' });
});
