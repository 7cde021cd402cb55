import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { formatCustomRule } from '@/components/rules/custom-summary';
import { StrengthBadge } from '@/components/rules/strength-badge';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { cn } from '@/components/ui/cn';
import { Switch } from '@/components/ui/forms/switch';
import { KeyName } from '@/components/ui/key-name';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import type { CustomRule } from '@/lib/model/rules/policy';

/** It is loaded when somebody opens it, because the schema that checks what is typed (zod) is large. */
const CustomRuleDialog = createLazyPart(() => import('./custom-rule-dialog').then((loaded) => loaded.CustomRuleDialog));

/** The team's own rules: a pattern, a name template, or a threshold. */
export function CustomRulesCard(props: {
  rules: CustomRule[];
  readOnly: boolean;
  onChange: (rules: CustomRule[]) => void;
}) {
  const t = useTranslations('profiles.custom');
  const tr = useTranslations('rules');
  /** The rule in the dialog and its place in the list; `rule` null: a new one. */
  const [editing, setEditing] = useState<{ index: number; rule: CustomRule | null } | null>(null);
  const { rules, readOnly } = props;
  return (
    <Card>
      <CardHeader
        title={t('title')}
        description={t('intro')}
        actions={
          readOnly ? null : (
            <Button size="sm" onClick={() => setEditing({ index: rules.length, rule: null })}>
              <Plus aria-hidden />
              {t('add')}
            </Button>
          )
        }
      />
      {rules.length === 0 ? (
        <CardBody className="text-muted-foreground text-sm">{t('none')}</CardBody>
      ) : (
        <ul className="divide-y">
          {rules.map((rule, i) => (
            <li key={rule.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2 text-sm">
              <Switch
                checked={rule.on}
                disabled={readOnly}
                aria-label={`${rule.id} ${rule.title}`}
                onCheckedChange={(on) => props.onChange(rules.with(i, { ...rule, on }))}
              />
              <span className="font-mono text-xs">{rule.id}</span>
              <span className={cn('min-w-0 flex-1', !rule.on && 'text-muted-foreground')}>
                <span className="font-medium">{rule.title}</span>{' '}
                <code className="break-all text-muted-foreground text-xs">{formatCustomRule(rule, t)}</code>{' '}
                {rule.prefix === '' ? null : (
                  <span className="text-muted-foreground text-xs">
                    {tr('below')} <KeyName name={rule.prefix} max={48} />
                  </span>
                )}
              </span>
              <StrengthBadge strength={rule.strength} />
              {readOnly ? null : (
                <>
                  <Button
                    size="iconSm"
                    variant="ghost"
                    aria-label={t('change', { name: rule.id })}
                    onClick={() => setEditing({ index: i, rule })}
                  >
                    <Pencil aria-hidden />
                  </Button>
                  <Button
                    size="iconSm"
                    variant="ghost"
                    aria-label={t('remove', { name: rule.id })}
                    onClick={() => props.onChange(rules.toSpliced(i, 1))}
                  >
                    <Trash2 aria-hidden />
                  </Button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {editing ? (
        <CustomRuleDialog
          rule={editing.rule}
          takenIds={rules.toSpliced(editing.index, 1).map((rule) => rule.id)}
          onClose={() => setEditing(null)}
          onSave={(rule) => {
            props.onChange(rules.toSpliced(editing.index, 1, rule));
            setEditing(null);
          }}
        />
      ) : null}
    </Card>
  );
}
