import { describe, expect, it } from 'vitest';
import { chosenOf } from '../../../../../renderer/features/uploads/uploads-screen.tsx';
import { offersOf } from '../../../../../renderer/features/uploads/upload-offers.ts';
import type { FailureCode } from '../../../../../shared/domain/failure.ts';
import type { OutlineRow } from '../../../../../shared/domain/upload-outline.ts';
import {
  clipStates,
  type ClipRowView,
  type ClipState,
  type IncidentRowView,
} from '../../../../../shared/domain/upload-view.ts';

const failureOf = (code: FailureCode) => ({ code, message: '', advice: '', retryable: false });
const clip = (id: string, state: ClipState = 'waiting', code?: FailureCode): ClipRowView => ({
  id,
  incidentId: 'a',
  file: 'a.mp4',
  state,
  sizeBytes: 1,
  bytesSent: 0,
  attempts: 0,
  ...(code === undefined ? {} : { failure: failureOf(code) }),
});
const incident = (id: string, more: Partial<IncidentRowView> = {}): IncidentRowView => ({
  id,
  title: id,
  folder: `/exports/${id}`,
  state: 'waiting',
  createdAt: '2026-05-01T19:30:05.000Z',
  uploaded: 0,
  failed: 0,
  retryable: 0,
  leftOut: 0,
  pending: 0,
  sizeBytes: 1,
  ...more,
});

describe('what is marked', () => {
  const line = (id: string): OutlineRow => ({
    kind: 'incident',
    incident: incident(id),
    isOpen: false,
    shown: 1,
    cameras: [],
    hasMoreCameras: false,
  });
  const below = (id: string, incidentId: string): OutlineRow => ({
    kind: 'clip',
    clip: { ...clip(id), incidentId },
    incidentTitle: incidentId,
    hasPicture: false,
    position: 1,
    shown: 1,
  });

  it('is each incident, and the clips of the others: none twice', () => {
    const { targets } = offersOf(chosenOf([line('a'), below('a1', 'a'), below('b1', 'b'), below('b2', 'b')]));
    expect(targets).toEqual([
      { kind: 'incident', incidentId: 'a' },
      { kind: 'clips', clipIds: ['b1', 'b2'] },
    ]);
    expect(offersOf(chosenOf([]))).toMatchObject({ targets: [], isOpen: false });
  });

  it.each(clipStates.map((state) => [state, ['waiting', 'uploading', 'paused'].includes(state)] as const))(
    'has something left to send when a clip is %s: %s',
    (state, isOpen) => expect(offersOf({ clips: [clip('a', state)] }).isOpen).toBe(isOpen),
  );
});

describe('Retry', () => {
  it.each([
    ['FILE_TOO_LARGE', false],
    ['SERVICE_FAULT', true],
    ['FILE_NO_ACCESS', true],
  ] as const)('is offered for a clip that failed with %s: %s', (code, isOffered) => {
    expect(offersOf({ clips: [clip('a', 'failed', code)] }).retry !== undefined).toBe(isOffered);
  });

  it('is not offered for an incident of which nothing that failed can succeed, nor for a clip that is left out', () => {
    expect(offersOf({ incidents: [incident('a', { failed: 3 })] }).retry).toBeUndefined();
    expect(offersOf({ clips: [clip('a', 'leftOut', 'FILE_EMPTY')] }).retry).toBeUndefined();
  });

  it('names what can succeed, and counts no more than it tries', () => {
    const clips = [clip('c1', 'failed', 'FILE_TOO_LARGE'), clip('c2', 'failed', 'SERVICE_FAULT')];
    const incidents = [
      incident('hopeless', { failed: 3 }),
      incident('some', { failed: 3, retryable: 2 }),
      incident('refused', { failure: failureOf('VALIDATION') }),
    ];
    expect(offersOf({ clips, incidents }).retry).toEqual({
      targets: [
        { kind: 'incident', incidentId: 'some' },
        { kind: 'incident', incidentId: 'refused' },
        { kind: 'clips', clipIds: ['c2'] },
      ],
      clips: 3,
    });
  });

  it('has no count where nobody counted', () => {
    const { retryable: _, ...uncounted } = incident('many', { failed: 9_000 });
    expect(offersOf({ incidents: [uncounted] })).toMatchObject({
      retry: { clips: undefined },
      leaveOut: { clips: undefined, isLeftOut: true },
    });
  });
});

describe('leaving out', () => {
  it('is offered for each clip that failed, and of an incident for those that cannot succeed', () => {
    const clips = [clip('c1', 'failed'), clip('c2', 'leftOut'), clip('c3', 'uploaded'), clip('c4', 'failed')];
    const incidents = [incident('some', { failed: 3, retryable: 1, leftOut: 4 }), incident('sent')];
    expect(offersOf({ clips, incidents }).leaveOut).toEqual({
      inputs: [
        { incidentId: 'some', isLeftOut: true },
        { clipIds: ['c1', 'c4'], isLeftOut: true },
      ],
      isLeftOut: true,
      clips: 4,
    });
  });

  it('names the clips alone beside an incident with too many to count, and then what cannot succeed there', () => {
    const { retryable: _, ...uncounted } = incident('many', { failed: 9_000 });
    const clips = [clip('c1', 'failed', 'SERVICE_FAULT')];
    expect(offersOf({ clips, incidents: [uncounted, incident('some', { failed: 2 })] }).leaveOut).toEqual({
      inputs: [
        { incidentId: 'some', isLeftOut: true },
        { clipIds: ['c1'], isLeftOut: true },
      ],
      isLeftOut: true,
      clips: 3,
    });
    const left = [clip('c1', 'leftOut', 'SERVICE_FAULT')];
    expect(offersOf({ clips: left, incidents: [uncounted] }).leaveOut).toEqual({
      inputs: [{ incidentId: 'many', isLeftOut: true }],
      isLeftOut: true,
      clips: undefined,
    });
  });

  it('is taken back where nothing failed beside it', () => {
    const clips = [clip('c2', 'leftOut'), clip('c3', 'waiting')];
    const incidents = [incident('some', { failed: 1, retryable: 1, leftOut: 4 })];
    expect(offersOf({ clips, incidents }).leaveOut).toEqual({
      inputs: [
        { incidentId: 'some', isLeftOut: false },
        { clipIds: ['c2'], isLeftOut: false },
      ],
      isLeftOut: false,
      clips: 5,
    });
    expect(offersOf({ clips: [clip('c3', 'uploaded')] }).leaveOut).toBeUndefined();
  });
});
