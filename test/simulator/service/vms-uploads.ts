import { z } from 'zod';
import { jsonAnswer, refusal, type Answer } from '../http/answer.ts';
import type { LoggedRequest } from '../request-log.ts';
import { unquote } from '../storage/check-part-list.ts';
import type { StorageFailure } from '../storage/storage-failure.ts';
import { parseBody } from './check-input.ts';
import { fileIdSchema, filenameSchema } from './names.ts';
import type { Route, ServiceContext } from './route.ts';

const base = ['vms', 'incidents', ':incident_id'];

/** Endpoint 1, Create Multipart Upload. */
const createMultipartUpload: Route = {
  call: 'createMultipartUpload',
  method: 'GET',
  path: [...base, 'create_multipart_upload'],
  needsVideoPermission: true,
  query: { file_id: 'required', filename: 'required' },
  describe({ path, query }, entry) {
    describeFiles(entry, path.incident_id, [query.get('file_id') ?? '']);
  },
  async handle({ path, query }, { uploads, storage, settings }) {
    const fileId = fileIdSchema.safeParse(query.get('file_id'));
    if (!fileId.success) return refusal(400, `file_id ${fileId.error.issues[0]?.message}`);
    const filename = filenameSchema.safeParse(query.get('filename'));
    if (!filename.success) return refusal(400, `filename ${filename.error.issues[0]?.message}`);
    const owner = { incidentId: path.incident_id ?? '', fileId: fileId.data };
    const key = uploads.multipartKey(owner, filename.data, settings.multipartKeys === 'per-file');
    return jsonAnswer(200, { storage_key: key, upload_id: await storage.createUpload(key) });
  },
};

const completeSchema = z.strictObject({
  storage_key: z.string().min(1),
  upload_id: z.string().min(1),
  parts: z.array(z.string().min(1)).min(1).max(10_000),
});

/** Endpoint 3, Complete Multipart Upload. */
const completeMultipartUpload: Route = {
  call: 'completeMultipartUpload',
  method: 'POST',
  path: [...base, 'complete_multipart_upload'],
  needsVideoPermission: true,
  query: {},
  describe({ path, body }, entry) {
    const parsed = completeSchema.safeParse(body);
    if (parsed.success) describeHandle(entry, parsed.data.storage_key, parsed.data.upload_id);
    if (path.incident_id !== undefined) entry.incidentId = path.incident_id;
  },
  async handle({ path, body }, context) {
    const parsed = parseBody(completeSchema, body);
    if (!parsed.ok) return parsed.error;
    const { storage_key: key, upload_id: uploadId, parts } = parsed.value;
    const stranger = checkOwner(key, path.incident_id, context);
    if (stranger) return stranger;
    const listed = parts.map((etag, index) => ({ partNumber: index + 1, etag: unquote(etag) }));
    const completed = await context.storage.completeUpload(key, uploadId, listed);
    return completed.ok ? handleAnswer(key, uploadId) : storageRefusal(completed.error);
  },
};

/** Endpoint 4, Abort Multipart Upload. */
const abortMultipartUpload: Route = {
  call: 'abortMultipartUpload',
  method: 'GET',
  path: [...base, 'abort_multipart_upload'],
  needsVideoPermission: true,
  query: { storage_key: 'required', upload_id: 'required' },
  describe({ path, query }, entry) {
    describeHandle(entry, query.get('storage_key') ?? '', query.get('upload_id') ?? '');
    if (path.incident_id !== undefined) entry.incidentId = path.incident_id;
  },
  async handle({ path, query }, context) {
    const [key, uploadId] = [query.get('storage_key') ?? '', query.get('upload_id') ?? ''];
    const stranger = checkOwner(key, path.incident_id, context);
    if (stranger) return stranger;
    const aborted = await context.storage.abortUpload(key, uploadId);
    return aborted.ok ? handleAnswer(key, uploadId) : storageRefusal(aborted.error);
  },
};

export const uploadRoutes: readonly Route[] = [
  createMultipartUpload,
  completeMultipartUpload,
  abortMultipartUpload,
];

function describeFiles(
  entry: LoggedRequest,
  incidentId: string | undefined,
  fileIds: readonly string[],
): void {
  if (incidentId !== undefined) entry.incidentId = incidentId;
  entry.fileIds = fileIds;
  const [only, ...others] = fileIds;
  if (only !== undefined && others.length === 0) entry.fileId = only;
}

function describeHandle(entry: LoggedRequest, key: string, uploadId: string): void {
  entry.key = key;
  entry.uploadId = uploadId;
}

function checkOwner(
  key: string,
  incidentId: string | undefined,
  { uploads }: ServiceContext,
): Answer | undefined {
  if (uploads.ownerOf(key)?.incidentId === incidentId) return undefined;
  return refusal(422, `Validation failed: ${key} is not a key of this incident`);
}

function handleAnswer(key: string, uploadId: string): Answer {
  return jsonAnswer(200, { storage_key: key, upload_id: uploadId });
}

function storageRefusal({ status, code, message }: StorageFailure): Answer {
  return jsonAnswer(status, { status, message: `${code}: ${message}` });
}
