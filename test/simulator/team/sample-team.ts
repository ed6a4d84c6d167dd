import { sampleActions } from './sample-actions.ts';
import { sampleChannels } from './sample-channels.ts';
import { otherTeamPeriod, samplePeriods } from './sample-periods.ts';
import { sampleUsers } from './sample-users.ts';
import type { TeamData } from './team.ts';

/** The team of a stadium in the middle of a match; always the same for a given time. */
export function sampleTeam(nowMs: number): TeamData {
  const { users, outsiders } = sampleUsers(nowMs);
  const periods = samplePeriods(nowMs);
  const channels = sampleChannels(users);
  const actions = sampleActions(periods, users, channels, nowMs);
  return { periods, otherTeamPeriod: otherTeamPeriod(nowMs), actions, channels, users, outsiders };
}

/** A team without any data. */
export function emptyTeam(nowMs: number): TeamData {
  return {
    periods: [],
    otherTeamPeriod: otherTeamPeriod(nowMs),
    actions: [],
    channels: [],
    users: [],
    outsiders: [],
  };
}
