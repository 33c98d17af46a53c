FROM node:22-bookworm-slim AS build
# Only where better-sqlite3 has no ready binary for the platform does it need these.
RUN apt-get update && apt-get install --yes --no-install-recommends g++ make python3 && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
RUN mkdir --mode=700 /data && chown node:node /data && ln -s /app/bin/enterprise-search.js /usr/local/bin/enterprise-search
# Converts what the service does not read itself, such as drawings of Visio before 2013.
ARG LIBREOFFICE=on
RUN if [ "$LIBREOFFICE" = on ]; then apt-get update \
  && apt-get install --yes --no-install-recommends \
    libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui libreoffice-draw-nogui \
  && rm -rf /var/lib/apt/lists/*; fi
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/bin ./bin
COPY --from=build /app/dist/bundle ./dist/bundle
COPY --from=build /app/dist/web ./dist/web
USER node
# Nothing but /data is written: the container may run with a read-only root file system.
VOLUME /data
EXPOSE 8080
# Alive, not ready: a service that is still catching up must not be restarted for it. Balancers ask /health/ready.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["enterprise-search"]
CMD ["serve"]
