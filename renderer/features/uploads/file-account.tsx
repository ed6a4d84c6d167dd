import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ClipFlag } from '../../../shared/domain/upload-view.ts';
import { fileClasses, type FileAccount } from '../../../shared/domain/file-account.ts';
import { SendAsEvidence, SendProgram } from './seen-exports.tsx';
import { SafeName } from '../../ui/safe-name.tsx';

/** What became of every file of an incident's folder, so that nothing in it disappears without a word. */
export function FileAccountNote({
  files,
  folder,
}: {
  readonly files: FileAccount | undefined;
  /** Absolute path of the incident's own folder; missing where it has none, or it is gone. */
  readonly folder: string | undefined;
}): ReactNode {
  const { t } = useTranslation();
  if (files === undefined) return null;
  const { counts, named } = files;
  const total = fileClasses.reduce((sum, each) => sum + counts[each], 0);
  const rest = total - counts.clip - counts.picture - named.length;
  const words = fileClasses
    .filter((each) => counts[each] > 0)
    .map((each) => t(`uploads.fileClass.${each}`, { count: counts[each] }));
  return (
    <details open={counts.unknown > 0}>
      <summary>{t('uploads.filesOf', { count: total })}</summary>
      <p>{words.join(', ')}</p>
      <ul>
        {named.map((file) => (
          <li key={file.path}>
            <span className="ltr">
              <SafeName name={file.path} />
            </span>{' '}
            <span className="dim">{file.why}</span>
          </li>
        ))}
      </ul>
      {folder === undefined ? null : (
        <div className="buttons">
          {counts.unknown > 0 ? <SendAsEvidence folder={folder} /> : null}
          {named
            .filter((file) => file.class === 'program')
            .map(({ path }) => (
              <SendProgram key={path} folder={folder} path={path} />
            ))}
        </div>
      )}
      {rest > 0 ? <p>{t('uploads.moreFiles', { count: rest })}</p> : null}
    </details>
  );
}

/** What is odd about a clip; it stays with the clip. */
export function ClipFlags({ flags }: { readonly flags: readonly ClipFlag[] }): ReactNode {
  const { t } = useTranslation();
  if (flags.length === 0) return null;
  return (
    <ul aria-label={t('uploads.flags')}>
      {flags.map((flag) => (
        <li key={flag}>{t(`uploads.flag.${flag}`)}</li>
      ))}
    </ul>
  );
}
