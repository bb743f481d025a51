// The component that mounts the panel. The component renders nothing: the panel is a separate element at the end of the page.
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
 * Mounts the panel of an inspector as long as the component is mounted. Alt+Shift+H opens the panel. In a production build the
 * component does nothing; call `mountPanel` in a production build.
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
