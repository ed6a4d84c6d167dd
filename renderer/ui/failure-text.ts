import type { Failure } from '../../shared/domain/failure.ts';

/** A failure as a block for whoever supports the desk: everything that is known, nothing that is secret. */
export function failureText({ code, message, advice, status, detail, fields, requestIds }: Failure): string {
  const lines = [
    `${code}: ${message}`,
    advice,
    ...(status === undefined ? [] : [`HTTP ${status}`]),
    ...(fields ?? []).map(({ name, text }) => `${name}: ${text}`),
    ...(requestIds ?? []).map(({ name, value }) => `${name}: ${value}`),
    ...(detail === undefined || detail === '' ? [] : [detail]),
  ];
  return lines.join('\n');
}
