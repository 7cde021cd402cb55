import { EXIT, UsageError } from '@/cli/exit';
import { print, printJson } from '@/cli/print';
import { formatPlainTable } from '@/cli/units';
import { keepAsking } from './keep-asking';
import { readArguments, readServerAccess } from './server-access';

/** `colonnade instances --server URL`: lists the registered instances that the token may see. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, {});
  if (positionals.length > 0) throw new UsageError('The instances command is: colonnade instances --server URL');
  const access = readServerAccess(values);
  const answer = await keepAsking(access, 'GET /api/instances', {});
  if (values.json) await printJson(answer.instances);
  else if (answer.instances.length === 0) process.stderr.write('The token sees no instance.\n');
  else
    await print(
      formatPlainTable(
        ['id', 'name', 'topology', 'address', 'environment'],
        answer.instances.map(({ id, name, topology, endpoints, environment, production }) => [
          id,
          name,
          topology,
          endpoints.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`).join(','),
          [environment, ...(production ? ['production'] : [])].filter(Boolean).join(', '),
        ]),
      ),
    );
  return EXIT.fine;
}
