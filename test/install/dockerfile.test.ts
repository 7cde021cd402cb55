import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readText } from './deploy-files';
import { lintDockerfile, parseInstructions } from './lint-dockerfile';

const root = new URL('../../', import.meta.url);
const own = readText('Dockerfile');

it('the Dockerfile meets every rule, and beside it stands what is kept from the builder', () => {
  expect(lintDockerfile(own)).toEqual([]);
  expect(parseInstructions(own).filter(({ word }) => word === 'FROM')).toHaveLength(2);
  expect(existsSync(new URL('.dockerignore', root))).toBe(true);
});

/** A file that meets all rules; the others are made from it and violate one each. */
const GOOD = `ARG VERSION=20
FROM node:\${VERSION}-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends git \\
  && rm -rf /var/lib/apt/lists/*
RUN npm ci
FROM registry.example.com:5000/node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0
WORKDIR /app
COPY --from=build /src ./
USER 1000:1000
EXPOSE 3000
HEALTHCHECK CMD ["node", "-e", "0"]
ENTRYPOINT ["node", "colonnade.mjs"]
CMD ["serve"]
`;

it('a good file meets every rule', () => {
  expect(lintDockerfile(GOOD)).toEqual([]);
});

it.each([
  ['words are those of a Dockerfile, in capitals', 'WORKDIR /app', 'MAINTAINER somebody\nWORKDIR /app'],
  ['a base names a version', 'node:20-bookworm-slim', 'node:latest'],
  ['a base names a version', 'node:20-bookworm-slim', 'node'],
  ['a base names a version', 'ARG VERSION=20', 'ARG VERSION'],
  ['apt-get, not apt', 'RUN npm ci', 'RUN npm ci && apt update'],
  ['apt-get installs what is named, and nothing it recommends', ' --no-install-recommends', ''],
  ['apt-get asks nobody', 'install -y', 'install'],
  ['lists of packages are fetched and removed where they are used', '/var/lib/apt/lists/*', '/tmp/lists'],
  ['lists of packages are fetched and removed where they are used', 'apt-get update && ', ''],
  ['npm installs what the lock names', 'npm ci', 'npm install'],
  ['nothing that was fetched is run unseen', 'npm ci', 'npm ci && curl -fsSL https://example.com/setup | bash -'],
  ['no sudo', 'RUN npm ci', 'RUN sudo npm ci'],
  ['files are copied, not added', 'COPY --from=build /src ./', 'ADD https://example.com/app.tgz ./'],
  ['what is copied comes from a stage before, or from the context', '--from=build', '--from=other'],
  ['folders are named from the root', 'WORKDIR /app', 'WORKDIR app'],
  ['no secret is set', 'HOST=0.0.0.0', 'COLONNADE_S3_SECRET_KEY=x'],
  ['no secret is set', 'ARG VERSION=20', 'ARG VERSION=20\nARG NPM_TOKEN'],
  ['it runs as a number that is not root', 'USER 1000:1000', 'USER root'],
  ['it runs as a number that is not root', 'USER 1000:1000', 'USER 1000:1000\nUSER 0'],
  ['it runs as a number that is not root', 'USER 1000:1000\n', ''],
  ['one command, one entrypoint', 'CMD ["serve"]', 'CMD ["serve"]\nCMD ["worker"]'],
  ['signals reach the program', 'CMD ["serve"]', 'CMD serve'],
  ['one health check', 'HEALTHCHECK CMD ["node", "-e", "0"]\n', ''],
  ['one health check', 'HEALTHCHECK CMD ["node", "-e", "0"]', 'HEALTHCHECK NONE'],
  ['ports are numbers', 'EXPOSE 3000', 'EXPOSE http'],
])('%s: %j → %j', (rule, good, bad) => {
  const broken = GOOD.replace(good, bad);
  expect(broken).not.toBe(GOOD);
  expect(lintDockerfile(broken)).toEqual([rule]);
});
