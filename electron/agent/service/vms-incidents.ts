import { z } from 'zod';
import type { Failure, RequestId } from '../../../shared/domain/failure.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import { withIds } from '../core/text/redact.ts';
import { LACKS_VIDEO_PERMISSION, ON_HOLD } from './failures.ts';
import {
  incidentAnswerSchema,
  type WireIncident,
  type WireIncidentWrite,
  multipartHandleSchema,
  uploadUrlsAnswerSchema,
  type WireMultipartHandle,
  type WireUploadRequest,
  type WireUploadUrls,
} from '../../../shared/service/incident.ts';
import { decodeAnswer } from './decode.ts';
import type { Http, ServiceCall } from './http.ts';
import type { ServiceClock } from './service-clock.ts';

/** The result of a call, with the service's ids for its answer. */
export type Answered<T> = Result<T, Failure> & { readonly requestIds?: readonly RequestId[] };

/** service.md endpoints 1 to 6. Each returns the service's data or one failure; none retries. */
export interface VmsIncidents {
  /** Endpoint 1. */
  createMultipartUpload(
    incidentId: string,
    fileId: string,
    filename: string,
    signal: AbortSignal,
  ): Promise<Answered<WireMultipartHandle>>;
  /** Endpoint 2, for one or several files of an incident. */
  getUploadUrls(
    incidentId: string,
    files: Readonly<Record<string, WireUploadRequest>>,
    signal: AbortSignal,
  ): Promise<Answered<WireUploadUrls>>;
  /** Endpoint 3. `etags` in part order, without quotes (service.md gap 9). */
  completeMultipartUpload(
    incidentId: string,
    handle: WireMultipartHandle,
    etags: readonly string[],
    signal: AbortSignal,
  ): Promise<Answered<WireMultipartHandle>>;
  /** Endpoint 4. */
  abortMultipartUpload(
    incidentId: string,
    handle: WireMultipartHandle,
    signal: AbortSignal,
  ): Promise<Answered<WireMultipartHandle>>;
  /** Endpoint 5. NOT_FOUND if the service does not know the incident. */
  get(incidentId: string, signal: AbortSignal): Promise<Answered<WireIncident>>;
  /** Endpoint 6. */
  put(incidentId: string, body: WireIncidentWrite, signal: AbortSignal): Promise<Answered<WireIncident>>;
}

/** Any JSON is accepted: the question is only whether the key may make this call. */
const anyAnswer = z.unknown();
/**
 * Calls that need no video permission. Which other permissions a key has is not defined, so one may be refused as well.
 */
const otherDoors: readonly ServiceCall[] = [
  { endpoint: 'getUsers', query: [['per_page', '1']] },
  { endpoint: 'getPeriods' },
];

/** Creates the calls. A 401/403 is explained by calling endpoints that need no video permission (service.md gap 3). */
export function createVmsIncidents(http: Http, serviceClock: ServiceClock): VmsIncidents {
  async function send<T>(
    what: string,
    call: ServiceCall,
    schema: z.ZodType<T>,
    signal: AbortSignal,
  ): Promise<Answered<T>> {
    const answer = await http.call(call, signal);
    if (!answer.ok) return answer;
    serviceClock.observe(answer.value.headers.date);
    const result = decodeAnswer(what, answer.value, schema, serviceClock.now());
    if (result.ok) return { ...result, ...withIds(answer.value.requestIds) };
    if (!isRefusal(result.error)) return result;
    return err(await explainRefusal(result.error, signal));
  }

  async function explainRefusal(failure: Failure, signal: AbortSignal): Promise<Failure> {
    for (const call of otherDoors) {
      const answer = await http.call(call, signal);
      if (!answer.ok) return failure;
      const opened = decodeAnswer(call.endpoint, answer.value, anyAnswer, serviceClock.now());
      if (opened.ok)
        return {
          ...failure,
          code: 'VIDEO_PERMISSION_MISSING',
          message: LACKS_VIDEO_PERMISSION + failure.message,
          advice: `Ask the operator of the service to add it. ${ON_HOLD}`,
        };
      if (!isRefusal(opened.error)) return failure;
    }
    return failure;
  }

  return {
    createMultipartUpload: (incidentId, fileId, filename, signal) =>
      send(
        'Create multipart upload',
        {
          endpoint: 'createMultipartUpload',
          ids: { incidentId },
          query: [
            ['file_id', fileId],
            ['filename', filename],
          ],
        },
        multipartHandleSchema,
        signal,
      ),
    getUploadUrls: (incidentId, files, signal) =>
      send(
        'Get upload URLs',
        { endpoint: 'getUploadUrls', ids: { incidentId }, body: { files } },
        uploadUrlsAnswerSchema,
        signal,
      ),
    completeMultipartUpload: (incidentId, handle, etags, signal) =>
      send(
        'Complete multipart upload',
        {
          endpoint: 'completeMultipartUpload',
          ids: { incidentId },
          body: { ...handle, parts: etags },
        },
        multipartHandleSchema,
        signal,
      ),
    abortMultipartUpload: (incidentId, handle, signal) =>
      send(
        'Abort multipart upload',
        {
          endpoint: 'abortMultipartUpload',
          ids: { incidentId },
          query: [
            ['storage_key', handle.storage_key],
            ['upload_id', handle.upload_id],
          ],
        },
        multipartHandleSchema,
        signal,
      ),
    async get(incidentId, signal) {
      const call: ServiceCall = { endpoint: 'getIncident', ids: { incidentId } };
      return unwrap(await send('Get incident', call, incidentAnswerSchema, signal));
    },
    async put(incidentId, body, signal) {
      const call: ServiceCall = {
        endpoint: 'putIncident',
        ids: { incidentId },
        body: { vms_incident: body },
      };
      return unwrap(await send('Put incident', call, incidentAnswerSchema, signal));
    },
  };
}

const isRefusal = ({ status }: Failure): boolean => status === 401 || status === 403;

function unwrap(result: Answered<{ vms_incident: WireIncident }>): Answered<WireIncident> {
  return result.ok ? { ...result, value: result.value.vms_incident } : result;
}
