/** Rules for a Dockerfile, as hadolint and the builder's own checks have them; each has a name. */
interface Instruction {
  word: string;
  text: string;
  /** Stages are counted from 0; each FROM begins one. */
  stage: number;
}

/** Returns the instructions without comments, with continued lines joined. */
export function parseInstructions(dockerfile: string): Instruction[] {
  const plain = dockerfile.replaceAll(/^\s*#.*\n?/gm, '').replaceAll(/\\\n\s*/g, '');
  let stage = -1;
  return plain
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, word = '', text = ''] = /^(\S+)\s*(.*)$/.exec(line) ?? [];
      if (word === 'FROM') stage += 1;
      return { word, text, stage };
    });
}

const WORDS =
  /^(ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|RUN|SHELL|STOPSIGNAL|USER|VOLUME|WORKDIR)$/;
const SECRET = /PASS(WORD|WD|PHRASE)|SECRET|TOKEN|CREDENTIAL|(^|_)KEY($|_)/i;

type Check = (all: Instruction[], last: Instruction[]) => boolean;
const texts = (all: Instruction[], ...words: string[]) => all.filter((one) => words.includes(one.word));

/** Returns the base images, with the ARGs before the first FROM substituted. */
function bases(all: Instruction[]): { image: string; stage: number }[] {
  const args = texts(all, 'ARG').map(({ text }) => text.split('=') as [string, string | undefined]);
  const known = new Map(args);
  return texts(all, 'FROM').map(({ text, stage }) => ({
    image: (text.split(/\s+/)[0] ?? '').replaceAll(/\$\{?(\w+)\}?/g, (_, name: string) => known.get(name) ?? ''),
    stage,
  }));
}
const stageNames = (all: Instruction[]) =>
  texts(all, 'FROM').map(({ text }) => /\sAS\s+(\S+)$/i.exec(text)?.[1]?.toLowerCase() ?? null);

/** Returns the names that an ENV or ARG sets. */
const setNames = (all: Instruction[]) =>
  texts(all, 'ENV', 'ARG').flatMap(({ word, text }) =>
    word === 'ARG' || !text.includes('=')
      ? [text.split(/[=\s]/)[0] as string]
      : [...text.matchAll(/(?:^|\s)(\w+)=/g)].map(([, name]) => name as string),
  );

const listCommands = (all: Instruction[]) => texts(all, 'RUN').map(({ text }) => text);

/** Each rule returns true if it is met. */
const RULES: Record<string, Check> = {
  'words are those of a Dockerfile, in capitals': (all) => all.every(({ word }) => WORDS.test(word)),
  'a base names a version': (all) =>
    bases(all).every(
      ({ image, stage }) =>
        stageNames(all).slice(0, stage).includes(image.toLowerCase()) ||
        /@sha256:[0-9a-f]{64}$|^[^:]+(:\d+\/[^:]+)?:(?!latest\b)[\w.-]*\d[\w.-]*$/.test(image),
    ),
  'apt-get, not apt': (all) =>
    listCommands(all).every((text) => !/\bapt (-\S+ )*(install|update|upgrade)\b/.test(text)),
  'apt-get installs what is named, and nothing it recommends': (all) =>
    listCommands(all).every((text) => !/apt-get\b.*\binstall\b/.test(text) || text.includes('--no-install-recommends')),
  'apt-get asks nobody': (all) =>
    listCommands(all).every(
      (text) => !/apt-get\b.*\binstall\b/.test(text) || /apt-get( -\S+)* -\w*y|install -\w*y/.test(text),
    ),
  'lists of packages are fetched and removed where they are used': (all) =>
    listCommands(all).every(
      (text) =>
        /apt-get update/.test(text) === /apt-get\b.*\binstall\b/.test(text) &&
        (!text.includes('apt-get update') || text.includes('rm -rf /var/lib/apt/lists/*')),
    ),
  'npm installs what the lock names': (all) =>
    listCommands(all).every((text) => !/\bnpm (i|install|update)\b/.test(text)),
  'nothing that was fetched is run unseen': (all) =>
    listCommands(all).every((text) => !/(curl|wget)[^|]*\|\s*(ba|z)?sh\b/.test(text)),
  'no sudo': (all) => listCommands(all).every((text) => !/\bsudo\b/.test(text)),
  'files are copied, not added': (all) => texts(all, 'ADD').length === 0,
  'what is copied comes from a stage before, or from the context': (all) =>
    texts(all, 'COPY').every(({ text, stage }) => {
      const from = /--from=(\S+)/.exec(text)?.[1];
      return from === undefined || stageNames(all).slice(0, stage).includes(from.toLowerCase());
    }),
  'folders are named from the root': (all) => texts(all, 'WORKDIR').every(({ text }) => /^["']?\//.test(text)),
  'no secret is set': (all) => setNames(all).every((name) => !SECRET.test(name)),
  'it runs as a number that is not root': (_, last) =>
    /^[1-9]\d*(:[1-9]\d*)?$/.test(texts(last, 'USER').at(-1)?.text ?? ''),
  'one command, one entrypoint': (all, last) => {
    const stages = [...new Set(all.map(({ stage }) => stage))];
    const times = (word: string, stage: number) => texts(all, word).filter((one) => one.stage === stage).length;
    const once = stages.every((stage) => times('CMD', stage) <= 1 && times('ENTRYPOINT', stage) <= 1);
    return once && texts(last, 'CMD').length === 1;
  },
  'signals reach the program': (all) =>
    texts(all, 'CMD', 'ENTRYPOINT').every(({ text }) => {
      try {
        return Array.isArray(JSON.parse(text));
      } catch {
        return false;
      }
    }),
  'one health check': (_, last) =>
    texts(last, 'HEALTHCHECK').length === 1 && !/^NONE/.test(texts(last, 'HEALTHCHECK')[0]?.text ?? ''),
  'ports are numbers': (all) =>
    texts(all, 'EXPOSE').every(({ text }) =>
      text.split(/\s+/).every((port) => /^\d{1,5}(\/(tcp|udp))?$/.test(port) && Number.parseInt(port, 10) <= 65_535),
    ),
};

/** Returns the names of the rules that the Dockerfile does not meet. */
export function lintDockerfile(dockerfile: string): string[] {
  const all = parseInstructions(dockerfile);
  const last = all.filter(({ stage }) => stage === all.at(-1)?.stage);
  return Object.entries(RULES).flatMap(([name, met]) => (met(all, last) ? [] : [name]));
}
