# Not run here: the machine that this was written on has no container engine. Read before you trust it.
#
#   docker build -t drawbridge .
#   docker run --rm -it -p 7717:7717 -v drawbridge:/data drawbridge
#
# The relay alone: browsers and coding agents are lent to it from the machines that they run on
# (the extension, drawbridge browser, drawbridge proxy). docs/self-host.md says more.

FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && npm run pack && mv dist/drawbridge-*.tgz /drawbridge.tgz

FROM node:24-bookworm-slim
COPY --from=build /drawbridge.tgz /tmp/drawbridge.tgz
RUN npm install --global --offline --no-audit --no-fund /tmp/drawbridge.tgz \
  && rm /tmp/drawbridge.tgz \
  && mkdir /data /backups && chown node:node /data /backups && chmod 700 /data /backups
USER node
ENV DRAWBRIDGE_HOME=/data DRAWBRIDGE_LOG=stderr NODE_ENV=production
VOLUME /data
EXPOSE 7717
# Its own certificate is not one that Node knows; the question does not leave this container.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD ["node", "-e", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; fetch(JSON.parse(require('node:fs').readFileSync('/data/owner.json', 'utf8')).url + '/livez').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["drawbridge"]
CMD ["up", "--host", "0.0.0.0", "--no-browser"]
