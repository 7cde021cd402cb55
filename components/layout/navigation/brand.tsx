import { Link } from '@/components/ui/link';

export function Brand() {
  return (
    <Link href="/" className="inline-flex items-center gap-2 rounded-md font-semibold text-base tracking-tight">
      <svg viewBox="0 0 32 32" className="size-6" aria-hidden="true">
        <rect width="32" height="32" rx="7" className="fill-accent-solid" />
        <g className="fill-white">
          <rect x="7" y="7" width="18" height="3" rx="1" />
          <rect x="9" y="12" width="3" height="10" rx=".8" />
          <rect x="14.5" y="12" width="3" height="10" rx=".8" />
          <rect x="20" y="12" width="3" height="10" rx=".8" />
          <rect x="7" y="24" width="18" height="2.6" rx="1" />
        </g>
      </svg>
      Colonnade
    </Link>
  );
}
