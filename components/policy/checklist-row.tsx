import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { useMay } from '@/components/data/queries/accounts/use-session';
import { RuleId } from '@/components/rules/rule-id';
import { StandardChips } from '@/components/rules/standards';
import { useRuleText } from '@/components/rules/use-rule-text';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { toVisibleText } from '@/components/ui/visible-text';
import type { ChecklistItem } from '@/lib/model/rules/policy';
import { ChecklistForm } from './checklist-form';

const TONES: Record<ChecklistItem['state'], BadgeTone> = { open: 'outline', done: 'success', notApplicable: 'neutral' };

/** The answer to one rule of the checklist; a click opens the form in its place. */
export function ChecklistRow({ instanceId, item }: { instanceId: string; item: ChecklistItem }) {
  const t = useTranslations('policy.checklist');
  const f = useFormat();
  const text = useRuleText()(item.rule);
  const may = useMay('policy.edit', instanceId);
  const [editing, setEditing] = useState(false);
  // The day as it was entered, independent of the reader's time zone.
  const day = item.date === null ? null : f.date(item.date);
  const answer = [item.owner, day, item.note].filter((part): part is string => Boolean(part)).map(toVisibleText);
  return (
    <li className="px-4 py-2.5 text-sm">
      <div className="flex items-start gap-2.5">
        <RuleId id={item.rule} />
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <h3 className="font-medium">{text.title}</h3>
            {text.info ? <StandardChips sources={text.info.sources} /> : null}
          </div>
          <p className="mt-0.5 text-muted-foreground text-xs">
            {text.why} {text.fix}
          </p>
          {!editing && answer.length > 0 ? (
            <p className="mt-1 text-xs [overflow-wrap:anywhere]">{answer.join(' · ')}</p>
          ) : null}
        </div>
        <Badge tone={TONES[item.state]}>{t(`state.${item.state}`)}</Badge>
        {may ? (
          <Button
            size="iconXs"
            variant="ghost"
            aria-expanded={editing}
            aria-label={t('edit', { rule: item.rule })}
            onClick={() => setEditing(!editing)}
          >
            <Pencil aria-hidden />
          </Button>
        ) : null}
      </div>
      {editing ? <ChecklistForm instanceId={instanceId} item={item} onClose={() => setEditing(false)} /> : null}
    </li>
  );
}
