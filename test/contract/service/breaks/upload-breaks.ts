import { breaksIn } from './contract-break.ts';

const CALLS = 'electron/agent/service/vms-incidents.ts';
const ENDPOINTS = 'electron/agent/service/endpoints.ts';

/** Endpoints 1 to 6 called wrongly, and uploads that take the wrong path. */
export const uploadBreaks = [
  ...breaksIn(ENDPOINTS, [
    [
      '{incidentId}/create_multipart_upload',
      '{incidentId}/multipart_upload',
      '1 | address',
      'Multipart states | none',
    ],
    [
      "method: 'POST', path: '/vms/incidents/{incidentId}/upload_urls'",
      "method: 'PUT', path: '/vms/incidents/{incidentId}/upload_urls'",
      '2 | address',
    ],
    ['{incidentId}/complete_multipart_upload', '{incidentId}/complete', '3 | address'],
    ['{incidentId}/abort_multipart_upload', '{incidentId}/abort', '4 | address'],
    [
      "getIncident: { method: 'GET', path: '/vms/incidents/{incidentId}'",
      "getIncident: { method: 'GET', path: '/vms/incident/{incidentId}'",
      '5 | address',
    ],
    ["putIncident: { method: 'PUT'", "putIncident: { method: 'POST'", '6 | address'],
    ['return encodeURIComponent(id);', 'return encodeURI(id);', '5 | incident_id'],
    [
      "  getPeriods: { method: 'GET',",
      "  getEvents: { method: 'GET', path: '/events', isWrite: false },\n  getPeriods: { method: 'GET',",
      'Service | not shown: calls beyond',
      'Events | not shown',
    ],
  ]),
  ...breaksIn(CALLS, [
    ["['file_id', fileId],", "['id', fileId],", '1 | file_id', '1 | filename', '1 | 200'],
    ["['filename', filename],", "['name', filename],", '1 | filename', '1 | 200'],
    ['body: { files } }', 'body: files }', '2 | files'],
    ['body: { ...handle, parts: etags },', 'body: { ...handle, etags },', '3 | parts'],
    [
      'parts: etags },',
      'parts: etags.toReversed() },',
      '3 | parts',
      'Multipart states | in progress to completed',
    ],
    [
      'body: { ...handle, parts: etags },',
      'body: { storage_key: handle.storage_key, parts: etags },',
      '3 | upload_id',
    ],
    [
      'body: { ...handle, parts: etags },',
      'body: { upload_id: handle.upload_id, parts: etags },',
      '3 | storage_key',
    ],
    [
      "['storage_key', handle.storage_key],",
      '',
      '4 | storage_key',
      '4 | upload_id',
      'Multipart states | in progress to aborted',
    ],
    ["['upload_id', handle.upload_id],", '', '4 | upload_id'],
    ['body: { vms_incident: body },', 'body,', 'Incident | vms_incident', '6 | vms_incident'],
    [
      'body: { vms_incident: body },',
      'body: { vms_incident: { ...body, uploaded_videos: undefined } },',
      '6 | uploaded_videos',
      '6 | 200',
      '6 | 201',
    ],
    [
      'body: { vms_incident: body },',
      'body: { vms_incident: { ...body, failed_videos: undefined } },',
      '6 | failed_videos',
      '6 | 200',
      '6 | 201',
    ],
    [
      "return unwrap(await send('Get incident', call, incidentAnswerSchema, signal));",
      "const { vms_incident: inner } = incidentAnswerSchema.shape;\n      return await send('Get incident', call, inner, signal);",
      '5 | 200',
      '5 | videos',
    ],
    [
      "return unwrap(await send('Put incident', call, incidentAnswerSchema, signal));",
      "const { vms_incident: inner } = incidentAnswerSchema.shape;\n      return await send('Put incident', call, inner, signal);",
      '6 | answer',
      '6 | 200',
      '6 | 201',
    ],
    [
      'if (!isRefusal(result.error)) return result;',
      'if (signal !== undefined) return result;',
      'Authentication | video permission | endpoints',
      'Authentication | not shown: how a missing video permission',
    ],
    [
      'advice: `Ask the operator of the service to add it.',
      'advice: `Store another key;',
      'Authentication | video permission | is obtained',
    ],
    ['status === 401 || status', 'status', 'Authentication | not shown: how a missing video permission'],
  ]),
  ...breaksIn('shared/service/incident.ts', [
    [
      'z.object({ storage_key: storageKey, upload_id: uploadId })',
      'z.object({ storage_key: z.coerce.string(), upload_id: uploadId })',
      'Multipart handle | storage_key',
    ],
    [
      'z.object({ storage_key: storageKey, upload_id: uploadId })',
      'z.object({ storage_key: storageKey, upload_id: uploadId.optional() })',
      'Multipart handle | upload_id',
    ],
    [
      'z.object({ storage_key: storageKey, upload_id: uploadId })',
      'z.looseObject({ storage_key: storageKey, upload_id: uploadId }).transform(({ upload_id }) => ({ upload_id, storage_key: upload_id }))',
      '1 | 200',
      '3 | 200',
      '4 | 200',
      'Multipart states | in progress |',
    ],
    ['incident_id: z.union', 'incidentId: z.union', '2 | incident_id'],
    ['max_upload_size_mb: z.union', 'max_size: z.union', '2 | max_upload_size_mb'],
    [
      'uploads: z.record(z.string(), z.unknown()),',
      'uploads: z.unknown().transform(() => ({})),',
      '2 | uploads |',
    ],
    [
      '{ storage_key: storageKey, signed_urls: z.unknown() }',
      '{ key: storageKey, signed_urls: z.unknown() }',
      'Limits | signed URL lifetime',
    ],
  ]),
  ...breaksIn('electron/agent/upload/upload-urls.ts', [
    ['part_count: upload.partCount,', 'part_count: upload.partCount + 1,', '2 | part_count'],
    [
      'answer.value.urls[partNumber - 1];',
      'answer.value.urls.at(-partNumber);',
      '2 | uploads.signed_urls | 200, multipart',
    ],
    ['storage_key: upload.storageKey,', 'storage_key: upload.storageKey.toUpperCase(),', '2 | storage_key'],
    ['upload_id: upload.uploadId,', 'upload_id: `${upload.uploadId} `,', '2 | upload_id'],
  ]),
  ...breaksIn('electron/agent/upload/small-files.ts', [
    ['{ filename: file.serviceName }', '{ filename: file.serviceName, part_count: 1 }', '2 | filename'],
  ]),
  ...breaksIn('electron/agent/upload/small-files.ts', [
    [
      'const id = thumbnailFileId(toClipId(clip.id));',
      'const id = thumbnailFileId(toClipId(`${clip.id}-1`));',
      '2 | thumbnails',
    ],
  ]),
  ...breaksIn('electron/agent/upload/small-worker.ts', [
    [
      'sizeBytes > maxSizeBytes) {',
      'sizeBytes > maxSizeBytes * 8) {',
      'Limits | not shown: meaning of max_upload_size_mb',
    ],
    [
      'return file.isThumbnail',
      'return !file.isThumbnail',
      'Video | storage_thumbnail_key',
      'Service | export',
    ],
    [
      'deps.results.clipUploaded(file.clipId, storageKey, sha256, file.version, proof)',
      'deps.results.clipUploaded(file.clipId, `${storageKey}x`, sha256, file.version, proof)',
      '2 | uploads.storage_key',
      'Video | storage_key',
    ],
  ]),
];
