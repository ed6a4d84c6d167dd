import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import {
  explainedFields,
  type ExplainedClip,
  type ExplainedField,
  type ExplainedReading,
  type ExplainedValue,
  type Explanation,
} from '../../../shared/domain/explanation.ts';
import type { ClipDetail, ClipFlag } from '../../../shared/domain/upload-view.ts';
import { useRead } from '../../queries/use-call.ts';
import { Facts } from '../../ui/facts.tsx';
import { SafeName } from '../../ui/safe-name.tsx';
import { FailurePanel, LoadingState } from '../../ui/states.tsx';
import { uploadsStrings } from './strings.ts';
import styles from './uploads.module.css';
import { fileClasses, type FileAccount } from '../../../shared/domain/file-account.ts';
import { SendAsEvidence, SendProgram } from './seen-exports.tsx';

const isField = (field: string): field is ExplainedField => explainedFields.some((each) => each === field);
const isSource = (source: string): source is keyof typeof uploadsStrings.source =>
  Object.hasOwn(uploadsStrings.source, source);
const isUnsure = (confidence: string): confidence is keyof typeof uploadsStrings.unsure =>
  Object.hasOwn(uploadsStrings.unsure, confidence);

/** The source of a value, and how certain it is if in doubt. Sources unknown to this page are shown as they are. */
function originWords(
  { source, confidence, note }: Pick<ExplainedReading, 'source' | 'confidence' | 'note'>,
  t: TFunction,
): string {
  const from = isSource(source) ? t(`uploads.source.${source}`) : source;
  const words = [from, isUnsure(confidence) ? t(`uploads.unsure.${confidence}`) : undefined, note];
  return words.filter((part) => part !== undefined).join(' · ');
}

/** The source and confidence of each value. */
export function OriginNote({ origins }: { readonly origins: ClipDetail['origins'] }): ReactNode {
  const { t } = useTranslation();
  if (origins.length === 0) return null;
  return (
    <details>
      <summary>{t('uploads.origins')}</summary>
      <Facts
        facts={origins.map((origin) => [
          isField(origin.field) ? t(`uploads.explain.field.${origin.field}`) : origin.field,
          originWords(origin, t),
        ])}
      />
    </details>
  );
}

/** Why an incident's folder was read as it was. The folder is read again when this is opened. */
export function ExplanationPanel({ incidentId }: { readonly incidentId: string }): ReactNode {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('uploads.explain.title')}</summary>
      {isOpen ? <Answer incidentId={incidentId} /> : null}
    </details>
  );
}

function Answer({ incidentId }: { readonly incidentId: string }): ReactNode {
  const { data, error, refetch } = useRead('exports.explain', { incidentId }, { isLive: true });
  if (error !== null) return <FailurePanel failure={error.failure} onRetry={() => void refetch()} />;
  return data === undefined ? <LoadingState /> : <ExplanationView explanation={data} />;
}

function ExplanationView({ explanation }: { readonly explanation: Explanation }): ReactNode {
  const { t } = useTranslation();
  return (
    <div className={`stack ${styles['explained']}`}>
      <Values values={explanation.incident} />
      {explanation.clips.map((clip) => (
        <ClipView key={clip.file} clip={clip} incident={explanation.incident} />
      ))}
      <details>
        <summary>{t('uploads.explain.files', { count: explanation.files.length })}</summary>
        <ul>
          {explanation.files.map((file) => (
            <li key={file.path}>
              <SafeName name={file.path} />{' '}
              <span className="dim">
                {t('uploads.explain.because', {
                  class: t(`uploads.explain.class.${file.class}`),
                  why: file.why,
                })}
              </span>
            </li>
          ))}
        </ul>
      </details>
      {explanation.isCut ? <p>{t('uploads.previewCut')}</p> : null}
    </div>
  );
}

/** Sources that correct what was read from names and files. */
const corrections = new Set(['person', 'sidecar', 'registry']);

