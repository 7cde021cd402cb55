/**
 * Holds what a node reports about itself, and the results of the server rules. null = could not be read; `missing`
 * names the command that was refused. Nothing in here is secret: arguments of slow commands are cut, and keys are in
 * display form.
 */

export interface SlowCommand {
  /** Epoch ms. */
  at: number;
  microseconds: number;
  /** In upper case. */
  command: string;
  /** In display form, each cut at 128 bytes, at most 16. */
  args: string[];
}
interface CommandStat {
  calls: number;
  microseconds: number;
}
export interface NodeAudit {
  address: string;
  role: 'master' | 'replica' | 'unknown';
  version: string | null;
  uptimeSeconds: number | null;
  /** Statistics since the last reset, by command in lower case (`config|get`). */
  commandStats: Record<string, CommandStat> | null;
  /**
   * CONFIG GET of the names in AUDITED_CONFIG; names that the server does not know are absent. It never contains
   * passwords, see `passwordSet`.
   */
  config: Record<string, string> | null;
  slowlog: SlowCommand[] | null;
  latency: { event: string; at: number; lastMs: number; maxMs: number }[] | null;
  keyspace: { db: number; keys: number; expires: number | null }[] | null;
  clients: {
    connected: number | null;
    monitors: number | null;
    /** Both totals are since the start or CONFIG RESETSTAT. */
    receivedTotal: number | null;
    commandsTotal: number | null;
    /**
     * Clients are numbered from the start of the server on, and no reset restarts the numbers: the highest number, and
     * how long ago that client connected.
     */
    newest?: { id: number; ageSeconds: number } | null;
    /**
     * Names that clients gave themselves (CLIENT SETNAME), without their numbers, and the number of connections of
     * each.
     */
    applications?: { name: string; connections: number }[] | null;
  };
  memory: {
    usedBytes: number | null;
    maxBytes: number | null;
    policy: string | null;
    evictedKeys: number | null;
    expiredKeys: number | null;
    expiredStalePercent: number | null;
  };
  /** Since the start or CONFIG RESETSTAT; absent = the scan did not read it. */
  traffic?: {
    hits: number | null;
    misses: number | null;
    /**
     * Reads from sockets (6.0 and later): compared with the number of commands, they show how much clients pipeline.
     */
    reads: number | null;
    /** Error replies by their first word (`OOM`, `CROSSSLOT`), since 6.2; null = the server does not count them. */
    errors: Record<string, number> | null;
  };
  /** The default user: whether it is on, needs no password, and which of the checked commands it may run. */
  defaultUser: { enabled: boolean; noPassword: boolean; may: Record<string, boolean> } | null;
  /** The commands that `may` and `unknownCommands` cover, `config|set` for a subcommand; absent = ALWAYS_ASKED. */
  askedCommands?: string[];
  /** Commands that the server does not know (renamed or disabled), in lower case; null = COMMAND INFO was refused. */
  unknownCommands: string[] | null;
  /** Commands that are not in COMMAND_NAMES, in lower case: of modules or later versions. null = not known. */
  moreCommands?: string[] | null;
  passwordSet: boolean | null;
  tls: boolean;
  protectedMode: boolean | null;
  missing: { command: string; reason: 'denied' | 'unknown_command' | 'unreachable' }[];
}
/** The commands of rule C1 and those that are dangerous if others can run them: checked whatever the profile says. */
export const ALWAYS_ASKED = ['keys', 'flushall', 'flushdb', 'monitor', 'config', 'debug', 'shutdown'];

/** Whether the server is older than 6.0, which has no users: every client that gets in may run every command. */
export function hasNoUsers({ version, missing }: Pick<NodeAudit, 'version' | 'missing'>): boolean {
  const known = missing.some(({ command, reason }) => command === 'acl getuser' && reason === 'unknown_command');
  return known && Number.parseInt(version ?? '', 10) < 6;
}

export interface ServerAudit {
  checkedAt: number;
  clustered: boolean;
  nodes: NodeAudit[];
}

export interface ServerFinding {
  verdict: 'violated' | 'passed' | 'unknown';
  /**
   * The nodes that violate the rule, with the figures that show it; pages use the messages `serverAudit.*` for them.
   */
  evidence: { address: string; figures: Record<string, number | string> }[];
  /** If unknown: commands that the audit needs. */
  missing: string[];
  /** If unknown: reasons that no permission would remove. */
  because?: ServerDoubt[];
  /** If unknown: nodes that were not read at all, because they are unconfirmed or did not answer. */
  unread?: string[];
}

/**
 * slowlog: it is switched off · notAsked: the scan did not read what the rule needs · subcommands: before 7.0 the
 * statistics count them with their command · reset: the statistics were reset too recently · errorstats: the server had
 * too many kinds of errors and no longer counts them.
 */
export type ServerDoubt = 'slowlog' | 'notAsked' | 'subcommands' | 'reset' | 'version' | 'errorstats';

/** The result of one server rule (GET /api/instances/:id/audit). */
export interface ServerRuleFinding extends ServerFinding {
  rule: string;
}
