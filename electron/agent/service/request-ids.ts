import { requestIdSchema, type RequestId } from '../../../shared/domain/failure.ts';
import { removeSecrets } from '../core/text/redact.ts';

/**
 * Headers with request ids of services, gateways in front of them and S3 stores, in the order in which they are shown.
 */
const ID_HEADERS = [
  'x-request-id',
  'x-correlation-id',
  'x-amzn-requestid',
  'x-amz-request-id',
  'x-amz-id-2',
  'cf-ray',
] as const;

/** Headers of an answer by lower-case name. */
type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The request ids of an answer. Values that are not ids, or that repeat one of `secrets` (in any form given) or a
 * signature, are left out.
 */
export function readRequestIds(
  headers: AnswerHeaders,
  secrets: readonly string[] = [],
): readonly RequestId[] {
  return ID_HEADERS.flatMap((name) => {
    // An answer has one or two of them, and checking an absent one costs more than checking a present one
    if (headers[name] === undefined) return [];
    const id = requestIdSchema.safeParse({ name, value: headers[name] });
    if (!id.success || removeSecrets(id.data.value, secrets) !== id.data.value) return [];
    return [id.data];
  });
}
