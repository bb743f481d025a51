// `holdfast/testing`: fixtures instead of the network, for tests of any framework.
export type {
  ErrorFixture,
  FetchInterceptor,
  Fixture,
  Interceptor,
  ResponseInterceptor,
  SuccessFixture,
  Wire,
} from './addons/testing/fixture.types.ts';
export { applyFixtures, createMockController } from './addons/testing/mock-controller.ts';
export { MockManager } from './addons/testing/mock-manager.ts';
