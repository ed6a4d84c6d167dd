import { useCallback, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipDetail } from '../../../shared/domain/upload-view.ts';
import type { Thumbnail } from '../../../shared/ipc/calls/uploads.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { formatClipMoment } from '../../format/clip-moment.ts';
import { useRead } from '../../queries/use-call.ts';
import { SafeName } from '../../ui/safe-name.tsx';
import styles from './uploads.module.css';

/** The image of a clip, with a word when it is none of the export's; or a placeholder with its camera, and why. */
export function ClipPicture({ clip }: { readonly clip: ClipDetail }): ReactNode {
  const { t } = useTranslation();
  const hasThumbnail = clip.thumbnail !== undefined;
  const { data } = useRead('uploads.getThumbnail', { clipId: clip.row.id }, { isEnabled: hasThumbnail });
  const camera = visibleName(clip.row.camera ?? clip.row.file);
  return (
    <figure className={styles['figure']}>
      <div className={styles['picture']}>
        {hasThumbnail && data !== undefined ? (
          <Picture image={data} name={t('uploads.pictureOf', { name: camera })} />
        ) : (
          <SafeName name={clip.row.camera ?? clip.row.file} />
        )}
      </div>
      <PictureNote clip={clip} />
    </figure>
  );
}

/** So that nobody takes a picture that was made for evidence, or waits for one that will not come. */
function PictureNote({ clip }: { readonly clip: ClipDetail }): ReactNode {
  const { t } = useTranslation();
  const made = clip.thumbnail?.made;
  if (made !== undefined)
    return <figcaption>{t('uploads.madeAt', { at: formatClipMoment(made.atMs) })}</figcaption>;
  if (clip.noPicture === undefined) return null;
  return <figcaption>{t('uploads.noPicture', { reason: clip.noPicture.message })}</figcaption>;
}

/** Shown by a blob's address, which is given back when the element goes. */
function Picture({ image, name }: { readonly image: Thumbnail; readonly name: string }): ReactNode {
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
