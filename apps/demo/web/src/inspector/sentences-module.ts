// The sentences of the inspector: loaded once the X-ray is on screen.
export { describeRequest } from 'holdfast/inspect';
