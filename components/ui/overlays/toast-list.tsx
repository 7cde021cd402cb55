import { useTheme } from 'next-themes';
import { useEffect } from 'react';
import { Toaster as Sonner, toast } from 'sonner';
import { drawToasts } from './toast';

export function ToastList() {
  const { resolvedTheme } = useTheme();
  useEffect(() => drawToasts((kind, title, more) => void toast[kind](title, more)), []);
  return (
    <Sonner
      theme={resolvedTheme === 'dark' ? 'dark' : 'light'}
      position="bottom-right"
      closeButton
      toastOptions={{
        style: {
          // From 1280 px on, this width fits next to a dialog and does not cover its buttons.
          width: '20rem',
          background: 'var(--surface)',
          color: 'var(--foreground)',
          border: '1px solid var(--border)',
          boxShadow: 'var(--shadow-float)',
          fontSize: '0.8125rem',
        },
      }}
    />
  );
}
