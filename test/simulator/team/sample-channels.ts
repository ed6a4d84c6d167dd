import { createChooser } from './chooser.ts';
import { displayName, type ServiceChannel, type ServiceUser } from './team.ts';

const SEED = 12;
const FIRST_CHANNEL_ID = 7301;
const FIRST_DIRECT_ID = 9101;
const DIRECT_CHANNELS = 5;

const channelNames = [
  'Control room',
  'Stewards north',
  'Stewards south',
  'Medical',
  'Police liaison',
  'Facilities',
  'Cleaning',
  'IT and access',
  'Hospitality',
  'Traffic and parking',
  'Fan liaison',
  'Évacuation / 疏散',
] as const;

/** Twelve channels with members, and a few direct message channels of two. */
export function sampleChannels(users: readonly ServiceUser[]): readonly ServiceChannel[] {
  const choose = createChooser(SEED);
  const active = users.filter((user) => user.is_active);
  const channels = channelNames.map((name, index) => ({
    kind: 'channel' as const,
    id: String(FIRST_CHANNEL_ID + index),
    name,
    memberIds: choose.some(active, choose.whole(8, 40)).map(({ id }) => id),
  }));
  const direct = Array.from({ length: DIRECT_CHANNELS }, (_, index) => {
    const pair = choose.some(active, 2);
    return {
      kind: 'direct' as const,
      id: String(FIRST_DIRECT_ID + index),
      name: pair.map(displayName).join(', '),
      memberIds: pair.map(({ id }) => id),
    };
  });
  return [...channels, ...direct];
}
