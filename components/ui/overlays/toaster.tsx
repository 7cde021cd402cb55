import { useEffect, useState } from 'react';
import { createLazyPart } from '@/components/ui/on-demand/lazy-part';
import { onFirstToast } from './toast';

const LazyToastList = createLazyPart(() => import('./toast-list').then((loaded) => loaded.ToastList));

/** The list of messages is loaded with the first message, because most visits have none. */
export function Toaster() {
  const [needed, setNeeded] = useState(false);
  useEffect(() => onFirstToast(() => setNeeded(true)), []);
  return needed ? <LazyToastList /> : null;
}
