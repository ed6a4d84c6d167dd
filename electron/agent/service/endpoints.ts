/**
 * Every call that this program can make to the service, by method and path: service.md "Endpoints" and nothing else.
 * `{...}` is an id, which is encoded when inserted. `isWrite` calls change something; without an answer to one of them,
 * it is unknown whether it was carried out.
 */
export const endpoints = {
  createMultipartUpload: {
    method: 'GET',
    path: '/vms/incidents/{incidentId}/create_multipart_upload',
    isWrite: false,
  },
  getUploadUrls: { method: 'POST', path: '/vms/incidents/{incidentId}/upload_urls', isWrite: false },
  completeMultipartUpload: {
    method: 'POST',
    path: '/vms/incidents/{incidentId}/complete_multipart_upload',
    isWrite: true,
  },
  abortMultipartUpload: {
    method: 'GET',
    path: '/vms/incidents/{incidentId}/abort_multipart_upload',
    isWrite: true,
  },
  getIncident: { method: 'GET', path: '/vms/incidents/{incidentId}', isWrite: false },
  putIncident: { method: 'PUT', path: '/vms/incidents/{incidentId}', isWrite: true },
  getPeriods: { method: 'GET', path: '/periods', isWrite: false },
  getActions: { method: 'GET', path: '/periods/{periodId}/actions', isWrite: false },
  addChannelMessage: { method: 'PUT', path: '/channels/{channelId}/chat_messages', isWrite: true },
  addDirectMessage: {
    method: 'PUT',
    path: '/direct_message_channels/{channelId}/chat_messages',
    isWrite: true,
  },
  getUsers: { method: 'GET', path: '/users', isWrite: false },
  createUser: { method: 'POST', path: '/users', isWrite: true },
  getUser: { method: 'GET', path: '/users/{userId}', isWrite: false },
  updateUserByPost: { method: 'POST', path: '/users/{userId}', isWrite: true },
  updateUserByPut: { method: 'PUT', path: '/users/{userId}', isWrite: true },
  deleteUser: { method: 'DELETE', path: '/users/{userId}', isWrite: true },
} as const satisfies Readonly<Record<string, Endpoint>>;

interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly isWrite: boolean;
}

/** Name of one call to the service. */
export type EndpointName = keyof typeof endpoints;

/** Ids in paths; the path of a call shows which of them it needs. */
export type PathIds = Readonly<
  Partial<Record<'incidentId' | 'periodId' | 'channelId' | 'userId', string | number>>
>;

/** The path of a call with its ids, or undefined if an id is missing or cannot be a single segment. */
export function endpointPath(name: EndpointName, ids: PathIds): string | undefined {
  const given = new Map<string, string | number>(Object.entries(ids));
  const segments = endpoints[name].path.split('/').map((segment) => {
    if (!segment.startsWith('{')) return segment;
    const id = given.get(segment.slice(1, -1));
    return id === undefined ? undefined : encodeSegment(String(id));
  });
  return segments.includes(undefined) ? undefined : segments.join('/');
}

/** "." and ".." survive encoding and would name another path; a lone surrogate cannot be encoded. */
function encodeSegment(id: string): string | undefined {
  if (id === '' || id === '.' || id === '..' || !id.isWellFormed()) return undefined;
  return encodeURIComponent(id);
}
