'use client';
import { PageFailure } from '@/components/layout/page-failure';

export default function ErrorPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return <PageFailure error={error} onRetry={reset} />;
}
