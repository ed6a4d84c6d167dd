import { describe, expect, it, vi } from 'vitest';
import { planParts } from '../../../electron/agent/core/parts/plan-parts.ts';
import { createUploadUrls } from '../../../electron/agent/upload/upload-urls.ts';
import { startFolderBench, videoOf } from '../../integration/folders/folder-bench.ts';
import { BENCH_TIMEOUT_MS, startBench } from '../../helpers/agent-bench.ts';
import { connectTo, errorOf, going, useServiceDesk, valueOf } from './service-desk.ts';

vi.setConfig({ testTimeout: BENCH_TIMEOUT_MS });

const desk = useServiceDesk();
const MB = 1_000_000;
const limit = { call: 'putPart', pathContains: '-huge-' } as const;

describe('Limits and gaps of uploading', () => {
  it.concurrent('Limits | single piece | files under 100 MB', async (context) => {
    const bench = await startBench(context, {
      files: { 'Ramp/under.dav': 100 * MB - 1 },
      settings: { upload: { multipartThresholdBytes: undefined, partSizeBytes: undefined } },
    });
    await bench.untilIdle();
    expect(bench.simulator.requests.of('putObject')).toMatchObject([{ bytesReceived: 100 * MB - 1 }]);
    expect(bench.simulator.requests.of('createMultipartUpload')).toEqual([]);
  });

  it.concurrent('Limits | chunked | required for files of about 100 MB or more', async (context) => {
    const bench = await startBench(context, {
      files: { 'Ramp/large.dav': 100 * MB },
      settings: { upload: { multipartThresholdBytes: undefined, partSizeBytes: undefined } },
    });
    await bench.untilIdle();
    expect(bench.simulator.requests.of('createMultipartUpload')).toHaveLength(1);
    expect(bench.simulator.requests.of('putPart')).toHaveLength(Math.ceil((100 * MB) / (8 * 1024 * 1024)));
    expect(bench.simulator.requests.of('putObject')).toEqual([]);
  });

  it('Limits | not shown: the exact threshold and part size | gaps 4, 5 | 100,000,000 bytes and parts of 8 MiB', () => {
    const MIB = 1024 * 1024;
    expect(planParts(100 * MB - 1)).toEqual({ kind: 'single' });
    expect(planParts(100 * MB)).toEqual({ kind: 'multipart', partSizeBytes: 8 * MIB, partCount: 12 });
    expect(planParts(10_000 * 8 * MIB + 1)).toMatchObject({ partSizeBytes: 16 * MIB });
  });

  it.concurrent('Limits | not shown: meaning of max_upload_size_mb | gap 6 | over 0 a larger file is a failed video, unsent', async (context) => {
    const bench = await startBench(context, {
      files: { 'Ramp/huge.dav': 2 * MB + 1, 'Ramp/fits.dav': 2 * MB },
      simulator: { maxUploadSizeMb: 2 },
    });
    await bench.untilIdle();
    expect(bench.simulator.requests.of('putObject')).toMatchObject([{ bytesReceived: 2 * MB }]);
    const [incident] = bench.simulator.incidents().values();
    expect(incident?.failed_videos).toMatchObject([{ upload_errors: [expect.stringContaining('2')] }]);
  });

  it.concurrent('3 | not shown: an answer to Complete that never came | gap 15 | the same call again, else the clip again', async (context) => {
    const bench = await startBench(context, {
      files: { 'Ramp/large.ts': 6 * MB },
      before({ faults }) {
        const match = { call: 'completeMultipartUpload' } as const;
        // Dropped before they take effect, so their number says nothing about the upload
        faults.add({ match, times: 3, action: { kind: 'drop', when: 'before' } });
        faults.add({ match, times: 1, action: { kind: 'drop', when: 'after' } });
      },
    });
    await bench.untilIdle();
    const asked = bench.simulator.requests.of('completeMultipartUpload').map(({ body }) => body);
    expect(asked.length).toBeGreaterThanOrEqual(5);
    expect(new Set(asked.slice(0, 5).map((body) => JSON.stringify(body))).size).toBe(1);
    await bench.expectWhole();
  });

  it.concurrent('4 | not shown: when an upload is aborted | gap 16 | always when it will not be completed', async (context) => {
    const bench = await startBench(context, {
      files: { 'Ramp/huge.ts': 12 * MB },
      before: ({ faults }) =>
        faults.add({ match: limit, action: { kind: 'early-answer', status: 413, code: 'EntityTooLarge' } }),
    });
    await bench.untilIdle();
    const [opened] = bench.simulator.requests.of('getUploadUrls');
    expect(bench.simulator.requests.of('abortMultipartUpload')).toHaveLength(1);
    expect(opened?.fileId).toBeDefined();
    expect(await bench.simulator.openUploads()).toEqual([]);
  });

  it.concurrent('Dates | not shown: time zone of file names | gap 28 | that of the watched folder, written in UTC', async (context) => {
    const clip = 'Ramp/Gate 4 North_2026_05_01_19_30_05.mkv';
    const bench = await startFolderBench(context, {
      files: { [clip]: { fixture: 'concourse.mkv' } },
      watch: { timeZone: 'Europe/London' },
    });
    await bench.untilIdle();
    expect(await videoOf(bench, clip)).toMatchObject({ started_at: '2026-05-01T18:30:05.000Z' });
  });
});

