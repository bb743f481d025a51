// The name of the page, above the sidebar.
import type { ReactNode } from 'react';
import { LineIcon } from '../ui/icons.tsx';

export function Brand(): ReactNode {
  return (
    <div className="brand">
      <LineIcon name="anchor" />
      <span>Harbor</span>
      <small>on Holdfast</small>
    </div>
  );
}
