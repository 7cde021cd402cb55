import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useImportProfile, useSaveProfile } from '@/components/data/queries/policies/use-profiles';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { TextFileField } from '@/components/ui/forms/text-file-field';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { useGo } from '@/components/ui/underway/use-go';

/** Imports a file or pasted YAML: it is read and checked first, and saved only if it is valid. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('profiles.importing');
  const go = useGo();
  const errorText = useErrorText();
  const [yaml, setYaml] = useState('');
  const read = useImportProfile();
  const save = useSaveProfile();
  const error = read.error ?? save.error;
  async function submit() {
    const { body } = await read.mutateAsync(yaml);
    const saved = await save.mutateAsync({ body });
    go(`/profiles/${encodeURIComponent(saved.id)}`);
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        title={t('title')}
        description={t('intro')}
        footer={
          <>
            <Button onClick={onClose}>{t('cancel')}</Button>
            <Button
              variant="primary"
              disabled={yaml.trim() === ''}
              busy={read.isPending || save.isPending}
              onClick={() => void submit().catch(() => {})}
            >
              {t('save')}
            </Button>
          </>
        }
      >
        <div className="space-y-3">
          {error ? (
            <Alert tone="danger" title={t('refused')}>
              <span className="whitespace-pre-wrap break-words">{listProblems(error) ?? errorText(error).hint}</span>
            </Alert>
          ) : null}
          <TextFileField
            value={yaml}
            onChange={setYaml}
            accept=".yaml,.yml,text/yaml"
            rows={12}
            labels={{ file: t('file'), text: t('text'), notUtf8: t('notUtf8') }}
          />
        </div>
      </DialogContent>
    </Dialog>
  );
}

/** All problems, one per line; null: the error lists none. */
export function listProblems(error: unknown): string | null {
  const issues = (error as { details?: { issues?: unknown } } | null)?.details?.issues;
  return Array.isArray(issues) && issues.length > 0 ? issues.join('\n') : null;
}
