# One etcd node from Debian's package, for compose.cluster.yaml. From the root of the project:
#   docker build --file deploy/container/etcd.Dockerfile --tag outcome-exchange-etcd .
# Nothing of the project is in it.

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends etcd-server etcd-client \
 && rm -r /var/lib/apt/lists/* \
 && install --directory --owner=10002 --group=10002 --mode=0700 /var/lib/etcd-node
USER 10002:10002
VOLUME /var/lib/etcd-node
EXPOSE 2379 2380
HEALTHCHECK --interval=10s --timeout=5s --start-period=1m --retries=3 \
  CMD ["etcdctl", "endpoint", "health"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["etcd"]
