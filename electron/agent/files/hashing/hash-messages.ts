/** What the main thread asks of a hash worker. `id` names the answer; descriptors are valid in the whole process. */
export type HashRequest =
  | {
      readonly kind: 'part';
      readonly id: number;
      readonly fd: number;
      readonly offset: number;
      readonly length: number;
      readonly md5: boolean;
      readonly crc32: boolean;
    }
  | {
      readonly kind: 'advance';
      readonly id: number;
      readonly stream: number;
      readonly fd: number;
      readonly offset: number;
      readonly length: number;
      readonly crc32: boolean;
    }
  | { readonly kind: 'digest'; readonly id: number; readonly stream: number }
  | { readonly kind: 'forget'; readonly stream: number }
  | { readonly kind: 'cancel'; readonly id: number };

/** Sums in hex, CRC-32 as a number; those that were not asked for are absent. */
export interface HashSums {
  readonly sha256?: string;
  readonly md5?: string;
  readonly crc32?: number;
}

/** What a hash worker answers: after it, the descriptor is not touched any more for that request. */
export type HashAnswer =
  | { readonly id: number; readonly kind: 'sums'; readonly sums: HashSums }
  | { readonly id: number; readonly kind: 'short' }
  | { readonly id: number; readonly kind: 'cancelled' }
  | { readonly id: number; readonly kind: 'error'; readonly code: string };
