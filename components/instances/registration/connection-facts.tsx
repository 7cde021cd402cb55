import { CapabilityTable } from '@/components/instances/server/capability-table';
import { ConnectionWarnings } from '@/components/instances/server/connection-warnings';
import { NodeTable } from '@/components/instances/server/node-table';
import { ReportFacts } from '@/components/instances/server/report-facts';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';

/** The facts that a connection test found. The tables are loaded only once there are facts. */
export function ConnectionFacts({ report }: { report: ConnectionReport }) {
  return (
    <>
      <ReportFacts report={report} />
      <ConnectionWarnings report={report} />
      <NodeTable report={report} compact />
      <CapabilityTable capabilities={report.capabilities} />
    </>
  );
}
