import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';

export const SheetRoot = Radix.Root;

/** `title` is only for screen readers. */
export interface SheetContentProps {
  title: ReactNode;
  children: ReactNode;
}

export function SheetPanel(props: SheetContentProps) {
  const t = useTranslations('ui');
  return (
    <Radix.Portal>
      <Radix.Overlay className="fade-in-0 fixed inset-0 z-50 animate-in bg-black/40 duration-150 dark:bg-black/60" />
      <Radix.Content
        aria-describedby={undefined}
        className="slide-in-from-left fixed inset-y-0 left-0 z-50 flex w-72 animate-in flex-col border-r bg-surface shadow-float duration-200 focus:outline-none"
      >
        <div className="absolute top-0 right-0 z-10 flex items-center gap-2 px-4 pt-3 pb-2">
          <Radix.Title className="sr-only">{props.title}</Radix.Title>
          <Radix.Close asChild>
            <Button variant="ghost" size="iconSm" aria-label={t('close')}>
              <X aria-hidden />
            </Button>
          </Radix.Close>
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto">{props.children}</div>
      </Radix.Content>
    </Radix.Portal>
  );
}
