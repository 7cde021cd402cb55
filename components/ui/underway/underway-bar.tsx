import { createPortal } from 'react-dom';
import { useTranslations } from 'use-intl';
import { ProgressBar } from '@/components/ui/progress';

/**
 * A bar along the top of the page while the chosen page is loading. A loading.tsx would do the same, but puts a boundary
 * into every page, whose numbers React would then hydrate later than the rest (app/layout.tsx).
 */
export function UnderwayBar() {
  const t = useTranslations('ui');
  return createPortal(
    <div className="fade-in fill-mode-both fixed inset-x-0 top-0 z-50 animate-in delay-150">
      <ProgressBar label={t('loading')} value={null} className="h-0.5 rounded-none" />
    </div>,
    document.body,
  );
}
