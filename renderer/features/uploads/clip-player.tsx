import { Play, StepBack, StepForward } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode, type RefCallback, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { ClipDetail } from '../../../shared/domain/upload-view.ts';
import { useCallMutation } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import styles from './uploads.module.css';
import type { Thumbnail } from '../../../shared/ipc/calls/uploads.ts';

/** Assumed frames per second of a clip that does not say. */
const USUAL_FRAMES = 25;

/** Plays the clip from its source on request, streaming it; until then, its thumbnail is shown. */
export function ClipPlayer({
  clip,
  children: thumbnail,
}: {
  readonly clip: ClipDetail;
  readonly children: ReactNode;
}): ReactNode {
  const { t } = useTranslation();
  const open = useCallMutation('uploads.openClip');
  const [stop, setStop] = useState<'format' | 'reading'>();
  const play = (): void => open.mutate({ clipId: clip.row.id });
  const onError = (error: MediaError | null): void => {
    setStop(error?.code === MediaError.MEDIA_ERR_NETWORK ? 'reading' : 'format');
    // A player also reports a missing file or a hung share as an unknown format: opening the clip again gives the
    // reason
    play();
  };
  if (open.data !== undefined && stop === undefined)
    return <Player clip={clip} address={open.data.address} onError={onError} />;
  return (
    <div className="stack">
      {thumbnail}
      {open.data === undefined || stop === undefined ? null : (
        <p role="status">
          {stop === 'reading'
            ? t('uploads.playStopped')
            : t('uploads.notPlayable', { format: formatOf(clip) })}
        </p>
      )}
      {open.data !== undefined && stop === 'format' ? null : (
        <Button
          icon={Play}
          isDisabled={open.isPending}
          onPress={() => {
            setStop(undefined);
            play();
          }}
        >
          {t('uploads.play')}
        </Button>
      )}
      <FailurePanel failure={open.error?.failure} title={t('uploads.cannotPlay')} isAlert />
    </div>
  );
}

/** The format that the clip reports, or else its file extension. */
function formatOf({ videoCodec, format, row }: ClipDetail): string {
  return videoCodec ?? format ?? visibleName(row.file.slice(row.file.lastIndexOf('.') + 1)).toUpperCase();
}

function Player({
  clip,
  address,
  onError,
}: {
  readonly clip: ClipDetail;
  readonly address: string;
  readonly onError: (error: MediaError | null) => void;
}): ReactNode {
  const { t } = useTranslation();
  const video = useRef<HTMLVideoElement>(null);
  const [atSeconds, setAt] = useState(0);
  const { frameRate = USUAL_FRAMES } = clip;
  // The Play button had the focus, and is gone
  useEffect(() => video.current?.focus(), []);
  const step = (frames: number): void => {
    const player = video.current;
    if (player === null) return;
    player.pause();
    // Aim for the middle of a frame: at its edge, rounding could pick either neighbour
    const frame = Math.floor(player.currentTime * frameRate) + frames;
    player.currentTime = (Math.max(0, frame) + 0.5) / frameRate;
  };
  const listen = useKeys({ ',': () => step(-1), '.': () => step(1) });
  return (
    <div ref={listen} role="group" aria-label={t('uploads.player')} className="stack">
      <video
        ref={video}
        className={styles['video']}
        aria-label={t('uploads.player')}
        src={`/${address}`}
        controls
        muted
        playsInline
        preload="metadata"
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onSeeked={({ currentTarget }) => setAt(currentTarget.currentTime)}
        onError={({ currentTarget }) => onError(currentTarget.error)}
      />
      <div className="buttons">
        <Button icon={StepBack} onPress={() => step(-1)}>
          {t('uploads.frameBack')}
        </Button>
        <Button icon={StepForward} onPress={() => step(1)}>
          {t('uploads.frameOn')}
        </Button>
      </div>
      <PictureTime startedAt={clip.row.startedAt} atSeconds={atSeconds} />
    </div>
  );
}

/** Handles keys wherever the focus is within an element. */
function useKeys(actions: Readonly<Record<string, () => void>>): RefCallback<HTMLElement> {
  return (element) => {
    const onKey = (event: KeyboardEvent): void => {
      const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  };
}

/** When the visible frame was recorded, in both zones; unknown if the clip's start is. */
function PictureTime({
  startedAt,
  atSeconds,
}: {
  readonly startedAt: string | undefined;
  readonly atSeconds: number;
}): ReactNode {
  const { t } = useTranslation();
  if (startedAt === undefined) return <p className="dim">{t('uploads.pictureTimeUnknown')}</p>;
  const taken = new Date(Date.parse(startedAt) + Math.round(atSeconds * 1000)).toISOString();
  return (
    <div>
      <p className="dim">{t('uploads.pictureTime')}</p>
      <TimeText value={taken} both />
    </div>
  );
}

/** Shows a thumbnail from an object URL, which is revoked when the element is removed. */
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
