import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Alert } from '@/components/ui/alert';

/** Addresses that servers announce and nobody has confirmed. `renderAction` renders what can be done with one address. */
export function UnconfirmedAlert(props: {
  addresses: string[];
  actions?: ReactNode;
  renderAction?: (address: string) => ReactNode;
  /** Shown below the list. */
  children?: ReactNode;
}) {
  const t = useTranslations('instances.destinations');
  return (
    <Alert tone="warning" title={t('waiting', { count: props.addresses.length })} actions={props.actions}>
      <p>{t('waitingText')}</p>
      <ul className="mt-2 max-h-64 space-y-1 overflow-y-auto">
        {props.addresses.map((address) => (
          <li key={address} className="flex flex-wrap items-center gap-2 font-mono text-xs">
            {address}
            {props.renderAction?.(address)}
          </li>
        ))}
      </ul>
      {props.children ? <div className="mt-2 flex flex-wrap gap-1.5">{props.children}</div> : null}
    </Alert>
  );
}
