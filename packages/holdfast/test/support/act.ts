// Sets the React flag for updates inside act(), as Testing Library expects, and gives its queries the same waiting time as every
// other wait of the tests: see scripts/patience.ts.
import { configure } from '@testing-library/react';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
configure({ asyncUtilTimeout: 15_000 });
