import { describe, expect, it } from 'vitest';
import { callSchemas, type CallName } from '../../../../shared/ipc/contract.ts';

const names = Object.keys(callSchemas) as CallName[];

describe('the contract', () => {
  it.each(names)('%s is named by its subject and its verb', (name) => {
    expect(name).toMatch(/^[a-z]+\.[a-z]+([A-Z][a-z]+)*$/);
  });

  it.each(names)('%s takes a group of named fields and nothing else', (name) => {
    const { input } = callSchemas[name];
    for (const wrong of [undefined, null, 'x', 7, [], () => undefined])
      expect(input.safeParse(wrong).success).toBe(false);
    const extra = input.safeParse({ aFieldThatNobodyKnows: 1 });
    expect(extra.error?.issues.map(({ code }) => code)).toContain('unrecognized_keys');
  });

  it.each(names)('%s answers with a group of named fields', (name) => {
    const { output } = callSchemas[name];
    for (const wrong of [undefined, null, 'x', []]) expect(output.safeParse(wrong).success).toBe(false);
  });

  it('has no call that could carry any other call', () => {
    const words = /request|fetch|http|proxy|invoke|exec|query|sql|path|url/i;
    expect(names.filter((name) => words.test(name))).toEqual([]);
  });
});
