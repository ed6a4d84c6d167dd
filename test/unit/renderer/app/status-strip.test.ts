import { expect, it } from 'vitest';
import { briefly } from '../../../../renderer/app/status-strip.tsx';

it.each([
  [
    'Get incident: the service refused the API key (HTTP 401: The API key is missing or not valid.).',
    'the service refused the API key',
  ],
  ['No connection to api.example.com (ECONNREFUSED).', 'No connection to api.example.com'],
  [
    'Storage is refusing every upload. Its last answer: it is full (HTTP 507).',
    'Storage is refusing every upload. Its last answer: it is full',
  ],
  ['The certificate of api.example.com was refused (CERT_HAS_EXPIRED).', undefined],
])('the strip says of %j what happened, and not which call met it', (message, said) =>
  expect(briefly(message)).toBe(said ?? message.replace(/\.$/, '')),
);
