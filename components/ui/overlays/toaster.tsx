import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { onFirstToast } from './toast';

const LazyToastList = dynamic(() => import('./toast-list').then((loaded) => loaded.ToastList), { ssr: false });

/** Most visits see no message: the list of them comes with the first. */
export function Toaster() {
  const [any, setAny] = useState(false);
  useEffect(() => onFirstToast(() => setAny(true)), []);
  return any ? <LazyToastList /> : null;
}
