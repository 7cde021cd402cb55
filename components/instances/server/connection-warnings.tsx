import { WarningList } from '@/components/scans/warning-list';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';

export function ConnectionWarnings({ report }: { report: ConnectionReport }) {
  return report.warnings.length > 0 ? <WarningList warnings={report.warnings} /> : null;
}
