import { Radar } from 'lucide-react';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { May } from '@/components/data/may';
import { Button, type ButtonProps } from '@/components/ui/button';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import type { Instance } from '@/lib/model/servers/instance';

const ScanDialog = createLazyPart(() => import('./scan-dialog').then((loaded) => loaded.ScanDialog));

/** Opens the scan dialog of an instance. */
export function ScanButton({ instance, ...props }: { instance: Instance } & Omit<ButtonProps, 'onClick' | 'children'>) {
  const t = useTranslations('scans');
  const [open, setOpen] = useState(false);
  return (
    // The reason for a missing permission is shown only next to the page's main button, not in each row of a list.
    <May permission="scan.run" instanceId={instance.id} reason={props.variant === 'primary'}>
      <Button {...props} onClick={() => setOpen(true)}>
        <Radar aria-hidden />
        {t('scan')}
      </Button>
      {open ? <ScanDialog instance={instance} onClose={() => setOpen(false)} /> : null}
    </May>
  );
}
