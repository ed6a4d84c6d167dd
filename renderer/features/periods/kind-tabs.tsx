import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { FilterTabs } from '../../ui/filter-tabs.tsx';
import type { ChangeSearch, PeriodsSearch } from './periods-search.ts';
import type { Facets, knownKinds } from './select-actions.ts';

const ALL = 'all';
/** An empty key names nothing. */
const toTab = (key: string): string => `=${key}`;

/** The actions by kind: all, the four kinds of the service, and whatever else it says. */
export function KindTabs({
  facets,
  isKnown,
  search,
  change,
}: {
  readonly facets: Facets;
  /** The service has answered: there is something to count. */
  readonly isKnown: boolean;
  readonly search: PeriodsSearch;
  readonly change: ChangeSearch;
}): ReactNode {
  const { t } = useTranslation();
  const { kinds, total } = facets;
  return (
    <FilterTabs
      label={t('periods.kinds')}
      value={search.kind === undefined ? ALL : toTab(search.kind)}
      onChange={(tab) => change({ kind: kinds.find(({ key }) => toTab(key) === tab)?.key })}
      filters={[
        { id: ALL, label: t('common.all'), count: isKnown ? total : undefined },
        ...kinds.map(({ key, word, count }) => ({
          id: toTab(key),
          label: kindLabel(key, word, t),
          count: isKnown ? count : undefined,
        })),
      ]}
    />
  );
}

const kindWords: ReadonlyMap<string, string> = new Map<(typeof knownKinds)[number], string>([
  ['task', 'periods.kindTask'],
  ['incident', 'periods.kindIncident'],
  ['request', 'periods.kindRequest'],
  ['checklist', 'periods.kindChecklist'],
]);

/** Kinds that are not known keep the word of the service. */
function kindLabel(key: string, word: string, t: TFunction): string {
  const known = kindWords.get(key);
  if (known !== undefined) return t(known);
  return key === '' ? t('periods.kindNone') : visibleName(word);
}
