import type { FaultBook, FaultRule } from '../simulator/index.ts';

/** Faults on every call: 5 % lost before their effect, 10 % after it, 5 % answered with a server error, some late. */
const rules: readonly (FaultRule & { readonly id: string })[] = [
  { id: 'late-30', match: {}, probability: 0.1, action: { kind: 'delay', ms: 30 } },
  { id: 'late-120', match: {}, probability: 0.06, action: { kind: 'delay', ms: 120 } },
  { id: 'late-300', match: {}, probability: 0.04, action: { kind: 'delay', ms: 300 } },
  { id: 'lost-before', match: {}, probability: 0.05, action: { kind: 'drop', when: 'before' } },
  { id: 'lost-after', match: {}, probability: 0.1, action: { kind: 'drop', when: 'after' } },
  {
    id: 'service-503',
    match: { listener: 'service' },
    probability: 0.05,
    action: { kind: 'answer', status: 503, body: { message: 'Try again later' }, when: 'before' },
  },
  {
    id: 'storage-500',
    match: { listener: 'storage' },
    probability: 0.05,
    action: { kind: 'answer', status: 500, code: 'InternalError', when: 'before' },
  },
];

/** Adds or removes the rules. Holds are left alone. */
export function switchFaults(faults: FaultBook, isOn: boolean): void {
  for (const rule of rules) {
    if (isOn) faults.add(rule);
    else faults.remove(rule.id);
  }
}
