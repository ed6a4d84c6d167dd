import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExportPreview, PreviewClip, PreviewNote } from '../../../shared/domain/export-preview.ts';
import { formatBytes } from '../../../shared/lib/bytes.ts';
import { fact, Facts } from '../../ui/facts.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { ShortTime } from '../../ui/short-time.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import styles from './uploads.module.css';

/** What would become of a folder: its incident, its clips, and what is left out and why. */
export function ExportPreviewView({ preview }: { readonly preview: ExportPreview }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      <Facts
        facts={[
          fact(t('uploads.folder'), <SafeName name={preview.folder} />),
          fact(t('uploads.happened'), preview.incidentAt && <TimeText value={preview.incidentAt} />),
          fact(t('uploads.description'), preview.description && <SafeName name={preview.description} />),
          fact(t('uploads.size'), <span className="ltr">{formatBytes(preview.totalBytes)}</span>),
          fact(t('uploads.knownAs'), preview.knownAs && <SafeName name={preview.knownAs.title} />),
        ]}
      />
      <table className={styles['table']}>
        <caption>{t('uploads.previewClips', { count: preview.clips.length })}</caption>
        <thead>
          <tr>
            <th scope="col">{t('uploads.columnFile')}</th>
            <th scope="col">{t('uploads.columnCamera')}</th>
            <th scope="col">{t('uploads.columnRecorded')}</th>
            <th scope="col">{t('uploads.columnSize')}</th>
          </tr>
        </thead>
        <tbody>
          {preview.clips.map((clip) => (
            <ClipLine key={clip.file} clip={clip} />
          ))}
        </tbody>
      </table>
      <Notes title={t('uploads.skippedFiles')} notes={preview.skipped} />
      <Notes title={t('uploads.warnings')} notes={preview.warnings} />
      {preview.isCut ? <p>{t('uploads.previewCut')}</p> : null}
    </>
  );
}

function ClipLine({ clip }: { readonly clip: PreviewClip }): ReactNode {
  const { t } = useTranslation();
  const [duplicate] = clip.duplicates;
  return (
    <tr>
      <td>
        <SafeName name={clip.file} />
        {duplicate === undefined ? null : (
          <p className="warning">! {t('uploads.duplicateOf', { title: duplicate.incidentTitle })}</p>
        )}
      </td>
      <td>{clip.cameraName === undefined ? clip.cameraId : <SafeName name={clip.cameraName} />}</td>
      <td>
        <ShortTime value={clip.startedAt} />
      </td>
      <td className="ltr">{formatBytes(clip.sizeBytes)}</td>
    </tr>
  );
}

function Notes({
  title,
  notes,
}: {
  readonly title: string;
  readonly notes: readonly PreviewNote[];
}): ReactNode {
  if (notes.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {notes.map(({ code, message, file }) => (
          <li key={`${code} ${file ?? ''}`}>
            {file === undefined ? null : (
              <>
                <SafeName name={file} />{' '}
              </>
            )}
            {message}
          </li>
        ))}
      </ul>
    </section>
  );
}
