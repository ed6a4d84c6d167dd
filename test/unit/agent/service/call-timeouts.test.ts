import { describe, expect, it } from 'vitest';
import { endpoints, type EndpointName } from '../../../../electron/agent/service/endpoints.ts';
import { callTimeoutMs, createHttp } from '../../../../electron/agent/service/http.ts';
import { startAnswerServer } from '../../../helpers/answer-server.ts';

describe('callTimeoutMs', () => {
  it.each(Object.keys(endpoints).filter((name): name is EndpointName => Object.hasOwn(endpoints, name)))(
    'gives %s a minute in all, and ten where storage puts parts together meanwhile',
    (endpoint) => {
      expect(callTimeoutMs(endpoint)).toBe(endpoint === 'completeMultipartUpload' ? 600_000 : 60_000);
    },
  );
});

describe('the size of an answer', () => {
  it.each(['getIncident', 'putIncident', 'getUploadUrls', 'getActions', 'getPeriods', 'getUsers'] as const)(
    'may be that of a long list for %s',
    async (endpoint) => {
      const bytes = 64 * 1024 * 1024;
      const server = await startAnswerServer((_request, response) => response.end(Buffer.alloc(bytes, 0x20)));
      const config = { baseUrl: server.baseUrl, auth: { scheme: 'bearer' }, userAgent: 'test' } as const;
      const http = createHttp(config, { apiKey: async () => 'a-key-for-tests' });
      const call = { endpoint, ids: { incidentId: 'a', periodId: 'a' } };
      const answer = await http.call(call, new AbortController().signal);
      http.stop();
      await server.close();
      expect(answer.ok && answer.value.body.length).toBe(bytes);
    },
  );
});
