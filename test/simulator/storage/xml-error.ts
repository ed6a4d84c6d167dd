import { randomUUID } from 'node:crypto';
import type { Answer } from '../http/answer.ts';

/** An error in the XML of S3-compatible stores. */
export function xmlError(
  status: number,
  code: string,
  message: string,
  more: Record<string, string> = {},
): Answer {
  const fields = { Code: code, Message: message, ...more, RequestId: randomUUID() };
  const elements = Object.entries(fields).map(([name, value]) => `<${name}>${escapeXml(value)}</${name}>`);
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${elements.join('')}</Error>`,
  };
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
