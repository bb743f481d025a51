// `holdfast/inspect`: explains where the data in the store came from. It is for development and tests, and on demand for
// production.
export { inspect, Inspector } from './addons/inspect/inspector.ts';
export { mountPanel } from './addons/inspect/mount-panel.ts';
export {
  describeField,
  describeList,
  describeMember,
  describeRequest,
  describeRow,
  describeStale,
  describeWake,
  describeWrite,
} from './addons/inspect/describe.ts';
export type { Sentence } from './addons/inspect/describe.ts';
