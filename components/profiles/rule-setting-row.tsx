import { useLocale, useTranslations } from 'use-intl';
import { RuleId } from '@/components/rules/rule-id';
import { StrengthBadge } from '@/components/rules/strength-badge';
import { Badge } from '@/components/ui/badge';
import { cn } from '@/components/ui/cn';
import { Select } from '@/components/ui/forms/select';
import { Switch } from '@/components/ui/forms/switch';
import { Td, Tr } from '@/components/ui/table';
import type { RuleSetting } from '@/lib/model/rules/policy';
import type { RuleInfo } from '@/lib/model/rules/rules';
import { STANDARDS, STRENGTHS } from '@/lib/model/rules/vocabulary';
import { ParamInput } from './param-input';

/** Whether a setting differs from the default profile; the order of parameters does not matter. */
export function isChanged(setting: RuleSetting, base: RuleSetting): boolean {
  if (setting.on !== base.on) return true;
  if (!setting.on) return false;
  return setting.strength !== base.strength || serializeParams(setting) !== serializeParams(base);
}

const serializeParams = (setting: RuleSetting) =>
  JSON.stringify(Object.entries(setting.params).sort(([a], [b]) => (a < b ? -1 : 1)));

/** One rule of a profile: on or off, its strength, its numbers, and what each standard says about it. */
export function RuleSettingRow(props: {
  rule: RuleInfo;
  setting: RuleSetting;
  /** The setting in the default profile; null: that is not loaded yet. */
  base: RuleSetting | null;
  /** Rules that are on and contradict this one. */
  clash: string[];
  readOnly: boolean;
  onChange: (setting: RuleSetting) => void;
}) {
  const t = useTranslations('profiles');
  const rules = useTranslations('rules');
  const locale = useLocale();
  const { rule, setting, readOnly } = props;
  const text = rule.text[locale];
  return (
    <Tr className="max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)]">
      <Td className="w-px align-top max-sm:h-auto max-sm:w-auto">
        <Switch
          className="mt-1"
          checked={setting.on}
          disabled={readOnly}
          aria-label={`${rule.id} ${text.title}`}
          onCheckedChange={(on) => props.onChange({ ...setting, on })}
        />
      </Td>
      <Td className={cn('max-w-lg py-2 align-top max-sm:h-auto sm:min-w-56', !setting.on && 'text-muted-foreground')}>
        <div className="flex items-start gap-2">
          <RuleId id={rule.id} />
          <div className="min-w-0">
            <span className="font-medium">{text.title}</span>{' '}
            {props.base && isChanged(setting, props.base) ? <Badge tone="accent">{t('changed')}</Badge> : null}{' '}
            {rule.kind === 'key' ? null : <Badge tone="outline">{rules(`kind.${rule.kind}`)}</Badge>}
            <details className="text-muted-foreground text-xs">
              <summary className="cursor-pointer">{rules('why')}</summary>
              <p className="mt-1 whitespace-pre-line">{`${text.why}\n${text.fix}`}</p>
            </details>
            {setting.on && props.clash.length > 0 ? (
              <p className="mt-1 text-warning text-xs">{t('clash', { rules: props.clash.join(', ') })}</p>
            ) : null}
          </div>
        </div>
      </Td>
      <Td className="w-px align-top max-sm:col-start-2 max-sm:h-auto max-sm:w-auto max-sm:pt-0">
        {readOnly ? (
          setting.on ? (
            <span className="mt-1 inline-block">
              <StrengthBadge strength={setting.strength} />
            </span>
          ) : (
            '—'
          )
        ) : (
          <Select
            size="sm"
            aria-label={t('strengthOf', { rule: rule.id })}
            value={setting.strength}
            disabled={!setting.on}
            onValueChange={(strength) => props.onChange({ ...setting, strength })}
            options={STRENGTHS.map((strength) => ({ value: strength, label: rules(`strength.${strength}`) }))}
          />
        )}
      </Td>
      <Td
        className={cn(
          'h-auto min-w-44 space-y-1.5 align-top max-sm:col-start-2 max-sm:pb-3',
          Object.keys(rule.params).length === 0 && 'max-sm:hidden',
        )}
      >
        {Object.entries(rule.params).map(([name, spec]) => (
          <ParamInput
            key={name}
            id={`${rule.id}-${name}`}
            spec={spec}
            value={setting.params[name]}
            disabled={readOnly || !setting.on}
            onChange={(value) => {
              const { [name]: _old, ...rest } = setting.params;
              props.onChange({ ...setting, params: value === undefined ? rest : { ...rest, [name]: value } });
            }}
          />
        ))}
      </Td>
      {STANDARDS.map((standard) => {
        const source = rule.sources.find((other) => other.standard === standard);
        return (
          <Td
            key={standard}
            className={cn(
              'w-px whitespace-nowrap !px-1.5 align-top text-xs leading-6 max-lg:hidden',
              !source && 'text-muted-foreground',
            )}
          >
            {source ? rules(`sourceShort.${source.strength}`) : '–'}
          </Td>
        );
      })}
    </Tr>
  );
}
