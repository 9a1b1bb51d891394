# docker build -t foyer .
# docker run --read-only --tmpfs /tmp -v foyer:/data -p 3000:3000 -e FOYER_DEMO=0 -e BASE_URL=https://foyer.example foyer

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
# With what builds it first, and then without. The image has a Node of its own.
RUN npm ci && node bin/release.js \
  && rm -rf node_modules && npm ci --omit=dev --ignore-scripts \
  && rm -rf node_modules/node-linux-*

FROM node:24-bookworm-slim
# PostgreSQL, the embedded one too, wants a user that has a name.
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin foyer \
  && install -d -o foyer -g foyer -m 700 /data
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/bin ./bin
COPY --from=build /app/src ./src
COPY --from=build /app/migrations ./migrations
COPY --from=build /app/dist/released ./dist/released
COPY --from=build /app/dist/server/released ./dist/server/released
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 FOYER_DATA=/data
USER 10001
VOLUME /data
EXPOSE 3000
# A process without a web server (serve --no-http) has none of it: docker run --no-healthcheck.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/foyer.js"]
CMD ["serve"]
