// The OpenAPI 3.1 document, served at /api/openapi.json.
import { ACCESS_COOKIE, REFRESH_COOKIE } from '../session-cookies.ts';
import { paths } from './paths.ts';
import { schemas } from './schemas.ts';

export const document = {
  openapi: '3.1.0',
  info: {
    title: 'Harbor',
    version: '1.0.0',
    description:
      'The REST API of the Holdfast demo. Any request may carry `Demo-Network: delay=300..2000; fail=0.2; drop=0.1` to be treated as on a bad network; `hold=2000` holds an answer back after the work is done, `broken=3` breaks three rows in the lists of issues, `refuse=4` refuses every fourth row of a bulk change.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  security: [],
  paths,
  components: {
    schemas,
    securitySchemes: {
      access: { type: 'apiKey', in: 'cookie', name: ACCESS_COOKIE },
      refresh: { type: 'apiKey', in: 'cookie', name: REFRESH_COOKIE },
    },
  },
} as const;
