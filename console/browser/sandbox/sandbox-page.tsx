/** The panels of the sandbox that are on the operator's listener. */
import { useTitle } from '../kit/index.ts';
import { CheckpointsPanel } from './checkpoints-panel.tsx';
import { CrowdPanel } from './crowd-panel.tsx';
import { FaultsPanel } from './faults-panel.tsx';
import { TimePanel } from './time-panel.tsx';

export function SandboxPage() {
  useTitle('Sandbox');
  return (
    <div class="stack">
      <h1>Sandbox</h1>
      <div class="columns">
        <TimePanel />
        <CheckpointsPanel />
      </div>
      <FaultsPanel />
      <CrowdPanel />
    </div>
  );
}
