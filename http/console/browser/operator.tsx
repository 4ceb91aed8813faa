/** The operator's pages, on the operator's listener. */
import './styles/index.css';
import { render } from 'preact';
import { Empty, Page } from './kit/index.ts';

function OperatorConsole() {
  return (
    <Page name="outcome-exchange: operator" places={[]} aside={undefined}>
      <Empty>Paste the operator's token.</Empty>
    </Page>
  );
}

render(<OperatorConsole />, document.body);
