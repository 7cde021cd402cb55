import { Children, Component, type ReactNode } from 'react';
import { Card } from '@/components/ui/card';
import { toDrawingFailure } from './drawing-failure';
import { ErrorState } from './error-state';

/**
 * Limits a malformed answer to one card: each child of a page's grid fails alone, and is rendered again when its
 * content changes.
 */
export function EachCard({ children }: { children: ReactNode }) {
  return Children.map(children, (child) => <Boundary card>{child}</Boundary>);
}

/** The same for small parts of one line (a bar, the buttons of a page): a part that fails is not shown. */
export function EachPart({ children }: { children: ReactNode }) {
  return Children.map(children, (child) => <Boundary>{child}</Boundary>);
}

class Boundary extends Component<{ children: ReactNode; card?: boolean }, { failed: Error | null }> {
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
    if (!this.props.card) return null;
    return (
      <Card>
        <ErrorState {...toDrawingFailure(failed, () => this.setState({ failed: null }))} />
      </Card>
    );
  }
}
