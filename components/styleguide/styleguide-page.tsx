'use client';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Label } from '@/components/ui/forms/label';
import { Switch } from '@/components/ui/forms/switch';
import { PageHeader } from '@/components/ui/page-header';
import { CardStates } from './card-states';
import { ChartSamples } from './chart-samples';
import { Choices } from './choices';
import { Controls } from './controls';
import { FigureSamples } from './figure-samples';
import { LoadSamples } from './load-samples';
import { Marks } from './marks';
import { Overlays } from './overlays';
import { Places } from './places';
import { ReportParts } from './report-parts';
import { SlotSamples } from './slot-samples';
import { TableStates } from './table-states';

/** Every component with its states, for whoever changes one; in no menu, and without anything of an instance. */
export function StyleguidePage() {
  const t = useTranslations('styleguide');
  // Off at first: whoever waits for a page to be done would wait for ever.
  const [waiting, setWaiting] = useState(false);
  return (
    <div className="space-y-4">
      <PageHeader
        title={t('title')}
        description={t('intro')}
        actions={
          <div className="flex items-center gap-2">
            <Switch id="waiting" checked={waiting} onCheckedChange={setWaiting} />
            <Label htmlFor="waiting" className="font-normal">
              {t('waiting')}
            </Label>
          </div>
        }
      />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
        <div className="min-w-0 space-y-4">
          <Controls waiting={waiting} />
          <Choices />
          <Overlays />
          <Places />
          <ReportParts waiting={waiting} />
          <CardStates waiting={waiting} />
        </div>
        <div className="min-w-0 space-y-4">
          <Marks />
          <FigureSamples waiting={waiting} />
          <TableStates />
          <ChartSamples />
          <SlotSamples />
          <LoadSamples />
        </div>
      </div>
    </div>
  );
}
