import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';

export const SheetRoot = Radix.Root;

/** `title` is always present for screen readers; `hideTitle` hides it visually. */
export interface SheetContentProps {
  side: 'left' | 'right';
  title: ReactNode;
  hideTitle?: boolean;
  className?: string;
  children: ReactNode;
}

export function SheetPanel(props: SheetContentProps) {
  const t = useTranslations('ui');
  return (
    <Radix.Portal>
      <Radix.Overlay className="fade-in-0 fixed inset-0 z-50 animate-in bg-black/40 duration-150 dark:bg-black/60" />
      <Radix.Content
        aria-describedby={undefined}
        className={cn(
          'fixed inset-y-0 z-50 flex w-[min(26rem,calc(100vw-3rem))] animate-in flex-col bg-surface shadow-float duration-200 focus:outline-none',
          props.side === 'left' ? 'slide-in-from-left left-0 border-r' : 'slide-in-from-right right-0 border-l',
          props.className,
        )}
      >
        <div className={cn('flex items-center gap-2 px-4 pt-3 pb-2', props.hideTitle && 'absolute top-0 right-0 z-10')}>
          <Radix.Title className={cn('min-w-0 flex-1 truncate font-semibold', props.hideTitle && 'sr-only')}>
            {props.title}
          </Radix.Title>
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
