import { afterEach, describe, expect, it } from 'vitest';
import type { Failure } from '../../../shared/domain/failure.ts';
import type { Result } from '../../../shared/lib/result.ts';
import { connectTo, errorOf, going, useServiceDesk, valueOf, type ServiceDesk } from './service-desk.ts';

const KEY = 'k3y/with+odd=signs&more';
const VIDEO_KEY = { key: KEY, videoPermission: true };
const desk = useServiceDesk({ keys: [VIDEO_KEY] });

const handle = { storage_key: 'k', upload_id: 'u' };
const lists = { uploaded_videos: [], failed_videos: [] };
type VideoCall = (desk: ServiceDesk) => Promise<Result<unknown, Failure>>;
/** Endpoints 1 to 6. */
const videoCalls: readonly VideoCall[] = [
  ({ incidents }) => incidents.createMultipartUpload('i', 'v', 'f.mkv', going),
  ({ incidents }) => incidents.getUploadUrls('i', {}, going),
  ({ incidents }) => incidents.completeMultipartUpload('i', handle, ['e'], going),
  ({ incidents }) => incidents.abortMultipartUpload('i', handle, going),
  ({ incidents }) => incidents.get('i', going),
  ({ incidents }) => incidents.put('i', lists, going),
];

/** A call that needs nothing but the key. */
const put = ({ incidents }: ServiceDesk) => incidents.put('i', lists, going);

afterEach(() => {
  desk().simulator.setKeys([VIDEO_KEY]);
  desk().simulator.configure({ keyPlacement: { scheme: 'bearer' } });
});

describe('Authentication', () => {
  it('Authentication | key | requests are made with an API key', async () => {
    await valueOf(put(desk()));
    expect(desk().lastRequest()).toMatchObject({ headers: { authorization: 'Bearer redacted' } });
    const stranger = connectTo(desk().simulator, {}, 'another key');
    expect(await errorOf(put(stranger))).toMatchObject({ code: 'KEY_REFUSED', status: 401 });
    stranger.stop();
  });

  it('Authentication | video permission | endpoints 1 to 6 need it besides the key', async () => {
    desk().simulator.setKeys([{ key: KEY, videoPermission: false }]);
    for (const call of videoCalls) {
      const failure = await errorOf(call(desk()));
      expect(failure).toMatchObject({ code: 'VIDEO_PERMISSION_MISSING', status: 403, retryable: true });
    }
    const refused = desk()
      .simulator.requests.all()
      .filter(({ status }) => status === 403);
    expect(new Set(refused.map(({ call }) => call)).size).toBe(6);
  });

  it('Authentication | video permission | is obtained from the operator of the service', async () => {
    desk().simulator.setKeys([{ key: KEY, videoPermission: false }]);
    expect((await errorOf(put(desk()))).advice).toMatch(/Ask the operator of the service/);
  });

  it('Authentication | not shown: how the key is presented | gap 1 | as a bearer token unless set otherwise', async () => {
    await valueOf(put(desk()));
    expect(desk().lastRequest().query).toEqual({});
    desk().simulator.configure({ keyPlacement: { scheme: 'header', name: 'X-Api-Key' } });
    expect(await errorOf(put(desk()))).toMatchObject({ code: 'KEY_REFUSED' });
  });

  it('Authentication | not shown: how the key is presented | gap 1 | in a header of a name and prefix of its own', async () => {
    const names = [
      [
        { scheme: 'header', name: 'X-Api-Key' },
        { scheme: 'header', name: 'X-Api-Key' },
      ],
      [
        { scheme: 'header', name: 'X-Auth', prefix: 'Token ' },
        { scheme: 'header', name: 'X-Auth', prefix: 'Token' },
      ],
    ] as const;
    for (const [auth, keyPlacement] of names) {
      desk().simulator.configure({ keyPlacement });
      const client = connectTo(desk().simulator, { auth });
      await valueOf(put(client));
      expect(desk().lastRequest().headers).toHaveProperty(auth.name.toLowerCase(), 'redacted');
      expect(desk().lastRequest().headers).not.toHaveProperty('authorization');
      client.stop();
    }
  });

  it('Authentication | not shown: how the key is presented | gap 1 | as a query parameter of a name of its own', async () => {
    desk().simulator.configure({ keyPlacement: { scheme: 'query', name: 'api_key' } });
    const client = connectTo(desk().simulator, { auth: { scheme: 'query', name: 'api_key' } });
    await valueOf(put(client));
    expect(desk().lastRequest().search).toBe('api_key=redacted');
    expect(desk().lastRequest().headers).not.toHaveProperty('authorization');
    client.stop();
  });

  it('Authentication | not shown: how a missing video permission is answered | gap 3 | it is told apart from a key that opens nothing', async () => {
    for (const status of [401, 403]) {
      desk().answerNext({ message: 'No.' }, status);
      expect(await errorOf(put(desk()))).toMatchObject({ code: 'VIDEO_PERMISSION_MISSING', status });
    }
    // The key may lack access to users as well
    for (let refusals = 0; refusals < 2; refusals += 1) desk().answerNext({ message: 'No.' }, 401);
    expect(await errorOf(put(desk()))).toMatchObject({ code: 'VIDEO_PERMISSION_MISSING', status: 401 });
    desk().simulator.setKeys([]);
    expect(await errorOf(put(desk()))).toMatchObject({ code: 'KEY_REFUSED' });
  });
});
