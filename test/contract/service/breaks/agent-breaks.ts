import { breaksIn } from './contract-break.ts';

/** Requests made wrongly, and uploads that the agent handles wrongly: authentication, limits, gaps. */
export const agentBreaks = [
  ...breaksIn('electron/agent/service/http.ts', [
    [
      '`Bearer ${key}`',
      '`Token ${key}`',
      'Authentication | key',
      'Authentication | not shown: how the key is presented | gap 1 | as a bearer',
    ],
    [
      "`${auth.prefix ?? ''}${key}`",
      'key',
      'Authentication | not shown: how the key is presented | gap 1 | in a header',
    ],
    [
      '[[config.auth.name, key] as const]',
      "[[config.auth.name, ''] as const]",
      'Authentication | not shown: how the key is presented | gap 1 | as a query',
    ],
    ["accept: 'application/json',", "accept: '*/*',", 'Endpoints | bodies'],
    ['new URL(baseUrl + path)', 'new URL(path, baseUrl)', 'Versioning | base_url', 'Versioning | not shown'],
  ]),
  ...breaksIn('electron/agent/service/decode.ts', [
    [
      'if (status >= 400) return',
      'if (status === 200 || status >= 400) return',
      'Endpoints | success',
      '1 | 200',
      '7 | 200',
    ],
    ['if (status >= 400) return', 'if (status === 201 || status >= 400) return', '6 | 201', '12 | 201'],
  ]),
  ...breaksIn('shared/domain/settings.ts', [
    [
      'DEFAULT_MULTIPART_THRESHOLD_BYTES = 100_000_000',
      'DEFAULT_MULTIPART_THRESHOLD_BYTES = 200_000_000',
      'Limits | chunked',
      'Limits | not shown: the exact threshold',
    ],
    [
      'DEFAULT_MULTIPART_THRESHOLD_BYTES = 100_000_000',
      'DEFAULT_MULTIPART_THRESHOLD_BYTES = 50_000_000',
      'Limits | single piece',
      'Limits | not shown: the exact threshold',
    ],
  ]),
  ...breaksIn('electron/agent/core/parts/plan-parts.ts', [
    [
      'const FIRST_PART_SIZE_BYTES = 8 * MIB;',
      'const FIRST_PART_SIZE_BYTES = 64 * MIB;',
      'Limits | chunked',
      'Limits | not shown: the exact threshold',
    ],
  ]),
  ...breaksIn('electron/agent/core/parts/check-signed-url.ts', [
    [
      'Math.min(lifetimeSeconds, MAX_LIFETIME_SECONDS) * 1000',
      'Math.min(lifetimeSeconds, MAX_LIFETIME_SECONDS) * 100',
      'Limits | signed URL lifetime',
    ],
    [
      'UNKNOWN_LIFETIME_MS = 3_600_000',
      'UNKNOWN_LIFETIME_MS = 36_000',
      'Limits | not shown: lifetime of a signed URL',
    ],
  ]),
  ...breaksIn('electron/agent/core/failures/failure-policy.ts', [
    ['Number(trimmed) * 1000', 'Number(trimmed)', 'Limits | not shown: rate limits'],
    [
      'if (!HTTP_DATE.test(trimmed)) return undefined;',
      'if (trimmed !== undefined) return undefined;',
      'Limits | not shown: rate limits',
    ],
  ]),
  ...breaksIn('electron/agent/service/service-clock.ts', [
    ['skewMs = serverMs - clock.now();', 'skewMs = 0;', 'Dates | not shown: clocks that differ'],
  ]),
  ...breaksIn('electron/agent/upload/large-upload.ts', [
    [
      'failure.status === undefined || !beginAgainStatuses',
      'failure.status !== undefined && !beginAgainStatuses',
      '3 | not shown: an answer to Complete',
    ],
  ]),
  ...breaksIn('electron/agent/queue/orphan-uploads.ts', [
    [
      'if (upload === undefined) return undefined;',
      "if (upload !== undefined) tables.multiparts.remove(clipId);\n  if (upload === undefined || clipId !== '') return undefined;",
      '4 | not shown: when an upload is aborted',
    ],
  ]),
  ...breaksIn('electron/agent/upload/large-upload.ts', [
    ['bareEtag(row.etag)', 'row.etag', '2 | not shown: quotes', '2 | etags'],
    ['bareEtag(row.etag)', 'String(row.number)', '2 | etags', 'Service | export'],
    [
      'rows.map((row) =>',
      'rows.toReversed().map((row) =>',
      'Service | export',
      '2 | uploads.signed_urls | 200, multipart',
    ],
  ]),
  ...breaksIn('electron/agent/service/put-exchange.ts', [
    [
      'connection: keep-alive\\r\\n',
      'authorization: Bearer none\\r\\nconnection: keep-alive\\r\\n',
      '2 | parts',
      '2 | not shown: headers of a signed PUT',
    ],
    [
      'connection: keep-alive\\r\\n',
      'content-type: video/mp4\\r\\nconnection: keep-alive\\r\\n',
      '2 | not shown: headers of a signed PUT',
    ],
  ]),
  ...breaksIn('electron/agent/core/records/derived-ids.ts', [
    [
      '${videoId.slice(0, ID_LENGTH)}',
      '${videoId.length}',
      '2 | not shown: what may stand in filename',
      '2 | filename',
      '2 | thumbnails',
    ],
  ]),
  ...breaksIn('electron/agent/upload/small-files.ts', [
    [
      '!isThumbnail && version.sizeBytes >= thresholdBytes',
      '!isThumbnail && version.sizeBytes < thresholdBytes',
      '2 | single or chunked',
      '2 | uploads.signed_urls | 200, single piece',
    ],
  ]),
];
