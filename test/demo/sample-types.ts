/** Clips of test/fixtures/clips: real H.264, a few seconds each. */
export type ClipFixture =
  | 'gate-4-north.mp4'
  | 'turnstile-7.mp4'
  | 'car-park.mp4'
  | 'corridor-fragmented.mp4'
  | 'concourse.mkv';
export type ImageFixture = 'gate-4-north.jpg' | 'car-park.jpg' | 'concourse.jpg';

/** How a clip gets into its folder. */
export type Making =
  | { readonly kind: 'copied' }
  /** Enlarged by a `free` box, which players skip: filled with bytes that differ everywhere, or a hole. */
  | { readonly kind: 'grown'; readonly sizeBytes: number; readonly filling: 'noise' | 'hole' }
  /** Still being written when the agent starts; `pausing`: with a pause longer than the settle time. */
  | { readonly kind: 'written-slowly'; readonly pausing: boolean }
  /** Cannot be read until an operator grants the permission. */
  | { readonly kind: 'locked-away' };

/** What the service must return for a clip in the end: written by hand, never computed by the product's code. */
export interface ExpectedClip {
  readonly cameraId: string;
  readonly cameraName: string;
  readonly cameraDescription?: string;
  readonly startedAt: string;
  readonly endedAt: string;
  /** The clip must fail with a reason that matches this. */
  readonly failsWith?: RegExp;
}

export interface SampleImage {
  /** Path inside the export folder. */
  readonly file: string;
  readonly fixture: ImageFixture;
}

export interface SampleClip {
  /** Path inside the export folder. */
  readonly file: string;
  readonly fixture: ClipFixture;
  readonly making: Making;
  /** Becomes the clip's thumbnail. */
  readonly image?: SampleImage;
  readonly expected: ExpectedClip;
}

/** Something in an export folder that must not be uploaded. */
export interface SampleBystander {
  readonly file: string;
  readonly kind: 'link' | 'temporary' | 'program';
}

export interface ExpectedIncident {
  readonly title: string;
  readonly incidentAt: string;
  readonly description?: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

/** One export folder as a video management system leaves it. */
export interface SampleExport {
  readonly folder: string;
  /** The vendor whose naming it follows. */
  readonly vendor: string;
  readonly clips: readonly SampleClip[];
  readonly bystanders?: readonly SampleBystander[];
  /** `incident.json`; the `sha256` of each video is added when it is written. */
  readonly sidecar?: {
    readonly [field: string]: unknown;
    readonly videos: readonly { readonly file: string; readonly [field: string]: unknown }[];
  };
  readonly expected: ExpectedIncident;
}

/** Name of a clip or image among all samples, for maps and messages. */
export function samplePath(folder: string, file: string): string {
  return `${folder}/${file}`;
}
