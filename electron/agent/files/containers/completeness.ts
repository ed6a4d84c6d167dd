/** Whether a container file is whole, and what its own headers say. */
export type Completeness =
  | {
      readonly kind: 'complete';
      readonly durationMs?: number;
      /** Milliseconds since 1970 UTC. */
      readonly createdAtMs?: number;
      /** Start that an ONVIF export states (`cstb`), milliseconds since 1970 UTC. */
      readonly statedStartMs?: number;
      /** Camera name that an ONVIF export states (`suep`). */
      readonly sourceName?: string;
    }
  /** `reason` finishes the sentence "The file is not complete: ...". */
  | { readonly kind: 'incomplete'; readonly reason: string }
  | { readonly kind: 'unknown-format' };
