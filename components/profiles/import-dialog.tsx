import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useImportProfile, useSaveProfile } from '@/components/data/queries/policies/use-profiles';
import { useErrorText } from '@/components/data/use-error-text';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/forms/field';
import { Input, Textarea } from '@/components/ui/forms/input';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { useGo } from '@/components/ui/underway/use-go';

/** Imports a file or pasted YAML: it is read and checked first, and saved only if it is valid. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('profiles.importing');
  const go = useGo();
  const errorText = useErrorText();
  const [yaml, setYaml] = useState('');
  const [isNotUtf8, setIsNotUtf8] = useState(false);
  const read = useImportProfile();
  const save = useSaveProfile();
  const error = read.error ?? save.error;
  async function showFile(file: File | undefined) {
    // A cancelled choice leaves no file, and no reason to lose the pasted text.
    if (file === undefined) return setIsNotUtf8(false);
    const text = await readUtf8(file);
    setIsNotUtf8(text === null);
    setYaml(text ?? '');
  }
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
          <Field label={t('file')} error={isNotUtf8 ? t('notUtf8') : undefined}>
            <Input
              type="file"
              accept=".yaml,.yml,text/yaml"
              className="py-1"
              onChange={(event) => void showFile(event.target.files?.[0])}
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

/**
 * The text of the file; null: it is not UTF-8. Decoding another encoding as UTF-8 would change letters, and patterns
 * with them.
 */
async function readUtf8(file: File): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}

/** All problems, one per line; null: the error lists none. */
export function listProblems(error: unknown): string | null {
  const issues = (error as { details?: { issues?: unknown } } | null)?.details?.issues;
  return Array.isArray(issues) && issues.length > 0 ? issues.join('\n') : null;
}
