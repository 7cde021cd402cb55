import { useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { useTeams } from '@/components/data/queries/accounts/use-teams';
import { useRules } from '@/components/data/queries/policies/use-rules';
import { useWriteHtmlReport } from '@/components/data/queries/use-snapshots';
import { saveFile } from '@/components/reports/files/save-file';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Select } from '@/components/ui/forms/select';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { toVisibleText } from '@/components/ui/visible-text';
import { type Language, PAGE_LANGUAGES } from '@/lib/model/language';

const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', 'zh-CN': '简体中文' };

/** Saves the snapshot as one HTML file: the instance, the keys of a team, or a standard statement by statement. */
export function HtmlReportDialog({ snapshotId, onClose }: { snapshotId: string; onClose: () => void }) {
  const t = useTranslations('overview.htmlReport');
  const ui = useTranslations('ui');
  const teams = useTeams().data ?? [];
  const standards = useRules().catalogue?.standards ?? [];
  const write = useWriteHtmlReport(snapshotId);
  const [content, setContent] = useState('whole');
  const [language, setLanguage] = useState<Language>(useLocale() === 'zh-CN' ? 'zh-CN' : 'en');
  const options = [
    { value: 'whole', label: t('whole') },
    ...standards.map(({ id, title }) => ({
      value: `standard ${id}`,
      label: t('standard', { standard: id, title }),
    })),
    ...teams.map(({ name }) => ({ value: `team ${name}`, label: t('team', { team: toVisibleText(name) }) })),
  ];
  const [kind, ...rest] = content.split(' ');
  const save = () =>
    write.mutate(
      { language, ...(kind !== 'whole' && { [kind!]: rest.join(' ') }) },
      {
        onSuccess: ({ html, filename }) => {
          saveFile(new Blob([html], { type: 'text/html' }), filename);
          onClose();
        },
      },
    );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t('title')}
        description={t('text')}
        className="max-w-xl"
        footer={
          <>
            <Button onClick={onClose}>{ui('cancel')}</Button>
            <Button variant="primary" busy={write.isPending} onClick={save}>
              {t('save')}
            </Button>
          </>
        }
      >
        <div className="space-y-4">
          <Field label={t('content')}>
            <Select value={content} onValueChange={setContent} options={options} />
          </Field>
          <Field label={t('language')}>
            <Select
              value={language}
              onValueChange={setLanguage}
              options={PAGE_LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
            />
          </Field>
          {write.failureCount > 0 && write.isPending ? (
            <p className="text-muted-foreground text-sm" role="status">
              {t('checking')}
            </p>
          ) : null}
          <ErrorAlert error={write.error} detail />
        </div>
      </DialogContent>
    </Dialog>
  );
}
