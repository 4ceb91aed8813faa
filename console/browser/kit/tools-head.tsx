/** The head of the pages for developers, which lead to each other. */
import { useTitle } from './page.tsx';

/** The pages by their segment. The operator's listener has no streams. */
const TOOLS = [
  ['explorer', 'Explorer'],
  ['requests', 'Requests'],
  ['streams', 'Streams'],
] as const;

interface ToolsHeadProps {
  /** The page that is shown. */
  readonly here: (typeof TOOLS)[number][0];
  readonly isOperator: boolean;
}

export function ToolsHead({ here, isOperator }: ToolsHeadProps) {
  const tools = TOOLS.filter(([segment]) => segment !== 'streams' || !isOperator);
  const [, title = ''] = TOOLS.find(([segment]) => segment === here) ?? [];
  useTitle(title);
  return (
    <div class="row apart">
      <h1>{title}</h1>
      <nav class="tools" aria-label="Tools for developers">
        {tools.map(([segment, text]) => (
          <a
            key={segment}
            href={`#/${segment}`}
            aria-current={segment === here ? 'page' : undefined}
          >
            {text}
          </a>
        ))}
      </nav>
    </div>
  );
}
