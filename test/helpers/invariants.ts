import type { LoggedRequest, Simulator } from '../simulator/index.ts';

/** A clip of a watched folder and its expected outcome. */
export interface Source {
  readonly incidentId: string;
  readonly clipId: string;
  /** For messages. */
  readonly name: string;
  readonly sha256: string;
  readonly expected: 'uploaded' | 'failed';
}

/** Everything that is checked. The simulator's log must not have been cleared. */
export interface InvariantInput {
  readonly simulator: Pick<
    Simulator,
    'incidents' | 'objects' | 'sha256OfObject' | 'openUploads' | 'requests' | 'putHistory'
  >;
  readonly sources: readonly Source[];
  /** How often the agent was killed: each kill may have lost one answer that the simulator sent. */
  readonly kills?: number;
  /** Number of open uploads that the agent can no longer know of, because its database was removed. */
  readonly forgottenUploads?: number;
  /** Number of objects that belonged to an older version of their file before they could be listed. */
  readonly staleObjects?: number;
}

/**
 * The invariants that must hold once everything is settled, whatever went wrong on the way: every source is stored with
 * its own bytes and listed exactly once, nothing was listed before storage had confirmed it, nothing that is listed was
 * written again, and nothing is left in storage that a lost answer does not explain. Returns the violations, none when
 * all is well.
 */
export async function checkInvariants(input: InvariantInput): Promise<string[]> {
  return [
    ...checkListing(input),
    ...(await checkBytes(input)),
    ...checkReports(input),
    ...(await checkLeftovers(input)),
  ];
}

/** Each incident lists each of its clips exactly once, in the right array, and nothing else. */
function checkListing({ simulator, sources }: InvariantInput): string[] {
  const incidents = simulator.incidents();
  const listed = [...incidents.values()].flatMap((incident) => [
    ...incident.uploaded_videos.map((video) => ({ ...video, incidentId: incident.id, array: 'uploaded' })),
    ...incident.failed_videos.map((video) => ({ ...video, incidentId: incident.id, array: 'failed' })),
  ]);
  const wrong = sources.flatMap((source) => {
    const mine = listed.filter((video) => video.id === source.clipId);
    if (mine.length !== 1) return [`${source.name} is listed ${mine.length} times`];
    const [video] = mine;
    if (video?.incidentId !== source.incidentId)
      return [`${source.name} is listed by incident ${video?.incidentId}`];
    if (video.array !== source.expected) {
      return [
        `${source.name} is listed as ${video.array}, not as ${source.expected}: ${video.upload_errors.join(' ')}`,
      ];
    }
    const isReasonless = video.array === 'failed' && video.upload_errors.every((text) => text.trim() === '');
    return isReasonless ? [`${source.name} failed without a reason`] : [];
  });
  const known = new Set(sources.map((source) => source.clipId));
  const owners = new Set(sources.map((source) => source.incidentId));
  const foreign = listed
    .filter((video) => owners.has(video.incidentId) && !known.has(video.id))
    .map((video) => `Incident ${video.incidentId} lists ${video.id}, which is no source`);
  return [...wrong, ...foreign];
}

/** The listed object of each source has the bytes of the source. */
async function checkBytes({ simulator, sources }: InvariantInput): Promise<string[]> {
  const stored = new Set((await simulator.objects()).map((object) => object.key));
  const violations: string[] = [];
  const keys = new Set<string>();
  for (const source of sources) {
    const incident = simulator.incidents().get(source.incidentId);
    const key = incident?.uploaded_videos.find((video) => video.id === source.clipId)?.storage_key;
    if (key === undefined) continue;
    if (keys.has(key)) violations.push(`${source.name} shares its object with another clip`);
    keys.add(key);
    if (!stored.has(key)) violations.push(`${source.name} is listed, its object is not stored`);
    else if ((await simulator.sha256OfObject(key)) !== source.sha256) {
      violations.push(`${source.name} is stored with other bytes`);
    }
  }
  return violations;
}

