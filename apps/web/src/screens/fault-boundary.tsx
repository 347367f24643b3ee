import { Button, EmptyState, type Words, WordsContext } from '@drawbridge/ui';
import { Component, type ReactNode } from 'react';

/** A failing pane leaves the others, and Stop, usable. */
export class FaultBoundary extends Component<{ readonly children: ReactNode }, { readonly fault: unknown }> {
  static override contextType = WordsContext;
  declare context: Words;
  override state = { fault: undefined };

  static getDerivedStateFromError(fault: unknown) {
    return { fault };
  }

  override render(): ReactNode {
    if (this.state.fault === undefined) return this.props.children;
    const { fault } = this.context;
    return (
      <EmptyState action={<Button onClick={() => location.reload()}>{fault.reload}</Button>}>
        {fault.screen}
      </EmptyState>
    );
  }
}
