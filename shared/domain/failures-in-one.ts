import type { Failure } from './failure.ts';

/** All that is wrong at once, as one failure of the first one's kind: texts one after the other, refused inputs together. */
export function failuresInOne(failures: readonly Failure[]): Failure {
  const [first] = failures;
  if (first === undefined) throw new Error('Something was refused without a reason');
  return {
    ...first,
    message: failures.map(({ message }) => message).join(' '),
    ...(first.fields && { fields: failures.flatMap(({ fields = [] }) => fields) }),
  };
}
