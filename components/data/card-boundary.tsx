import { Children, Component, type ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import { drawingFailure } from './drawing-failure';
import { ErrorState } from './error-state';

/**
 * One malformed answer blanks one card: each child of a page's grid fails alone, and is tried again when something else
 * is to be shown.
 */
export function EachCard({ children }: { children: ReactNode }) {
  return Children.map(children, (child) => <CardBoundary>{child}</CardBoundary>);
}

class CardBoundary extends Component<{ children: ReactNode }, { failed: Error | null }> {
  override state = { failed: null };

  static getDerivedStateFromError(error: unknown) {
    return { failed: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate(before: { children: ReactNode }) {
    if (this.state.failed !== null && before.children !== this.props.children) this.setState({ failed: null });
  }

  override render() {
    const failed: Error | null = this.state.failed;
    if (failed === null) return this.props.children;
    return (
      <Card>
        <ErrorState {...drawingFailure(failed, () => this.setState({ failed: null }))} />
      </Card>
    );
  }
}
