import { useLocale, useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import type { ShownAlert } from '@/lib/model/alerts/alert';
import { nameAlertRule, wordAlert } from '@/lib/model/alerts/alert-words';
import type { AlertKind, Severity } from '@/lib/model/alerts/vocabulary';

const TONES: Record<Severity, BadgeTone> = { critical: 'danger', warning: 'warning', info: 'neutral' };

/** The language of the sentences that messages and pages share. */
export const useAlertLanguage = () => (useLocale() === 'en' ? 'en' : 'zh-CN');

export function SeverityBadge({ severity }: { severity: Severity }) {
  const t = useTranslations('alerts.severity');
  return <Badge tone={TONES[severity]}>{t(severity)}</Badge>;
}

/** Returns the name of a rule; those that Colonnade made are named by their kind. */
export function useRuleName(): (name: string, kind: AlertKind) => string {
  const language = useAlertLanguage();
  return (name, kind) => nameAlertRule(name, kind, language);
}

/** What an alert says, without the instance, as its messages say it. */
export function useAlertSentence(): (alert: ShownAlert) => string {
  const f = useFormat();
  const language = useAlertLanguage();
  return (alert) =>
    wordAlert(
      { ...alert, instanceName: null, ruleTitle: alert.ruleTitle?.[language] ?? null },
      alert.state === 'resolved',
      language,
      {
        time: f.dateTime,
        number: f.number,
        bytes: f.bytes,
      },
    );
}
