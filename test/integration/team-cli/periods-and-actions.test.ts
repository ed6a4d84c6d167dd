import type { IncomingMessage, ServerResponse } from 'node:http';
import Papa from 'papaparse';
import { expect, test, onTestFinished } from 'vitest';
import { long } from '../../helpers/long.ts';
import { startAnswerServer } from '../../helpers/answer-server.ts';
import { openDesk } from './team-desk.ts';

type Desk = Awaited<ReturnType<typeof openDesk>>;

/** The period with the most actions, and how many it has. */
function busiest({ simulator }: Desk): { readonly id: number; readonly count: number } {
  const { periods, actions } = simulator.team();
  const counted = periods.map(({ id }) => ({
    id,
    count: actions.filter(({ listed }) => listed.periodId === id).length,
  }));
  return counted.toSorted((left, right) => right.count - left.count)[0] ?? { id: 0, count: 0 };
}

test('lists every period of the team, and those of a range', async () => {
  const { simulator, runLine } = await openDesk();
  const { periods } = simulator.team();
  const { lines, exit, stderr } = await runLine('periods');
  expect([exit, stderr, lines.at(-1)]).toEqual([0, '', `${periods.length} periods.`]);
  for (const [index, period] of periods.entries())
    expect(lines[index + 1]).toMatch(new RegExp(`^${period.id}  .*  ${period.start_date.slice(0, 10)} `));

  const [, second] = periods;
  const day = second?.start_date.slice(0, 10) ?? '';
  const { stdout } = await runLine(`periods --json --from ${day} --to ${day}`);
  expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ id: second?.id, name: second?.name })]);
});

test.each(['none', 'pages', 'link'] as const)(
  'lists every action of a period, whatever its pages are (%s)',
  async (actionsPaging) => {
    const desk = await openDesk({ actionsPaging, actionsPerPage: 3 });
    const { id, count } = busiest(desk);
    const fields = '--form-field department --form-field nosuch';
    const { stdout } = await desk.runLine(`actions ${id} --json ${fields}`);
    const listed = desk.simulator.team().actions.filter((action) => action.listed.periodId === id);
    expect(count).toBeGreaterThan(3);
    expect(JSON.parse(stdout)).toEqual(
      listed.map(({ listed, form }) =>
        expect.objectContaining({
          id: listed.periodActionId,
          status: listed.status,
          formFields:
            form['department'] === undefined ? [] : [{ name: 'department', values: form['department'] }],
          missingFields: form['department'] === undefined ? ['department', 'nosuch'] : ['nosuch'],
        }),
      ),
    );
  },
);

test('a table of actions says what is missing, and counts', async () => {
  const desk = await openDesk();
  const { id, count } = busiest(desk);
  const { lines } = await desk.runLine(`actions ${id} --form-field department --form-field nosuch`);
  expect(lines[0]).toMatch(/^ID +TYPE +STATUS +CREATED \(UTC\) +ASSIGNED TO +CHANNEL +department$/);
  expect(lines).toContain('No action has a form field "nosuch".');
  expect(lines).toContain('Notes from the service, with the actions they belong to:');
  expect(lines.at(-1)).toMatch(new RegExp(`^${count} actions, \\d+ cancelled\\.$`));
});

test('a spreadsheet reads every action back', async () => {
  const desk = await openDesk();
  const { id, count } = busiest(desk);
  const { stdout } = await desk.runLine(`actions ${id} --csv --form-field location`);
  const { data, errors } = Papa.parse<Record<string, string>>(stdout.slice(1).trimEnd(), { header: true });
  expect(errors).toEqual([]);
  expect(data).toHaveLength(count);
  const { actions } = desk.simulator.team();
  const locations = actions
    .filter(({ listed }) => listed.periodId === id)
    .map(({ form }) => form['location']);
  expect(data.map(({ location }) => location)).toEqual(locations.map((values) => values?.join('; ') ?? ''));
});

test('the period of another team and one that does not exist are refused in the words of the service', async () => {
  const { simulator, runLine } = await openDesk();
  const other = await runLine(`actions ${simulator.team().otherTeamPeriod.id}`);
  expect([other.exit, other.stdout]).toEqual([1, '']);
  expect(other.stderr).toContain('Invalid period_id. It must be a valid integer for your team.');
  const absent = await runLine('actions 99999');
  expect([absent.exit, absent.stdout]).toEqual([1, '']);
  expect(absent.stderr).toMatch(/^NOT_FOUND: .*Period not found/);
});

test(
  '50,000 actions in one answer are shown, and what is over the limit says which it is',
  { ...long(), timeout: 120_000 },
  async () => {
    const { runLine } = await openDesk();
    const answerOf = (): Buffer => {
      const text = 'A fall on the stairs of the east stand'.repeat(10);
      const actions = Array.from({ length: 50_000 }, (_, id) => ({
        periodActionId: id + 1,
        status: 'open',
        description: text,
      }));
      return Buffer.from(JSON.stringify({ actions }));
    };
    let body = answerOf();
    const server = await startAnswerServer((_request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    onTestFinished(() => server.close());
    expect(body.length).toBeGreaterThan(20_000_000);
    const { exit, stdout, stderr } = await runLine('actions 7 --json', {
      settings: { baseUrl: server.baseUrl },
    });
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout.split('\n').filter((line) => line.includes('east stand'))).not.toHaveLength(0);
    expect(stdout.match(/A fall on the stairs/g)).toHaveLength(50_000 * 10);
    body = Buffer.alloc(64 * 1024 * 1024 + 1, 0x20);
    const large = await runLine('actions 7', { settings: { baseUrl: server.baseUrl } });
    expect(large).toMatchObject({ exit: 12, stdout: '' });
    expect(large.stderr).toMatch(
      /^API_TOO_LARGE: .* larger than the limit of 64 MiB\. Request less at a time/,
    );
  },
);

test.each(['periods', 'users list', 'users get 1', 'actions 7'])(
  '%s under a wrong address speaks of the address',
  async (line) => {
    const { simulator, runLine } = await openDesk();
    const baseUrl = simulator.baseUrl.replace(/\/v1$/, '/v9');
    expect(baseUrl).not.toBe(simulator.baseUrl);
    const { exit, stdout, stderr } = await runLine(line, { settings: { baseUrl } });
    expect([exit, stdout]).toEqual([12, '']);
    expect(stderr).toMatch(/nothing found at \S+\/v9\/(?:periods|users)\S* \(HTTP 404\)\./);
    expect(stderr).toContain('Check the service address.');
  },
);

test('ends with 12 when the service cannot be reached, and with 11 when it refuses the key', async () => {
  const { simulator, runLine } = await openDesk();
  simulator.setKeys([]);
  expect(await runLine('periods')).toMatchObject({ exit: 11, stdout: '' });
  await simulator.goOffline();
  expect(await runLine('periods')).toMatchObject({ exit: 12, stdout: '' });
});
