# The program alone, as an unprivileged user that can write nothing but its data. docs/operation.md, "In a container".
FROM rust:1.95-bookworm AS build
WORKDIR /source
COPY . .
RUN cargo build --profile dist --locked -p trastienda

FROM debian:bookworm-slim
RUN useradd --system --uid 10001 --create-home --home-dir /var/lib/trastienda trastienda
COPY --from=build /source/target/dist/trastienda /usr/local/bin/trastienda
USER trastienda
WORKDIR /var/lib/trastienda
VOLUME /var/lib/trastienda
ENV TRASTIENDA_DATA_DIR=/var/lib/trastienda TRASTIENDA_LISTEN=0.0.0.0:8080 TRASTIENDA_LOG_FORMAT=json
EXPOSE 8080
# Of plain HTTP; where TRASTIENDA_TLS_CERT is set, let the platform ask for /readyz instead.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && head -1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["trastienda"]
CMD ["serve"]
