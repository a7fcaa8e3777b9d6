# One image for the six services and the operators' command line: which one runs is the command, e.g. `billing/main.js`.
#
#   docker build -t invoicing .

FROM node:20.20-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# Nothing in the build needs an install script but esbuild's and SWC's own binaries, which come as packages.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN for app in gateway billing catalog checkout notification application admin; do node tools/build-app.mjs "$app" || exit 1; done

# Bundles only: no package manager's tree, no sources, no tools.
FROM node:20.20-bookworm-slim
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    GATEWAY_HOST=0.0.0.0 \
    METRICS_PORT=9464
WORKDIR /srv
COPY --from=build /build/dist /srv
COPY deploy/healthcheck.cjs /srv/healthcheck.cjs
# Only what notification's built-in mailbox and post write; everything else is read-only.
RUN mkdir /data && chown node:node /data
ENV DATA_DIR=/data
USER node
# HEALTHCHECK_TARGET says whom to ask: grpc://127.0.0.1:50051 or http://127.0.0.1:8080/api/health.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "healthcheck.cjs"]
# NODE_FLAGS of libs/service.
ENTRYPOINT ["node", "--max-semi-space-size=16"]
