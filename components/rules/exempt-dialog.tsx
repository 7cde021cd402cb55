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
/** The end that is proposed for a new exemption. */
const PROPOSED_MS = 90 * DAY_MS;

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
  const locale = useLocale();
  const [ruleText, setRuleText] = useState(props.start.rule ?? '*');
  // Ids of the standards are upper case; ids of a team's own rules are kept as typed.
  const rule = /^[a-z]\d+$/.test(ruleText.trim()) ? ruleText.trim().toUpperCase() : ruleText.trim();
  const isKnown = byId.size === 0 || rule === '*' || byId.has(rule) || /^X-[A-Za-z0-9-]{1,32}$/.test(rule);
  const [where, setWhere] = useState(props.start.prefix ?? props.start.pattern ?? '');
  const [owner, setOwner] = useState(existing?.owner ?? '');
  const [reason, setReason] = useState(existing?.reason ?? '');
  const endsAt = existing ? existing.expiresAt : Date.now() + PROPOSED_MS;
  const initialDay = endsAt === null ? '' : formatDay(endsAt);
  const [until, setUntil] = useState(initialDay);
  const scope = parseExemptionScope(where, props.start.prefix ?? null);
  // A new exemption may begin with a pattern that replaces the ids of a path by wildcards (path-exemption.ts).
  const isFoldedPath = !existing && where === props.start.pattern;
  const scopeHint =
    scope.pattern !== null
      ? isFoldedPath
        ? 'whereFolded'
        : 'wherePattern'
      : where === ''
        ? 'whereAll'
        : 'wherePrefix';

  function submit() {
    save.mutate(
      {
        id: existing?.id,
        input: {
          instanceId: existing ? existing.instanceId : props.instanceId,
          rule,
          ...scope,
          owner: owner.trim(),
          reason: reason.trim(),
          // A day that was not changed keeps its exact time.
          expiresAt: existing && until === initialDay ? existing.expiresAt : until === '' ? null : getEndOfDay(until),
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
      ready={owner.trim() !== '' && reason.trim() !== '' && isKnown}
      busy={save.isPending}
      error={save.error}
      onSave={submit}
      onClose={() => props.onOpenChange(false)}
      returnTo={props.returnTo}
    >
      <Field
        label={t('rule')}
        hint={byId.get(rule)?.text[locale].title ?? t('ruleHint')}
        error={isKnown || ruleText.trim() === '' ? undefined : t('ruleUnknown')}
      >
        <Input
          value={ruleText}
          onChange={(event) => setRuleText(event.target.value)}
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
      <Field label={t('where')} hint={t(scopeHint)}>
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

/** The day of a time (epoch ms) in the reader's time zone, in the format of `<input type="date">`. */
export function formatDay(ms: number): string {
  const date = new Date(ms);
  const padTwo = (value: number) => String(value).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;
}

/** The last millisecond of the day, epoch ms: an exemption until a day includes that whole day. */
export function getEndOfDay(day: string): number {
  return new Date(`${day}T23:59:59.999`).getTime();
}
