import type { ReactNode } from 'react';
import { Alert } from '@/components/ui/alert';
import { useErrorText } from './use-error-text';

/**
 * Says why a request failed and what to try; renders nothing if there is no error. `hint`: what to try here instead;
 * `detail`: also shows the server's own sentence.
 */
export function ErrorAlert(props: { error: unknown; hint?: ReactNode; detail?: boolean }) {
  const errorText = useErrorText();
  if (!props.error) return null;
  const { title, hint, detail } = errorText(props.error);
  return (
    <Alert tone="danger" title={title}>
      {props.hint ?? <p>{hint}</p>}
      {props.detail && detail ? <p className="font-mono text-xs">{detail}</p> : null}
    </Alert>
  );
}
