import { describe, expect, it } from 'vitest';
import { judgeImage } from '../../../../../electron/agent/core/team/judge-image.ts';

describe('judgeImage', () => {
  it.each([
    [1, 'png', 'png', 'fine'],
    [10_000_000, 'gif', 'gif', 'fine'],
    [5, 'apng', 'png', 'fine'],
    [10_000_001, 'png', 'png', 'refused'],
    [0, undefined, 'png', 'refused'],
    [5, 'png', 'jpg', 'refused'],
    [5, 'webp', 'png', 'refused'],
    [5, undefined, 'png', 'refused'],
  ] as const)('%i bytes of %s, stated %s, are %s', (sizeBytes, foundType, stated, kind) => {
    expect(judgeImage({ sizeBytes, foundType }, stated).kind).toBe(kind);
  });
});
