import { parseAsBoolean, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Segmented } from '@/components/ui/forms/segmented';
import { Select } from '@/components/ui/forms/select';
import type { RuleFinding } from '@/lib/model/rules/findings';
import { RULE_AREAS, STRENGTHS } from '@/lib/model/rules/vocabulary';

const ALL = 'all';
const parsers = {
  // Not named `strength`: that is a filter of keys, which links keep on other pages.
  only: parseAsStringLiteral([ALL, ...STRENGTHS]).withDefault(ALL),
  area: parseAsStringLiteral([ALL, ...RULE_AREAS]).withDefault(ALL),
  /** Only rules that keys violate newly, since the scan before or the baseline. */
  new: parseAsBoolean.withDefault(false),
};

/** The filter of the listed rules as query parameters, without those that exclude nothing. */
export function useRuleChoice() {
  const [{ only, area }] = useQueryStates(parsers);
  return { ...(only !== ALL && { only }), ...(area !== ALL && { area }) };
}

/** The listed rules by strength and area, kept in the address, and the controls that choose them. */
export function useRuleFilters(all: readonly RuleFinding[]) {
  const t = useTranslations('findings');
  const words = useTranslations('rules');
  const since = useTranslations('compare.since');
  const [{ only, area, new: onlyNew }, set] = useQueryStates(parsers);
  const rules = all.filter(
    (finding) =>
      (only === ALL || finding.strength === only) &&
      (area === ALL || finding.area === area) &&
      (!onlyNew || (finding.change?.newKeys ?? 0) > 0),
  );
  const isCompared = all.some(({ change }) => change !== null);
  const filters = (
    <div className="flex flex-wrap items-center gap-2 border-b p-2.5">
      <Segmented
        size="sm"
        label={t('column.strength')}
        value={only}
        onValueChange={(next) => void set({ only: next })}
        options={[
          { value: ALL, label: t('filter.all') },
          ...STRENGTHS.map((value) => ({ value, label: words(`strength.${value}`) })),
        ]}
      />
      <Select
        aria-label={t('filter.area')}
        value={area}
        onValueChange={(next) => void set({ area: next as typeof area })}
        options={[
          { value: ALL, label: t('filter.allAreas') },
          ...RULE_AREAS.map((value) => ({ value, label: words(`area.${value}`) })),
        ]}
      />
      {isCompared || onlyNew ? (
        <Button
          size="sm"
          aria-pressed={onlyNew}
          variant={onlyNew ? 'primary' : 'secondary'}
          onClick={() => void set({ new: onlyNew ? null : true })}
        >
          {since('onlyNew')}
        </Button>
      ) : null}
      {rules.length < all.length ? (
        <span className="num ml-auto px-1.5 text-muted-foreground text-xs" role="status">
          {t('filter.count', { shown: rules.length, total: all.length })}
        </span>
      ) : null}
    </div>
  );
  return { filters, rules };
}
