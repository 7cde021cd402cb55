import { Eye } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ErrorState } from '@/components/data/error-state';
import { useFormat } from '@/components/data/format/use-format';
import { useReadValue } from '@/components/data/queries/use-live-key';
import { MayReadValues, useAsksReason } from '@/components/data/values/may-read-values';
import { ReasonField } from '@/components/data/values/reason-field';
import { getRememberedReason, rememberReason } from '@/components/data/values/remembered-reason';
import { OneTableMenu } from '@/components/reports/files/table-menu';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { Segmented } from '@/components/ui/forms/segmented';
import { SkeletonRows } from '@/components/ui/skeleton';
import { isValueReason } from '@/lib/model/is-value-reason';
import type { LiveKey } from '@/lib/model/keys/live-key';
import { PreviewTable } from './preview-table';
import { guessView, listReadableViews, type ValueView } from './value-views/value-view';

/** Why there is no preview. */
const PROBLEMS = {
  too_large: 'previewTooLarge',
  denied: 'previewDenied',
  unsupported: 'previewUnsupported',
} as const;

/**
 * The value of a string, or the first elements of a collection. It is read only after a click: reading elements may
 * change the key's idle time, and the card says so before. `onRead` is called with the key as it was then.
 */
export function KeyPreviewCard(props: {
  instanceId: string;
  k: string;
  db: number;
  live: LiveKey;
  onRead: (key: LiveKey) => void;
}) {
  const t = useTranslations('keys.page');
  const values = useTranslations('keys.values');
  const f = useFormat();
  const { instanceId } = props;
  const needsReason = useAsksReason(instanceId);
  const [reason, setReason] = useState(() => getRememberedReason(instanceId));
  const read = useReadValue(instanceId, props.k, props.db);
  const load = () => {
    if (needsReason) rememberReason(instanceId, reason);
    read.mutate(needsReason ? reason.trim() : null, { onSuccess: props.onRead });
  };
  const preview = read.data?.preview ?? null;
  const [chosen, setChosen] = useState<ValueView | null>(null);
  const guessed = useMemo(() => (preview ? guessView(preview) : 'text'), [preview]);
  const views = useMemo(() => (preview ? listReadableViews(preview) : []), [preview]);
  const view = chosen ?? guessed;
  const describe = () => {
    if (preview === null || preview.kind === 'unsupported') return undefined;
    if (preview.kind === 'string')
      return preview.hyperloglog ? t('hyperloglog', { encoding: t(preview.hyperloglog) }) : undefined;
    const shown = f.number(preview.shown);
    return preview.total === null
      ? t('previewShownUnknown', { shown })
      : t('previewShown', { shown, total: f.number(preview.total) });
  };
  return (
    <Card>
      <CardHeader
        title={t('preview')}
        description={describe()}
        actions={
          <>
            {preview?.truncated ? <Badge tone="outline">{t('previewCut')}</Badge> : null}
            {preview && preview.rows.length > 0 ? (
              <>
                <Segmented
                  size="sm"
                  label={t('viewLabel')}
                  value={view}
                  onValueChange={setChosen}
                  options={views.map((value) => ({ value, label: t(`view.${value}`) }))}
                />
                {preview.kind === 'string' ? null : <OneTableMenu id="key-value" name={t('preview')} />}
              </>
            ) : null}
          </>
        }
      />
      {read.isIdle ? (
        <div className="grid justify-items-start gap-3 p-4">
          <p className="text-muted-foreground">{t('previewHint')}</p>
          <p className={props.live.previewTouches ? 'text-warning' : 'text-muted-foreground'}>
            {t(props.live.previewTouches ? 'previewTouches' : 'previewQuiet')}
          </p>
          <MayReadValues instanceId={instanceId}>
            <form
              className="grid w-full max-w-xl justify-items-start gap-3"
              onSubmit={(event) => {
                event.preventDefault();
                load();
              }}
            >
              {needsReason ? (
                <>
                  <p>{values('production')}</p>
                  <ReasonField value={reason} onChange={setReason} />
                </>
              ) : null}
              <Button type="submit" disabled={needsReason && !isValueReason(reason)}>
                <Eye aria-hidden />
                {t('previewLoad')}
              </Button>
            </form>
          </MayReadValues>
        </div>
      ) : read.error ? (
        <ErrorState error={read.error} onRetry={load} />
      ) : !read.data ? (
        <SkeletonRows rows={8} />
      ) : !preview || preview.kind === 'unsupported' ? (
        <p className="p-4 text-muted-foreground">{t(PROBLEMS[read.data.previewProblem ?? 'unsupported'])}</p>
      ) : (
        <PreviewTable preview={preview} view={view} />
      )}
    </Card>
  );
}
