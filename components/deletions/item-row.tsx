'use client';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useFormat } from '@/components/data/format/use-format';
import { Value } from '@/components/data/format/value';
import { Badge } from '@/components/ui/badge';
import { KeyName } from '@/components/ui/key-name';
import { ProgressBar } from '@/components/ui/progress';
import { Td, Tr } from '@/components/ui/table';
import { TypeBadge } from '@/components/ui/type-badge';
import type { DeletionItem, Hazard } from '@/lib/model/deletion';
import { useReasonText } from './reason-text';
import { STATE_TONES } from './state-tones';

/** One key; what there is to say about it takes a line of its own, over the whole width. */
export function ItemRow({
  item,
  planned,
  expire,
  common,
  action,
}: {
  item: DeletionItem;
  planned: boolean;
  expire: boolean;
  /** Hazards of every key of the plan. */
  common: readonly Hazard[];
  action?: ReactNode;
}) {
  const t = useTranslations('deletions');
  const f = useFormat();
  const reasonText = useReasonText();
  const expiry = expire ? item.newExpireAt : item.expireAt;
  const reason = item.reason ?? (planned ? item.modeReason : null);
  const hazards = planned ? item.hazards.filter((hazard) => !common.includes(hazard)) : [];
  const notes = [...hazards.map((hazard) => t(`hazard.${hazard}`)), ...(reason ? [reasonText(reason)] : [])];
  const row = (
    <Tr className={notes.length > 0 ? 'border-b-0' : undefined}>
      <Td className="w-full min-w-32 max-w-0 sm:min-w-44">
        <KeyName name={item.name} max={70} copy />
      </Td>
      <Td className="max-sm:hidden">
        {item.type ? <TypeBadge type={item.type} /> : <Value value={null} as="number" />}
      </Td>
      <Td num className={action === undefined ? undefined : 'max-sm:hidden'}>
        <Value value={item.length} as={item.type === 'string' ? 'bytes' : 'number'} />
      </Td>
      <Td num className="max-md:hidden">
        <Value value={item.bytes} as="bytes" />
      </Td>
      <Td num className="whitespace-nowrap max-lg:hidden">
        {expiry === null && item.expiryKnown ? '∞' : <Value value={expiry} as="dateTime" />}
      </Td>
      {planned ? (
        <Td num className="max-lg:hidden">
          <Value value={item.idleSeconds} as="seconds" />
        </Td>
      ) : null}
      {expire ? null : (
        <Td className="whitespace-nowrap max-md:hidden">{item.mode ? t(`mode.${item.mode}.name`) : '—'}</Td>
      )}
      {planned ? null : (
        <Td>
          <div className="space-y-0.5">
            <Badge tone={STATE_TONES[item.state] ?? 'neutral'}>
              {t(`item.${expire && item.state === 'done' ? 'expired' : item.state}`)}
            </Badge>
            {item.state === 'draining' && item.length ? (
              <ProgressBar
                value={Math.min(1, item.removed / item.length)}
                label={t('live.of', { done: f.number(item.removed), total: f.number(item.length) })}
                tone="accent"
                className="h-1"
              />
            ) : null}
          </div>
        </Td>
      )}
      {action === undefined ? null : <Td className="w-px">{action}</Td>}
    </Tr>
  );
  if (notes.length === 0) return row;
  return (
    <>
      {row}
      <Tr className="hover:bg-transparent">
        <td colSpan={9} className="px-4 pb-2 text-muted-foreground text-xs">
          {notes.join('; ')}
        </td>
      </Tr>
    </>
  );
}
