import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { onFirstToast } from './toast';

const LazyToastList = dynamic(() => import('./toast-list').then((loaded) => loaded.ToastList), { ssr: false });

/** The list of messages is loaded with the first message, because most visits have none. */
export function Toaster() {
  const [needed, setNeeded] = useState(false);
  useEffect(() => onFirstToast(() => setNeeded(true)), []);
  return needed ? <LazyToastList /> : null;
}
