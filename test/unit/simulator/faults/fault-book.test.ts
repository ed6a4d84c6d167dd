import { describe, expect, it } from 'vitest';
import { createFaultBook } from '../../../simulator/faults/fault-book.ts';
import { createRandom } from '../../../simulator/faults/random.ts';
import type { FaultRule } from '../../../simulator/index.ts';
import type { Call } from '../../../simulator/calls.ts';
import { createRequestLog, type LoggedRequest } from '../../../simulator/request-log.ts';

const log = createRequestLog();
function request(call: Call, fields: Partial<LoggedRequest> = {}): LoggedRequest {
  const entry = {
    at: 0,
    listener: 'service' as const,
    method: 'GET',
    path: '/v1/vms',
    query: {},
    search: '',
    headers: {},
  };
  return log.begin({ ...entry, bytesReceived: 0, fileIds: [], call, ...fields });
}
function book(...rules: readonly FaultRule[]) {
  const faults = createFaultBook(createRandom(7));
  rules.forEach((rule) => faults.add(rule));
  return faults;
}
const drop = { kind: 'drop' } as const;

describe('rules for faults', () => {
  it.each([
    ['the call', { call: 'putPart' }, true],
    ['any call', { call: '*' }, true],
    ['another call', { call: 'putObject' }, false],
    ['the method', { method: 'PUT' }, true],
    ['another method', { method: 'GET' }, false],
    ['a piece of the path', { pathContains: 'clips/vms' }, true],
    ['the incident', { incidentId: 'i1' }, true],
    ['another incident', { incidentId: 'i2' }, false],
    ['one of its files', { fileId: 'f2' }, true],
    ['another file', { fileId: 'f3' }, false],
    ['the part', { partNumber: 4 }, true],
    ['another part', { partNumber: 5 }, false],
    ['the listener', { listener: 'storage' }, true],
    ['the call but another part', { call: 'putPart', partNumber: 5 }, false],
  ] as const)('fit by %s', (_what, match, expected) => {
    const entry = request('putPart', {
      listener: 'storage',
      method: 'PUT',
      path: '/clips/vms/i1',
      incidentId: 'i1',
      fileIds: ['f1', 'f2'],
      partNumber: 4,
    });
    expect(book({ match, action: drop }).take(entry)).toHaveLength(expected ? 1 : 0);
  });

  it('spare the first requests and end after so many times', () => {
    const faults = book({ id: 'r', match: {}, skip: 2, times: 2, action: drop });
    const hit = Array.from({ length: 6 }, () => faults.take(request('getIncident')).length);
    expect(hit).toEqual([0, 0, 1, 1, 0, 0]);
    expect(faults.list()).toMatchObject([{ id: 'r', seen: 4, applied: 2 }]);
  });

  it('draw the same lots for the same seed', () => {
    const draw = (seed: number) => {
      const faults = createFaultBook(createRandom(seed));
      faults.add({ match: {}, probability: 0.3, action: drop });
      return Array.from({ length: 1000 }, () => faults.take(request('getIncident')).length);
    };
    expect(draw(1)).toEqual(draw(1));
    expect(draw(1)).not.toEqual(draw(2));
    const hits = draw(1).reduce((sum, hit) => sum + hit, 0);
    expect(hits).toBeGreaterThan(250);
    expect(hits).toBeLessThan(350);
  });

  it('add a delay to what the next rule orders, and name that rule in the log', () => {
    const faults = book(
      { id: 'slow', match: {}, action: { kind: 'delay', ms: 5 } },
      { id: 'first', match: {}, action: drop },
      { id: 'second', match: {}, action: { kind: 'hang' } },
    );
    const entry = request('getIncident');
    expect(faults.take(entry).map(({ kind }) => kind)).toEqual(['delay', 'drop']);
    expect(entry.faultId).toBe('first');
  });

  it('are replaced under the same id, and removed', () => {
    const faults = book(
      { id: 'r', match: {}, action: drop },
      { id: 'r', match: {}, action: { kind: 'hang' } },
    );
    expect(faults.list().map(({ action }) => action.kind)).toEqual(['hang']);
    expect([faults.remove('r'), faults.remove('r')]).toEqual([true, false]);
    expect(faults.take(request('getIncident'))).toEqual([]);
  });

  it.each([
    ['an unknown action', { match: {}, action: { kind: 'explode' } }],
    ['an unknown call', { match: { call: 'putPrat' }, action: drop }],
    ['a misspelt field', { match: { incident: 'i1' }, action: drop }],
    ['a probability over one', { match: {}, probability: 2, action: drop }],
  ])('are refused with %s', (_what, rule) => {
    expect(() => book(rule as unknown as FaultRule)).toThrow('"path"');
  });
});
