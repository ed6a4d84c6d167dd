import { describe, expect, it } from 'vitest';
import { emptyTeam, sampleTeam } from '../../../simulator/team/sample-team.ts';
import { displayName } from '../../../simulator/team/team.ts';

const NOW = Date.parse('2026-08-02T15:20:00.000Z');
const team = sampleTeam(NOW);
const { periods, actions, channels, users, outsiders } = team;
const listed = actions.map((action) => action.listed);
const everyone = [...users, ...outsiders];
const distinct = (values: readonly unknown[]) => new Set(values).size;

describe('the sample team', () => {
  it('is the same for the same time', () => {
    expect(sampleTeam(NOW)).toEqual(team);
    expect(sampleTeam(NOW + 86_400_000)).not.toEqual(team);
  });

  it('keeps its ids when time goes on', () => {
    const later = sampleTeam(NOW + 3 * 86_400_000);
    expect(later.periods.map(({ id }) => id)).toEqual(periods.map(({ id }) => id));
    expect(later.users.map(({ id }) => id)).toEqual(users.map(({ id }) => id));
    expect(later.channels).toEqual(channels);
    expect(later.actions).toHaveLength(actions.length);
  });

  it.each(['00:00', '00:10', '07:59', '12:00', '21:30', '23:59'])(
    'has one period going on at %s, and others before and after it',
    (time) => {
      const at = `2026-08-02T${time}:00.000Z`;
      const season = sampleTeam(Date.parse(at)).periods;
      expect(season).toHaveLength(30);
      expect(season.filter(({ start_date: start, end_date: end }) => start <= at && at <= end)).toHaveLength(
        1,
      );
      expect(season.filter(({ end_date: end }) => end < at).length).toBeGreaterThan(15);
      expect(season.filter(({ start_date: start }) => start > at).length).toBeGreaterThan(5);
      expect(season.map(({ start_date: start }) => start)).toEqual(
        season.map(({ start_date: start }) => start).toSorted(),
      );
    },
  );

  it('tells markers as a list, as one object and as none, all within their period', () => {
    const forms = periods.map(({ markers }) => (markers === null ? 'none' : Array.isArray(markers)));
    expect(new Set(forms)).toEqual(new Set(['none', true, false]));
    for (const { markers, start_date: start, end_date: end } of periods) {
      for (const { timestamp } of [markers ?? []].flat()) {
        expect(timestamp >= start && timestamp <= end).toBe(true);
      }
    }
  });

  it('has about 300 actions of all kinds in every state', () => {
    expect(actions.length).toBeGreaterThan(270);
    expect(actions.length).toBeLessThan(330);
    expect(new Set(listed.map(({ classification }) => classification))).toEqual(
      new Set(['Task', 'Incident', 'Request', 'Checklist']),
    );
    expect(new Set(listed.map(({ status }) => status))).toEqual(
      new Set(['open', 'assigned', 'doing', 'closed', 'canceled', 'on hold', 'escalated']),
    );
    expect(distinct(listed.map(({ aiDispatched }) => aiDispatched))).toBe(2);
    expect(distinct(listed.map(({ actionId }) => actionId))).toBe(actions.length);
    expect(listed.some(({ channel, latestChannel }) => channel !== latestChannel)).toBe(true);
  });

  it('has times of actions in their order and never after now', () => {
    for (const { createdTime, assignedTime, doingTime, closedTime, status } of listed) {
      const reached = [createdTime, assignedTime, doingTime, closedTime].filter((time) => time !== null);
      expect(reached).toEqual(reached.toSorted());
      expect(Date.parse(reached.at(-1) ?? '')).toBeLessThanOrEqual(NOW);
      expect(closedTime !== null).toBe(status === 'closed');
    }
  });

  it('has form fields on some actions, empty on a few, missing on others', () => {
    const departments = actions.map(({ form }) => form.department);
    const medical = actions.filter(({ listed: { formType } }) => formType === 'Medical report');
    expect(new Set(medical.map(({ form }) => form.severity !== undefined))).toEqual(new Set([true, false]));
    expect(departments.some((values) => values?.length === 0)).toBe(true);
    expect(departments.some((values) => values?.length === 2)).toBe(true);
    expect(actions.some(({ form }) => form.channel !== undefined)).toBe(true);
  });

  it('assigns actions to users and channels that exist', () => {
    const names = new Set(users.map(displayName));
    const rooms = new Set(channels.map(({ name }) => name));
    for (const { assignedUserNames, createdByUserName, channel, latestChannel, assignedTime } of listed) {
      expect(names).toContain(createdByUserName);
      expect(assignedUserNames.every((name) => names.has(name))).toBe(true);
      expect(assignedUserNames.length > 0).toBe(assignedTime !== null);
      expect(rooms.has(channel) && rooms.has(latestChannel)).toBe(true);
    }
  });

  it('has 250 users of both kinds, each number and device once', () => {
    expect(users).toHaveLength(250);
    expect(distinct(everyone.map(({ id }) => id))).toBe(everyone.length);
    const phones = everyone.map((user) => user.phone_number).filter((number) => number !== '');
    const devices = everyone.flatMap((user) => user.device_id ?? []);
    expect(distinct(phones)).toBe(phones.length);
    expect(distinct(devices)).toBe(devices.length);
    expect(phones.every((number) => /^\+[1-9]\d{9,14}$/.test(number))).toBe(true);
    expect(new Set(users.map(({ login_type: type }) => type))).toEqual(new Set(['PHONE_NUMBER', 'DEVICE']));
    expect(new Set(users.map(({ role }) => role))).toEqual(
      new Set(['admin', 'supervisor', 'member', 'staff']),
    );
    const inactive = users.filter((user) => !user.is_active).length;
    expect(inactive).toBeGreaterThan(10);
    expect(inactive).toBeLessThan(40);
  });

  it.each([
    ['umlauts', /ü/],
    ['Arabic', /\p{Script=Arabic}/u],
    ['Chinese', /\p{Script=Han}/u],
    ['markup', /<img/],
    ['turned direction', /\u202E/],
    ['a formula', /^=1\+1/],
  ])('has names with %s', (_what, pattern) => {
    expect(users.filter((user) => pattern.test(displayName(user))).length).toBeGreaterThan(0);
  });

  it('has twelve channels and some direct ones, with active members of the team', () => {
    expect(channels.filter(({ kind }) => kind === 'channel')).toHaveLength(12);
    const direct = channels.filter(({ kind }) => kind === 'direct');
    expect(direct.length).toBeGreaterThan(2);
    expect(direct.every(({ memberIds }) => memberIds.length === 2)).toBe(true);
    expect(distinct(channels.map(({ id }) => id))).toBe(channels.length);
    const active = new Set(users.filter((user) => user.is_active).map(({ id }) => id));
    for (const { memberIds } of channels) {
      expect(memberIds.length).toBeGreaterThan(1);
      expect(memberIds.every((id) => active.has(id))).toBe(true);
    }
  });

  it('knows users of both kinds who are not in the team', () => {
    expect(new Set(outsiders.map(({ login_type: type }) => type))).toEqual(
      new Set(['PHONE_NUMBER', 'DEVICE']),
    );
    expect(outsiders.every((user) => user.is_active)).toBe(true);
  });

  it('has nothing when it is empty, but another team is still there', () => {
    const empty = emptyTeam(NOW);
    expect([empty.periods, empty.actions, empty.channels, empty.users, empty.outsiders]).toEqual([
      [],
      [],
      [],
      [],
      [],
    ]);
    expect(empty.otherTeamPeriod).toEqual(team.otherTeamPeriod);
  });
});
