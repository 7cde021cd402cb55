import type { ReactNode } from 'react';
import { SkeletonRows } from '@/components/ui/skeleton';
import { ErrorState } from './error-state';

/**
 * The content of a card that shows the answer to a query. Until there is data it shows grey rows, or if the request
 * failed, the error and a button to try again.
 */
export function Loaded<T>(props: {
  query: { data: T | undefined; error: unknown; refetch: () => unknown };
  /** Number of grey rows: about as many as the data will have. */
  rows: number;
  children: (data: T) => ReactNode;
}) {
  const { data, error, refetch } = props.query;
  if (data) return props.children(data);
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <SkeletonRows rows={props.rows} />;
}
