// The testing entry: a network made of fixtures, for tests without a framework. Re-exports by name.
export type {
  ErrorFixture,
  FetchInterceptor,
  Fixture,
  Interceptor,
  MockOptions,
  ResponseInterceptor,
  SuccessFixture,
  Wire,
} from './addons/fixture.types.ts';
export { applyFixtures, createMockController } from './addons/mock-controller.ts';
export type { MockController, MockControllerOptions } from './addons/mock-controller.ts';
export { MockManager } from './addons/mock-manager.ts';
