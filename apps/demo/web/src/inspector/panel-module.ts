// The panel of the inspector: loaded when a visitor asks for it.
export { mountPanel } from 'holdfast/inspect';
