import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/cn';

export const DialogRoot = Radix.Root;
export const DialogCloser = Radix.Close;

const overlay = 'fade-in-0 fixed inset-0 z-50 animate-in bg-black/40 duration-150 dark:bg-black/60';

export interface DialogContentProps {
  title: ReactNode;
  description?: ReactNode;
  footer?: ReactNode;
  className?: string;
  children?: ReactNode;
  /**
   * Makes the dialog a form: the first field has the focus, and Enter in a field submits. The button in the footer is
   * `type="submit"`.
   */
  onSubmit?: () => void;
  /** The element that gets the focus afterwards, if what opened the dialog (an item of a menu) no longer exists then. */
  returnTo?: { readonly current: HTMLElement | null };
}

export function DialogPanel(props: DialogContentProps) {
  const t = useTranslations('ui');
  const { onSubmit, returnTo } = props;
  const opener = useRef<HTMLElement>(null);
  const inner = (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-5">{props.children}</div>
      {props.footer ? (
        <div className="flex flex-wrap items-center justify-end gap-2 rounded-b-xl border-t bg-background px-5 py-3">
          {props.footer}
        </div>
      ) : null}
    </>
  );
  return (
    <Radix.Portal>
      <Radix.Overlay className={overlay} />
      <Radix.Content
        {...(props.description ? {} : { 'aria-describedby': undefined })}
        onOpenAutoFocus={(event) => {
          opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
          const firstField =
            onSubmit && event.currentTarget instanceof HTMLElement && event.currentTarget.querySelector('form input');
          if (!(firstField instanceof HTMLElement)) return;
          event.preventDefault();
          firstField.focus();
        }}
        onCloseAutoFocus={(event) => {
          // Radix returns the focus only to a trigger, and most of these dialogs have none.
          const target = returnTo?.current ?? opener.current;
          if (!target?.isConnected) return;
          event.preventDefault();
          target.focus();
        }}
        className={cn(
          'fade-in-0 zoom-in-98 fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 -translate-y-1/2 animate-in flex-col rounded-xl border bg-surface shadow-float duration-150 focus:outline-none',
          props.className,
        )}
      >
        <div className="flex items-start gap-3 px-5 pt-4 pb-3">
          <div className="min-w-0 flex-1">
            <Radix.Title className="font-semibold text-lg tracking-tight">{props.title}</Radix.Title>
            {props.description ? (
              <Radix.Description className="mt-0.5 text-muted-foreground">{props.description}</Radix.Description>
            ) : null}
          </div>
          <Radix.Close asChild>
            <Button variant="ghost" size="iconSm" aria-label={t('close')} className="-mr-1.5">
              <X aria-hidden />
            </Button>
          </Radix.Close>
        </div>
        {onSubmit ? (
          <form
            className="flex min-h-0 flex-1 flex-col"
            onSubmit={(event) => {
              event.preventDefault();
              onSubmit();
            }}
          >
            {inner}
          </form>
        ) : (
          inner
        )}
      </Radix.Content>
    </Radix.Portal>
  );
}
