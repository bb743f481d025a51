// The page's list of changes that did not get through. Hooks find it by itself; what runs beside React asks it here.
import { FailedManager } from 'holdfast';

export const failedChanges = new FailedManager();
