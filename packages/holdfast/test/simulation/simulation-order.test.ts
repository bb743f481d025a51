// The shipped library in the simulator, first half: a calm network, and one with every fault.
import { testModes } from './run-modes.ts';

testModes(['plain', 'faults']);