/** Corrections to a clip's camera and start, or to the incident's time if nothing is known about the clip's own. */
function correctionOf(
  values: readonly ExplainedValue[],
  incident: readonly ExplainedValue[],
): { readonly camera?: string; readonly at?: string } {
  const firstOf = (of: readonly ExplainedValue[], field: ExplainedValue['field']) => {
    const value = of.find((each) => each.field === field);
    return [value?.stored, value?.winner].find((each) => each !== undefined && corrections.has(each.source));
  };
  const camera = firstOf(values, 'cameraName')?.value;
  const start = firstOf(values, 'startedAt') ?? firstOf(incident, 'incidentAt');
  return { ...(camera !== undefined && { camera }), ...(start?.local !== undefined && { at: start.local }) };
}

function ClipView({
  clip,
  incident,
}: {
  readonly clip: ExplainedClip;
  readonly incident: readonly ExplainedValue[];
}): ReactNode {
  const { t } = useTranslation();
  const correction = correctionOf(clip.values, incident);
  const { file, names, values, isOpened } = clip;
  return (
    <details>
      <summary className="breakable">
        <SafeName name={file} />
      </summary>
      <p>{t('uploads.explain.readBy', { verdict: names.verdict })}</p>
      {isOpened ? null : <p>{t('uploads.explain.notOpened')}</p>}
      {names.others.length === 0 ? null : (
        <ul className="dim">
          {names.others.map(({ profile, system, why }) => (
            <li key={profile}>{t('uploads.explain.notSystem', { system, why })}</li>
          ))}
        </ul>
      )}
      <Values values={values} />
      <p>
        <Link to="/settings" search={{ part: 'names', sample: file, ...correction }}>
          {t(
            correction.camera === undefined && correction.at === undefined
              ? 'uploads.explain.addPattern'
              : 'uploads.explain.patternOfCorrection',
          )}
        </Link>
      </p>
    </details>
  );
}

/** Values with the alternatives that were rejected, then each way to change them, listed once. */
function Values({ values }: { readonly values: readonly ExplainedValue[] }): ReactNode {
  const { t } = useTranslation();
  const shown = values.filter(({ winner, others, stored }) => winner ?? others[0] ?? stored);
  const ways = [...new Set(shown.map(({ overrule }) => overrule))];
  return (
    <>
      <Facts
        facts={shown.map((value) => [t(`uploads.explain.field.${value.field}`), <Value key="" of={value} />])}
      />
      {ways.map((way) => (
        <p key={way} className="dim">
          {t('uploads.explain.toChange', { way })}
        </p>
      ))}
    </>
  );
}

function Value({ of: { winner, others, stored } }: { readonly of: ExplainedValue }): ReactNode {
  const { t } = useTranslation();
  return (
    <>
      {winner === undefined ? null : <ReadingText reading={winner} />}
      {winner === undefined && stored === undefined ? t('uploads.explain.unknown') : null}
      {stored === undefined ? null : (
        <p>
          {t('uploads.explain.stored')} <ReadingText reading={stored} />
        </p>
      )}
      {others.length === 0 ? null : (
        <ul className="dim">
          {others.map((other) => (
            <li key={`${other.source} ${other.value}`}>
              <ReadingText reading={other} />: {other.why}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function ReadingText({ reading }: { readonly reading: ExplainedReading }): ReactNode {
  const { t } = useTranslation();
  const { value, local } = reading;
  return (
    <>
      <SafeName name={local ?? value} /> <span className="dim">{originWords(reading, t)}</span>
    </>
  );
}

/** What happened to every file of an incident's folder, so that nothing in it goes unmentioned. */
export function FileAccountNote({
  files,
  folder,
}: {
  readonly files: FileAccount | undefined;
  /** Absolute path of the incident's own folder; undefined if it has none or the folder is gone. */
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
      {rest > 0 ? <p>{t('uploads.seen.more', { count: rest })}</p> : null}
    </details>
  );
}

/** Peculiarities of a clip, kept with it permanently. */
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
