# The console and the command line as static binaries on an empty image.
#
#     docker build -t elasticjob-console --build-arg VERSION=$(git describe --tags --always) .
# The base is named by its digest, so that a build is the same each time. Another base:
#     --build-arg GO_IMAGE=golang:1.26
ARG GO_IMAGE=golang:1.26.8-bookworm@sha256:a688600ca24f8a4d3ca77f95b0dd40704a9fc787c826660eb7ba0b641b8b175d
FROM $GO_IMAGE AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
ARG COMMIT=unknown
# The time zone database is compiled in (both programs import time/tzdata), so
# that cron expressions with a zone work without /usr/share/zoneinfo.
RUN CGO_ENABLED=0 go build -tags nomsgpack -trimpath -buildvcs=false \
    -ldflags "-s -w -X github.com/elasticjob-go/elasticjob/internal/build.version=$VERSION -X github.com/elasticjob-go/elasticjob/internal/build.commit=$COMMIT" \
    -o /out/ ./cmd/console ./cmd/elasticjob \
 && CGO_ENABLED=0 go build -tags nethttpomithttp2 -trimpath -buildvcs=false -ldflags "-s -w" -o /out/cloudrun ./cmd/cloudrun \
 && mkdir -p /out/data /out/tmp && chmod 1777 /out/tmp

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /out/console /console
# The command line, which also fetches archives in pods: docker run --entrypoint /elasticjob …
COPY --from=build /out/elasticjob /elasticjob
# Images of scripts copy it from here: see docs/cloud.md.
COPY --from=build /out/cloudrun /cloudrun
COPY --from=build /out/tmp /tmp
# A fresh volume mounted at /data takes the owner of the folder in the image.
COPY --from=build --chown=65532:65532 /out/data /data
USER 65532:65532
# The image listens on every address of its container, so it refuses to start
# until the accounts of conf/auth.properties are not the shipped ones: mount
# yours at /conf/auth.properties.
ENV ELASTICJOB_LISTEN=0.0.0.0:8899 \
    ELASTICJOB_DATA=/data \
    ELASTICJOB_AUTH=/conf/auth.properties \
    ELASTICJOB_LOG_FORMAT=json
EXPOSE 8899
VOLUME /data
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s CMD ["/console", "health"]
ENTRYPOINT ["/console"]
CMD ["serve"]
