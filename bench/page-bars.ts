/** Upper bounds of every page; the first HTML must have its content besides. */
export const BARS = { scriptGzipKiB: 250, cpuMsPerVisit: 300, drillDownMs: 300, longTasksOver100ms: 0, domNodes: 2500 };
