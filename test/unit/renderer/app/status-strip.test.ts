import { expect, it } from 'vitest';
import { briefly } from '../../../../renderer/app/connection.tsx';

it.each([
  [
    'Get incident: the service refused the API key (HTTP 401: The API key is missing or not valid.).',
    'the service refused the API key',
  ],
  [
    'Requests to the service keep failing. Last problem: Get upload URLs: the service is temporarily unavailable.',
    'the service is temporarily unavailable',
  ],
  [
    'This key lacks the video permission. Get upload URLs: the service does not allow this with the saved key (HTTP 403: No.).',
    'This key lacks the video permission',
  ],
  ['No connection to api.example.com (ECONNREFUSED).', 'No connection to api.example.com'],
  [
    'Uploads to storage keep failing. Last problem: it is full (HTTP 507).',
    'Uploads to storage keep failing. Last problem: it is full',
  ],
  [
    'Get incident: a web page came back instead of data, perhaps a login page (HTTP 200).',
    'a web page came back instead of data, perhaps a login page',
  ],
  [
    'Uploads to storage keep failing. Last problem: A proxy or firewall answered instead of storage while b.mp4 was being sent (HTTP 200).',
    'A proxy or firewall answered instead of storage',
  ],
  [
    'Storage could not accept Concourse right now.mp4, part 2 of 29 right now (HTTP 507, InsufficientStorage).',
    'Storage could not accept clips right now',
  ],
  [
    'Uploads to storage keep failing. Last problem: Storage asked for fewer requests while receiving b.mp4 (HTTP 503, SlowDown).',
    'Storage asked for fewer requests',
  ],
  [
    'Get upload URLs: the service is temporarily unavailable (HTTP 502: 502 Bad Gateway nginx/1.18.0 (Ubuntu)).',
    'the service is temporarily unavailable',
  ],
  [
    'Get incident: the service does not allow this with the saved key (HTTP 403: It needs the permission. See api.example.com, e.g. (1).).',
    'the service does not allow this with the saved key',
  ],
  [
    'This key lacks the video permission. Get upload URLs: the service does not allow this with the saved key (HTTP 403: No (1).).',
    'This key lacks the video permission',
  ],
  [
    'Uploads to storage keep failing. Last problem: Storage asked for fewer requests while receiving Gate while receiving 4.mp4 (HTTP 503: Last problem: None).',
    'Storage asked for fewer requests',
  ],
  [
    'The certificate of api.example.com was refused (CERT_HAS_EXPIRED). It was issued by Example Ltd. and is valid until 1 May.',
    undefined,
  ],
  ['No permission. bad.example.com did not respond in time.', undefined],
  ['The certificate of api.example.com was refused (CERT_HAS_EXPIRED).', undefined],
])('the strip says of %j what happened, and not which call or clip met it', (message, said) =>
  expect(briefly(message)).toBe(said ?? message.replace(/\.$/, '')),
);
