import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAsOf } from '@/components/data/format/use-as-of';
import { useFormat } from '@/components/data/format/use-format';
import type { CountedRule, ExemptionCounts } from '@/components/data/queries/policies/use-exemption-counts';
import { useRules } from '@/components/data/queries/policies/use-rules';
import { useErrorText } from '@/components/data/use-error-text';
import { Button } from '@/components/ui/button';
import { Segmented } from '@/components/ui/forms/segmented';
import type { Exemption } from '@/lib/model/rules/policy';
import { RuleId } from './rule-id';
import { useRuleText } from './use-rule-text';

type Rules = Exemption['rules'];

/**
 * The choice of the rules of an exemption: every rule, or some of them. Rules with findings on these keys come first,
 * with their number; the others are shown after a button is pressed.
 */
export function ExemptedRules(props: { value: Rules; onChange: (rules: Rules) => void; counts: ExemptionCounts }) {
  const t = useTranslations('rules.exempt');
  const f = useFormat();
  const getText = useRuleText();
  const [all, setAll] = useState(false);
  const { value, onChange } = props;
  // A rule that was chosen at first stays in the list, so that it can be chosen again.
  const [chosenAtFirst] = useState(value);
  const rules = useListedRules(props.counts.rules, value);
  const isFirst = ({ rule, open, exempted }: CountedRule) =>
    open + exempted > 0 || value.includes(rule) || chosenAtFirst.includes(rule);
  const others = rules.filter((rule) => !isFirst(rule)).length;
  const toggle = (id: string, on: boolean) =>
    value !== '*' && onChange(on ? [...value, id] : value.filter((other) => other !== id));
  return (
    <div className="grid gap-1.5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium text-sm">{t('rules')}</span>
        <Segmented
          label={t('rules')}
          size="sm"
          value={value === '*' ? 'all' : 'some'}
          onValueChange={(choice) => onChange(choice === 'all' ? '*' : [])}
          options={[
            { value: 'all', label: t('allRules') },
            { value: 'some', label: t('someRules') },
          ]}
        />
      </div>
      {value === '*' ? null : (
        <div className="max-h-56 overflow-y-auto rounded-md border px-3 py-1.5">
          {rules
            .filter((rule) => all || isFirst(rule))
            .map(({ rule, title, open }) => (
              <label key={rule} className="flex items-start gap-2 py-0.5 text-sm">
                <input
                  type="checkbox"
                  className="mt-0.5 size-4 shrink-0 accent-accent-solid"
                  checked={value.includes(rule)}
                  onChange={({ target }) => toggle(rule, target.checked)}
                />
                <RuleId id={rule} />
                <span className="min-w-0 flex-1">{getText(rule, title).title}</span>
                <span className="num shrink-0 text-muted-foreground">{open > 0 ? f.number(open) : ''}</span>
              </label>
            ))}
          {others > 0 ? (
            <Button size="xs" variant="ghost" aria-expanded={all} onClick={() => setAll(!all)}>
              {t(all ? 'fewerRules' : 'moreRules', { count: others })}
            </Button>
          ) : null}
        </div>
      )}
    </div>
  );
}

/**
 * The rules about keys: those of the findings, then others of the catalogue that are chosen; without findings the whole
 * catalogue. Those with most findings come first.
 */
function useListedRules(counted: readonly CountedRule[], chosen: Rules): CountedRule[] {
  const { byId } = useRules();
  const about = [...byId.values()].filter(({ kind }) => kind === 'key' || kind === 'group').map(({ id }) => id);
  const known = new Set(counted.map(({ rule }) => rule));
  const more = counted.length === 0 ? [...new Set([...about, ...(chosen === '*' ? [] : chosen)])] : [...chosen];
  const missing = more
    .filter((rule) => rule !== '*' && !known.has(rule))
    .map((rule): CountedRule => ({ rule, title: null, strength: 'advice', open: 0, exempted: 0 }));
  return [...counted].sort((a, b) => b.open - a.open).concat(missing);
}

/** How many findings the exemption takes out, before it is saved. */
export function ExemptionEffect({ rules, counts }: { rules: Rules; counts: ExemptionCounts }) {
  const t = useTranslations('rules.exempt');
  const asOf = useAsOf();
  const describeError = useErrorText();
  const chosen = counts.rules.filter(({ rule }) => rules === '*' || rules.includes(rule));
  const sum = (of: 'open' | 'exempted') => chosen.reduce((total, rule) => total + rule[of], 0);
  const count = sum('open');
  const exempted = sum('exempted');
  return (
    <div role="status" className="rounded-md bg-muted px-3 py-2 text-sm">
      {counts.error ? (
        t('notCounted', { error: describeError(counts.error).title })
      ) : counts.pending ? (
        t('counting')
      ) : counts.asOf === null ? (
        t('noSnapshot')
      ) : (
        <>
          <p className="font-medium">{t(counts.mayOverlap ? 'takesOutMax' : 'takesOut', { count })}</p>
          <p className="text-muted-foreground text-xs">
            {asOf({ asOf: counts.asOf, live: false })}
            {exempted > 0 ? ` · ${t('alreadyExempt', { count: exempted })}` : ''}
          </p>
        </>
      )}
    </div>
  );
}
