# Runs the local service (`milepost local`) in a container. See docs/how-to/run-in-a-container.md.

FROM node:24-slim AS build
WORKDIR /source
# Install dependencies in a separate layer, because they change less often than the sources.
COPY package.json package-lock.json .npmrc ./
COPY scripts/slim-packages.js scripts/prepare.js scripts/
RUN npm ci
COPY . .
RUN npm pack --pack-destination /tmp
WORKDIR /milepost
# The base image already contains Node.js, so remove the copies that npm installed.
RUN npm install --omit=dev --no-save /tmp/milepost-*.tgz && rm -rf node_modules/node-*-x64 node_modules/node-*-arm64

FROM node:24-slim
WORKDIR /milepost
COPY --from=build /milepost/node_modules node_modules
# Contains the shipped models. Mount your own folder here to replace them.
COPY models models
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production MILEPOST_HOST=0.0.0.0 MILEPOST_DATA=/data MILEPOST_EVENTBRIDGE_PORT=4570
USER node
VOLUME /data
# API and web pages, Kinesis, DynamoDB, Lambda, EventBridge.
EXPOSE 4500 4567 4568 4569 4570
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MILEPOST_PORT || 4500}/api/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Start the process without npx, so that it receives the container's stop signal itself and exits with status 0.
CMD ["node", "node_modules/milepost/dist/js/bin/milepost.js", "local"]
