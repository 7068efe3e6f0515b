# The production server. Needs DATABASE_URL, because the PostgreSQL that npm brings for development is left out.
# docker build --build-arg RELEASE=$(git rev-parse --short=12 HEAD) .   names the build in logs, metrics and /healthz.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY server/dev/payments-sandbox/package.json ./server/dev/payments-sandbox/
COPY server/developers/tool-check/package.json ./server/developers/tool-check/
RUN npm ci
COPY . .
RUN npm run build
RUN npm prune --omit=dev --omit=optional
# PDFs use one weight and format of the Noto fonts.
RUN find node_modules/@fontsource -path '*/files/*' ! -name '*-400-normal.woff' -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production
ARG RELEASE=unnamed
ENV RELEASE=$RELEASE
LABEL org.opencontainers.image.revision=$RELEASE
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/migrations ./migrations
COPY --from=build /app/server/platform/fonts ./server/platform/fonts
# The guide for tool makers, and its samples.
COPY --from=build /app/server/tools/README.md ./server/tools/
COPY --from=build /app/server/dev/sample-tool ./server/dev/sample-tool
# For `npm run tools:check`.
COPY --from=build /app/server/developers/tool-check ./server/developers/tool-check
# Read with PAYMENTS=sandbox only.
COPY --from=build /app/server/dev/payments-sandbox ./server/dev/payments-sandbox
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/index.js"]
