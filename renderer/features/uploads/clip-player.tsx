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

/** Frames a second of a clip that does not say how many it has. */
const USUAL_FRAMES = 25;

/** Plays the clip from its source, piece by piece, when somebody asks for it; until then its thumbnail is shown. */
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
    // A player calls it a format that it does not know when the file is gone or its share hangs: opening it says so
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

/** As far as the clip says it itself, else by the end of its name. */
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
  // Play had the keyboard, and is gone
  useEffect(() => video.current?.focus(), []);
  const step = (frames: number): void => {
    const player = video.current;
    if (player === null) return;
    player.pause();
    // The middle of a frame: at its edge rounding decides between two
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

/** Keys that count wherever the keyboard is within an element. */
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

/** When the picture that is seen was taken, in both zones; unknown where the clip's own time is. */
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
