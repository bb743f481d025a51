// Tells React that updates in the browser tests happen inside act(), as Testing Library expects, and lets its queries wait
// as long as every other wait of the tests: see scripts/patience.ts.
import { configure } from '@testing-library/react';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
configure({ asyncUtilTimeout: 15_000 });
