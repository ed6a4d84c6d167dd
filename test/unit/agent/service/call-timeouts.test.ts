import { describe, expect, it } from 'vitest';
import { endpoints, type EndpointName } from '../../../../electron/agent/service/endpoints.ts';
import { callTimeoutMs } from '../../../../electron/agent/service/http.ts';

describe('callTimeoutMs', () => {
  it.each(Object.keys(endpoints).filter((name): name is EndpointName => Object.hasOwn(endpoints, name)))(
    'gives %s a minute in all, and ten where storage puts parts together meanwhile',
    (endpoint) => {
      expect(callTimeoutMs(endpoint)).toBe(endpoint === 'completeMultipartUpload' ? 600_000 : 60_000);
    },
  );
});
