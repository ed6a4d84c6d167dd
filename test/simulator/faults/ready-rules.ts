import type { FaultMatch, FaultRule } from './fault-rule.ts';

/** The processing failure of service.md "Errors", whose status is not defined there: 500 by default. */
export function processingFailure(call: FaultMatch['call'], status = 500): FaultRule {
  return {
    match: { call },
    action: {
      kind: 'answer',
      status,
      body: { message: 'An error occurred while processing your request' },
      when: 'before',
    },
  };
}
