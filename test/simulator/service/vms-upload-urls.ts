import { z } from 'zod';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { jsonAnswer, refusal, type Answer } from '../http/answer.ts';
import { MAX_PART_NUMBER } from '../storage/check-part-list.ts';
import { parseBody } from './check-input.ts';
import { fileIdSchema, filenameSchema } from './names.ts';
import type { Route, ServiceContext } from './route.ts';

const singleSchema = z.strictObject({ filename: filenameSchema });
const multipartSchema = z.strictObject({
  part_count: z.number().int().min(1).max(MAX_PART_NUMBER),
  storage_key: z.string().min(1),
  upload_id: z.string().min(1),
});
const bodySchema = z.strictObject({
  files: z.record(fileIdSchema, z.union([singleSchema, multipartSchema])).default({}),
});
/** The part of the body that a rule may look at before the body is checked. */
const namesSchema = z.object({ files: z.record(z.string(), z.unknown()) });

type File = z.infer<typeof singleSchema> | z.infer<typeof multipartSchema>;
interface UploadAnswer {
  readonly storage_key: string;
  readonly signed_urls: string | readonly string[];
}

/** Endpoint 2, Get Upload Urls. */
const getUploadUrls: Route = {
  call: 'getUploadUrls',
  method: 'POST',
  path: ['vms', 'incidents', ':incident_id', 'upload_urls'],
  needsVideoPermission: true,
  query: {},
  describe({ path, body }, entry) {
    if (path.incident_id !== undefined) entry.incidentId = path.incident_id;
    const names = namesSchema.safeParse(body);
    entry.fileIds = names.success ? Object.keys(names.data.files) : [];
    const [only, ...others] = entry.fileIds;
    if (only !== undefined && others.length === 0) entry.fileId = only;
  },
  async handle({ path, body }, context) {
    const incidentId = path.incident_id ?? '';
    const parsed = parseBody(bodySchema, body);
    if (!parsed.ok) return parsed.error;
    const uploads: Record<string, UploadAnswer> = {};
    for (const [fileId, file] of Object.entries(parsed.value.files)) {
      const upload = await signFile(incidentId, fileId, file, context);
      if (!upload.ok) return upload.error;
      uploads[fileId] = upload.value;
    }
    return jsonAnswer(200, {
      incident_id: incidentId,
      max_upload_size_mb: context.settings.maxUploadSizeMb,
      uploads,
    });
  },
};

async function signFile(
  incidentId: string,
  fileId: string,
  file: File,
  { uploads, storage, settings }: ServiceContext,
): Promise<Result<UploadAnswer, Answer>> {
  if ('filename' in file) {
    const key = uploads.singleKey({ incidentId, fileId }, file.filename, settings.singleKeys === 'per-file');
    return ok({ storage_key: key, signed_urls: await storage.signPut(key) });
  }
  const { storage_key: key, upload_id: uploadId, part_count: count } = file;
  const owner = uploads.ownerOf(key);
  if (owner?.incidentId !== incidentId || owner.fileId !== fileId) {
    return err(refusal(422, `Validation failed: ${key} is not a key of file ${fileId} in this incident`));
  }
  if (!(await storage.isUploadOpen(key, uploadId))) {
    return err(
      jsonAnswer(404, {
        status: 404,
        message: `NoSuchUpload: upload ${uploadId} of file ${fileId} is not open.`,
      }),
    );
  }
  const signed: string[] = [];
  for (let partNumber = 1; partNumber <= count; partNumber += 1) {
    signed.push(await storage.signPart(key, uploadId, partNumber));
  }
  return ok({ storage_key: key, signed_urls: signed });
}

export const uploadUrlRoutes: readonly Route[] = [getUploadUrls];
