import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DualLine } from '@/components/charts/dual-line';
import { useFormat } from '@/components/data/format/use-format';
import { Button } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { Sample } from './sample';

const FROM = Date.UTC(2026, 0, 5);
/** A probe of which nothing is known for a while. */
const ROWS = Array.from({ length: 60 }, (_, at) => ({
  at: FROM + at * 1000,
  left: 800 + ((at * 61) % 240),
  right: at > 20 && at < 26 ? null : 0.2 + ((at * 37) % 20) / 50,
}));

/** What draws at once wherever it stands, so here only when somebody wants to see it. */
export function LoadSamples() {
  const t = useTranslations('styleguide');
  const f = useFormat();
  const [drawn, setDrawn] = useState(false);
  return (
    <Card>
      <CardHeader
        title={t('dualLine')}
        actions={
          <Button size="sm" disabled={drawn} onClick={() => setDrawn(true)}>
            {t('draw')}
          </Button>
        }
      />
      <CardBody>
        <Sample of="DualLine">
          {drawn ? (
            <DualLine
              label={t('dualLine')}
              rows={ROWS}
              left={{ name: t('keys'), format: (value) => f.compact(value) }}
              right={{ name: t('known'), format: (value) => f.ms(value) }}
              formatTime={f.time}
            />
          ) : (
            <p className="text-muted-foreground">{t('hint')}</p>
          )}
        </Sample>
      </CardBody>
    </Card>
  );
}
