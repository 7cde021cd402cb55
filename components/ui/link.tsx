import NextLink, { useLinkStatus } from 'next/link';
import { type ComponentProps, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslations } from 'use-intl';
import { ProgressBar } from './progress';

/**
 * The one link to a page of ours; the linter forbids next/link elsewhere. It asks for what lies behind it once somebody
 * points at it or comes to it by keyboard, not when it comes into view: a table of links would ask for every row.
 */
export function Link({ children, ...props }: Omit<ComponentProps<typeof NextLink>, 'prefetch'>) {
  const [meant, setMeant] = useState(false);
  return (
    <NextLink
      {...props}
      prefetch={meant ? null : false}
      onPointerEnter={(event) => {
        setMeant(true);
        props.onPointerEnter?.(event);
      }}
      onFocus={(event) => {
        setMeant(true);
        props.onFocus?.(event);
      }}
    >
      {children}
      <Underway />
    </NextLink>
  );
}

/**
 * A bar along the top of the window while the page that was chosen is on its way. Not loading.tsx: that puts a boundary
 * into every page, whose numbers React would then take over later than the rest (app/layout.tsx).
 */
function Underway() {
  const { pending } = useLinkStatus();
  return pending ? createPortal(<UnderwayBar />, document.body) : null;
}

function UnderwayBar() {
  const t = useTranslations('ui');
  return (
    <div className="fade-in fill-mode-both fixed inset-x-0 top-0 z-50 animate-in delay-150">
      <ProgressBar label={t('loading')} value={null} className="h-0.5 rounded-none" />
    </div>
  );
}