interface Listed {
  readonly put: LoggedRequest;
  readonly key: string;
}

/** The storage keys that a PUT of an incident names, whether it was accepted or refused. */
function keysListedBy(put: LoggedRequest): Listed[] {
  const body = put.body as { vms_incident?: { uploaded_videos?: Record<string, unknown>[] } } | undefined;
  const videos = body?.vms_incident?.uploaded_videos ?? [];
  return videos
    .flatMap((video) => [video['storage_key'], video['storage_thumbnail_key']])
    .flatMap((key) => (typeof key === 'string' ? [{ put, key }] : []));
}

/** Whether this answer told the client that an object is complete. */
function isConfirmation(request: LoggedRequest): boolean {
  const makesObject = request.call === 'putObject' || request.call === 'completeMultipartUpload';
  return makesObject && request.status === 200 && request.endedAt !== undefined;
}

/** No PUT names an object before the client knows that it is complete, and no named object is written again. */
function checkReports({ simulator }: InvariantInput): string[] {
  const requests = simulator.requests.all();
  const listed = simulator.requests.of('putIncident').flatMap(keysListedBy);
  const confirmedAt = new Map<string, number>();
  for (const request of requests.filter(isConfirmation)) {
    const before = confirmedAt.get(request.key ?? '') ?? Number.POSITIVE_INFINITY;
    confirmedAt.set(request.key ?? '', Math.min(before, request.endedAt ?? before));
  }
  const early = listed.filter(({ put, key }) => (confirmedAt.get(key) ?? Number.POSITIVE_INFINITY) > put.at);
  const firstListed = new Map<string, number>();
  for (const { put, key } of listed)
    firstListed.set(key, Math.min(firstListed.get(key) ?? put.sequence, put.sequence));
  const rewritten = requests.filter(
    ({ call, key = '', sequence }) =>
      (call === 'putObject' || call === 'putPart') &&
      sequence > (firstListed.get(key) ?? Number.POSITIVE_INFINITY),
  );
  return [
    ...new Set([
      ...early.map(({ key }) => `${key} was reported before storage had confirmed it`),
      ...rewritten.map(({ key }) => `${key} was written again after it was reported`),
    ]),
  ];
}

/** Whether the simulator did not send the answer, or a rule altered it. */
function isAnswerLost({ status, dropped, faultId }: LoggedRequest): boolean {
  return status === undefined || dropped === true || faultId !== undefined;
}

/** Storage has nothing that no incident ever listed, except for what lost answers explain. */
async function checkLeftovers({
  simulator,
  kills = 0,
  forgottenUploads = 0,
  staleObjects = 0,
}: InvariantInput): Promise<string[]> {
  const { requests } = simulator;
  const everListed = new Set(
    requests.of('putIncident').flatMap((put) => keysListedBy(put).map(({ key }) => key)),
  );
  const unlisted = (await simulator.objects()).filter(({ key }) => !everListed.has(key));
  const unexplained = unlisted.filter(({ key }) => {
    const made = [...requests.of('putObject', { key }), ...requests.of('completeMultipartUpload', { key })];
    return !made.some(isAnswerLost);
  });
  const open = await simulator.openUploads();
  const begun = open.filter(({ parts }) => parts.length > 0);
  const empty = open.filter(({ parts }) => parts.length === 0);
  const lostCreates = requests.of('createMultipartUpload').filter(isAnswerLost).length;
  return [
    ...(unexplained.length > kills + staleObjects
      ? unexplained.map(({ key }) => `${key} is stored and was never listed`)
      : []),
    ...begun
      .slice(forgottenUploads)
      .map(({ key, parts }) => `The multipart upload of ${key} was left open with ${parts.length} parts`),
    ...(empty.length > lostCreates + kills
      ? [
          `${empty.length} multipart uploads without parts were left open; lost answers explain ${lostCreates}`,
        ]
      : []),
  ];
}
