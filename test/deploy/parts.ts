/**
 * What `npm run test:deploy -- PART` can run: the files in `deploy/`, tried with the programs that
 * operators use them with. Each part is a program of its own, `test/deploy/<part>.ts`.
 */

export interface DeployPart {
  /** What it shows, for the list of parts. */
  readonly about: string;
  /** Debian packages that it needs. */
  readonly packages: readonly string[];
  readonly needsRoot: boolean;
}

const CONTAINER_PACKAGES = [
  ...['aardvark-dns', 'curl', 'debootstrap', 'iproute2', 'iptables', 'netavark', 'podman'],
  ...['podman-compose', 'runc', 'util-linux'],
];

export const PARTS: Readonly<Record<string, DeployPart>> = {
  container: {
    about: 'builds the image with podman, runs compose.yaml, and trades there',
    packages: CONTAINER_PACKAGES,
    needsRoot: true,
  },
  'container-cluster': {
    about: 'builds both images with podman, runs compose.cluster.yaml, and kills the core',
    packages: CONTAINER_PACKAGES,
    needsRoot: true,
  },
  systemd: {
    about: 'the units under a systemd that boots in a clean Debian root',
    packages: ['debootstrap', 'systemd-container', 'util-linux'],
    needsRoot: true,
  },
  proxy: {
    about: 'an exchange behind nginx and Caddy: requests, sockets, limits, a reload',
    packages: ['nginx', 'caddy', 'openssl'],
    needsRoot: false,
  },
  watching: {
    about: 'Prometheus with the alert rules, and each query of the dashboard, on a loaded exchange',
    packages: ['openssl', 'prometheus'],
    needsRoot: false,
  },
  'watching-cluster': {
    about: 'the rules and queries for a cluster, on one whose core is then killed',
    packages: ['etcd-server', 'etcd-client', 'prometheus'],
    needsRoot: false,
  },
  logs: {
    about: 'the log in a file of rsyslog that logrotate renames while requests arrive',
    packages: ['bsdutils', 'curl', 'logrotate', 'rsyslog'],
    needsRoot: true,
  },
};
