import type { ServiceConnection } from '../../../electron/agent/service/connect-service.ts';
import type { Failure } from '../../../shared/domain/failure.ts';
import { err, type Result } from '../../../shared/lib/result.ts';
import type { AnswerShape } from './answer-shapes.ts';

/** One call of the product's client, by the endpoint of the interface, and the shape of its answer. */
export interface KnownCall {
  readonly name: string;
  readonly shape: AnswerShape;
  call(service: ServiceConnection, signal: AbortSignal): Promise<Result<unknown, Failure>>;
}

const handle = { storage_key: 'key', upload_id: 'upload' };
const message = { channelId: 'c', content: 'Stand by' } as const;
const phone = {
  loginType: 'PHONE_NUMBER',
  phoneNumber: '+447700900100',
  firstName: 'Freya',
  lastName: 'Whitfield',
} as const;

/** Endpoints 1 to 15, each once. Endpoint 14 reads the user before it writes: both answers are the same here. */
export const everyCall: readonly KnownCall[] = [
  {
    name: '1 Create Multipart Upload',
    shape: 'handle',
    call: ({ incidents }, signal) => incidents.createMultipartUpload('i', 'v', 'f.mkv', signal),
  },
  {
    name: '2 Get Upload Urls',
    shape: 'uploadUrls',
    call: ({ incidents }, signal) => incidents.getUploadUrls('i', { v: { filename: 'f.mkv' } }, signal),
  },
  {
    name: '3 Complete Multipart Upload',
    shape: 'handle',
    call: ({ incidents }, signal) => incidents.completeMultipartUpload('i', handle, ['e'], signal),
  },
  {
    name: '4 Abort Multipart Upload',
    shape: 'handle',
    call: ({ incidents }, signal) => incidents.abortMultipartUpload('i', handle, signal),
  },
  {
    name: '5 Get An Incident',
    shape: 'incident',
    call: ({ incidents }, signal) => incidents.get('i', signal),
  },
  {
    name: '6 Create/Update Incident',
    shape: 'incident',
    call: ({ incidents }, signal) => incidents.put('i', { uploaded_videos: [], failed_videos: [] }, signal),
  },
  { name: '7 Get Periods', shape: 'periods', call: ({ team }, signal) => team.periods.list({}, signal) },
  {
    name: '8 Get Actions for a Period',
    shape: 'actions',
    call: async ({ team }, signal) => {
      const read = await team.periods.readActions(41, ['department'], signal);
      return read.ok && read.value.problem !== undefined ? err(read.value.problem) : read;
    },
  },
  {
    name: '9 Add a Channel Message',
    shape: 'message',
    call: ({ team }, signal) => team.messages.post({ kind: 'channel', ...message }, signal),
  },
  {
    name: '10 Add a Direct Message Channel Message',
    shape: 'message',
    call: ({ team }, signal) => team.messages.post({ kind: 'direct', ...message }, signal),
  },
  {
    name: '11 Get All Users',
    shape: 'users',
    call: ({ team }, signal) => team.users.listPage({}, { page: 1, perPage: 100 }, signal),
  },
  { name: '12 Create User', shape: 'user', call: ({ team }, signal) => team.users.create(phone, signal) },
  { name: '13 Get Specified User', shape: 'user', call: ({ team }, signal) => team.users.get('u', signal) },
  {
    name: '14 Update User',
    shape: 'phoneUser',
    // The value in the drawn answers, before and after the call: with another one the update would seem to have failed
    call: ({ team }, signal) => team.users.update('u', { phoneNumber: phone.phoneNumber }, signal),
  },
  { name: '15 Delete User', shape: 'user', call: ({ team }, signal) => team.users.remove('u', signal) },
];
