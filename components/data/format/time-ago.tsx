import { useEffect, useState } from 'react';
import { UNKNOWN_TEXT, useFormat } from './use-format';
import { useHydrated } from './use-hydrated';

/** Shows "3 min. ago", with the exact time on hover. It updates as time passes. */
export function TimeAgo({ at, className }: { at: number | null | undefined; className?: string }) {
  const f = useFormat();
  const hydrated = useHydrated();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 15_000);
    return () => clearInterval(timer);
  }, []);
  if (at === null || at === undefined) return <span className={className}>{UNKNOWN_TEXT}</span>;
  // `now` is up to 15 s old, so `at` may be later: then "now" is shown, never a time in the future.
  const notBeforeAt = Math.max(now, at);
  return (
    <time className={className} dateTime={new Date(at).toISOString()} title={f.dateTimeExact(at)}>
      {/* The server cannot know the reader's now, so the first HTML has the date. */}
      {hydrated ? f.ago(at, notBeforeAt) : f.dateTime(at)}
    </time>
  );
}
