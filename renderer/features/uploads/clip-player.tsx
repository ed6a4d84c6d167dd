import { Play, StepBack, StepForward } from 'lucide-react';
import { useEffect, useRef, useState, type ReactNode, type RefCallback, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipDetail } from '../../../shared/domain/upload-view.ts';
import { useCallMutation } from '../../queries/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { FailurePanel } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import styles from './uploads.module.css';
import type { Thumbnail } from '../../../shared/ipc/calls/uploads.ts';

/** Frames a second of a clip that does not say how many it has. */
const USUAL_FRAMES = 25;

/** Plays the clip from its source, piece by piece, when somebody asks for it. */
export function ClipPlayer({ clip }: { readonly clip: ClipDetail }): ReactNode {
  const { t } = useTranslation();
  const open = useCallMutation('uploads.openClip');
  return (
    <div className="stack">
      {open.data === undefined ? (
        <Button icon={Play} isDisabled={open.isPending} onPress={() => open.mutate({ clipId: clip.row.id })}>
          {t('uploads.play')}
        </Button>
      ) : (
        <Player clip={clip} address={open.data.address} />
      )}
      <FailurePanel failure={open.error?.failure} title={t('uploads.cannotPlay')} />
    </div>
  );
}

function Player({ clip, address }: { readonly clip: ClipDetail; readonly address: string }): ReactNode {
  const { t } = useTranslation();
  const video = useRef<HTMLVideoElement>(null);
  const [atSeconds, setAt] = useState(0);
  const [isUnknown, setUnknown] = useState(false);
  const { frameRate = USUAL_FRAMES } = clip;
  // Play had the keyboard, and is gone
  useEffect(() => video.current?.focus(), []);
  const step = (frames: number): void => {
    const player = video.current;
    if (player === null) return;
    player.pause();
    player.currentTime = Math.max(0, player.currentTime + frames / frameRate);
  };
  const listen = useKeys({ ',': () => step(-1), '.': () => step(1) });
  if (isUnknown)
    return (
      <p role="status">
        {t('uploads.notPlayable', { codec: clip.videoCodec ?? clip.format ?? t('common.unknown') })}
      </p>
    );
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
        onError={() => setUnknown(true)}
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
    <p>
      {t('uploads.pictureTime')} <TimeText value={taken} both />
    </p>
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
