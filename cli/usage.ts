import { REPORTS } from '@/lib/model/reports/registry';

export function buildUsage(): string {
  return `colonnade: reads whole Redis keyspaces at low speed

  colonnade serve [--port N] [--host H] [--data DIR]
                                    serve the pages and the API; defaults 3000, 127.0.0.1, ./data. Other settings are
                                    environment variables
  colonnade worker                  runs jobs and serves no pages, beside servers on the same PostgreSQL
  colonnade worker --healthy        for health checks: exit 0 when the worker of this container runs, else 1
  colonnade scan URL [options]      read every key into a snapshot and print the overview
      URL                           redis://[user@]host:port[,host:port…][/db]   rediss:// for TLS
                                    redis-sentinel://host:26379[,host…][/db]#NAME   the addresses are Sentinels
      --cluster                     the addresses are seeds of a cluster
      --sentinel NAME               the addresses are Sentinels of the master NAME
      --speed gentle|balanced|fast  default gentle: active a quarter of the time, throttled when latency rises
      --target auto|replica|primary default auto: a healthy replica where there is one
      --facts basic|full            basic: type, expiry, memory; full: also encoding, idle time, elements
      --counts large|all            default large: element counts of possible bigkeys; all: of every collection, for
                                    low thresholds. On a master before Redis 7.2 counting resets the idle time of a
                                    key: --target replica or --facts basic prevents it
      --values N                    sample the beginning of at most N small strings for sensitive data (rule V20);
                                    default 0: no value is read. The values themselves are never stored
      --db N[,N…]                   only these databases (default: all)
      --match PREFIX                only keys that begin with PREFIX, matched literally
      --out DIR                     write the snapshot here; the same command resumes an interrupted scan
      --profile FILE|default|S0…S4  also check the keys against a profile (YAML; colonnade rules prints one)
      --fail-on mandatory|recommended|advice    exit 1 when a rule of that strength or a stronger one is violated
                                               (rules not evaluated are listed on stderr and do not fail)
      --fail-on new:mandatory|… --since DIR     exit 1 only when a key violates such a rule that did not in DIR
      --format text|json|markdown|sarif         also as --json, --markdown, --sarif
      --ca FILE --cert FILE --key FILE --servername NAME --insecure     TLS
      --allow HOST:PORT|CIDR[:port],…    announced nodes of a cluster or Sentinel that belong to it. The password goes to
                                    them and to the addresses of URL, nowhere else; the error names what is missing
      --map ANNOUNCED=USE[,…]       NAT, forwarded ports: the address to use for an announced one, each as host:port
      --only-these                  of a cluster, only the nodes at the addresses of URL; the result says what is missing
      --ask-password                read the password from the terminal
  colonnade report DIR [NAME] [options]
      NAME                          ${REPORTS.join('|')}
      --prefix P  --type T  --sort [-]COLUMN  --limit N  --json
  colonnade report DIR findings [--profile P] [--fail-on S] [--format F]     check a snapshot against another profile
  colonnade report DIR --html [--language en|zh-CN] [--profile P | --standard S0…S4]   one file to print or mail
  colonnade compare DIR DIR [options]      what is new, gone, grown and shrunk in the second snapshot
      --prefix P  --template T  --profile P  --json
  colonnade instances --server URL [--json]     list the instances of a running Colonnade that the token may see
  colonnade instances import FILE [--dry-run] --server URL   test the instances of a CSV or YAML list, and register them
  colonnade scan --server URL INSTANCE [options]    the server scans the instance (name or id); waits for the end.
                                    Ctrl-C leaves the scan running. The profile is the one of the instance
      --speed gentle|balanced|fast  --fail-on S  --since previous|baseline|ID  --format F
                                    new:… counts since the baseline of the instance, or since --since
  colonnade report --server URL INSTANCE [NAME|findings] [options]
      --snapshot latest|ID          default latest; the other options are those of report DIR
  colonnade compare --server URL ID ID [options]    the same of two snapshots of the server
  colonnade alerts --server URL [--resolved] [--json]
  colonnade alerts acknowledge ID --server URL
  colonnade jobs --server URL [--active] [--json]
  colonnade jobs cancel ID --server URL
  colonnade schedules --server URL [--json]     list what scans by itself, and when it is due next
  colonnade schedules runs --server URL [--json]    what was scanned, what was skipped, and why
  colonnade schedules add NAME --cron TEXT [--zone Z] --server URL    five fields, such as "10 3 * * *"; zone default UTC
      --instance NAME… | --tag TAG… | --environment E    which instances, resolved when it is due
      --speed gentle|balanced|fast
  colonnade schedules remove|on|off NAME --server URL
  colonnade trends --server URL INSTANCE [--json]   the totals of each scan: keys, memory, score, no expiry, bigkeys
      --server URL                  or COLONNADE_SERVER; the API token comes from COLONNADE_TOKEN. A CA of your own:
                                    NODE_EXTRA_CA_CERTS=/path/to/ca.pem
      --insecure-http               also plain http beyond this machine: the token crosses the network unencrypted
  colonnade lint [FILE…] [options]  check key names or templates (user:{id}:profile) by the naming rules
      --profile FILE|default|S0…S4  --fail-on mandatory|recommended|advice (default mandatory)  --format F
      --literal                     {id} is a part of the name, not a placeholder
      One name per line, after a TAB its type. Without FILE, or with -: stdin. Lines that begin with "# " are ignored.
  colonnade rules [ID] [--profile P] [--json]    the catalogue: requirement, reason, fix and source of each rule;
                                    --profile P prints that profile as YAML to edit
  colonnade audit verify            check the audit log of COLONNADE_DATA; reports the first bad row
  colonnade keys status             list the keys of COLONNADE_DATA and what is sealed with each
  colonnade keys rotate             make a new key and seal every stored secret with it; servers may run
  colonnade keys forget KID         delete a former key that no secret or archive needs any more
  colonnade keys lost KID           start with another key although the database was written with KID, which is lost:
                                    stored passwords must be entered again
  colonnade backup DIR [--with archives,snapshots,key]
                                    copy the state of COLONNADE_DATA (and COLONNADE_DATABASE_URL) to a new folder;
                                    servers may run; the key is included only if named
  colonnade restore DIR [--keep-tokens]
                                    restore a backup into the empty folder COLONNADE_DATA (and the empty PostgreSQL of
                                    COLONNADE_DATABASE_URL), verified first. Ends sessions, one-time links, approvals
                                    and, without --keep-tokens, API tokens
  colonnade user add NAME [--role none|viewer|operator|admin] [--grant KIND:VALUE=ROLE]…
                                    create an account in COLONNADE_DATA; prints the link that sets its password, once.
                                    KIND is instance, tag or environment: there the role is at least ROLE
  colonnade user list [--json]      list all accounts
  colonnade user reset|disable|enable NAME    reset: for a lost password, prints a new link
  colonnade store move              copy the database of COLONNADE_DATA into the empty PostgreSQL of
                                    COLONNADE_DATABASE_URL, whole or not at all; the server must be stopped
  colonnade token add NAME --user USER [--role R] [--grant KIND:VALUE=ROLE]… [--days N]
                                    create an API token, which never has more rights than USER; it is printed on
                                    stdout, once. Default: viewer, 90 days (at most 365)
  colonnade token list [--json]     list all tokens, with their last use
  colonnade token revoke NAME --user USER     or the id of the token instead of both
  colonnade panic [--lift]          emergency stop: stop all writes of the Colonnade of COLONNADE_DATA;
                                    --lift clears it
  colonnade version                 print the version; also --version

Passwords come from COLONNADE_PASSWORD (Sentinels: COLONNADE_SENTINEL_PASSWORD) or --ask-password, never from arguments.
Exit codes: 0 success · 1 findings of --fail-on, a corrupt audit log, no healthy worker · 2 wrong usage
            3 connection failed · 4 interrupted, resume with the same --out · 5 other failure
`;
}
