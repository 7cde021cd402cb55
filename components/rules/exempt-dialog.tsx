import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { EditDialog } from '@/components/data/forms/edit-dialog';
import { useExemptionCounts } from '@/components/data/queries/policies/use-exemption-counts';
import { useSaveExemption } from '@/components/data/queries/policies/use-exemptions';
import { useCurrentSnapshot } from '@/components/data/queries/use-current-snapshot';
import { Field } from '@/components/ui/forms/field';
import { Input, Textarea } from '@/components/ui/forms/input';
import { toast } from '@/components/ui/overlays/toast';
import { toVisibleText } from '@/components/ui/visible-text';
import type { Exemption } from '@/lib/model/rules/policy';
import { findGlobFault, hasWildcard } from '@/lib/model/text/glob';
import { ExemptedRules, ExemptionEffect } from './exempted-rules';
import type { ExemptedPlaces } from './path-exemption';

const DAY_MS = 86_400_000;
/** The end that is proposed for a new exemption. */
const PROPOSED_MS = 90 * DAY_MS;
/** Findings are counted this long after the last change of the prefixes and patterns. */
const TYPING_MS = 400;

export type ExemptionStart = Partial<ExemptedPlaces & Pick<Exemption, 'rules' | 'reason'>>;

/**
 * Exempts findings of one or more rules below prefixes or under patterns until a date, and says before it is saved how
 * many findings that takes out. An owner and a reason are required; a date is proposed.
 */
export function ExemptDialog(props: {
  instanceId: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The initial values, or the exemption that is changed. */
  start: ExemptionStart | Exemption;
  returnTo?: { readonly current: HTMLElement | null };
}) {
  const t = useTranslations('rules.exempt');
  const save = useSaveExemption();
  const existing = 'id' in props.start ? props.start : null;
  const { prefixes = [], patterns = [] } = props.start;
  const given = { prefixes, patterns };
  const [rules, setRules] = useState(props.start.rules ?? '*');
  const [where, setWhere] = useState([...prefixes, ...patterns].join('\n'));
  const [owner, setOwner] = useState(existing?.owner ?? '');
  const [reason, setReason] = useState(props.start.reason ?? '');
  const endsAt = existing ? existing.expiresAt : Date.now() + PROPOSED_MS;
  const initialDay = endsAt === null ? '' : formatDay(endsAt);
  const [until, setUntil] = useState(initialDay);
  const places = parseExemptedPlaces(where, given);
  const isValid = places.patterns.every((pattern) => findGlobFault(pattern) === null);
  const { snapshotId } = useCurrentSnapshot(props.instanceId);
  const settled = useSettled(where, TYPING_MS);
  const counts = useExemptionCounts(isValid ? snapshotId : null, parseExemptedPlaces(settled, given));
  // A new exemption may begin with patterns that replace the ids of a path by wildcards (path-exemption.ts).
  const isFoldedPath =
    !existing && places.patterns.some((pattern) => hasWildcard(pattern) && patterns.includes(pattern));
  const exact = places.patterns.filter((pattern) => !hasWildcard(pattern)).map(toVisibleText);
  const whereHint =
    places.patterns.length > exact.length
      ? isFoldedPath
        ? 'whereFolded'
        : 'wherePattern'
      : places.prefixes.includes('')
        ? 'whereAll'
        : 'wherePrefix';

  function submit() {
    save.mutate(
      {
        id: existing?.id,
        input: {
          instanceId: existing ? existing.instanceId : props.instanceId,
          rules,
          ...places,
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
      ready={owner.trim() !== '' && reason.trim() !== '' && rules.length > 0 && isValid}
      busy={save.isPending}
      error={save.error}
      onSave={submit}
      onClose={() => props.onOpenChange(false)}
      returnTo={props.returnTo}
    >
      <Field
        label={t('where')}
        hint={exact.length > 0 ? `${t(whereHint)} ${t('whereExact', { names: exact.join(', ') })}` : t(whereHint)}
        error={isValid ? undefined : t('whereInvalid')}
      >
        <Textarea
          value={where}
          rows={Math.min(6, Math.max(1, where.split('\n').length))}
          onChange={(event) => setWhere(event.target.value)}
          className="min-h-0 font-mono"
          spellCheck={false}
        />
      </Field>
      <ExemptedRules value={rules} onChange={setRules} counts={counts} />
      <ExemptionEffect rules={rules} counts={counts} />
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

/** The value after it has not changed for `ms` milliseconds. */
function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/**
 * Interprets each line as a prefix or a pattern; no line means every key. Wildcards make it a pattern, except in a
 * prefix that came from a page or from a stored exemption (`given`): names may contain such characters, and as a pattern
 * `a?b:` would match one name and exempt nothing below it. A given pattern without wildcards stays one: as a prefix it
 * would exempt more than its one name.
 */
export function parseExemptedPlaces(text: string, given: ExemptedPlaces): ExemptedPlaces {
  if (text === [...given.prefixes, ...given.patterns].join('\n') && text !== '') return given;
  const lines = text.split('\n').filter((line) => line !== '');
  if (lines.length === 0) return { prefixes: [''], patterns: [] };
  const isPattern = (line: string) =>
    given.patterns.includes(line) || (hasWildcard(line) && !given.prefixes.includes(line));
  return { prefixes: lines.filter((line) => !isPattern(line)), patterns: lines.filter(isPattern) };
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
