// `holdfast/inspect`: asks the store why. For development, for tests, and on demand in production. Re-exports by name.
export { DEFAULT_HISTORY, inspect, Inspector } from './addons/inspect/inspector.ts';
export { mountPanel } from './addons/inspect/mount-panel.ts';
export type { PanelOptions } from './addons/inspect/mount-panel.ts';
export type { PanelSource } from './addons/inspect/panel-views.ts';
export type {
  ExplainedAnswer,
  ExplainedField,
  ExplainedLeave,
  ExplainedList,
  ExplainedMember,
  ExplainedRow,
  Guess,
  LostRule,
  LostValue,
  NothingKnown,
  RequestId,
  StaleReason,
} from './addons/inspect/explanation.types.ts';
export type {
  InspectedEvent,
  InspectedReader,
  InspectedRequest,
  InspectedWake,
  InspectedWrite,
  InspectOptions,
  InspectorTrace,
  WakeReason,
} from './addons/inspect/inspected.types.ts';
export type { RefusedField, RefusedRow } from './addons/validate/refused-rows.ts';
