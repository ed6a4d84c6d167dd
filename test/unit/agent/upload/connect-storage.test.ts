import { expect, it } from 'vitest';
import type { WorkerThreads } from '../../../../electron/agent/ports.ts';
import type { ServiceConnection } from '../../../../electron/agent/service/connect-service.ts';
import type { AgentConfig } from '../../../../electron/agent/settings/load-settings.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { connectStorage } from '../../../../electron/agent/upload/connect-storage.ts';
import { createTransferMeter } from '../../../../electron/agent/upload/transfer-meter.ts';
import { settingsSchema } from '../../../../shared/domain/settings.ts';

const clock = createSystemClock();

it('lets threads send only where neither a proxy nor a limit stands in between', () => {
  const asked: unknown[] = [];
  const route = {
    proxyFor(target: { readonly hostname: string }) {
      asked.push(target);
      return target.hostname === 'far.example.com' ? 'proxy:3128' : undefined;
    },
  };
  const settings = settingsSchema.parse({ baseUrl: 'https://service.example.com/v1' });
  const { isDirect, limiter, close } = connectStorage(
    { settings } as AgentConfig,
    { clock, threads: {} as WorkerThreads },
    { route, clock } as unknown as ServiceConnection,
    createTransferMeter(clock),
  );
  expect(isDirect(new URL('https://near.example.com/key'))).toBe(true);
  expect(isDirect(new URL('https://far.example.com:9000/key'))).toBe(false);
  expect(isDirect(new URL('https://[2001:db8::1]/key'))).toBe(true);
  expect(asked).toEqual([
    { hostname: 'near.example.com', port: 443 },
    { hostname: 'far.example.com', port: 9000 },
    { hostname: '2001:db8::1', port: 443 },
  ]);
  limiter.setLimit(1_000_000);
  expect(isDirect(new URL('https://near.example.com/key'))).toBe(false);
  limiter.setLimit(null);
  expect(isDirect(new URL('https://near.example.com/key'))).toBe(true);
  close();
});
