import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { EditDialog } from '@/components/data/forms/edit-dialog';
import { useSaveExemption } from '@/components/data/queries/policies/use-exemptions';
import { useRules } from '@/components/data/queries/policies/use-rules';
import { Field } from '@/components/ui/forms/field';
import { Input } from '@/components/ui/forms/input';
import { toast } from '@/components/ui/overlays/toast';
import type { Exemption } from '@/lib/model/rules/policy';
import { hasWildcard } from '@/lib/model/text/glob';

const DAY_MS = 86_400_000;

/**
 * Exempts findings below a prefix or under a pattern until a date. An owner and a reason are required; a date is
 * proposed.
 */
export function ExemptDialog(props: {
  instanceId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The initial values, or the exemption that is changed. */
  start: { rule?: string; prefix?: string; pattern?: string } | Exemption;
  returnTo?: { readonly current: HTMLElement | null };
}) {
  const t = useTranslations('rules.exempt');
  const save = useSaveExemption();
  const existing = 'id' in props.start ? props.start : null;
  const { byId } = useRules();
  const locale = useLocale() === 'zh-CN' ? 'zh-CN' : 'en';
  const [written, setRule] = useState(props.start.rule ?? '*');
  // Ids of the standards are upper case; ids of a team's own rules are kept as typed.
  const rule = /^[a-z]\d+$/.test(written.trim()) ? written.trim().toUpperCase() : written.trim();
  const known = byId.size === 0 || rule === '*' || byId.has(rule) || /^X-[A-Za-z0-9-]{1,32}$/.test(rule);
  const proposed = props.start.prefix ?? props.start.pattern ?? '';
  const [where, setWhere] = useState(proposed);
  const [owner, setOwner] = useState(existing?.owner ?? '');
  const [reason, setReason] = useState(existing?.reason ?? '');
  const endsAt = existing ? existing.expiresAt : Date.now() + 90 * DAY_MS;
  const first = endsAt === null ? '' : formatDay(endsAt);
  const [until, setUntil] = useState(first);
  const chosen = parseExemptionScope(where, props.start.prefix ?? null);
  const pattern = chosen.pattern !== null;

  function submit() {
    save.mutate(
      {
        id: existing?.id,
        input: {
          instanceId: existing ? existing.instanceId : props.instanceId,
          rule,
          ...chosen,
          owner: owner.trim(),
          reason: reason.trim(),
          // A day that was not changed keeps its exact time.
          expiresAt: existing && until === first ? existing.expiresAt : until === '' ? null : getEndOfDay(until),
        },
      },
      {
        onSuccess: () => {
          toast.success(t('saved'));
          props.onOpenChange(false);
        },
      },
    );
  }

  return (
    <EditDialog
      open={props.open}
      title={t(existing ? 'titleChange' : 'title')}
      description={t('intro')}
      save={t('save')}
      ready={owner.trim() !== '' && reason.trim() !== '' && known}
      busy={save.isPending}
      error={save.error}
      onSave={submit}
      onClose={() => props.onOpenChange(false)}
      returnTo={props.returnTo}
    >
      <Field
        label={t('rule')}
        hint={byId.get(rule)?.text[locale].title ?? t('ruleHint')}
        error={known || written.trim() === '' ? undefined : t('ruleUnknown')}
      >
        <Input
          value={written}
          onChange={(event) => setRule(event.target.value)}
          list="rules-to-exempt"
          className="font-mono"
        />
      </Field>
      <datalist id="rules-to-exempt">
        {[...byId.values()].map(({ id, text }) => (
          <option key={id} value={id}>
            {text[locale].title}
          </option>
        ))}
      </datalist>
      <Field
        label={t('where')}
        hint={t(
          pattern
            ? !existing && where === props.start.pattern
              ? 'whereFolded'
              : 'wherePattern'
            : where === ''
              ? 'whereAll'
              : 'wherePrefix',
        )}
      >
        <Input value={where} onChange={(event) => setWhere(event.target.value)} className="font-mono" />
      </Field>
      <Field label={t('owner')}>
        <Input value={owner} onChange={(event) => setOwner(event.target.value)} />
      </Field>
      <Field label={t('reason')}>
        <Input value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
      <Field label={t('until')} hint={t('untilHint')}>
        <Input type="date" value={until} onChange={(event) => setUntil(event.target.value)} />
      </Field>
    </EditDialog>
  );
}

/**
 * Interprets a text as prefix or pattern. Wildcards make it a pattern, except in a prefix that came from a page or from
 * a stored exemption (`literal`): names may contain such characters, and as a pattern `a?b:` would match one name and
 * exempt nothing below it.
 */
export function parseExemptionScope(
  text: string,
  literal: string | null,
): { prefix: string | null; pattern: string | null } {
  return text !== literal && hasWildcard(text) ? { prefix: null, pattern: text } : { prefix: text, pattern: null };
}

/**
 * Days in the format of `<input type="date">`, in the reader's time zone. An exemption until a day includes that whole
 * day.
 */
export function formatDay(ms: number): string {
  const date = new Date(ms);
  const padTwo = (value: number) => String(value).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;
}

/** The last millisecond of the day, epoch ms. */
export function getEndOfDay(day: string): number {
  return new Date(`${day}T23:59:59.999`).getTime();
}
