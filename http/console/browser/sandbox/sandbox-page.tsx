/** All panels of the sandbox, for the operator's listener. */
import { useTitle } from '../kit/index.ts';
import { CheckpointsPanel } from './checkpoints-panel.tsx';
import { CrowdPanel } from './crowd-panel.tsx';
import { FaucetPanel } from './faucet-panel.tsx';
import { FaultsPanel } from './faults-panel.tsx';
import { TimePanel } from './time-panel.tsx';

interface SandboxPageProps {
  /** Whether this listener has the faucet: the public one has it, the operator's has deposits. */
  readonly hasFaucet?: boolean;
}

export function SandboxPage({ hasFaucet = false }: SandboxPageProps) {
  useTitle('Sandbox');
  return (
    <div class="stack">
      <h1>Sandbox</h1>
      <div class="columns">
        <TimePanel />
        <CheckpointsPanel />
        {hasFaucet && <FaucetPanel />}
      </div>
      <FaultsPanel />
      <CrowdPanel />
    </div>
  );
}