describe('Limits and gaps of the calls for uploading', () => {
  /** Asks for the URL of one file and returns how long it is used, milliseconds. */
  async function lifetimeMs(): Promise<number> {
    const rules = { allowLoopback: true, hosts: [] };
    const asker = createUploadUrls(desk().incidents, desk().clock, rules);
    const grants = await valueOf(asker.ask('i', { v: { filename: 'f.mkv' } }, undefined, going));
    const grant = grants.get('v');
    if (grant?.ok !== true) throw new Error(JSON.stringify(grant));
    return (grant.value.urls[0]?.useUntilMs ?? 0) - desk().clock.now();
  }

  it('Limits | signed URL lifetime | is read from the URL, for example 7200 seconds', async () => {
    const ms = await lifetimeMs();
    expect(ms).toBeGreaterThan(7_100_000);
    expect(ms).toBeLessThanOrEqual(7_140_000);
  });

  it('Limits | not shown: lifetime of a signed URL | gap 7 | its own; one without any is used for an hour', async () => {
    const url = `${desk().simulator.storageUrl}/bucket/key`;
    desk().answerNext({ uploads: { v: { storage_key: 'k', signed_urls: url } } });
    const ms = await lifetimeMs();
    expect(ms).toBeGreaterThan(3_500_000);
    expect(ms).toBeLessThanOrEqual(3_540_000);
  });

  it('Limits | not shown: rate limits | gap 26 | Retry-After is honoured, as seconds and as a date', async () => {
    const date = new Date(desk().clock.now() + 60_000).toUTCString();
    const { incidents, team, ...limited } = connectTo(desk().simulator);
    limited.answerNext({ message: 'Slow down' }, 429, { 'retry-after': '3' });
    const inSeconds = await errorOf(incidents.get('i', going));
    expect(inSeconds).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: 3000 });
    // No call is made before then
    const asked = desk().simulator.requests.all().length;
    expect(await errorOf(team.periods.list({}, going))).toMatchObject({ code: 'RATE_LIMITED' });
    expect(desk().simulator.requests.all()).toHaveLength(asked);
    limited.stop();
    const dated = connectTo(desk().simulator);
    dated.answerNext({ message: 'Slow down' }, 503, { 'retry-after': date });
    const asDate = (await errorOf(dated.incidents.get('i', going))).retryAfterMs ?? 0;
    expect(asDate).toBeGreaterThan(50_000);
    expect(asDate).toBeLessThanOrEqual(61_000);
    dated.stop();
  });

  it('Dates | not shown: clocks that differ | gap 27 | lifetimes are computed on the clock of the service', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    desk().answerNext({ vms_incident: {} }, 200, { date });
    await desk().incidents.get('i', going);
    expect(Math.round(desk().clock.skewMs() / 60_000)).toBe(60);
  });
});
