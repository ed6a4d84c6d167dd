import { useCallback, type ReactNode } from 'react';
import type { Thumbnail } from '../../../shared/ipc/calls/uploads.ts';

/** Shown by a blob's address, which is given back when the element goes. */
export function ThumbnailImage({
  image,
  name,
}: {
  readonly image: Thumbnail;
  readonly name: string;
}): ReactNode {
  const show = useCallback(
    (element: HTMLImageElement) => {
      const bytes = Uint8Array.from(atob(image.base64), (character) => character.charCodeAt(0));
      const address = URL.createObjectURL(new Blob([bytes], { type: image.mediaType }));
      element.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [image],
  );
  return <img ref={show} alt={name} />;
}
