import { CapabilityTable } from '@/components/instances/server/capability-table';
import { NodeTable } from '@/components/instances/server/node-table';
import { ReportFacts } from '@/components/instances/server/report-facts';
import { WarningList } from '@/components/scans/warning-list';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';

/** The facts that a connection test found. */
export function ConnectionFacts({ report }: { report: ConnectionReport }) {
  return (
    <>
      <ReportFacts report={report} />
      {report.warnings.length > 0 ? <WarningList warnings={report.warnings} /> : null}
      <NodeTable report={report} compact />
      <CapabilityTable capabilities={report.capabilities} />
    </>
  );
}
