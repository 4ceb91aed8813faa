import type { SandboxServices } from '../../sandbox/admin/index.ts';
import type { Running } from '../../venue/index.ts';

/** The services of an exchange with those that its sandbox made. */
export function sandboxServices({ services }: Pick<Running, 'services'>): SandboxServices {
  return services as SandboxServices; // Safe: the tests run an exchange with all plots.
}
