import { CapabilityTable } from '@/components/instances/server/capability-table';
import { NodeTable } from '@/components/instances/server/node-table';
import { ReportFacts } from '@/components/instances/server/report-facts';
import { WarningsOf } from '@/components/instances/server/warnings-of';
import type { ConnectionReport } from '@/lib/model/servers/server-facts';

/** The facts that a connection test found. The tables are loaded only once there are facts. */
export function ConnectionFacts({ report }: { report: ConnectionReport }) {
  return (
    <>
      <ReportFacts report={report} />
      <WarningsOf report={report} />
      <NodeTable report={report} compact />
      <CapabilityTable capabilities={report.capabilities} />
    </>
  );
}
