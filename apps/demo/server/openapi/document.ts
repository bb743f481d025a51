// The OpenAPI 3.1 document, served at /api/openapi.json.
import { paths } from './paths.ts';
import { schemas } from './schemas.ts';

export const document = {
  openapi: '3.1.0',
  info: {
    title: 'Harbor',
    version: '1.0.0',
    description:
      'The REST API of the Holdfast demo. Any request may carry `Demo-Network: delay=300..2000; fail=0.2; drop=0.1` to be treated as on a bad network.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: [],
  paths,
  components: { schemas },
} as const;
