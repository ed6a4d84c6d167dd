import { breaksIn } from './contract-break.ts';

/** Errors of the service that are misunderstood. */
export const errorBreaks = [
  ...breaksIn('electron/agent/service/answer-failures.ts', [
    [
      'if (PROCESSING_FAILURE.test(reported.text ??',
      'if (status > 600 && PROCESSING_FAILURE.test(reported.text ??',
      'Errors | not shown: status of the processing failure',
    ],
    [
      "code: 'SERVICE_FAULT',",
      "code: 'API_SHAPE',",
      'Errors | processing failure',
      'Errors | not shown: bodies',
    ],
    [
      "code: 'VALIDATION',",
      "code: 'SERVICE_FAULT',",
      'Errors | period_id',
      'Errors | form_fields',
      'Errors | user creation | 422',
      'Errors | not shown: errors of the video endpoints',
      '8 | period_id',
    ],
    [
      '  404: notFound,',
      '',
      'Errors | period does not exist',
      'Errors | messages | a failure',
      'Errors | not shown: errors of reading',
      'Errors | not shown: errors of updating',
      'Errors | not shown: errors of deleting',
      'Errors | not shown: an error under HTTP 200',
    ],
    [
      "code: 'PERMISSION_MISSING',",
      "code: 'KEY_REFUSED',",
      'Authentication | not shown: permissions for other endpoints',
    ],
    [
      'detail: reported.text ?? excerpt,',
      "detail: '',",
      'Errors | period_id',
      'Errors | period does not exist',
      'Errors | form_fields',
      'Errors | processing failure',
      'Errors | user creation',
      'Errors | messages | a failure',
      'Errors | not shown: bodies that are no JSON',
      'Errors | not shown: errors of reading',
    ],
    [
      'userId === undefined ? {} : { invalidUserId: userId }',
      'userId === undefined ? { invalidUserId: userId } : {}',
      'Errors | messages | 422',
    ],
    [
      'meaning.namesFields === true && reported.fields.length > 0 ?',
      'meaning.namesFields === true && reported.fields.length > 99 ?',
      'Errors | period_id',
      'Errors | form_fields',
      'Errors | user creation | 422',
    ],
    [
      'return isBare || isKnown ?',
      'return isBare && !isKnown ?',
      'Errors | not shown: status of the processing failure',
    ],
  ]),
  ...breaksIn('electron/agent/service/error-body.ts', [
    ['number >= 400 && number <= 599', 'number >= 600', 'Errors | not shown: an error under HTTP 200'],
    [
      'const MAX_EXCERPT_LENGTH = 200;',
      'const MAX_EXCERPT_LENGTH = 20;',
      'Errors | not shown: bodies that are no JSON',
    ],
    [
      '[message, error, errors].find(isStated)',
      '[error, errors].find(isStated)',
      'Errors | period_id',
      'Errors | processing failure',
      'Errors | messages',
      'Errors | user creation',
      'Errors | not shown: errors of the video endpoints',
    ],
  ]),
];
