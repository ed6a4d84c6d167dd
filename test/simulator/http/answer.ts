/** An answer as a value, so that a fault can alter it before it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export function jsonAnswer(status: number, value: unknown): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(value),
  };
}

/** An error of the service, with a message that says what was wrong. */
export function refusal(status: number, message: string): Answer {
  return jsonAnswer(status, { message });
}

/** An error in the format of endpoints 9 to 15: status and message (service.md "Errors"). */
export function statusRefusal(status: number, message: unknown): Answer {
  return jsonAnswer(status, { status, message });
}

export function bodyBytes(answer: Answer): Buffer {
  return Buffer.isBuffer(answer.body) ? answer.body : Buffer.from(answer.body ?? '');
}

/** An answer as it looks on the wire, for faults that cut it short. */
export function rawAnswer(answer: Answer): Buffer {
  const bytes = bodyBytes(answer);
  const fields = { ...answer.headers, 'content-length': String(bytes.length) };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${answer.status} Answer\r\n${lines.join('')}\r\n`), bytes]);
}
