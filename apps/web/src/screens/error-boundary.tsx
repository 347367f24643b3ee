import { Button, EmptyState, type Words, WordsContext } from '@drawbridge/ui';
import { Component, type ReactNode } from 'react';

/** A failing pane leaves the others, and Stop, usable. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  static override contextType = WordsContext;
  declare context: Words;
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    const { fault } = this.context;
    return (
      <EmptyState action={<Button onClick={() => location.reload()}>{fault.reload}</Button>}>
        {fault.screen}
      </EmptyState>
    );
  }
}
