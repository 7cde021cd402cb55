'use client';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useErrorText } from '@/components/data/use-error-text';
import { useImportProfile, useSaveProfile } from '@/components/data/use-profiles';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog, DialogContent } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input, Textarea } from '@/components/ui/input';

/** A file or pasted YAML: read and checked first, saved only when it fits. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('profiles.importing');
  const router = useRouter();
  const errorText = useErrorText();
  const [yaml, setYaml] = useState('');
  const read = useImportProfile();
  const save = useSaveProfile();
  const error = read.error ?? save.error;
  async function submit() {
    const { body } = await read.mutateAsync(yaml);
    const made = await save.mutateAsync({ body });
    router.push(`/profiles/${encodeURIComponent(made.id)}`);
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
              <span className="whitespace-pre-wrap break-words">{problemsOf(error) ?? errorText(error).hint}</span>
            </Alert>
          ) : null}
          <Field label={t('file')}>
            <Input
              type="file"
              accept=".yaml,.yml,text/yaml"
              className="py-1"
              onChange={(event) => void event.target.files?.[0]?.text().then(setYaml)}
            />
          </Field>
          <Field label={t('text')}>
            <Textarea
              rows={12}
              value={yaml}
              onChange={(event) => setYaml(event.target.value)}
              className="font-mono text-xs"
              spellCheck={false}
            />
          </Field>
        </div>
      </DialogContent>
    </Dialog>
  );
}

/** Everything that is wrong, one per line. */
export function problemsOf(error: unknown): string | null {
  const issues = (error as { details?: { issues?: unknown } } | null)?.details?.issues;
  return Array.isArray(issues) && issues.length > 0 ? issues.join('\n') : null;
}
