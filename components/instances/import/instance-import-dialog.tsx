import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorAlert } from '@/components/data/error-alert';
import { Button } from '@/components/ui/button';
import { TextFileField } from '@/components/ui/forms/text-file-field';
import { Dialog, DialogContent } from '@/components/ui/overlays/dialog';
import { ProgressBar } from '@/components/ui/progress';
import { ImportTable } from './import-table';
import { type ImportRow, useImport } from './use-import';

const EXAMPLE = `name,url,password,environment,tags,owner
cache-eu,redis://scanner@10.0.0.5:6379,secret,production,eu;cache,web
mall,"10.0.0.6:7000,10.0.0.7:7000",,test,,shop`;

const isBusy = ({ state }: ImportRow) =>
  state?.is === 'waiting' || state?.is === 'testing' || state?.is === 'registering';

/** Registers many instances: a list is read, each connection is tested, and those that were reached are registered. */
export function InstanceImportDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('instances.import');
  const ui = useTranslations('ui');
  const [text, setText] = useState('');
  const [reading, setReading] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { rows, check, register, back } = useImport();
  async function readList() {
    setReading(true);
    setError(null);
    await check(text).catch(setError);
    setReading(false);
  }
  const busy = rows?.some(isBusy) ?? false;
  const reached = rows?.filter(({ state }) => state?.is === 'reached').length ?? 0;
  const registered = rows?.filter(({ state }) => state?.is === 'registered').length ?? 0;
  const footer = rows ? (
    <>
      {busy || registered > 0 ? null : <Button onClick={back}>{t('back')}</Button>}
      {reached > 0 || registered === 0 ? (
        <Button variant="primary" busy={busy} disabled={reached === 0} onClick={() => void register()}>
          {t('register', { count: reached })}
        </Button>
      ) : (
        <Button variant="primary" busy={busy} onClick={onClose}>
          {ui('close')}
        </Button>
      )}
    </>
  ) : (
    <>
      <Button onClick={onClose}>{ui('cancel')}</Button>
      <Button variant="primary" disabled={text.trim() === ''} busy={reading} onClick={() => void readList()}>
        {t('check')}
      </Button>
    </>
  );
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent title={t('title')} description={t('intro')} className="max-w-4xl" footer={footer}>
        {rows ? (
          <div className="space-y-3">
            <ImportProgress rows={rows} />
            <ImportTable rows={rows} />
          </div>
        ) : (
          <div className="space-y-3">
            <ErrorAlert error={error} detail />
            <TextFileField
              value={text}
              onChange={setText}
              accept=".csv,.yaml,.yml,.json,text/csv,text/yaml"
              rows={10}
              labels={{ file: t('file'), text: t('text'), notUtf8: t('notUtf8'), placeholder: EXAMPLE }}
            />
            <p className="text-muted-foreground text-xs">{t('columns')}</p>
          </div>
        )}
      </DialogContent>
    </Dialog>
  );
}

/** How many rows are through, and what became of them. */
function ImportProgress({ rows }: { rows: readonly ImportRow[] }) {
  const t = useTranslations('instances.import');
  const count = (fits: (row: ImportRow) => boolean) => rows.filter(fits).length;
  const done = rows.length - count(isBusy);
  const summary = t('summary', {
    done,
    total: rows.length,
    reached: count(({ state }) => state?.is === 'reached' || state?.is === 'registered'),
    failed: count(({ state }) => state === null || state.is === 'failed'),
  });
  return (
    <div className="space-y-1.5" role="status">
      <p className="text-sm">{summary}</p>
      <ProgressBar value={rows.length === 0 ? 1 : done / rows.length} label={t('progress')} />
    </div>
  );
}
