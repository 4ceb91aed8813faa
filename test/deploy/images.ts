/**
 * The images of deploy/container, built with podman. Their base images are not pulled: they are
 * made of a clean Debian root of debootstrap, and the Node that runs this program, which must have
 * the version that the Dockerfile names.
 */
import { join } from 'node:path';
import type { ContainerEngine } from './container-engine.ts';
import { addNode, makeDebianRoot, npmMounts, npmVariables, PROJECT, run, say } from './system.ts';

const FILES = join(PROJECT, 'deploy/container');
/** Of the image of the exchange. */
export const CONTAINER_USER = 10_001;

const APT = '/etc/apt';

export function importBases(engine: ContainerEngine, folder: string): void {
  const root = join(folder, 'root');
  makeDebianRoot(root);
  engine.importRoot(root, 'docker.io/library/debian:bookworm-slim', {});
  addNode(root);
  const node = `docker.io/library/node:${process.versions.node}-bookworm-slim`;
  engine.importRoot(root, node, npmVariables());
  say('the base images are made of a clean Debian root, not pulled');
}

function build(engine: ContainerEngine, file: string, name: string, more: readonly string[]): void {
  const { nofile, nproc } = engine.limits();
  const limits = [`--ulimit=nofile=${nofile}:${nofile}`, `--ulimit=nproc=${nproc}:${nproc}`];
  // Docker writes health checks by itself.
  const words = [...limits, ...more, '--format=docker', '--network=host', '--pull=never'];
  const printed = run('podman', ['build', ...words, `--file=${file}`, `--tag=${name}`, PROJECT]);
  for (const [line] of printed.matchAll(/^.*STEP.*$/gm)) say(line);
  const bytes = run('podman', ['image', 'inspect', '--format={{.Size}}', name]).trim();
  say(`${name} has ${Math.round(Number(bytes) / 1e6)} MB, Debian included`);
}

/** Builds the image of a venue, and the sandbox's. */
export function buildExchange(engine: ContainerEngine): void {
  const file = join(FILES, 'Dockerfile');
  const mounts = npmMounts().map(([from, to]) => `--volume=${from}:${to}`);
  // Docker finds the list of ignored files by its name.
  const more = [...mounts, `--ignorefile=${file}.dockerignore`];
  build(engine, file, 'outcome-exchange', more);
  build(engine, file, 'outcome-exchange-sandbox', [...more, '--target=sandbox']);
}

/** Debian's packages come from where this machine has them. */
export function buildEtcd(engine: ContainerEngine): void {
  const file = join(FILES, 'etcd.Dockerfile');
  const ignored = `--ignorefile=${join(FILES, 'Dockerfile.dockerignore')}`;
  build(engine, file, 'outcome-exchange-etcd', [ignored, `--volume=${APT}:${APT}:ro`]);
}
