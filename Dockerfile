# docker build -t colonnade .
ARG NODE_VERSION=20

# The full image has the compiler that better-sqlite3 needs where no ready-made binary can be fetched.
FROM node:${NODE_VERSION}-bookworm AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build
# The build is complete in itself; with the command line beside it, it is all that runs.
RUN cp dist/colonnade*.mjs .next/standalone/ && rm -rf .next/standalone/docs .next/standalone/scripts

FROM node:${NODE_VERSION}-bookworm-slim
# MALLOC_ARENA_MAX: docs/INSTALL.md, Memory.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 COLONNADE_DATA=/data MALLOC_ARENA_MAX=2
# A new volume takes over owner and mode of the folder it is mounted on.
# /snapshots: where several share an object store.
RUN install -d -o 1000 -g 1000 -m 0700 /data /snapshots
WORKDIR /app
COPY --from=build /src/.next/standalone ./
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "colonnade.mjs"]
CMD ["serve"]
