import { requestIdSchema, type RequestId } from '../../../shared/domain/failure.ts';
import { removeSecrets } from './text/redact.ts';

/** Headers in which services, gateways in front of them and S3 stores name an answer, in the order in which they are shown. */
const NAMES = [
  'x-request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'x-amz-request-id',
  'x-amz-id-2',
  'cf-ray',
] as const;

/** Headers of an answer by lower-case name. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The request ids of an answer. What is no id, or repeats one of `secrets` (in any form given) or a signature, is left out. */
export function readRequestIds(headers: Headers, secrets: readonly string[] = []): readonly RequestId[] {
  return NAMES.flatMap((name) => {
    // An answer has one or two of them, and a look at what is not there costs more than at what is
    if (headers[name] === undefined) return [];
    const id = requestIdSchema.safeParse({ name, value: headers[name] });
    if (!id.success || removeSecrets(id.data.value, secrets) !== id.data.value) return [];
    return [id.data];
  });
}

/** The field that carries request ids, left out when there are none. */
export function withIds(ids: readonly RequestId[] | undefined): {
  readonly requestIds?: readonly RequestId[];
} {
  return ids === undefined || ids.length === 0 ? {} : { requestIds: ids };
}
