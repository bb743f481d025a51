// Every change that did not get through, until it is repeated or dismissed. Holdfast keeps them.
import { FailedManager } from 'holdfast';

export const failures = new FailedManager();
