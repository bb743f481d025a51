// The inspector without its panel: what the first screen loads.
export { inspect } from 'holdfast/inspect';
