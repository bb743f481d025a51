// The component that mounts the panel. It renders nothing: the panel is an element of its own at the end of the page.
import { DEV } from '#env';
import { useEffect } from 'react';
import type { Inspector } from './inspector.ts';
import { mountPanel } from './mount-panel.ts';
import type { PanelOptions } from './mount-panel.ts';

/**
 * Props of {@link InspectorPanel}.
 *
 * @example
 * const props: InspectorPanel.Props = { inspector: inspect(), isOpen: true };
 * const element = <InspectorPanel {...props} />;
 */
export interface InspectorPanelProps extends PanelOptions {
  readonly inspector: Inspector;
}

/**
 * Mounts the panel of an inspector as long as the component is mounted: Alt+Shift+H opens it. In a production build the component
 * does nothing; there, call `mountPanel`.
 *
 * @example
 * const inspector = inspect();
 * const app = (
 *   <DataProvider managers={[inspector, ...getDefaultManagers()]}>
 *     <InspectorPanel inspector={inspector} />
 *   </DataProvider>
 * );
 */
export function InspectorPanel({ inspector, isOpen = false }: InspectorPanelProps): null {
  useEffect(() => (DEV ? mountPanel(inspector, { isOpen }) : undefined), [inspector, isOpen]);
  return null;
}

export declare namespace InspectorPanel {
  export type { InspectorPanelProps as Props };
}
